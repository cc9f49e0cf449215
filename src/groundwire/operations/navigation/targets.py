"""From what an agent names to a position a server understands: a symbol's name in any spelling, or a place in a file.

A name is looked for in the file where one is given, else in all of the workspace. A near miss is taken when it is the
only one, and said; several are listed. Above: the operations. Below: ``question``, ``symbol_paths``, ``text_places``.
"""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from groundwire.client.ask import Reply
from groundwire.errors import AmbiguousSymbol, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import T
from groundwire.operations.arguments import Target
from groundwire.operations.navigation.workspace_symbols import files_with_symbol
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, Heard, ask_about
from groundwire.operations.text.symbol_paths import Found, SymbolPath, closest, find_in_tree, parse_symbol_path
from groundwire.operations.text.text_places import find_place
from groundwire.operations.text.text_ranges import word_within
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_answers import decode_document_symbols
from groundwire.protocol.symbol_tree import Symbol, symbol_tree, walk

DOCUMENT_SYMBOL = "textDocument/documentSymbol"
_MOST_CANDIDATES = 10

AskAt = Callable[[Asking, Position], Awaitable[Reply[T]]]
"""Puts a question about a position."""


async def ask_at(call: Call, target: Target, ask: AskAt[T], *, is_cursor: bool = False) -> Heard[T]:
    """Ask about the place that ``target`` names. ``is_cursor``: a text on a line means the place just behind it."""
    workspace = call.pool.workspace
    if not target.symbol:
        return await _ask_in_text(call, target, ask, is_cursor=is_cursor)
    path = parse_symbol_path(target.symbol, lambda text: _is_file(workspace / text))
    file = path.file or target.file_path
    if not file:
        file = str(await _file_of(call, path))
    return await _ask_by_name(call, Path(file), path, ask)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no name that a file could have: too long, for one
        return False


async def _ask_in_text(call: Call, target: Target, ask: AskAt[T], *, is_cursor: bool) -> Heard[T]:
    if not target.file_path:
        raise InvalidArgument("no file is named", hint="Give symbol, or file_path with a place in it.")
    is_behind_text = is_cursor and bool(target.text) and not target.position_pattern

    async def put(asking: Asking) -> tuple[Reply[T], str]:
        place = find_place(target, asking.document.lines)
        column = place.column + (len(target.text) if is_behind_text else 0)
        position = asking.document.lines.to_wire(place.line, column, asking.encoding)
        return await ask(asking, position), place.note

    is_movable = bool(target.position_pattern and not target.line_scope_start and not target.line_scope_end)
    return await ask_about(call, Path(target.file_path), put, is_movable=is_movable)


async def _ask_by_name(call: Call, file: Path, path: SymbolPath, ask: AskAt[T]) -> Heard[T]:
    async def put(asking: Asking) -> tuple[Reply[T], str]:
        reply = await ask_symbols(asking)
        symbols = list(walk(reply.result))
        found = find_in_tree(path, symbols)
        symbol = _only(found, path, symbols, reply.having(asking.file.name))
        note = f"taken for {symbol.dotted}, {found.difference}" if found.difference else ""
        return reply.then(await ask(asking, name_position(symbol, asking))), note

    return await ask_about(call, file, put)


async def ask_symbols(asking: Asking) -> Reply[tuple[Symbol, ...]]:
    """The symbols of the file, as a tree."""
    reply = await asking.file_question(DOCUMENT_SYMBOL, {})
    return reply.having(symbol_tree(decode_document_symbols(reply.result)))


def name_position(symbol: Symbol, asking: Asking) -> Position:
    """Where the name stands: the flat form of an answer, and some servers, tell only where the whole begins."""
    lines, encoding, name = asking.document.lines, asking.encoding, symbol.path[-1]
    if lines.text.startswith(name, lines.offset(symbol.selection.start, encoding)):
        return symbol.selection.start
    return word_within(lines, name, Range(symbol.selection.start, symbol.range.end), encoding).start


def _only(found: Found, path: SymbolPath, symbols: Sequence[Symbol], of: Reply[str]) -> Symbol:
    wanted, file = ".".join(path.keys), of.result
    if not found.symbols:
        close = closest(path, symbols)
        hint = f"Close to it: {', '.join(close)}." if close else f"List the symbols of {file} to see what there is."
        raise NoSuchSymbol(f"there is no symbol {wanted} in {file}", hint=hint, doubt=of.incomplete)
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
        raise NoSuchSymbol(f"there is no symbol {wanted} in the workspace", hint=hint, doubt=files.doubt)
    if len(files.files) > 1:
        shown = [f"{file}::{wanted}" for file in files.files[:_MOST_CANDIDATES]]
        hint = "Name one of them."
        raise AmbiguousSymbol(f"{wanted} is in {len(files.files)} files: {'; '.join(shown)}", hint=hint)
    return call.pool.workspace / files.files[0]
