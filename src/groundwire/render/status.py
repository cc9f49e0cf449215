"""The state of every server of a workspace, as text or JSON.

Above: ``surfaces``. Below: ``operations.status`` and ``layout``.
"""

from collections.abc import Iterator

import msgspec

from groundwire.operations.results.workspace_status import ServerLine, WorkspaceStatus
from groundwire.render.extensions import extensions_listed
from groundwire.render.layout import Page, aligned, plain, short_path, some, without_name
from groundwire.render.withheld import withheld_line
from groundwire.render.wording import counted

_STYLES = {
    "active": "green", "starting": "cyan", "idle": "none", "broken": "red", "disabled": "dim", "unavailable": "yellow",
}  # fmt: skip
_MINUTE, _HOUR = 60, 3600


def render_status(status: WorkspaceStatus, page: Page) -> str:
    """A line for each server, with why and what helps below those that want it."""
    rows = aligned([_row(line) for line in status.servers], columns=page.columns)
    lines = [f"{page.painted(plain(short_path(status.workspace)), 'bold')}: {_count(status)}", ""]
    for line, row in zip(status.servers, rows, strict=True):
        style = _STYLES[line.status.state]
        lines.append(row if style == "none" else page.painted(row, style))
        lines += _below(line, page)
    return "\n".join([*lines, *_end(status, page)]).rstrip()


def render_status_json(status: WorkspaceStatus) -> dict[str, object]:
    """Everything, by the names of the fields; what is known of a server stands together."""
    servers = [
        {**msgspec.to_builtins(line.status), **msgspec.to_builtins(line), "status": None} for line in status.servers
    ]
    for server in servers:
        del server["status"]
    return {"ok": True, **msgspec.to_builtins(status), "servers": servers}


def _count(status: WorkspaceStatus) -> str:
    if not status.servers:
        return "no file here is in a language that a server is known for"
    return f"{counted(len(status.servers), 'server')} for {counted(status.files, 'file')}"


def _row(line: ServerLine) -> tuple[str, ...]:
    status = line.status
    name = " ".join(filter(None, (status.server, status.version)))
    return (status.state, name, some(line.languages, 2), status.root, _last(line))


def _last(line: ServerLine) -> str:
    status = line.status
    if status.state == "unavailable":
        return line.remedy
    memory = f"{status.memory_mb:.0f} MB" if status.memory_mb is not None else ""
    restarts = counted(status.restarts, "restart") if status.restarts else ""
    since = f"for {_duration(status.since_s)}" if status.pid is not None else ""
    shared = f"in the process of {status.process_of}" if status.process_of else ""
    sidecar = f"companion {status.sidecar}" if status.sidecar else ""
    return ", ".join(filter(None, (status.indexing, since, memory, restarts, shared, sidecar)))


def _duration(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h"


def _below(line: ServerLine, page: Page) -> Iterator[str]:
    reason = without_name(line.status.reason, line.status.server)
    if reason and reason != "not installed":
        yield from page.hanging("", reason, indent=4)


def _end(status: WorkspaceStatus, page: Page) -> Iterator[str]:
    if status.note or status.withheld or status.extensions:
        yield ""
    if status.note:
        yield from page.hanging("", f"Not everything was looked at: {status.note}.", indent=0)
    if status.withheld:
        yield withheld_line(status.withheld, status.trust_command, page)
    yield from extensions_listed(status.extensions, page)
