"""From what an agent names to a position a server understands: a symbol's name in any spelling, or a place in a file.

A name is looked for in the file where one is given, else in all of the workspace. A near miss is taken when it is the
only one, and said; several are listed. Above: the operations. Below: ``question``, ``symbol_paths``, ``text_places``.
"""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from groundwire.client.ask import Reply
from groundwire.errors import AmbiguousSymbol, NoSuchSymbol
from groundwire.operations.arguments import Target
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, Heard, ask_about
from groundwire.operations.symbol_paths import Found, SymbolPath, closest, find_in_tree, parse_symbol_path
from groundwire.operations.text_places import find_place
from groundwire.operations.workspace_symbols import files_with_symbol
from groundwire.protocol.lsp import Position
from groundwire.protocol.lsp_answers import decode_document_symbols
from groundwire.protocol.symbol_tree import Symbol, symbol_tree, walk

DOCUMENT_SYMBOL = "textDocument/documentSymbol"
_MOST_CANDIDATES = 10

AskAt = Callable[[Asking, Position], Awaitable[Reply]]
"""Puts a question about a position."""


async def ask_at(call: Call, target: Target, ask: AskAt) -> Heard:
    """Ask about the place that ``target`` names."""
    workspace = call.pool.workspace
    if not target.symbol:
        return await _ask_in_text(call, target, ask)
    path = parse_symbol_path(target.symbol, lambda text: (workspace / text).is_file())
    file = path.file or target.file_path
    if not file:
        file = str(await _file_of(call, path))
    return await _ask_by_name(call, Path(file), path, ask)


async def _ask_in_text(call: Call, target: Target, ask: AskAt) -> Heard:
    async def put(asking: Asking) -> tuple[Reply, str]:
        place = find_place(target, asking.document.lines)
        encoding = asking.session.state.capabilities.position_encoding
        position = asking.document.lines.to_wire(place.line, place.column, encoding)
        return await ask(asking, position), place.note

    is_movable = bool(target.position_pattern and not target.line_scope_start and not target.line_scope_end)
    return await ask_about(call, Path(target.file_path), put, is_movable=is_movable)


async def _ask_by_name(call: Call, file: Path, path: SymbolPath, ask: AskAt) -> Heard:
    async def put(asking: Asking) -> tuple[Reply, str]:
        reply = await asking.file_question(DOCUMENT_SYMBOL, {})
        symbols = list(walk(symbol_tree(decode_document_symbols(reply.result))))
        found = find_in_tree(path, symbols)
        symbol = _only(found, path, symbols, asking)
        note = f"taken for {symbol.dotted}, {found.difference}" if found.difference else ""
        return await ask(asking, symbol.selection.start), note

    return await ask_about(call, file, put)


def _only(found: Found, path: SymbolPath, symbols: Sequence[Symbol], asking: Asking) -> Symbol:
    wanted, file = ".".join(path.keys), asking.file.name
    if not found.symbols:
        close = closest(path, symbols)
        hint = f"Close to it: {', '.join(close)}." if close else f"List the symbols of {file} to see what there is."
        raise NoSuchSymbol(f"there is no symbol {wanted} in {file}", hint=hint)
    if len(found.symbols) == 1:
        return found.symbols[0]
    shown = [_candidate(number, symbol) for number, symbol in enumerate(found.symbols[:_MOST_CANDIDATES], start=1)]
    how = f" {found.difference}" if found.difference else ""
    raise AmbiguousSymbol(
        f"{wanted} fits {len(found.symbols)} symbols of {file}{how}: {'; '.join(shown)}",
        hint=f"Name one of them by its path, or by number: {wanted}[2].",
    )


def _candidate(number: int, symbol: Symbol) -> str:
    return f"[{number}] {symbol.kind_name} {symbol.dotted} at line {symbol.selection.start.line + 1}"


async def _file_of(call: Call, path: SymbolPath) -> Path:
    """The one file of the workspace that holds the symbol."""
    wanted = ".".join(path.keys)
    files = await files_with_symbol(call, path)
    if not files.files:
        hint = f"Close to it: {', '.join(files.close)}." if files.close else "Name the file too: file.py::Class.method."
        raise NoSuchSymbol(f"there is no symbol {wanted} in the workspace{files.doubt}", hint=hint)
    if len(files.files) > 1:
        shown = [f"{file}::{wanted}" for file in files.files[:_MOST_CANDIDATES]]
        hint = "Name one of them."
        raise AmbiguousSymbol(f"{wanted} is in {len(files.files)} files: {'; '.join(shown)}", hint=hint)
    return call.pool.workspace / files.files[0]
