"""What a short-lived program says: bounded in time and size, with an end for everything it starts.

Above: ``toolchain_docs``. Below: ``transport.process``.
"""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from groundwire.errors import ServerUnavailable
from groundwire.transport.pipes import OutputPipe
from groundwire.transport.process import ChildProcess, ProcessSpec, spawn

_SECONDS = 10.0
_MOST_BYTES = 256 * 1024
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Ran(msgspec.Struct, frozen=True):
    """What it said, without what a terminal would obey. ``doubt``: why that is not all, or nothing at all."""

    text: str
    code: int
    doubt: str = ""


async def run_program(
    command: tuple[str, ...], directory: Path, environment: Mapping[str, str], deadline: float
) -> Ran:
    """Run it, with nothing to read. It has ended, and so has all that it started, when this returns."""
    kept = _Kept()
    try:
        child = await spawn(ProcessSpec(command, str(directory), environment), stdout=OutputPipe(kept.add))
    except ServerUnavailable as error:
        return Ran("", -1, error.message)
    try:
        child.stdin.finish()
        doubt = await _ended(child, kept, deadline)
    finally:
        await child.stop(grace=0)
    code = -1 if child.returncode is None else child.returncode
    return Ran(_CONTROL.sub("", kept.content.decode("utf-8", "replace")), code, doubt)


class _Kept:
    """The beginning of what is said."""

    def __init__(self) -> None:
        self.content = bytearray()
        self.is_full = asyncio.Event()

    def add(self, data: bytes) -> None:
        self.content += data[: _MOST_BYTES - len(self.content)]
        if len(self.content) >= _MOST_BYTES:
            self.is_full.set()


async def _ended(child: ChildProcess, kept: _Kept, deadline: float) -> str:
    """Waits for the end. Says why it did not come."""
    loop = asyncio.get_running_loop()
    seconds = max(min(_SECONDS, deadline - loop.time()), 0.0)
    ending, full = asyncio.ensure_future(_said_all(child)), asyncio.ensure_future(kept.is_full.wait())
    try:
        await asyncio.wait([ending, full], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ending.cancel()
        full.cancel()
    name = Path(child.spec.command[0]).name
    if kept.is_full.is_set():
        return f"{name} said more than {_MOST_BYTES:,} bytes"
    return "" if child.returncode is not None else f"{name} did not end within {seconds:.0f} s"


async def _said_all(child: ChildProcess) -> None:
    await child.wait()
    await child.stdout.ended.wait()
