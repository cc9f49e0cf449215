"""The source of the symbol at a place. Above: ``symbols``, ``explore``. Below: ``targets``, ``source_lines``."""

from collections.abc import Sequence
from pathlib import Path

from groundwire.client.ask import Reply
from groundwire.errors import NoSuchSymbol
from groundwire.operations.paths import shown_path
from groundwire.operations.question import Asking
from groundwire.operations.results import SymbolSource
from groundwire.operations.source_lines import first_line
from groundwire.operations.targets import AskAt, ask_symbols, name_position
from groundwire.protocol.lsp import Position
from groundwire.protocol.symbol_tree import Symbol, innermost, walk


def source_at(workspace: Path) -> AskAt[SymbolSource]:
    """Asks for the source of what is named at a position, else of the smallest symbol round it."""

    async def ask(asking: Asking, position: Position) -> Reply[SymbolSource]:
        reply = await ask_symbols(asking)
        symbol = _symbol_at(reply.result, position, asking)
        if symbol is None:
            doubt = f"; that is not certain: {reply.incomplete}" if reply.incomplete else ""
            raise NoSuchSymbol(
                f"line {position.line + 1} of {asking.file.name} is in no symbol{doubt}",
                hint="list_symbols shows what there is.",
            )
        return reply.having(_source(symbol, asking, workspace))

    return ask


def _symbol_at(symbols: Sequence[Symbol], position: Position, asking: Asking) -> Symbol | None:
    named = [symbol for symbol in walk(symbols) if name_position(symbol, asking) == position]
    around = [symbol for symbol in walk(symbols) if symbol.range.start <= position <= symbol.range.end]
    # Of several that begin with the name, as of a constructor and its class, the outer is meant; else the innermost.
    return next(iter(named), None) or next(reversed(around), None) or innermost(symbols, position.line)


def _source(symbol: Symbol, asking: Asking, workspace: Path) -> SymbolSource:
    lines = asking.document.lines
    last = min(symbol.range.end.line, lines.line_count - 1)
    if symbol.range.end.character == 0 and last > symbol.range.start.line:
        last -= 1  # it ends with its last line, not within the next
    first = first_line(lines, symbol.range.start.line, asking.document.language)
    return SymbolSource(
        symbol=symbol.dotted,
        kind=symbol.kind_name,
        file=shown_path(asking.file, workspace),
        start_line=first + 1,
        end_line=last + 1,
        source="\n".join(lines.line(number) for number in range(first, last + 1)),
    )
