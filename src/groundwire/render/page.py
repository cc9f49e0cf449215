"""A text in parts that can be cut: whole results are kept, and what is left out is always counted.

Above: ``answers`` and the renderers of each family of results. Below: nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

HARD_CAP = 100_000
"""No answer is longer than this, whatever was asked for."""

Block = tuple[str, ...]
"""The lines of one result."""


class Section(NamedTuple):
    """Results of one kind. ``more`` words that ``left`` are not shown, the first of which is number ``at``."""

    blocks: Sequence[Block]
    total: int
    """All that there are, from ``offset`` on or before it."""
    offset: int = 0
    title: str = ""
    more: Callable[[int, int], str] = lambda left, at: f"+{left:,} more results (offset {at})"

    def rest(self, shown: int) -> str:
        """The line that counts what is not shown; empty when nothing is left."""
        if self.total and self.offset >= self.total:
            return f"Nothing from offset {self.offset} on."
        at = self.offset + shown
        return self.more(self.total - at, at) if at < self.total else ""

    def lines(self, shown: int) -> list[str]:
        """So many results, and what is said about the others."""
        titled = [self.title] if self.title and self.blocks else []
        kept = [line for block in self.blocks[:shown] for line in block]
        return [*titled, *kept, *filter(None, [self.rest(shown)])]


class Page(NamedTuple):
    """All of an answer as text: what was found and how far that is proven, the results, what to do next."""

    head: str
    sections: tuple[Section, ...] = ()
    next_step: str = ""
    is_open: bool = True
    """Whether there is more to ask about it."""


def prose(text: str, first_line: int | None = None, title: str = "") -> Section:
    """A text of any kind, that may be cut between lines. ``first_line`` is the number of its first one in a file."""
    lines = text.split("\n")

    def more(left: int, at: int) -> str:
        where = "" if first_line is None else f" (from line {first_line + at})"
        return f"+{left:,} more lines{where}"

    return Section([(line,) for line in lines], len(lines), title=title, more=more)


def fitted(page: Page, max_chars: int) -> str:
    """The page within its budget; whenever something had to go, that is said."""
    room = max(min(max_chars, HARD_CAP), 1)
    everything = [len(section.blocks) for section in page.sections]
    whole = _text(page, everything, page.next_step)
    if len(whole) <= room:
        return whole
    text = _text(page, _that_fit(page, room), "")
    return text if len(text) <= room else _head_only(page, room)


def _text(page: Page, shown: Iterable[int], next_step: str) -> str:
    lines = [page.head]
    for section, count in zip(page.sections, shown, strict=True):
        lines += section.lines(count)
    return "\n".join([*lines, next_step] if next_step else lines)


def _that_fit(page: Page, room: int) -> list[int]:
    """How many results of each section fit, the first sections first."""
    left = room - len(page.head) - sum(_reserve(section) for section in page.sections)
    shown: list[int] = []
    for section in page.sections:
        count = 0
        for block in section.blocks:
            left -= sum(len(line) + 1 for line in block)
            if left < 0:
                break
            count += 1
        shown.append(count)
    return shown


def _reserve(section: Section) -> int:
    """The most that the title and the line about the others can take."""
    if not section.blocks:
        return sum(len(line) + 1 for line in section.lines(0))
    title = len(section.title) + 1 if section.title else 0
    return title + len(section.more(section.total, section.total)) + 1


def _head_only(page: Page, room: int) -> str:
    rest = "".join(f"\n{line}" for section in page.sections if (line := section.rest(0)))
    kept = room - len(rest) - 1
    if kept < room // 2:  # too little for both: how far it is proven matters more than how much there is
        return f"{page.head}{rest}"[: room - 1] + "…"
    return (page.head if len(page.head) <= kept + 1 else f"{page.head[:kept]}…") + rest
