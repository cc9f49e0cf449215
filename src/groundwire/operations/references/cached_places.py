"""Uses that were kept, as places people can read: as ``places`` does it, without a server.

Above: ``cached_references``. Below: ``client.disk``, ``protocol``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Place
from groundwire.operations.arguments import TargetPage
from groundwire.operations.results.found import Locations
from groundwire.protocol.lsp import Position
from groundwire.protocol.positions import Lines, PositionEncoding

Unit = Annotated[int, Meta(ge=0)]
Span = tuple[Unit, Unit, Unit, Unit]
"""Line and character of the start and of the end, as on the wire."""
Uses = Mapping[str, Sequence[Span]]
"""By file, relative to the workspace."""


def shown_uses(
    workspace: Path, uses: Uses, encoding: PositionEncoding, page: TargetPage, max_file_size: int
) -> Locations:
    """Every place once, by file and place; only what is shown is read."""
    every = [(file, span) for file in sorted(uses) for span in sorted(dict.fromkeys(uses[file]))]
    shown = every[page.offset : page.offset + page.limit]
    lines = {file: _lines(workspace / file, max_file_size) for file in dict.fromkeys(file for file, _ in shown)}
    return Locations(
        locations=tuple(_place(file, lines[file], span, encoding) for file, span in shown),
        total=len(every),
        files=len({file for file, _ in every}),
        offset=page.offset,
    )


def _lines(file: Path, max_size: int) -> Lines | None:
    try:
        return Lines(read_source(file, max_size))
    except GroundwireError:  # too large or unreadable: the place is right, its text cannot be shown
        return None


def _place(file: str, lines: Lines | None, span: Span, encoding: PositionEncoding) -> Place:
    start, end = Position(span[0], span[1]), Position(span[2], span[3])
    (line, column), (end_line, end_column) = _human(lines, start, encoding), _human(lines, end, encoding)
    text = lines.line(start.line).strip() if lines is not None and start.line < lines.line_count else ""
    return Place(file=file, line=line, column=column, end_line=end_line, end_column=end_column, text=text)


def _human(lines: Lines | None, position: Position, encoding: PositionEncoding) -> tuple[int, int]:
    return lines.to_human(position, encoding) if lines is not None else (position.line + 1, position.character + 1)
