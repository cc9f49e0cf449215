"""What servers tell about the text of a file: inlay hints, semantic tokens, folding and selection ranges, code lenses.

Above: ``table``. Below: ``question``, ``targets``, ``text_ranges``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.client.ask import Reply
from groundwire.errors import GroundwireError, SessionDead
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FilePage, FileRange, Target
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.targets import ask_at
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking, answer_of, ask_about
from groundwire.operations.results.decorations import Fold, Folds, Hint, Hints, Lens, Lenses, Selections
from groundwire.operations.text.text_ranges import is_whole, line_of, wire_range
from groundwire.protocol.lsp import Position, Range, decode, decode_list
from groundwire.protocol.lsp_questions import CodeLens, FoldingRange, InlayHint, SelectionRange

INLAY_HINT = "textDocument/inlayHint"
FOLDING_RANGE = "textDocument/foldingRange"
SELECTION_RANGE = "textDocument/selectionRange"
CODE_LENS = "textDocument/codeLens"
_RESOLVE_LENS = "codeLens/resolve"

_HINT_KINDS = {1: "type", 2: "parameter"}


@operation(
    "Inferred types and names of parameters, as an editor shows them within the text.",
    needs=(INLAY_HINT,),
    command="hints",
)
async def get_inlay_hints(call: Call, arguments: FileRange) -> Answer[Hints]:
    """Hints of a file or a part of it."""

    async def ask(asking: Asking) -> tuple[Reply[list[InlayHint]], str]:
        within = wire_range(arguments, asking.document.lines, asking.encoding)
        reply = await asking.workspace_question(INLAY_HINT, {"range": within})
        hints = decode_list(reply.result, InlayHint, INLAY_HINT)
        return reply.having([hint for hint in hints if within.start <= hint.position <= within.end]), ""

    heard = await ask_about(call, Path(arguments.file_path), ask, is_movable=is_whole(arguments))
    found = sorted(heard.result, key=lambda hint: hint.position)
    hints = Hints(
        file=shown_path(heard.asking.file, call.pool.workspace),
        hints=tuple(_hint(hint, heard.asking) for hint in page_of(found, arguments)),
        total=len(found),
        offset=arguments.offset,
    )
    return answer_of(heard, hints)


def _hint(hint: InlayHint, asking: Asking) -> Hint:
    line, column = asking.document.lines.to_human(hint.position, asking.encoding)
    kind = _HINT_KINDS.get(hint.kind or 0, "")
    return Hint(line=line, column=column, label=hint.text, kind=kind, text=line_of(asking.document.lines, line))


@operation("Lines of a file that belong together: blocks, imports, comments.", needs=(FOLDING_RANGE,), command="folds")
async def get_folding_ranges(call: Call, arguments: FilePage) -> Answer[Folds]:
    """Folding ranges of a file."""

    async def ask(asking: Asking) -> tuple[Reply[list[FoldingRange]], str]:
        reply = await asking.file_question(FOLDING_RANGE, {})
        return reply.having(decode_list(reply.result, FoldingRange, FOLDING_RANGE)), ""

    heard = await ask_about(call, Path(arguments.file_path), ask)
    # What folds within one line is of no use to those who go by lines.
    several_lines = {fold for fold in heard.result if fold.start_line < fold.end_line}
    found = sorted(several_lines, key=lambda fold: (fold.start_line, -fold.end_line))
    folds = Folds(
        file=shown_path(heard.asking.file, call.pool.workspace),
        ranges=tuple(
            Fold(start_line=fold.start_line + 1, end_line=fold.end_line + 1, kind=fold.kind or "")
            for fold in page_of(found, arguments)
        ),
        total=len(found),
        offset=arguments.offset,
    )
    return answer_of(heard, folds)


@operation(
    "What encloses a place: the word, the expression, the statement, the block, the file.",
    needs=(SELECTION_RANGE,),
    command="selections",
)
async def get_selection_ranges(call: Call, arguments: Target) -> Answer[Selections]:
    """Enclosing ranges of a place."""

    async def ask(asking: Asking, position: Position) -> Reply[list[Range]]:
        reply = await asking.file_question(SELECTION_RANGE, {"positions": [position]})
        found = decode_list(reply.result, SelectionRange, SELECTION_RANGE)
        return reply.having(found[0].ranges() if found else [])

    heard = await ask_at(call, arguments, ask)
    places = Places(heard.asking.session, call.pool.workspace)
    # Some servers tell of one range twice, as two things of which the one is all of the other, and of empty ones.
    found = (each for each in dict.fromkeys(heard.result) if each.start != each.end)
    ranges = tuple(places.place(heard.asking.document.uri, each) for each in found)
    return answer_of(heard, Selections(ranges=ranges, total=len(ranges)))


class _LensesHeard(NamedTuple):
    shown: Sequence[CodeLens]
    total: int
    unresolved: int


@operation(
    "Commands that a server offers in a file: run this test, so many uses.", needs=(CODE_LENS,), command="lenses"
)
async def get_code_lenses(call: Call, arguments: FilePage) -> Answer[Lenses]:
    """Code lenses of a file."""

    async def ask(asking: Asking) -> tuple[Reply[_LensesHeard], str]:
        reply = await asking.workspace_question(CODE_LENS, {})
        found = sorted(decode_list(reply.result, CodeLens, CODE_LENS), key=lambda lens: lens.range)
        shown = await asyncio.gather(*(_resolved(asking, lens) for lens in page_of(found, arguments)))
        unresolved = sum(lens.command is None for lens in shown)
        return reply.having(_LensesHeard(shown, len(found), unresolved)), ""

    heard = await ask_about(call, Path(arguments.file_path), ask)
    if heard.result.unresolved and not heard.incomplete:
        reason = f"the server did not tell what {heard.result.unresolved} of them are"
        heard = msgspec.structs.replace(heard, incomplete=reason)
    lenses = Lenses(
        file=shown_path(heard.asking.file, call.pool.workspace),
        lenses=tuple(_lens(lens, heard.asking) for lens in heard.result.shown),
        total=heard.result.total,
        offset=arguments.offset,
    )
    return answer_of(heard, lenses)


async def _resolved(asking: Asking, lens: CodeLens) -> CodeLens:
    if lens.command is not None:
        return lens
    try:
        return decode(await asking.follow_up(_RESOLVE_LENS, lens), CodeLens, _RESOLVE_LENS)
    except SessionDead:
        raise
    except GroundwireError:  # without its title, which the answer says
        return lens


def _lens(lens: CodeLens, asking: Asking) -> Lens:
    line, column = asking.document.lines.to_human(lens.range.start, asking.encoding)
    title, command = (lens.command.title, lens.command.command) if lens.command else ("", "")
    return Lens(line=line, column=column, title=title, command=command, text=line_of(asking.document.lines, line))
