"""What a program prints: kept within bounds, and shown with its beginning and its end.

Above: ``process``, ``running``. Below: nothing.
"""

import re
from collections.abc import Callable

_MOST_BYTES = 16 * 1024 * 1024
_LAST_BYTES = 64 * 1024
_LONGEST_LINE = 200
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SHOWN_HEAD = 4_000
_SHOWN_TAIL = 8_000


def plain(text: str) -> str:
    """Without what a terminal would obey."""
    return _CONTROL.sub("", text)


class Output:
    """Takes any amount from both pipes; keeps so much of the beginning, and the very end."""

    def __init__(self, live: Callable[[str], str]) -> None:
        self._live = live
        self._head: list[tuple[bool, bytes]] = []
        self._kept = 0
        self._tail = bytearray()
        self._last = b""
        self._spoken = ""

    def add_stdout(self, data: bytes) -> None:
        """What comes on standard output."""
        self._add(data, is_stdout=True)

    def add_stderr(self, data: bytes) -> None:
        """What comes on standard error."""
        self._add(data, is_stdout=False)

    @property
    def is_cut(self) -> bool:
        """Whether there was more than is kept."""
        return bool(self._tail)

    def stdout(self) -> str:
        """What was printed for programs to read."""
        return _decoded(b"".join(data for is_stdout, data in self._head if is_stdout))

    def text(self) -> str:
        """Both, as they came."""
        text = _decoded(b"".join(data for _, data in self._head))
        return f"{text}\n…\n{_decoded(bytes(self._tail))}" if self._tail else text

    def last_line(self) -> str:
        """The last one that says anything to people."""
        for line in reversed(_decoded(self._last).splitlines()):
            spoken = self._live(line.strip()).strip()
            if spoken:
                self._spoken = spoken[:_LONGEST_LINE]
                break
        return self._spoken

    def _add(self, data: bytes, *, is_stdout: bool) -> None:
        self._last = (self._last + data)[-_LAST_BYTES:] if len(data) < _LAST_BYTES else data[-_LAST_BYTES:]
        kept = data[: max(_MOST_BYTES - self._kept, 0)]
        if kept:
            self._head.append((is_stdout, kept))
            self._kept += len(kept)
        if len(kept) < len(data):
            self._tail += data[len(kept) :][-_LAST_BYTES:]
            del self._tail[:-_LAST_BYTES]


def head_and_tail(text: str, head: int = _SHOWN_HEAD, tail: int = _SHOWN_TAIL) -> tuple[str, int]:
    """The text, of a long one the beginning and the end in whole lines; and how many characters are left out."""
    text = text.strip("\n")
    if len(text) <= head + tail:
        return text, 0
    first = text[:head].rpartition("\n")[0] or text[:head]
    last = text[-tail:].partition("\n")[2] or text[-tail:]
    cut = len(text) - len(first) - len(last)
    return f"{first}\n… {cut:,} characters left out …\n{last}", cut


def _decoded(data: bytes) -> str:
    return plain(data.decode("utf-8", "replace").replace("\r\n", "\n"))
