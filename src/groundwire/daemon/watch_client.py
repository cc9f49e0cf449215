"""The other end of watching: a daemon's news, and everything they amount to so far. It never starts a daemon.

Above: ``surfaces`` (the front, ``status --watch``). Below: ``watch_messages``, ``meeting``.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import msgspec

from groundwire.daemon.greeting import Greeting
from groundwire.daemon.meeting import Link, meet
from groundwire.daemon.watch_messages import (
    CallEnded,
    DaemonChanged,
    EditMade,
    FileNews,
    FindingsChanged,
    LatencyTally,
    News,
    ServersChanged,
    Snapshot,
    read_news,
)
from groundwire.errors import DaemonUnavailable
from groundwire.operations.journal import BUCKETS_MS, CallRecord

LONGEST_LINE = 64 * 1024 * 1024
_GREETING_S = 10.0
_MOST_CALLS = 100
_MOST_EDITS = 50

T = TypeVar("T")


@asynccontextmanager
async def watching(
    root: str, environment: Mapping[str, str], *, client: str
) -> AsyncGenerator[AsyncGenerator[bytes] | None]:
    """The lines of the daemon that runs there; None when there is none. Raises DaemonUnavailable."""
    link = await asyncio.to_thread(_greet, root, environment, client)
    if link is None:
        yield None
        return
    try:
        reader, writer = await asyncio.open_connection(sock=link.socket, limit=LONGEST_LINE)
    except OSError as problem:
        link.socket.close()
        raise DaemonUnavailable(f"the background process hung up: {problem}") from None
    try:
        yield _lines(reader)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _greet(root: str, environment: Mapping[str, str], client: str) -> Link | None:
    return meet(Greeting("watch", root, client=client), environment, time.monotonic() + _GREETING_S, starts=False)


async def _lines(reader: asyncio.StreamReader) -> AsyncGenerator[bytes]:
    try:
        while line := await reader.readline():
            yield line
    except (OSError, ValueError):  # it hung up in the middle, or says what has no end
        return


def understood(line: bytes) -> News | None:
    """None for what another version says."""
    try:
        return read_news(line)
    except msgspec.DecodeError:
        return None


def folded(before: Snapshot, news: News) -> Snapshot:
    """Everything, after the news."""
    match news:
        case Snapshot():
            return news
        case DaemonChanged(uptime_s=uptime_s, memory_mb=memory_mb, clients=clients):
            return msgspec.structs.replace(before, uptime_s=uptime_s, memory_mb=memory_mb, clients=clients)
        case ServersChanged(servers=servers, counts=counts):
            return msgspec.structs.replace(before, servers=servers, counts=counts)
        case FindingsChanged(files=files, more_files=more_files):
            return msgspec.structs.replace(before, findings=_merged(before.findings, files), more_files=more_files)
        case CallEnded(call=call):
            calls = _appended(before.calls, call, _MOST_CALLS)
            return msgspec.structs.replace(before, calls=calls, tallies=_counted(before.tallies, call))
        case EditMade(edit=edit):
            return msgspec.structs.replace(before, edits=_appended(before.edits, edit, _MOST_EDITS))
        case _:
            return before


def _merged(before: tuple[FileNews, ...], changed: tuple[FileNews, ...]) -> tuple[FileNews, ...]:
    files = {each.file: each for each in before} | {each.file: each for each in changed}
    return tuple(each for each in files.values() if each.findings)


def _appended(before: tuple[T, ...], one: T, most: int) -> tuple[T, ...]:
    return (*before[-most + 1 :], one)


def _counted(before: tuple[LatencyTally, ...], call: CallRecord) -> tuple[LatencyTally, ...]:
    tallies = {(each.operation, each.outcome): each for each in before}
    key = call.operation, call.outcome
    known = tallies.get(key)
    buckets = list(known.buckets) if known else [0] * len(BUCKETS_MS)
    fitting = next((number for number, bound in enumerate(BUCKETS_MS) if call.elapsed_ms <= bound), None)
    if fitting is not None and fitting < len(buckets):
        buckets[fitting] += 1
    tallies[key] = LatencyTally(
        operation=call.operation,
        outcome=call.outcome,
        count=(known.count if known else 0) + 1,
        total_ms=(known.total_ms if known else 0.0) + call.elapsed_ms,
        buckets=tuple(buckets),
    )
    return tuple(tallies.values())
