"""Locations as text, grouped by file, each with its line of source.

Above: ``surfaces``. Below: ``operations.answer`` and ``limits``.
"""

from collections.abc import Iterable
from itertools import groupby

from groundwire.operations.answer import Answer, Place, Status
from groundwire.render.limits import Limits
from groundwire.render.wording import counted, known_by, on_one_line

_DEFAULT = Limits()


def render_places(answer: Answer[tuple[Place, ...]], *, noun: str = "reference", limits: Limits = _DEFAULT) -> str:
    """The places, by file. None are called none only where that is proven."""
    lines = [_first_line(answer, noun)]
    ordered = sorted(answer.value, key=lambda place: (place.file, place.line, place.column))
    for file, places in groupby(ordered[: limits.places], key=lambda place: place.file):
        lines += [file, *_lines(places, limits)]
    if len(ordered) > limits.places:
        lines.append(f"+{len(ordered) - limits.places} more results")
    return "\n".join(lines)


def _first_line(answer: Answer[tuple[Place, ...]], noun: str) -> str:
    is_confirmed = answer.status is Status.CONFIRMED
    reason = answer.reason or answer.status.value
    if not answer.value:
        return (
            f"No {noun}s ({known_by(answer.servers)})" if is_confirmed else f"{noun.capitalize()}s: not known: {reason}"
        )
    found = f"{counted(len(answer.value), noun)} in {counted(len({place.file for place in answer.value}), 'file')}"
    return (
        f"{found} ({known_by(answer.servers)})"
        if is_confirmed
        else f"At least {found}; whether that is all is not known: {reason}"
    )


def _lines(places: Iterable[Place], limits: Limits) -> list[str]:
    return [
        f"  {place.line}:{place.column}  {on_one_line(place.text, limits.place_chars)}".rstrip() for place in places
    ]
