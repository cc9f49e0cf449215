"""Report files that tools write: read within bounds, and only those of this very run.

Above: the readers of ecosystems. Below: ``model``.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast
from xml.etree.ElementTree import Element, ParseError, fromstring

from groundwire.operations.building.model import Ran, Reading
from groundwire.operations.building.sources import Sources

_MOST_BYTES = 64 * 1024 * 1024
_LONGEST_MESSAGE = 2_000


class Unreadable(Exception):  # noqa: N818  it is no error of ours
    """Why a report could not be read, in words."""


def read_json(file: Path) -> dict[str, object]:
    """The object in a file. Raises Unreadable."""
    return as_object(parsed_json(_content(file).decode("utf-8", "replace")))


def json_reader(
    file: Path, reading: Callable[[dict[str, object], Sources], Reading]
) -> Callable[[Ran, Sources], Reading]:
    """A reader of a report that is one object in a file; ``reading`` says what that tells."""

    def read(_: Ran, sources: Sources) -> Reading:
        try:
            return reading(read_json(file), sources)
        except Unreadable as why:
            return unread(why)

    return read


def parsed_json(text: str) -> object:
    """Raises Unreadable."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"its report is no JSON: {problem}") from None


def read_xml(file: Path) -> Element:
    """The root of a file. Raises Unreadable."""
    return parsed_xml(_content(file))


def parsed_xml(content: bytes) -> Element:
    """Raises Unreadable."""
    try:
        return fromstring(content)  # noqa: S314  expat itself refuses entities that explode
    except (ParseError, ValueError) as problem:
        raise Unreadable(f"its report is no XML: {problem}") from None


def marks_of(files: Iterable[Path]) -> dict[Path, tuple[int, ...]]:
    """By what it is known whether a file was written again. No clock is asked: a disk may have one of its own."""
    return {file: (found.st_mtime_ns, found.st_size, found.st_ino) for file in files if (found := file.stat())}


def unread(why: Unreadable | str) -> Reading:
    """Nothing is known of what it found."""
    return Reading(doubt=str(why))


def as_object(value: object) -> dict[str, object]:
    """An object, be it empty where there is none."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def objects(value: object) -> list[dict[str, object]]:
    """The objects of a list."""
    return [as_object(each) for each in cast("list[object]", value)] if isinstance(value, list) else []


def text_of(value: object) -> str:
    """A text, be it empty."""
    return value if isinstance(value, str) else ""


def number_of(value: object) -> int:
    """A number, be it zero."""
    return value if isinstance(value, int) else int(value) if isinstance(value, str) and value.isdigit() else 0


def message_of(text: str) -> str:
    """The text of a failure at a length that can be shown."""
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 1]}…"


def without_stack(text: str) -> str:
    """What is said before the frames of a stack begin."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        if line.lstrip().startswith("at ") and lines:
            break
        lines.append(line)
    return message_of("\n".join(lines))


def _content(file: Path) -> bytes:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise Unreadable(f"its report has more than {_MOST_BYTES:,} bytes")
        return file.read_bytes()
    except OSError as problem:
        raise Unreadable(f"it wrote no report ({problem.strerror or problem})") from None
