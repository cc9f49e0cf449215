"""Documents that stay open until somebody closes them, whatever else is opened, and whoever has to be started anew.

Above: ``pool``. Below: ``routes``, ``client.sync``.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from groundwire.client.sync import uri_of
from groundwire.errors import InvalidArgument
from groundwire.pool.routes import Chosen
from groundwire.protocol.uris import uri_key

MOST_PINNED = 100
"""Half of what a server may have open: the other half is for what is only looked at."""


class Pin(msgspec.Struct, frozen=True):
    """A document, and the servers at their roots that have it open."""

    file: Path
    language: str
    holders: frozenset[tuple[str, Path]]


class Pinned:
    """By file."""

    def __init__(self) -> None:
        self._pins: dict[Path, Pin] = {}
        self.keys: frozenset[str] = frozenset()
        """Of their URIs, as sessions know them."""

    def __contains__(self, file: Path) -> bool:
        return file in self._pins

    def __iter__(self) -> Iterator[Path]:
        return iter(tuple(self._pins))

    def require_room(self, file: Path) -> None:
        """Raise InvalidArgument when there are too many already."""
        if file not in self._pins and len(self._pins) >= MOST_PINNED:
            hint = "Close some with close_document. A file need not be opened to be asked about."
            raise InvalidArgument(f"{MOST_PINNED} documents are kept open, and no more can be", hint=hint)

    def pin(self, file: Path, language: str, chosen: Iterable[Chosen]) -> None:
        """Keep it open with these servers."""
        self._pins[file] = Pin(file, language, frozenset((each.spec.id, each.root) for each in chosen))
        self._note_keys()

    def unpin(self, file: Path) -> bool:
        """Tell whether it was pinned."""
        was_pinned = self._pins.pop(file, None) is not None
        self._note_keys()
        return was_pinned

    def forget_below(self, folder: Path) -> None:
        """All that lie in a folder."""
        self._pins = {file: pin for file, pin in self._pins.items() if not file.is_relative_to(folder)}
        self._note_keys()

    def held_by(self, chosen: Chosen) -> dict[str, str]:
        """What a server at its root opens first: path → language."""
        holder = (chosen.spec.id, chosen.root)
        return {str(file): pin.language for file, pin in self._pins.items() if holder in pin.holders}

    def _note_keys(self) -> None:
        self.keys = frozenset(uri_key(uri_of(file)) for file in self._pins)
