"""Starting servers before they are needed, or using one that somebody else runs: which are ready, and which are not.

Above: ``table``. Below: ``survey``, ``wanted``, ``loading``, ``connecting``.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.errors import (
    FileNotFound,
    GroundwireError,
    InvalidArgument,
    NoServerForExtension,
    OutsideWorkspace,
)
from groundwire.operations.answer import Answer, Status
from groundwire.operations.files.paths import shortened
from groundwire.operations.files.survey import LanguageFound, survey
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.workspace import StartedServer, StartedServers
from groundwire.operations.serving.connecting import connect_server
from groundwire.operations.serving.loading import start_and_load
from groundwire.operations.serving.wanted import Wanted, needed_servers
from groundwire.pool.pool import Pool
from groundwire.pool.routing import require_known
from groundwire.registry.catalog import Catalog

_LONGEST_WAIT_S = 600


class StartLsp(Arguments, frozen=True):
    """What to start; without anything, all that the workspace needs."""

    root_dir: Annotated[str, Meta(description="Directory of the workspace; only what lies there counts.")] = ""
    language_id: Annotated[str, Meta(description="Only the servers of this language.")] = ""
    # ``server`` is the option of every command, and means the same there.
    server_id: Annotated[str, Meta(description="Only this server.")] = ""
    connect: Annotated[
        str, Meta(description="HOST:PORT on this machine of a server that runs already; it is never ended.")
    ] = ""
    ready_timeout_seconds: Annotated[
        float, Meta(ge=0, le=_LONGEST_WAIT_S, description="How long to wait until they are ready.")
    ] = 0
    scope: Annotated[str, Meta(description="Not supported: servers load what their projects name.")] = ""


@operation(
    "Start language servers now and wait until they are ready. Not needed: other tools start what they need.",
    effect="manages",
    command="start",
)
async def start_lsp(call: Call, arguments: StartLsp) -> Answer[StartedServers]:
    """Start, or connect; what is not ready in time goes on in the background, and that is said."""
    if arguments.scope:
        hint = "Name a root_dir inside the workspace to start only what lies there."
        raise InvalidArgument("what a server loads cannot be limited by a scope", hint=hint)
    top = _directory(call.pool, arguments.root_dir)
    wait_s, now = arguments.ready_timeout_seconds, asyncio.get_running_loop().time()
    call = replace(call, deadline=now + wait_s) if wait_s else call
    catalog = call.pool.folders.terms_at(top).catalog
    _require_names(catalog, arguments)
    seen = await asyncio.to_thread(survey, top, catalog)
    if arguments.connect:
        address, server, language = arguments.connect, arguments.server_id, arguments.language_id
        return _answer([await connect_server(call, address, server, language, top, seen.languages)])
    wanted, missing = _wanted(call.pool, arguments, seen.languages)
    if not wanted and not missing:
        what = arguments.language_id or "a language that a server takes care of"
        raise NoServerForExtension(f"nothing in {top.name} is written in {what}")
    return _answer([*await asyncio.gather(*(start_and_load(call, each) for each in wanted)), *missing])


def _directory(pool: Pool, root_dir: str) -> Path:
    """Where to look. Raises OutsideWorkspace: a pool knows the configuration and the trust of its own folders only."""
    try:
        top = (pool.workspace / root_dir).resolve()
        is_directory = top.is_dir()
    except (OSError, ValueError, RuntimeError) as problem:  # too long, a zero byte, links in a circle
        raise FileNotFound(f"{shortened(root_dir)!a} is no directory: {type(problem).__name__}") from None
    if pool.folders.holder(top) is None:
        hint = f"Start groundwire in {top}, or add it with add_workspace_folder."
        raise OutsideWorkspace(f"{top} is outside the workspace {pool.workspace}", hint=hint)
    if not is_directory:
        raise FileNotFound(f"there is no directory {shortened(root_dir)}")
    return top


def _require_names(catalog: Catalog, arguments: StartLsp) -> None:
    if arguments.server_id:
        require_known(frozenset({arguments.server_id}), catalog)
    language, known = arguments.language_id, catalog.languages
    if language and language not in known:
        close = get_close_matches(shortened(language), known, n=1)
        hint = f"Did you mean {close[0]}?" if close else "Write it as editors do: python, go, typescript, cpp."
        raise InvalidArgument(f"no language is called {shortened(language)!a}", hint=hint)


def _wanted(
    pool: Pool, arguments: StartLsp, languages: Iterable[LanguageFound]
) -> tuple[list[Wanted], list[StartedServer]]:
    """What to start, and what cannot be had; of one language that has none, its own reason is raised."""
    meant = [each for each in languages if arguments.language_id in ("", each.language)]
    needed = needed_servers(pool, meant)
    if arguments.language_id and needed.refusals and not needed.servers:
        raise needed.refusals[arguments.language_id]
    if arguments.server_id:
        return _only(arguments.server_id, needed.servers), []
    return needed.servers, [_failed(language, why) for language, why in needed.missed.items()]


def _failed(language: str, why: GroundwireError) -> StartedServer:
    reason = f"{why.message}. {why.hint}" if why.hint else why.message
    return StartedServer(server="", languages=(language,), state="failed", reason=reason)


def _only(server: str, wanted: list[Wanted]) -> list[Wanted]:
    """Those of one server; one that no question would be put to is not started."""
    kept = [each for each in wanted if server == each.chosen.spec.id]
    if wanted and not kept:
        others = ", ".join(dict.fromkeys(each.chosen.spec.id for each in wanted))
        hint = "Which server a language has is set by [languages.NAME] servers in the configuration."
        raise InvalidArgument(f"{server} takes care of nothing here; {others} do", hint=hint)
    return kept


def _answer(servers: Sequence[StartedServer]) -> Answer[StartedServers]:
    ready = [each for each in servers if each.state == "ready"]
    late = [f"{each.server or each.languages[0]}: {each.reason}" for each in servers if each.state != "ready"]
    status = Status.CONFIRMED if not late else Status.PARTIAL if ready else Status.UNKNOWN
    return Answer(
        value=StartedServers(servers=tuple(servers), ready=len(ready)),
        status=status,
        reason="; ".join(late),
        servers=tuple(dict.fromkeys(each.server for each in ready)),
    )
