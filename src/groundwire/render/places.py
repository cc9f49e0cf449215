"""Locations as text, grouped by file, each with its line of source.

Above: ``surfaces``. Below: ``operations.answer`` and ``limits``.
"""

from collections.abc import Iterable
from itertools import groupby

from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.results import Locations
from groundwire.render.limits import Limits
from groundwire.render.wording import counted, known_by, on_one_line

_DEFAULT = Limits()


def render_places(answer: Answer[Locations], *, noun: str = "reference", limits: Limits = _DEFAULT) -> str:
    """The places, by file. None are called none only where that is proven."""
    found = answer.value
    lines = [_first_line(answer, noun)]
    shown = found.locations[: limits.places]
    for file, places in groupby(shown, key=lambda place: place.file):
        lines += [file, *_lines(places, limits)]
    left = found.total - found.offset - len(shown)
    if left > 0:
        lines.append(f"+{left} more results (offset {found.offset + len(shown)})")
    return "\n".join(lines)


def _first_line(answer: Answer[Locations], noun: str) -> str:
    is_confirmed = answer.status is Status.CONFIRMED
    reason = answer.reason or answer.status.value
    note = f" [{answer.note}]" if answer.note else ""
    if not answer.value.total:
        if not is_confirmed:
            return f"{noun.capitalize()}s: not known: {reason}{note}"
        return f"No {noun}s ({known_by(answer.servers)}){note}"
    found = f"{counted(answer.value.total, noun)} in {counted(answer.value.files, 'file')}"
    if not is_confirmed:
        return f"At least {found}; whether that is all is not known: {reason}{note}"
    return f"{found} ({known_by(answer.servers)}){note}"


def _lines(places: Iterable[Place], limits: Limits) -> list[str]:
    return [
        f"  {place.line}:{place.column}  {on_one_line(place.text, limits.place_chars)}".rstrip() for place in places
    ]
