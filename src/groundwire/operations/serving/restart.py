"""Servers are stopped and started anew, their failures forgiven.

Above: ``table``. Below: ``pool``.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.client.sync import sync_file
from groundwire.errors import FileNotFound, FileTooLarge, GroundwireError, NotAFile, OutsideWorkspace, PermissionDenied
from groundwire.operations.answer import Answer, Status
from groundwire.operations.files.inside import directory_inside
from groundwire.operations.files.paths import shortened, shown_path
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.servers import RestartedServer, RestartedServers
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen, require_known
from groundwire.pool.status import ServerStatus, State
from groundwire.registry.versions import short_version


class RestartServers(Arguments, frozen=True):
    """Which servers; without anything, all."""

    # ``server`` is the option of every command, and means the same there.
    server_id: Annotated[str, Meta(description="Only this server.")] = ""
    root_dir: Annotated[str, Meta(description="Only servers rooted in this directory or below it.")] = ""


@operation(
    "Restart language servers: all that run, or some. Forgives the failures of broken ones. Seldom needed: changes on "
    "disk are noticed, and crashed servers start again, without it.",
    effect="manages",
    command="restart",
)
async def restart_lsp_server(call: Call, arguments: RestartServers) -> Answer[RestartedServers]:
    """Those that ran run again when it returns, or it says why not; a broken one is started by the next question."""
    pool = call.pool
    require_known(frozenset(filter(None, [arguments.server_id])), pool.catalog)
    root = _root(pool, arguments.root_dir)
    before = [each for each in pool.status() if each.state in ("starting", "active", "broken")]
    ran = [(each, each.chosen, each.open_files()) for each in pool.instances()]
    await pool.restart(arguments.server_id, root)
    stopped = [(chosen, files) for instance, chosen, files in ran if instance not in pool.instances()]
    failures = await asyncio.gather(*(_start(call, chosen, files) for chosen, files in stopped))
    servers = _outcome(pool, before, {_key(each): why for (each, _), why in zip(stopped, failures, strict=True)})
    return _answer(servers, _others(before, servers, pool))


def _root(pool: Pool, named: str) -> Path | None:
    """The directory; one outside the workspace only where a server is rooted there."""
    if not named:
        return None
    try:
        return directory_inside(named, pool.workspace)
    except OutsideWorkspace:
        elsewhere = [Path(each.root) for each in pool.status() if Path(each.root) == Path(named)]
        if elsewhere:
            return elsewhere[0]
        raise


def _others(before: Sequence[ServerStatus], meant: Sequence[RestartedServer], pool: Pool) -> str:
    """Who was left alone, where nobody was meant."""
    left = [f"{each.server} at {shown_path(Path(each.root), pool.workspace)}" for each in before if not meant]
    return f"left alone: {', '.join(left)}" if left else ""


async def _start(call: Call, chosen: Chosen, files: Mapping[str, str]) -> str:
    """Start it and open what it had open; why it does not run, or nothing."""
    try:
        session = await call.pool.instance(chosen).ready(call.deadline)
        for path, language in files.items():
            with contextlib.suppress(FileNotFound, NotAFile, FileTooLarge, PermissionDenied):
                sync_file(session, path, language)
    except TimeoutError:
        return "it is still starting"
    except GroundwireError as error:
        return error.message
    return ""


def _key(chosen: Chosen) -> tuple[str, str]:
    return chosen.spec.id, str(chosen.root)


def _outcome(
    pool: Pool, before: Sequence[ServerStatus], failures: dict[tuple[str, str], str]
) -> tuple[RestartedServer, ...]:
    """Of each that was stopped, and of each that was broken and is not any more."""
    now = {(each.server, each.root): each for each in pool.status()}
    was: dict[tuple[str, str], State] = {(each.server, each.root): each.state for each in before}
    forgiven = (key for key, state in was.items() if state == "broken" and now[key].state != "broken")
    return tuple(
        RestartedServer(
            server=key[0],
            root=shown_path(Path(key[1]), pool.workspace),
            was=was.get(key, "active"),
            state=now[key].state,
            version=short_version(now[key].version),
            reason=shortened(failures.get(key, "the next question starts it")),
        )
        for key in dict.fromkeys((*failures, *forgiven))
    )


def _answer(servers: tuple[RestartedServer, ...], note: str) -> Answer[RestartedServers]:
    down = [each for each in servers if each.was != "broken" and each.state != "active"]
    return Answer(
        value=RestartedServers(servers=servers),
        status=Status.PARTIAL if down else Status.CONFIRMED,
        reason="; ".join(f"{each.server} at {each.root}: {each.reason or each.state}" for each in down),
        servers=tuple(dict.fromkeys(each.server for each in servers if each.state == "active")),
        note=note,
    )
