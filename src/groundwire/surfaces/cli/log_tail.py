"""The end of a log, and what is added to it.

Above: ``daemon``. Below: nothing.
"""

import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TextIO

_EVERY_S = 0.2


def last_lines(path: Path, most: int) -> list[str]:
    """The last ones of the file, safe to show. A log that is put aside in this moment is empty."""
    try:
        with path.open("rb") as log:
            return [_shown(line) for line in deque(log, maxlen=most)]
    except FileNotFoundError:
        return []


def follow(path: Path, stream: TextIO, goes_on: Callable[[], bool] = lambda: True) -> None:
    """Shows what is added, also when the log is put aside for a new one; as long as it ``goes_on``."""
    log, rest = _open_at_end(path), b""
    try:
        while goes_on():
            chunk = log.read()
            if chunk:
                *lines, rest = (rest + chunk).split(b"\n")
                stream.write("".join(f"{_shown(line)}\n" for line in lines))
                stream.flush()
            elif _is_another(log, path):
                log.close()
                log = path.open("rb")
            else:
                time.sleep(_EVERY_S)
    finally:
        log.close()


def _open_at_end(path: Path) -> BinaryIO:
    log = path.open("rb")
    log.seek(0, os.SEEK_END)
    return log


def _is_another(log: BinaryIO, path: Path) -> bool:
    try:
        return not os.path.samestat(os.fstat(log.fileno()), path.stat())
    except OSError:
        return False


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    return "".join(each if each.isprintable() or each == "\t" else "�" for each in text)
