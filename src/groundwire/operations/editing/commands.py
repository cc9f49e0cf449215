"""Commands of a server, carried out by it; what it wants edited meanwhile is written by the rules of every edit.

Above: ``table``. Below: ``server_edits``, ``pool``.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.errors import CapabilityMissing, InvalidArgument, RequestTimeout
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.server_edits import EXECUTE_COMMAND, done_or_shown, run_command
from groundwire.operations.files.paths import existing_file
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.results.fixes import CommandOutcome
from groundwire.protocol.lsp_questions import Command

_MOST_NAMED = 30


class ExecuteCommand(Arguments, frozen=True):
    """A command, by the name that the server has for it."""

    command: Annotated[str, Meta(description="Name of the command.")]
    arguments: Annotated[list[Any], Meta(description="Its arguments, any JSON.")] = msgspec.field(default_factory=list)
    file_path: Annotated[str, Meta(description="A file whose servers are asked; without it, those that run.")] = ""
    server_name: Annotated[str, Meta(description="Only this server.")] = ""


@operation(
    "Have a language server carry out one of its own commands. Edits that it asks for are written, all or none.",
    effect="writes",
    needs=(EXECUTE_COMMAND,),
    command="execute",
)
async def execute_command(call: Call, arguments: ExecuteCommand) -> Answer[CommandOutcome]:
    """The result of the command, and what it changed."""
    call.pool.refresh()
    session = _offering(await _sessions(call, arguments), arguments)
    given = Raw(msgspec.json.encode(arguments.arguments)) if arguments.arguments else Raw()
    run = await run_command(call, session, Command(arguments.command, arguments.command, given))
    server = session.options.server
    edit: Answer[EditOutcome] | None = None
    if run.plan is not None:
        edit = await done_or_shown(call, run.plan, apply=True, server=server)
    value = CommandOutcome(
        command=arguments.command,
        server=server,
        result=msgspec.json.decode(run.result),
        edit=edit.value if edit else None,
    )
    if edit is None:
        return Answer(value=value, status=Status.CONFIRMED, servers=(server,))
    return Answer(value=value, status=edit.status, reason=edit.reason, servers=(server,), note=edit.note)


async def _sessions(call: Call, arguments: ExecuteCommand) -> list[Session]:
    """Of the file, started if need be and brought up to date with it; else all that run."""
    if not arguments.file_path:
        running = [each.session for each in call.pool.instances() if each.has_started and each.is_usable]
        return [each for each in running if each.life == "ready"]
    file = existing_file(Path(arguments.file_path), call.pool.workspace)
    route = call.pool.route(file)
    sessions: list[Session] = []
    for chosen in route.chosen:
        if arguments.server_name in ("", chosen.spec.id):
            try:
                session = await call.pool.instance(chosen).ready(call.deadline)
            except TimeoutError:
                raise RequestTimeout(f"{chosen.spec.id} is still starting") from None
            sync_file(session, file, route.language)
            sessions.append(session)
    return sessions


def _offering(sessions: Iterable[Session], arguments: ExecuteCommand) -> Session:
    """The first server that has the command. Raises InvalidArgument with what there is."""
    wanted, offered = arguments.command, set[str]()
    for session in sessions:
        if arguments.server_name not in ("", session.options.server):
            continue
        commands = session.state.capabilities.commands()
        if wanted in commands:
            return session
        offered |= commands
    if not offered:
        hint = "Name a file_path of its language: then its server is started."
        raise CapabilityMissing(f"no server that runs offers commands, so not {wanted!r}", hint=hint)
    close = get_close_matches(wanted, offered, n=3)
    shown = close or sorted(offered)[:_MOST_NAMED]
    raise InvalidArgument(f"no server offers the command {wanted!r}", hint=f"There are: {', '.join(shown)}.")
