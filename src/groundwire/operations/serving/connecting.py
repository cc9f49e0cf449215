"""Using a server that somebody else runs in place of one of our own: dialled, shaken hands with, and never ended.

It is used only if it is what it was taken for; else everything is as it was before.
Above: ``starting``. Below: ``loading``, ``identity``, ``pool.addresses``.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from groundwire.client.session import Session
from groundwire.errors import GroundwireError, InvalidArgument, NoServerForExtension, RequestTimeout, ServerUnavailable
from groundwire.operations.files.survey import LanguageFound
from groundwire.operations.operation import Call
from groundwire.operations.results.workspace import StartedServer
from groundwire.operations.serving.identity import require_identity
from groundwire.operations.serving.loading import described, load
from groundwire.operations.serving.wanted import Wanted
from groundwire.pool.addresses import read_address, require_diallable
from groundwire.pool.pool import Pool


async def connect_server(
    call: Call, text: str, server: str, language: str, top: Path, languages: Iterable[LanguageFound]
) -> StartedServer:
    """Connect to the server, or to the first of the language. Raises why that failed or must not be."""
    pool = call.pool
    address = read_address(text)
    require_diallable(address, pool.folders.terms_at(top).connect.values())
    is_vouched_for, catalog = bool(server), pool.folders.terms_at(top).catalog
    server = server or _first_of(pool, top, language)
    sample, language = _sample(pool, top, server, language, languages)
    before = pool.folders.connections.get(server)
    pool.folders.connect(server, str(address))
    try:
        await pool.restart(server)
        wanted = _wanted(pool, sample, server, language)
        session = await _shake_hands(call, wanted, str(address))
        require_identity(session.state.server_name, server, catalog, is_vouched_for=is_vouched_for)
        loaded = await load(call, session, wanted)
    except (GroundwireError, asyncio.CancelledError):
        await _undo(pool, server, before)
        raise
    return described(call, wanted, session, loaded.state, loaded.reason)


async def _undo(pool: Pool, server: str, before: str | None) -> None:
    pool.folders.disconnect(server)
    if before is not None:
        pool.folders.connect(server, before)
    await pool.restart(server)


async def _shake_hands(call: Call, wanted: Wanted, address: str) -> Session:
    call.progress(f"connecting to {wanted.chosen.spec.id} at {address}")
    try:
        return await call.pool.instance(wanted.chosen).ready(call.deadline)
    except TimeoutError:
        raise RequestTimeout(f"what listens at {address} has not shaken hands as a language server does") from None


def _first_of(pool: Pool, top: Path, language: str) -> str:
    if not language:
        hint = "Say which language it is for, or which server it is."
        raise InvalidArgument("neither language_id nor server_id says what runs at the address", hint=hint)
    known = pool.folders.terms_at(top).catalog.servers_for(language)
    if not known:
        raise NoServerForExtension(f"no language server is known for {language}")
    return known[0].id


def _sample(pool: Pool, top: Path, server: str, language: str, languages: Iterable[LanguageFound]) -> tuple[Path, str]:
    """A file that the server takes care of, and its language; where there is none yet, one that might be there."""
    catalog = pool.folders.terms_at(top).catalog
    served = [language] if language else catalog.servers[server].languages
    for found in languages:
        if found.language in served:
            return found.samples[0], found.language
    first = served[0]
    endings = catalog.languages[first].extensions if first in catalog.languages else ()
    return top / f"unnamed{endings[0] if endings else ''}", first


def _wanted(pool: Pool, sample: Path, server: str, language: str) -> Wanted:
    chosen = next((each for each in pool.route(sample).chosen if each.spec.id == server), None)
    if chosen is None:
        why = next(
            (each.why for each in pool.route(sample).passed_over if each.server == server), "it does not serve it"
        )
        raise ServerUnavailable(f"{server} takes no part in this project: {why}", hint="Name another server.")
    return Wanted(chosen, sample, language)
