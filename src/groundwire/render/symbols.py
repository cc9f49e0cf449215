"""Symbols as text: a file's as an indented tree, the workspace's one per line, one symbol's source as it stands.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from collections.abc import Iterator

from groundwire.operations.answer import Answer
from groundwire.operations.results.found import FileSymbols, SymbolEntry, SymbolMatch, SymbolMatches, SymbolSource
from groundwire.render.page import Block, Page, Section, prose
from groundwire.render.verdict import found, shown
from groundwire.render.wording import on_one_line, source_line

_MOST_CHARS = 200


def file_symbols_page(answer: Answer[FileSymbols]) -> Page:
    """The tree or the outline of a file."""
    listed = answer.value
    blocks = [block for entry in listed.symbols for block in _entries(entry, 0)]
    # A page that begins within a tree also shows what its first symbol is in, which was on the page before.
    context = _depth_of_first(listed.symbols[0]) if listed.symbols and listed.offset else 0
    section = Section(_with_context(blocks, context), listed.total, listed.offset)
    return Page(found(answer, listed.total, "symbol", f" in {listed.file}"), (section,))


def _entries(entry: SymbolEntry, depth: int) -> Iterator[Block]:
    name = entry.name if depth else entry.path
    lines = f" [{entry.start_line}-{entry.end_line}]" if entry.end_line > entry.start_line else ""
    detail = on_one_line(entry.detail, _MOST_CHARS)
    parts = [
        f"{'  ' * (depth + 1)}{entry.line}:{entry.column}  {entry.kind} {name}{lines}",
        detail if detail != name else "",
        "deprecated" if entry.deprecated else "",
        f"+{entry.hidden} inside" if entry.hidden else "",
    ]
    yield ("  ".join(filter(None, parts)),)
    for child in entry.children:
        yield from _entries(child, depth + 1)


def _depth_of_first(entry: SymbolEntry) -> int:
    return 1 + _depth_of_first(entry.children[0]) if entry.children else 0


def _with_context(blocks: list[Block], context: int) -> list[Block]:
    first = tuple(line for block in blocks[: context + 1] for line in block)
    return [first, *blocks[context + 1 :]] if blocks else []


def symbol_matches_page(answer: Answer[SymbolMatches]) -> Page:
    """Symbols by name, the best first: their order tells more than their files would."""
    matches = answer.value
    blocks = [(_match(match),) for match in matches.symbols]
    return Page(found(answer, matches.total, "symbol"), (Section(blocks, matches.total, matches.offset),))


def _match(match: SymbolMatch) -> str:
    place = f"{match.file}:{match.line}:{match.column}" if match.line else match.file
    return f"  {place}  {match.kind} {match.path}  {source_line(match.text, _MOST_CHARS)}".rstrip()


def symbol_source_page(answer: Answer[SymbolSource]) -> Page:
    """The source, so that it can be copied."""
    return Page(shown(answer, source_title(answer.value)), (source_section(answer.value),))


def source_title(source: SymbolSource) -> str:
    """What it is and where."""
    return f"{source.kind} {source.symbol}  {source.file}:{source.start_line}-{source.end_line}"


def source_section(source: SymbolSource, title: str = "") -> Section:
    """The lines as they stand in the file."""
    return prose(source.source, source.start_line, title)
