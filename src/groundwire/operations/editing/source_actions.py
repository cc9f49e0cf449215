"""What servers do to a whole file: put its imports in order, fix all that can be fixed without asking.

Linters come first: where a project has one, its opinion is the one that is wanted. Above: ``table``. Below:
``code_actions``, ``question``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.client.diagnose import diagnose
from groundwire.errors import CapabilityMissing, GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import FileArguments
from groundwire.operations.editing.code_actions import (
    CODE_ACTION,
    Ready,
    ask_actions,
    carry_out_action,
    joined,
    make_ready,
    nothing_done,
)
from groundwire.operations.files.paths import existing_file
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import Asking, Heard, ask_server
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.serving.late_offers import require_offer
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp import Range

ORGANIZE_IMPORTS = "source.organizeImports"
FIX_ALL = "source.fixAll"
_MOST_ROUNDS = 10


class SourceAction(FileArguments, frozen=True):
    """One file."""

    preview: Annotated[bool, Meta(description="Show the change, write nothing.")] = False


@operation(
    "Sort the imports of a file and remove unused ones, as its server or linter does it.",
    effect="writes",
    needs=(CODE_ACTION,),
    command="organize-imports",
)
async def organize_imports(call: Call, arguments: SourceAction) -> Answer[EditOutcome]:
    """Imports in order."""
    return await _Work(call, arguments, ORGANIZE_IMPORTS).once()


@operation(
    "Fix all in a file that its servers and linters can fix by themselves, again and again until nothing changes.",
    effect="writes",
    needs=(CODE_ACTION,),
    command="fix-all",
)
async def fix_all(call: Call, arguments: SourceAction) -> Answer[EditOutcome]:
    """All automatic fixes."""
    return await _Work(call, arguments, FIX_ALL).to_the_end()


class _Work:
    """One kind of action on one file."""

    def __init__(self, call: Call, arguments: SourceAction, kind: str) -> None:
        call.pool.refresh()
        self._call = call
        self._kind = kind
        self._is_preview = arguments.preview
        self._file = existing_file(Path(arguments.file_path), call.pool.workspace)
        self._route = call.pool.route(self._file)
        self._doubts: list[str] = []
        self._was_offered = False

    async def once(self) -> Answer[EditOutcome]:
        """By the first server that changes something."""
        servers, answer = await self._change(self._servers())
        return self._told(answer or self._nothing(servers))

    async def to_the_end(self) -> Answer[EditOutcome]:
        """By every server, until none changes anything."""
        done: list[Answer[EditOutcome]] = []
        for _ in range(_MOST_ROUNDS):
            servers, answer = await self._change(self._servers())
            if answer is None or not answer.value.files:
                return self._told(joined([*done, *([answer] if answer else [])]) if done else self._nothing(servers))
            done.append(answer)
            if self._is_preview:
                return self._told(answer)
        self._doubts.append(f"it still changes after {_MOST_ROUNDS} rounds")
        return self._told(joined(done))

    def _servers(self) -> Sequence[Chosen]:
        primary = self._route.primary
        return (*self._route.linters, *((primary,) if primary is not None else ()))

    async def _change(self, servers: Sequence[Chosen]) -> tuple[list[str], Answer[EditOutcome] | None]:
        """The first change that one of them makes; who offers to make any. Raises when nobody does."""
        offering: list[str] = []
        missing: GroundwireError | None = None
        for chosen in servers:
            try:
                heard = await self._ready(chosen)
            except CapabilityMissing as error:
                missing = missing or error
                continue
            offering.append(heard.asking.session.options.server)
            self._was_offered = self._was_offered or bool(heard.result)
            for ready in heard.result:
                session = heard.asking.session
                answer = await carry_out_action(self._call, session, ready, is_preview=self._is_preview)
                if answer.value.files or answer.status is not Status.CONFIRMED:
                    return offering, answer
        if not offering:
            raise missing or CapabilityMissing(f"no server takes care of {self._file.name}")
        return offering, None

    async def _ready(self, chosen: Chosen) -> Heard[list[Ready]]:
        async def ask(asking: Asking) -> tuple[Reply[list[Ready]], str]:
            return await self._ask(asking), ""

        heard = await ask_server(self._call, chosen, self._file, self._route.language, ask)
        if heard.incomplete:
            self._doubts.append(heard.incomplete)
        return heard

    async def _ask(self, asking: Asking) -> Reply[list[Ready]]:
        await require_offer(asking, CODE_ACTION)
        kinds = asking.session.state.capabilities.options(CODE_ACTION).get("codeActionKinds")
        if isinstance(kinds, list) and not any(_overlap(self._kind, str(kind)) for kind in cast("list[object]", kinds)):
            raise CapabilityMissing(f"{asking.session.options.server} does not offer {self._kind}")
        world, lines = asking.session.state.documents.world, asking.document.lines
        found = await diagnose(asking.session, asking.document, asking.deadline, save_checks=False)
        whole: Range = lines.range(0, len(lines.text), asking.encoding)
        reply = await ask_actions(asking, whole, found.diagnostics, (self._kind,))
        possible = [each for each in reply.result if each.action.disabled is None]
        ready = [await make_ready(self._call, asking, each, world) for each in possible]
        return Reply(ready, reply.incomplete, world)

    def _nothing(self, servers: Sequence[str]) -> Answer[EditOutcome]:
        note = "nothing to change" if self._was_offered else f"no {self._kind} is offered for this file"
        return nothing_done(tuple(servers), note)

    def _told(self, answer: Answer[EditOutcome]) -> Answer[EditOutcome]:
        if not self._doubts or answer.status is not Status.CONFIRMED:
            return answer
        return msgspec.structs.replace(answer, status=Status.PARTIAL, reason="; ".join(dict.fromkeys(self._doubts)))


def _overlap(wanted: str, offered: str) -> bool:
    return f"{offered}.".startswith(f"{wanted}.") or f"{wanted}.".startswith(f"{offered}.")
