"""The source of the symbol at a place, or of what is used there.

Above: ``symbols``, ``explore``. Below: ``targets``, ``navigate``, ``source_lines``.
"""

from collections.abc import Sequence
from pathlib import Path

from groundwire.client.ask import Reply
from groundwire.client.session import IS_WINDOWS
from groundwire.client.sync import sync_file
from groundwire.errors import NoSuchSymbol
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.navigate import definitions_at
from groundwire.operations.navigation.targets import AskAt, ask_symbols, name_position
from groundwire.operations.question import Asking
from groundwire.operations.results.found import SymbolSource
from groundwire.operations.text.source_lines import first_line
from groundwire.protocol.lsp import Location, Position
from groundwire.protocol.symbol_tree import Symbol, innermost, walk
from groundwire.protocol.uris import is_file_uri, uri_key, uri_to_path


def source_at(workspace: Path) -> AskAt[SymbolSource]:
    """Asks for the source of what is named at a position, else of the smallest symbol round it."""

    async def ask(asking: Asking, position: Position) -> Reply[SymbolSource]:
        reply = await ask_symbols(asking)
        symbol = _named_at(reply.result, position, asking) or _round(reply.result, position)
        if symbol is None:
            raise NoSuchSymbol(
                f"line {position.line + 1} of {asking.file.name} is in no symbol",
                hint="list_symbols shows what there is.",
                doubt=reply.incomplete,
            )
        return reply.having(_source(symbol, asking, workspace))

    return ask


def definition_source_at(workspace: Path) -> AskAt[SymbolSource]:
    """Asks for the source of the symbol that is declared or used at a position, wherever it is defined."""
    at_definition = source_at(workspace)

    async def ask(asking: Asking, position: Position) -> Reply[SymbolSource]:
        own = await ask_symbols(asking)
        if _named_at(own.result, position, asking) is not None:
            return await at_definition(asking, position)
        defined = await definitions_at(asking, position)
        for location in defined.result:
            elsewhere = _asking_about(location, asking, workspace)
            if elsewhere is not None:
                return defined.then(await at_definition(elsewhere, location.range.start))
        where = f"in {defined.result[0].uri}" if defined.result else "nowhere that the server knows"
        raise NoSuchSymbol(f"what is there is defined {where}", doubt=defined.incomplete)

    return ask


def _asking_about(location: Location, asking: Asking, workspace: Path) -> Asking | None:
    """To ask the same server about the file of a definition; None for one outside the workspace."""
    if uri_key(location.uri) == uri_key(asking.document.uri):
        return asking
    file = Path(uri_to_path(location.uri, windows=IS_WINDOWS)) if is_file_uri(location.uri) else None
    language = asking.session.options.languages.get(file.suffix) if file else None
    if file is None or language is None or not file.is_relative_to(workspace) or not file.is_file():
        return None
    return asking._replace(document=sync_file(asking.session, file, language), file=file)


def _named_at(symbols: Sequence[Symbol], position: Position, asking: Asking) -> Symbol | None:
    """Of several that begin with the name, as a class and its constructor may, the outermost."""
    return next((symbol for symbol in walk(symbols) if name_position(symbol, asking) == position), None)


def _round(symbols: Sequence[Symbol], position: Position) -> Symbol | None:
    around = [symbol for symbol in walk(symbols) if symbol.range.start <= position <= symbol.range.end]
    return around[-1] if around else innermost(symbols, position.line)


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
