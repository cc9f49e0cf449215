"""A terminal that a whole screen is drawn on: over the one before, so that nothing flickers, and put back in the end.

Above: ``watching``. Below: nothing.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

if sys.platform == "win32":
    termios = tty = None
else:
    import termios
    import tty

_ENTER = "\x1b[?1049h\x1b[?25l"
_LEAVE = "\x1b[?25h\x1b[?1049l"
_HOME, _TO_LINE_END, _TO_END = "\x1b[H", "\x1b[K", "\x1b[J"
_QUIT = (b"q", b"Q", b"\x04")


def is_terminal() -> bool:
    """Whether somebody looks on, with a terminal that can be drawn on."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


class Terminal:
    """As long as it is entered, inside an event loop."""

    def __init__(self) -> None:
        self.is_done = asyncio.Event()
        self.has_resized = asyncio.Event()
        self._before: list[Any] | None = None  # whatever the system says of a terminal

    def __enter__(self) -> Self:
        self._listen()
        self._write(_ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write(_LEAVE)
        self._deafen()

    @property
    def height(self) -> int:
        """In lines."""
        return shutil.get_terminal_size().lines

    def draw(self, lines: Sequence[str]) -> None:
        """Over what was there, in one piece."""
        self.has_resized.clear()
        drawn = (f"{line}{_TO_LINE_END}" for line in lines[: max(self.height, 1)])
        self._write(_HOME + "\r\n".join(drawn) + _TO_END)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def _listen(self) -> None:
        """Keys as they are pressed, where that can be had; Ctrl-C is still a signal."""
        loop = asyncio.get_running_loop()
        if hasattr(signal, "SIGWINCH"):
            loop.add_signal_handler(signal.SIGWINCH, self.has_resized.set)
        if termios is None or tty is None or not sys.stdin.isatty():
            return
        self._before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        loop.add_reader(sys.stdin, self._pressed)

    def _pressed(self) -> None:
        keys = os.read(sys.stdin.fileno(), 64)
        if not keys or any(key in keys for key in _QUIT):
            self.is_done.set()

    def _deafen(self) -> None:
        loop = asyncio.get_running_loop()
        if hasattr(signal, "SIGWINCH"):
            loop.remove_signal_handler(signal.SIGWINCH)
        if termios is not None and self._before is not None:
            loop.remove_reader(sys.stdin)
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
