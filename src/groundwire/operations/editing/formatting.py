"""Formatting a file or a part of it, shown or written, with the indentation that its project wants.

A linter that formats goes before the primary server: it is there because the project uses it. Above: ``table``.
Below: ``question``, ``server_edits``, ``editorconfig``, ``indentation``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.client.disk import read_source
from groundwire.edits.plan import Plan
from groundwire.errors import CapabilityMissing, EditConflict, GroundwireError, ServerUnavailable
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FileArguments, FileRange
from groundwire.operations.editing.server_edits import done_or_shown, planned_or_not
from groundwire.operations.files.paths import existing_file
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import Asking, Heard, ask_server
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.serving.late_offers import require_offer
from groundwire.operations.text.editorconfig import FILE_NAME, EditorConfig, combined, parse
from groundwire.operations.text.indentation import Indentation, configured, detected
from groundwire.operations.text.text_ranges import wire_range
from groundwire.protocol.lsp import decode_list
from groundwire.protocol.lsp_edits import OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit

FORMATTING = "textDocument/formatting"
RANGE_FORMATTING = "textDocument/rangeFormatting"
_LARGEST_CONFIG = 1024 * 1024

TabSize = Annotated[int, Meta(ge=0, le=64, description="Width of a level; without it, as .editorconfig or the file.")]
InsertSpaces = Annotated[bool | None, Meta(description="Spaces, not tabs; without it, as .editorconfig or the file.")]
Apply = Annotated[bool, Meta(description="Write it; without, the change is shown.")]


class FormatDocument(FileArguments, frozen=True):
    """A file, and how it is to be indented."""

    tab_size: TabSize = 0
    insert_spaces: InsertSpaces = None
    apply: Apply = False


class FormatRange(FileArguments, frozen=True, kw_only=True):
    """A part of a file, and how it is to be indented."""

    start_line: Annotated[int, Meta(ge=1, description="First line, from 1.")]
    start_column: Annotated[int, Meta(ge=0, description="1-based, in characters.")] = 0
    end_line: Annotated[int, Meta(ge=1, description="Last line.")]
    end_column: Annotated[int, Meta(ge=0, description="Just behind the last character; without it, all of it.")] = 0
    tab_size: TabSize = 0
    insert_spaces: InsertSpaces = None
    apply: Apply = False


@operation(
    "Format a file as its formatter does. Shows the change; apply=true writes it.",
    effect="writes",
    needs=(FORMATTING,),
    command="format",
)
async def format_document(call: Call, arguments: FormatDocument) -> Answer[EditOutcome]:
    """All of it."""
    return await _Formatting(call, arguments, None).done()


@operation(
    "Format a part of a file as its formatter does. Shows the change; apply=true writes it.",
    effect="writes",
    needs=(RANGE_FORMATTING,),
    command="format-range",
)
async def format_range(call: Call, arguments: FormatRange) -> Answer[EditOutcome]:
    """Some lines of it."""
    part = FileRange(
        file_path=arguments.file_path,
        start_line=arguments.start_line,
        start_column=arguments.start_column,
        end_line=arguments.end_line,
        end_column=arguments.end_column,
    )
    return await _Formatting(call, arguments, part).done()


class _Formatting:
    """One file, or a part of it."""

    def __init__(self, call: Call, arguments: FormatDocument | FormatRange, part: FileRange | None) -> None:
        call.pool.refresh()
        self._call = call
        self._arguments = arguments
        self._part = part
        self._method = FORMATTING if part is None else RANGE_FORMATTING
        self._text: str | None = None
        """As it was when it was first asked about."""
        self._file = existing_file(Path(arguments.file_path), call.pool.workspace)

    async def done(self) -> Answer[EditOutcome]:
        """By the first server that formats such files."""
        route = self._call.pool.route(self._file)
        missing: GroundwireError | None = None
        for chosen in (*route.linters, *((route.primary,) if route.primary is not None else ())):
            try:
                heard = await ask_server(
                    self._call, chosen, self._file, route.language, self._ask, is_movable=self._part is None
                )
            except CapabilityMissing as error:
                missing = missing or error
                continue
            return await self._written(heard)
        raise missing or ServerUnavailable(f"no server takes care of {self._file.name}")

    async def _ask(self, asking: Asking) -> tuple[Reply[Plan | EditConflict], str]:
        await require_offer(asking, self._method)
        document, world = asking.document, asking.session.state.documents.world
        if self._part is not None and self._text not in (None, document.text):
            return Reply(EditConflict("the file changed meanwhile: which lines are meant?"), "", world), ""
        self._text = document.text
        params: dict[str, object] = {"options": options_for(self._file, document.text, self._arguments)}
        if self._part is not None:
            params["range"] = wire_range(self._part, document.lines, asking.encoding)
        reply = await asking.file_question(self._method, params)
        edits = decode_list(reply.result, TextEdit, self._method)
        identifier = OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        changes = [TextDocumentEdit(identifier, edits)] if edits else []
        return reply.having(planned_or_not(self._call, asking.session, changes, world)), ""

    async def _written(self, heard: Heard[Plan | EditConflict]) -> Answer[EditOutcome]:
        plan, server = heard.result, heard.asking.session.options.server
        if isinstance(plan, EditConflict):
            raise plan
        notes = [] if plan.steps else [f"{server} has nothing to change"]
        apply = self._arguments.apply
        return await done_or_shown(self._call, plan, apply=apply, server=server, notes=notes, doubt=heard.incomplete)


def options_for(file: Path, text: str, arguments: FormatDocument | FormatRange) -> dict[str, object]:
    """What the server is told of the wanted form: the arguments, then ``.editorconfig``, then the text itself."""
    properties = combined(_configs(file))
    own = configured(properties, detected(text))
    spaces = own.is_spaces if arguments.insert_spaces is None else arguments.insert_spaces
    wanted = Indentation(arguments.tab_size or own.width, spaces)
    options: dict[str, object] = {"tabSize": wanted.width, "insertSpaces": wanted.is_spaces}
    for name, option in (
        ("trim_trailing_whitespace", "trimTrailingWhitespace"),
        ("insert_final_newline", "insertFinalNewline"),
    ):
        if properties.get(name) in ("true", "false"):
            options[option] = properties[name] == "true"
    return options


def _configs(file: Path) -> Iterator[tuple[EditorConfig, str]]:
    """Those of the directories above, the nearest first; one that cannot be read is none."""
    for directory in file.parents:
        try:
            text = read_source(directory / FILE_NAME, _LARGEST_CONFIG)
        except GroundwireError:
            continue
        yield parse(text), file.relative_to(directory).as_posix()
