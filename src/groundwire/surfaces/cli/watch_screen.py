"""A watched workspace as lines for a terminal: servers, findings, calls and edits, as much of each as there is room.

Nothing here knows a terminal but its width, its height and its colours. Above: ``watching``. Below: ``render.layout``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from statistics import median

from rich.cells import cell_len, set_cell_size

from groundwire.daemon.watch_messages import EditNews, FileNews, Snapshot
from groundwire.operations.journal import CallRecord
from groundwire.pool.status import ServerStatus
from groundwire.render.layout import Page, plain, short_path
from groundwire.render.wording import counted
from groundwire.surfaces.cli.daemon_screen import duration

Line = Sequence[tuple[str, str]]
"""Pieces of text, each with its style."""

_STYLES = {
    "active": "green",
    "starting": "cyan",
    "broken": "red",
    "unavailable": "red",
    "error": "red",
    "warning": "yellow",
    "partial": "yellow",
    "unknown": "yellow",
    "cancelled": "dim",
    "idle": "dim",
    "disabled": "dim",
    "refused": "red",
    "confirmed": "green",
    "applied": "green",
}
_ALL = 10_000
_LEAST = 3
_MINUTE_S = 60.0
_SEVERITIES = ("error", "warning", "information", "hint")


def screen(
    root: str, snapshot: Snapshot | None, page: Page, height: int = 0, *, passed: float = 0.0, problem: str = ""
) -> list[str]:
    """At most ``height`` lines of at most the page's width; without a height, all. ``passed``: since it was told."""
    if snapshot is None:
        words = ((f"{problem}; trying again", "red"),) if problem else (("It is waited for; an agent starts it.", ""),)
        lines = [*_title(root, "cannot be watched" if problem else "no background process runs"), words]
        return [_drawn(line, page) for line in lines]
    told = f"up {duration(snapshot.uptime_s + passed)}, {snapshot.memory_mb:.0f} MB"
    clients = counted(len(snapshot.clients), "client") if snapshot.clients else "no clients"
    head = list(_title(root, f"{told}, {clients}"))
    parts = [
        list(_servers(snapshot, passed)),
        list(_findings(snapshot)),
        list(_calls(snapshot.calls)),
        list(_edits(snapshot.edits)),
    ]
    room = _shares([len(part) for part in parts], height - len(head) if height else _ALL)
    lines = [*head, *(line for part, share in zip(parts, room, strict=True) for line in _cut(part, share))]
    return [_drawn(line, page) for line in lines]


def _shares(wanted: Sequence[int], room: int) -> list[int]:
    """How many lines each part gets: what it wants while there is room, else room is taken from the longest."""
    shares = list(wanted)
    while sum(shares) > max(room, 0) and max(shares) > 0:
        shares[shares.index(max(shares))] -= 1
    return shares


def _cut(part: list[Line], share: int) -> list[Line]:
    if share >= len(part):
        return part
    if share < _LEAST:
        return part[:share]
    return [*part[: share - 1], (("  … ", "dim"), (f"{len(part) - share + 1} more lines", "dim"))]


def _title(root: str, told: str) -> Iterator[Line]:
    yield ((short_path(root), "bold"), ("  ", ""), (told, "dim"))


def _heading(name: str, told: str) -> Iterator[Line]:
    yield ()
    yield ((name, "bold"), (f"  {told}", "dim"))


def _servers(snapshot: Snapshot, passed: float) -> Iterator[Line]:
    servers = snapshot.servers
    running = sum(each.state in ("starting", "active") for each in servers)
    yield from _heading("Servers", f"{running} of {len(servers)} running" if servers else "none was needed so far")
    names = [" ".join(filter(None, (each.server, each.version))) for each in servers]
    width = max(map(cell_len, names), default=0)
    for each, name in zip(servers, names, strict=True):
        told = "  ".join(_told_of(each, snapshot.root, passed))
        shown = (f"  {each.state:<12}", _STYLES.get(each.state, ""))
        yield (shown, (set_cell_size(plain(name), width), ""), (f"  {told}", "dim"))
        if each.reason:
            yield ((f"      {each.reason}", "yellow" if each.state != "broken" else "red"),)
        last_words = each.stderr_tail.strip().rpartition("\n")[2]
        if last_words and each.state != "active":
            yield ((f"      {last_words}", "dim"),)


def _told_of(status: ServerStatus, root: str, passed: float) -> Iterator[str]:
    inside = status.root.removeprefix(root).lstrip("/\\")
    if inside:
        yield inside
    if status.indexing and status.indexing != "ready":
        yield status.indexing
    yield f"for {duration(status.since_s + passed)}"
    if status.memory_mb is not None:
        yield f"{status.memory_mb:.0f} MB"
    if status.restarts:
        yield counted(status.restarts, "failure")
    if status.open_documents:
        yield f"{counted(status.open_documents, 'file')} open"


def _findings(snapshot: Snapshot) -> Iterator[Line]:
    files = snapshot.findings
    found = Counter(each.severity for file in files for each in file.findings)
    numbers = [counted(found[severity], severity) for severity in _SEVERITIES if found[severity]]
    more = f", and {counted(snapshot.more_files, 'file')} more" if snapshot.more_files else ""
    told = f"{', '.join(numbers)} in {counted(len(files), 'file')}{more}" if files else "none that servers have told of"
    yield from _heading("Findings", told)
    for file in files:
        yield from _file(file)


def _file(news: FileNews) -> Iterator[Line]:
    for each in news.findings:
        old = () if news.is_current else (("  (of older content)", "dim"),)
        place = f"  {news.file}:{each.line}:{each.column}  "
        code = f"  {each.code}" if each.code else ""
        message = each.message.strip().partition("\n")[0]
        yield (
            (place, ""),
            (each.severity, _STYLES.get(each.severity, "")),
            (f"  {message}", ""),
            (code, "dim"),
            *old,
        )
        if each.text.strip() and each.text.strip() != message:
            yield ((f"      {each.text.strip()}", "dim"),)
    if news.more:
        yield ((f"  {news.file}: {news.more} more", "dim"),)


def _calls(calls: Sequence[CallRecord]) -> Iterator[Line]:
    if not calls:
        yield from _heading("Calls", "none yet")
        return
    last = calls[-1].ended
    lately = [each.elapsed_ms for each in calls if each.ended > last - _MINUTE_S]
    yield from _heading("Calls", f"{len(lately)} in a minute, median {_milliseconds(median(lately))}")
    width = max(len(each.operation) for each in calls)
    for each in reversed(calls):
        yield (
            (f"  {_clock(each.ended)}  {each.operation:<{width}}  ", ""),
            (f"{each.outcome:<11}", _STYLES.get(each.outcome, "")),
            (f"{_milliseconds(each.elapsed_ms):>8}", ""),
            (f"  {each.error or each.client}", "red" if each.error else "dim"),
        )


def _edits(edits: Sequence[EditNews]) -> Iterator[Line]:
    if not edits:
        return
    yield from _heading("Edits", counted(len(edits), "edit"))
    for each in reversed(edits):
        files = ", ".join(each.files) + (f" and {each.more_files} more" if each.more_files else "")
        delta = f"  {each.introduced} introduced, {each.resolved} resolved" if each.introduced or each.resolved else ""
        yield (
            (f"  {_clock(_seconds(each.timestamp))}  {each.tool}  ", ""),
            (each.status, _STYLES.get(each.status, "")),
            (f"  {files}", ""),
            (delta, "yellow" if each.introduced else "dim"),
            (f"  {each.error}" if each.error else "", "red"),
        )


def _drawn(line: Line, page: Page) -> str:
    """Within the width, and without anything a terminal would obey."""
    pieces: list[str] = []
    room = max(page.width, 1)
    for text, style in line:
        shown = plain(text)
        if cell_len(shown) > room:
            shown = set_cell_size(shown, max(room - 1, 0)) + ("…" if page.has_unicode else ">") if room else ""
        room -= cell_len(shown)
        pieces.append(page.painted(shown, style))
    text = "".join(pieces)
    return text if page.has_colour else text.rstrip()


def _milliseconds(value: float) -> str:
    return f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms" if value < 10_000 else f"{value / 1000:.0f} s"


def _seconds(timestamp: str) -> float:
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except ValueError:  # of another version
        return 0.0


def _clock(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%H:%M:%S}"


def as_text(lines: Iterable[str]) -> str:
    """For what is no terminal: each line for itself, then an empty one."""
    return "".join(f"{line}\n" for line in lines) + "\n"
