"""Members of a payload that may be missing or of another type than its host promises: never an error, never a guess.

Above: everything that reads a payload. Below: nothing.
"""

from collections.abc import Iterable, Mapping
from typing import cast

Fields = Mapping[str, object]
"""A JSON object."""


def fields_of(value: object) -> Fields:
    """The value if it is a JSON object, an empty one otherwise."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def items_of(value: object) -> list[object]:
    """The value if it is a JSON array, an empty one otherwise."""
    return cast("list[object]", value) if isinstance(value, list) else []


def first_text(fields: Fields, names: Iterable[str]) -> str:
    """The first of these members that is a text and not empty; empty when none is."""
    return next((whole(value) for name in names if isinstance(value := fields.get(name), str) and value), "")


def first_present(fields: Fields, names: Iterable[str]) -> object:
    """The first of these members that is there and not null."""
    return next((value for name in names if (value := fields.get(name)) is not None), None)


def whole(text: str) -> str:
    """The text without halves of characters, which JavaScript lets through and UTF-8 cannot write."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
