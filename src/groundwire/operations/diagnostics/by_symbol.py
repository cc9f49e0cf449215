"""Findings of one file by the innermost symbol they are in: symbols and findings of the same content.

Above: ``get_diagnostics``. Below: ``question``, ``targets``, ``check_many``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.client.ask import Reply
from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.diagnostics.check_many import Checked, check_many
from groundwire.operations.navigation.targets import ask_symbols, name_position
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, Heard, ask_about
from groundwire.operations.results.diagnostics import DiagnosticEntry, SymbolDiagnostics
from groundwire.protocol.lsp import Position
from groundwire.protocol.symbol_tree import Symbol, innermost

_MOST_ROUNDS = 3

_Symbols = Heard[tuple[Symbol, ...]]


class CheckedBySymbol(NamedTuple):
    """The findings, the symbols of the very same text, and why there are none of them or may be others."""

    checked: Checked
    symbols: "FileOutline | None"
    note: str


class Groups(NamedTuple):
    """Findings by symbol, in the order of the text, and those that are in none."""

    symbols: tuple[SymbolDiagnostics, ...]
    ungrouped: tuple[DiagnosticEntry, ...]


async def check_by_symbol(call: Call, file: Path) -> CheckedBySymbol:
    """Check a file and ask for its symbols. Raises FileNotFound or NotAFile as a check does."""
    rounds_left = _MOST_ROUNDS
    while True:
        rounds_left -= 1
        heard = await _ask_symbols(call, file)
        if isinstance(heard, str):
            return CheckedBySymbol(await check_many(call, [file], [file]), None, f"not grouped by symbol: {heard}")
        outline = FileOutline(heard)
        checked = await check_many(call, [file], [file])
        # The check has just looked at the disk: what it holds now is what the findings are about.
        if outline.is_about(_text_now(call, heard.asking.file)):
            note = f"there may be more symbols: {heard.incomplete}" if heard.incomplete else ""
            return CheckedBySymbol(checked, outline, note)
        if not rounds_left:
            return CheckedBySymbol(checked, None, "not grouped by symbol: the file kept changing")


async def _ask_symbols(call: Call, file: Path) -> _Symbols | str:
    """The symbols, or why there are none."""

    async def ask(asking: Asking) -> tuple[Reply[tuple[Symbol, ...]], str]:
        return await ask_symbols(asking), ""

    try:
        return await ask_about(call, file, ask)
    except GroundwireError as error:  # if it cannot be checked either, the check will say so
        return error.message


def _text_now(call: Call, file: Path) -> str | None:
    try:
        return read_source(file, call.pool.settings.max_file_size)
    except GroundwireError:
        return None


class FileOutline:
    """The symbols of a file as it was when they were asked for, and findings by them."""

    def __init__(self, heard: _Symbols) -> None:
        self._asking = heard.asking
        self._symbols = heard.result
        self._text = heard.asking.document.text
        self._lines = heard.asking.document.lines

    def is_about(self, text: str | None) -> bool:
        """Whether the symbols are those of this text."""
        return text == self._text

    def groups(self, found: Sequence[DiagnosticEntry]) -> Groups:
        """The findings by symbol."""
        grouped: dict[int, tuple[Symbol, list[DiagnosticEntry]]] = {}
        ungrouped: list[DiagnosticEntry] = []
        for each in found:
            position = self._lines.to_wire(each.line, each.column, self._asking.encoding)
            symbol = _innermost_at(self._symbols, position)
            if symbol is None:
                ungrouped.append(each)
            else:
                grouped.setdefault(id(symbol), (symbol, []))[1].append(each)
        in_order = sorted(grouped.values(), key=lambda group: group[0].range.start)
        return Groups(tuple(self._shown(symbol, own) for symbol, own in in_order), tuple(ungrouped))

    def _shown(self, symbol: Symbol, found: Sequence[DiagnosticEntry]) -> SymbolDiagnostics:
        line = name_position(symbol, self._asking).line + 1
        return SymbolDiagnostics(name=symbol.dotted, kind=symbol.kind_name, line=line, diagnostics=tuple(found))


def _innermost_at(symbols: Sequence[Symbol], position: Position) -> Symbol | None:
    """By its exact range; on lines where none is that exact, by whole lines."""
    found: Symbol | None = None
    level = symbols
    while around := [each for each in level if each.range.start <= position < each.range.end]:
        found = min(around, key=lambda each: each.range.end.line - each.range.start.line)
        level = found.children
    return found or innermost(symbols, position.line)
