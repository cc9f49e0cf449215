"""The part of a long answer that is wanted. Above: the operations. Below: ``arguments``."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Paged(Protocol):
    """Arguments that say how much is wanted."""

    @property
    def limit(self) -> int: ...
    @property
    def offset(self) -> int: ...


def page_of(items: Sequence[T], wanted: Paged) -> Sequence[T]:
    """The items that are shown."""
    return items[wanted.offset : wanted.offset + wanted.limit]
