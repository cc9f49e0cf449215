"""A settings file of another program on its way into our words: the values, and where each of them stood.

Above: ``foreign``. Below: ``problems``, ``positions``.
"""

from typing import cast

from groundwire.config.positions import Lines, line_of
from groundwire.config.problems import KeyPath
from groundwire.registry.catalog import Catalog


class Translation:
    """Filled key by key."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.data: dict[str, object] = {}
        self.complaints: list[tuple[KeyPath, str, str]] = []
        """Key in that file, what is wrong, a hint."""
        self._places: dict[KeyPath, KeyPath] = {}

    def put(self, key: KeyPath, value: object, place: KeyPath) -> None:
        """A value under our key, and where it stood in that file."""
        table = self.data
        for part in key[:-1]:
            table = cast("dict[str, object]", table.setdefault(part, {}))
        table[key[-1]] = value
        self._places[key] = place

    def complain(self, place: KeyPath, message: str, hint: str = "") -> None:
        """Something that is left out."""
        self.complaints.append((place, message, hint))

    def lines(self, lines: Lines) -> dict[KeyPath, int]:
        """The lines of our keys, from those of that file."""
        found = {key: line_of(place, lines) for key, place in self._places.items()}
        return {key: line for key, line in found.items() if line is not None}
