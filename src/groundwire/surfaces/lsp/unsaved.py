"""Asking a server while it is shown a client's unsaved texts, and nobody else is answered by it.

Right before fast: agents write to disk first, and come here seldom. Above: ``questions``. Below: ``client.shown``,
``operations.question`` (the same for what is on disk).
"""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

from groundwire.client.session import Session
from groundwire.client.shown import ShownText, shown
from groundwire.client.sync import sync_file, uri_of
from groundwire.errors import GroundwireError, RequestTimeout, SessionDead
from groundwire.operations.answer import T
from groundwire.operations.operation import Call
from groundwire.operations.question import Ask, Asking, Heard
from groundwire.operations.waiting import ServerWait
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen
from groundwire.surfaces.lsp.documents import Unsaved

_MOST_ROUNDS = 4
"""How often a question is put again because files changed, or the server ended, while it was answered."""

_LONGEST_S = 15.0
"""How long one question may keep all others from the server."""
_SHARE_FOR_LOADING = 0.75


def texts_for(pool: Pool, chosen: Chosen, unsaved: Sequence[Unsaved]) -> list[ShownText]:
    """Those of the texts that this server takes care of."""
    texts: list[ShownText] = []
    for each in unsaved:
        try:
            route = pool.route(each.file)
        except GroundwireError:
            continue  # nobody takes care of it
        if any((own.spec.id, own.root) == (chosen.spec.id, chosen.root) for own in route.chosen):
            texts.append(ShownText(each.file, each.text, each.is_gone, route.language))
    return texts


async def ask_unsaved(
    call: Call, chosen: Chosen, file: Path, language: str, texts: Sequence[ShownText], ask: Ask[T]
) -> Heard[T]:
    """As ``ask_server``, with these texts in place. Raises typed errors when there is no answer."""
    failure: GroundwireError = RequestTimeout("files kept changing while the answer was computed")
    for _ in range(_MOST_ROUNDS):
        try:
            heard = await _ask_once(call, chosen, file, language, texts, ask)
        except SessionDead as error:
            failure = error
            continue
        if heard is not None:
            return heard
    raise failure


async def _ask_once(
    call: Call, chosen: Chosen, file: Path, language: str, texts: Sequence[ShownText], ask: Ask[T]
) -> Heard[T] | None:
    """None when files changed meanwhile."""
    waiting = ServerWait(chosen.spec.id)
    session = await _ready(call, chosen, waiting)
    await wait_until_loaded(session, file, language, call.deadline)
    try:
        async with asyncio.timeout_at(call.deadline), session.interlude.on():
            deadline = min(call.deadline, session.now() + _LONGEST_S)
            call.pool.refresh()
            with shown(session, texts) as world:
                document = session.state.documents.get(uri_of(file)) or sync_file(session, file, language)
                asking = Asking(session, document, file, deadline, waiting)
                reply, note = await ask(asking)
                is_undisturbed = session.state.documents.world == world
    except TimeoutError:
        raise RequestTimeout(f"{chosen.spec.id} did not answer about unsaved text in time") from None
    if not is_undisturbed or call.pool.is_outdated(session):
        return None
    return Heard(reply.result, asking, reply.incomplete, note)


async def wait_until_loaded(session: Session, file: Path, language: str, deadline: float) -> None:
    """Let a server load, within a part of the time, before others are kept from it: it may take long."""
    with contextlib.suppress(GroundwireError):  # not on disk; several load nothing before they have seen a file
        sync_file(session, file, language)
    until = session.now() + (deadline - session.now()) * _SHARE_FOR_LOADING
    while session.now() < until:
        gate = session.state.readiness.gate("diagnostics", session.now())
        if gate.is_open:
            return
        await session.signal.wait(min(gate.until or until, until))
        session.raise_if_dead()


async def _ready(call: Call, chosen: Chosen, waiting: ServerWait) -> Session:
    try:
        waiting.instance = call.pool.instance(chosen)
        return await waiting.instance.ready(call.deadline)
    except TimeoutError:
        raise RequestTimeout(f"{chosen.spec.id} is still starting") from None
