"""What the layers above keep for as long as a pool, or one of its clients, is there: one object of each kind, made when
first asked for.

Above: ``operations``. Below: nothing.
"""

from collections.abc import Callable
from typing import TypeVar, cast

S = TypeVar("S")


class Kept:
    """By kind. ``name`` is that of whom it is kept for, as it is shown."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self._objects: dict[type[object], object] = {}

    def get(self, kind: type[S], make: Callable[[], S] | None = None) -> S:
        """The one object of this kind; ``make`` makes it where it takes more than its name."""
        if kind not in self._objects:
            self._objects[kind] = (make or kind)()
        return cast("S", self._objects[kind])
