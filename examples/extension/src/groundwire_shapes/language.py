"""The language: a line for each shape, its kind and its size. Used by the server and by the checker."""

from collections.abc import Iterator
from typing import NamedTuple

KINDS = ("circle", "square", "triangle")


class Shape(NamedTuple):
    """``line`` counts from 0."""

    line: int
    kind: str
    size: str


def shapes_in(text: str) -> Iterator[Shape]:
    """Every line that is neither empty nor a remark."""
    for number, line in enumerate(text.splitlines()):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield Shape(number, words[0], words[1] if len(words) > 1 else "")


def problem_of(shape: Shape) -> str:
    """What is wrong with a shape; empty when nothing is."""
    if shape.kind not in KINDS:
        return f"there is no shape {shape.kind!r}"
    return "" if shape.size.isdigit() else f"a {shape.kind} needs a size"
