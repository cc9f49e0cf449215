"""How a background process looks on a terminal.

Above: ``daemon``. Below: ``render.layout``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from groundwire.pool.status import ServerStatus
from groundwire.render.layout import Page, aligned, plain, short_path
from groundwire.render.wording import counted

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


class ClientState(msgspec.Struct, frozen=True):
    """Who is connected."""

    client: str
    conversation: str = ""
    since_s: float = 0.0


class DaemonState(msgspec.Struct, frozen=True, kw_only=True):
    """What a daemon says of itself. ``problem``: why it said nothing."""

    root: str
    pid: int = 0
    version: str = ""
    uptime_s: float = 0.0
    memory_mb: float = 0.0
    idle_s: float = 0.0
    idle_exit_s: float = 0.0
    is_outdated: bool = False
    log: str = ""
    clients: Sequence[ClientState] = ()
    servers: Sequence[ServerStatus] = ()
    notes: Sequence[str] = ()
    """How it differs from what a new one would be."""
    problem: str = ""

    @property
    def is_there(self) -> bool:
        """Whether there is one, even if it does not answer."""
        return bool(self.pid or self.problem)


def status_lines(state: DaemonState, page: Page) -> Iterator[str]:
    """Everything about one."""
    where = page.painted(plain(short_path(state.root)), "bold")
    if state.problem:
        yield f"{where}: {page.painted('a background process that does not answer', 'red')}"
        yield from page.hanging("", state.problem)
        return
    if not state.is_there:
        yield f"{where}: no background process runs; `groundwire mcp` starts one, or `groundwire daemon restart`"
        return
    numbers = f"process {state.pid}, version {state.version}, {state.memory_mb:.0f} MB"
    yield f"{where}: running for {duration(state.uptime_s)} ({numbers})"
    for note in state.notes:
        yield from (page.painted(line, "yellow") for line in page.hanging("note", note, column=9))
    yield from page.hanging("clients", _clients(state), column=9)
    yield from page.hanging("log", short_path(state.log), column=9)
    if state.servers:
        yield ""
        yield from aligned([_server(each, state.root) for each in state.servers], indent=2, columns=page.columns)


def table_lines(states: Sequence[DaemonState], page: Page) -> Iterator[str]:
    """A line for each of several."""
    shown = [state for state in states if state.is_there]
    if not shown:
        yield "No background process runs."
        return
    rows = [("PROCESS", "FOR", "MEMORY", "CLIENTS", "SERVERS", "WORKSPACE"), *map(_row, shown)]
    head, *lines = aligned(rows, columns=page.columns)
    yield page.painted(head, "dim")
    yield from lines


def duration(seconds: float) -> str:
    """Roughly."""
    for size, unit in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}" if seconds < 10 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _clients(state: DaemonState) -> str:
    if not state.clients:
        rest = state.idle_exit_s - state.idle_s
        ends = f"; it ends in {duration(max(rest, 0))} unless one comes" if state.idle_exit_s else ""
        return f"none for {duration(state.idle_s)}{ends}"
    names = Counter(each.client or each.conversation for each in state.clients)
    return ", ".join(f"{name} ({number})" if number > 1 else name for name, number in names.items())


def _server(status: ServerStatus, root: str) -> tuple[str, ...]:
    name = " ".join(filter(None, (status.server, status.version)))
    where = status.root.removeprefix(root).lstrip("/\\") or "."
    memory = f"{status.memory_mb:.0f} MB" if status.memory_mb is not None else ""
    return status.state, name, where, ", ".join(filter(None, (status.indexing, memory, status.reason)))


def _row(state: DaemonState) -> tuple[str, ...]:
    if state.problem:
        return "?", "", "", "", "", f"{short_path(state.root)}: {state.problem}"
    running = sum(each.pid is not None for each in state.servers)
    old = f" ({counted(len(state.notes), 'note')}; see groundwire daemon status)" if state.notes else ""
    return (
        str(state.pid),
        duration(state.uptime_s),
        f"{state.memory_mb:.0f} MB",
        str(len(state.clients)),
        str(running),
        f"{short_path(state.root)}{old}",
    )
