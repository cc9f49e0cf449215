"""What a daemon tells whoever watches it: first all there is, then each change, one line of JSON each.

Front ends show these shapes as they are; what is added to them later is added at the end, with a default.
Above: ``watch``, ``surfaces``. Below: ``operations.answer``, ``operations.journal``, ``pool.status``.
"""

from typing import Literal

import msgspec

from groundwire.operations.answer import Severity
from groundwire.operations.journal import CallRecord
from groundwire.pool.status import ServerCounts, ServerStatus
from groundwire.protocol.names import shown_within


class ShownFinding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A diagnostic as a server last said it; positions are 1-based characters, ``text`` is its line of source."""

    line: int
    column: int
    severity: Severity
    message: str
    code: str = ""
    source: str = ""
    server: str = ""
    text: str = ""


class FileNews(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that is known to be wrong in one file; nothing any more where ``findings`` is empty.

    ``is_current``: said about the content as it is on disk now.
    """

    file: str
    findings: tuple[ShownFinding, ...] = ()
    is_current: bool = True
    more: int = 0
    """How many more there are than are shown."""


class EditNews(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An edit, as the audit trail has it, without what only programs need."""

    timestamp: str
    tool: str
    status: str
    files: tuple[str, ...] = ()
    introduced: int = 0
    resolved: int = 0
    error: str = ""
    undo_id: str = ""
    more_files: int = 0
    """How many more files it changed than are named."""


class LatencyTally(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of one operation that ended in one way. ``buckets``: not cumulated, by ``journal.BUCKETS_MS``."""

    operation: str
    outcome: str
    count: int
    total_ms: float
    buckets: tuple[int, ...]


class ClientLine(msgspec.Struct, frozen=True, kw_only=True):
    """Who is connected."""

    client: str
    conversation: str
    since_s: float


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="snapshot"):
    """Everything at one moment. ``root`` is the workspace."""

    root: str
    pid: int
    version: str
    uptime_s: float
    memory_mb: float
    clients: tuple[ClientLine, ...] = ()
    servers: tuple[ServerStatus, ...] = ()
    findings: tuple[FileNews, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    edits: tuple[EditNews, ...] = ()
    tallies: tuple[LatencyTally, ...] = ()
    counts: tuple[ServerCounts, ...] = ()
    more_files: int = 0
    """How many more files have findings than are shown."""


class DaemonChanged(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="daemon"):
    """Who is connected, or how much memory the daemon itself takes, has changed."""

    uptime_s: float
    memory_mb: float
    clients: tuple[ClientLine, ...] = ()


class ServersChanged(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="servers"):
    """The state of servers, all of them, when that of one has changed."""

    servers: tuple[ServerStatus, ...]
    counts: tuple[ServerCounts, ...] = ()


class FindingsChanged(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="findings"):
    """Files whose findings have become others."""

    files: tuple[FileNews, ...]
    more_files: int = 0


class CallEnded(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="call"):
    """A call has ended."""

    call: CallRecord


class EditMade(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="edit"):
    """An edit was written, taken back or refused."""

    edit: EditNews


class Lagging(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="lagging"):
    """So much was not told, because it was not read in time; a snapshot follows."""

    dropped: int


News = Snapshot | DaemonChanged | ServersChanged | FindingsChanged | CallEnded | EditMade | Lagging
Kind = Literal["snapshot", "daemon", "servers", "findings", "call", "edit", "lagging"]

_decoder = msgspec.json.Decoder(News)


def read_news(line: bytes) -> News:
    """Raises msgspec.ValidationError for what is none."""
    return _decoder.decode(line)


def dump(news: News) -> bytes:
    """One line."""
    try:
        return msgspec.json.encode(news) + b"\n"
    except UnicodeEncodeError:  # a file may be called anything: one name that is no text must not silence the rest
        return msgspec.json.encode(shown_within(msgspec.to_builtins(news))) + b"\n"
