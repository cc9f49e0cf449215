"""Locations as text, grouped by file, each with its line of source.

Above: ``answers`` and ``surfaces``. Below: ``page``, ``verdict``, ``limits``.
"""

from collections.abc import Iterable, Sequence

from groundwire.operations.answer import Answer, Place
from groundwire.operations.results.found import Locations
from groundwire.render.limits import Limits
from groundwire.render.page import HARD_CAP, Block, Page, Section, fitted
from groundwire.render.verdict import found
from groundwire.render.wording import counted, source_line

_DEFAULT = Limits()


def render_places(answer: Answer[Locations], *, noun: str = "reference", limits: Limits = _DEFAULT) -> str:
    """The places, by file. None are called none only where that is proven."""
    return fitted(places_page(answer, noun, limits), HARD_CAP)


def places_page(answer: Answer[Locations], noun: str, limits: Limits) -> Page:
    """As many places as the limits allow."""
    locations = answer.value
    shown = locations.locations[: limits.places]
    head = found(answer, locations.total, noun, f" in {counted(locations.files, 'file')}" if locations.total else "")
    blocks = by_file([(place.file, (place_line(place, limits),)) for place in shown])
    return Page(head, (Section(blocks, locations.total, locations.offset),))


def place_line(place: Place, limits: Limits = _DEFAULT) -> str:
    """A place within the file that is named above it."""
    return f"  {place.line}:{place.column}  {source_line(place.text, limits.place_chars)}".rstrip()


def by_file(entries: Iterable[tuple[str, Block]]) -> Sequence[Block]:
    """The blocks, the first of each file under the name of the file."""
    blocks: list[Block] = []
    last = None
    for file, block in entries:
        blocks.append(block if file == last else (file, *block))
        last = file
    return blocks
