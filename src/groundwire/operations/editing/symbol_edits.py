"""Edits of one symbol by name: another body, code before or after it, or away with it.

Above: ``table``. Below: ``targets``, ``navigate``, ``symbol_spans``, ``body_edits``, ``insertions``, ``deletions``,
``carry_out``.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.edits.plan import Plan, plan_edit
from groundwire.edits.text_changes import Basis
from groundwire.errors import NoSuchSymbol
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FilePath, Target
from groundwire.operations.editing.body_edits import replace_body
from groundwire.operations.editing.carry_out import carry_out, preview
from groundwire.operations.editing.deletions import delete
from groundwire.operations.editing.insertions import insert_after, insert_before
from groundwire.operations.editing.symbol_change import SymbolChange
from groundwire.operations.editing.symbol_spans import Located, SymbolText
from groundwire.operations.editing.symbol_use_check import UseCheck, unseen_uses
from groundwire.operations.navigation.navigate import REFERENCES
from groundwire.operations.navigation.targets import DOCUMENT_SYMBOL, ask_at, ask_symbols, name_position
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.question import Asking, Heard
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntaxes import syntax_of
from groundwire.protocol.lsp import Position
from groundwire.protocol.lsp_edits import OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit
from groundwire.protocol.symbol_tree import Symbol, walk


class SymbolArguments(Arguments, frozen=True):
    """A symbol by name."""

    symbol_path: Annotated[str, Meta(description="Class.method, file.py::Class.method, name[2].")]
    file_path: FilePath = ""


class ReplaceSymbolBody(SymbolArguments, frozen=True, kw_only=True):
    """A symbol, and its body."""

    new_body: Annotated[str, Meta(description="With or without braces, at any indentation.")]
    preview: Annotated[bool, Meta(description="Only show what would change.")] = False


class InsertAtSymbol(SymbolArguments, frozen=True, kw_only=True):
    """A symbol, and code to be put beside it."""

    code: Annotated[str, Meta(description="Whole definitions, at any indentation.")]
    preview: Annotated[bool, Meta(description="Only show what would change.")] = False


class DeleteSymbol(SymbolArguments, frozen=True):
    """A symbol that is to go."""

    preview: Annotated[bool, Meta(description="Only show what would change.")] = False


class _Found(NamedTuple):
    """A symbol, and all that are in its file."""

    symbol: Symbol
    tree: Sequence[Symbol]


@operation(
    "Replace the body of a function or class; signature, decorators and comments above stay. "
    "A Python docstring is part of the body.",
    effect="writes",
    needs=(DOCUMENT_SYMBOL,),
)
async def replace_symbol_body(call: Call, arguments: ReplaceSymbolBody) -> Answer[EditOutcome]:
    """Another body."""
    return await _edit(call, arguments, lambda at: replace_body(at, arguments.new_body), is_preview=arguments.preview)


@operation(
    "Insert code before a symbol, above its comments and decorators, indented as it is.",
    effect="writes",
    needs=(DOCUMENT_SYMBOL,),
)
async def insert_before_symbol(call: Call, arguments: InsertAtSymbol) -> Answer[EditOutcome]:
    """Code above it."""
    return await _edit(call, arguments, lambda at: insert_before(at, arguments.code), is_preview=arguments.preview)


@operation("Insert code after a symbol, indented as it is.", effect="writes", needs=(DOCUMENT_SYMBOL,))
async def insert_after_symbol(call: Call, arguments: InsertAtSymbol) -> Answer[EditOutcome]:
    """Code below it."""
    return await _edit(call, arguments, lambda at: insert_after(at, arguments.code), is_preview=arguments.preview)


@operation(
    "Delete a symbol with its comments and decorators, if it is proven that nothing uses it.",
    effect="writes",
    needs=(REFERENCES,),
)
async def safe_delete_symbol(call: Call, arguments: DeleteSymbol) -> Answer[EditOutcome]:
    """Away with it."""

    async def ask(asking: Asking, position: Position) -> Reply[tuple[_Found, UseCheck]]:
        found = await _ask_symbol(asking, position)
        checked = await UseCheck.ask(asking, found.result.symbol, found.result.tree)
        return found.then(checked.having((found.result, checked.result)))

    heard = await ask_at(call, _target(arguments), ask)
    found, uses = heard.result
    if heard.note:
        raise NoSuchSymbol(
            f"there is no symbol {arguments.symbol_path} in {heard.asking.file.name}; nothing was deleted",
            hint=f"It could be {heard.note}: then name it so.",
        )
    located = _locate(heard.asking, found)
    uses.require_unused(located, heard.asking, call.pool.workspace, heard.incomplete)
    change = delete(located)
    notes = (*change.notes, *unseen_uses(located))
    return await _finish(call, heard.asking, change, notes, is_preview=arguments.preview)


async def _edit(
    call: Call, arguments: SymbolArguments, make: Callable[[Located], SymbolChange], *, is_preview: bool
) -> Answer[EditOutcome]:
    heard: Heard[_Found] = await ask_at(call, _target(arguments), _ask_symbol)
    change = make(_locate(heard.asking, heard.result))
    doubts = (heard.note, f"not all symbols may be known: {heard.incomplete}" if heard.incomplete else "")
    notes = (*filter(None, doubts), *change.notes)
    return await _finish(call, heard.asking, change, notes, is_preview=is_preview)


def _target(arguments: SymbolArguments) -> Target:
    return Target(symbol=arguments.symbol_path, file_path=arguments.file_path)


async def _ask_symbol(asking: Asking, position: Position) -> Reply[_Found]:
    """The symbol whose name is at the position: of several there, the outermost."""
    reply = await ask_symbols(asking)
    named = [symbol for symbol in walk(reply.result) if name_position(symbol, asking) == position]
    if not named:
        raise NoSuchSymbol(f"line {position.line + 1} of {asking.file.name} names no symbol", doubt=reply.incomplete)
    return reply.having(_Found(named[0], reply.result))


def _locate(asking: Asking, found: _Found) -> Located:
    masked = Masked(asking.document.text, syntax_of(asking.document.language))
    return SymbolText(masked, found.tree, asking.encoding).locate(found.symbol)


async def _finish(
    call: Call, asking: Asking, change: SymbolChange, notes: Sequence[str], *, is_preview: bool
) -> Answer[EditOutcome]:
    plan = _plan(call, asking, change)
    if is_preview:
        return preview(call, plan, notes=notes, servers=(asking.session.options.server,))
    return await carry_out(call, plan, notes=notes)


def _plan(call: Call, asking: Asking, change: SymbolChange) -> Plan:
    document, encoding = asking.document, asking.encoding
    edits = [TextEdit(document.lines.range(start, end, encoding), text) for start, end, text in change.pieces]
    return plan_edit(
        [TextDocumentEdit(OptionalVersionedTextDocumentIdentifier(document.uri), edits)],
        roots=tuple(call.pool.folders),
        encoding=encoding,
        computed_for={asking.file: Basis(document.hash)},
    )
