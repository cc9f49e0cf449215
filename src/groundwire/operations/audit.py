"""The audit trail: one record for every edit that was written, taken back, or refused when it was to be written.

A record holds no content of files: sizes and hashes stand for it. Above: ``carry_out``. Below: ``pool.audit_log``.
"""

import asyncio
import json
import os
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.edits.report import ChangedFile
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer
from groundwire.operations.files.paths import shown_path
from groundwire.operations.journal import Journal
from groundwire.operations.operation import Arguments, Call
from groundwire.operations.results.edits import EditReport
from groundwire.pool.audit_log import AuditLog
from groundwire.pool.pool import Pool
from groundwire.protocol.hashing import content_hash

_LONGEST_SHOWN = 500
_SHOWN = frozenset(
    {"file_path", "file_paths", "old_path", "new_path", "symbol", "symbol_path", "new_name", "old_name", "id"}
    | {"undo_id", "exclude_globs", "kind", "kinds", "position_encoding", "command", "server"}
)
"""Arguments that name things. Any other text may be content of a file."""


class _Trail:
    """Of one pool: the log, if there is to be one, and the name of the session."""

    def __init__(self) -> None:
        self.session = uuid.uuid4().hex[:12]
        self._log: AuditLog | None = None

    def log(self, pool: Pool) -> AuditLog | None:
        if self._log is None and pool.settings.audit is not None:
            self._log = AuditLog(pool.settings.audit)
        return self._log


class EditRecord:
    """What is known of an edit so far; written at the end, whatever that is."""

    def __init__(self, call: Call, changes: Sequence[ChangedFile]) -> None:
        self._call = call
        self._changes = changes
        self.status: Literal["applied", "undone", "refused", "cancelled"] = "applied"
        self.undo_id = ""
        self.error = ""
        self.report: Answer[EditReport] | None = None

    def as_dict(self, session: str) -> dict[str, object]:
        """The record."""
        call, workspace = self._call, self._call.pool.workspace
        now = asyncio.get_running_loop().time()
        return {
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "session_id": session,
            "pid": os.getpid(),
            "workspace": str(workspace),
            "tool": call.operation,
            "arguments": _summary(call.arguments),
            "files": [_file(change, workspace) for change in self._changes],
            "status": self.status,
            "success": not self.error,
            **({"error_message": self.error} if self.error else {}),
            **({"undo_id": self.undo_id} if self.undo_id else {}),
            **_counts(self.report),
            "duration_ms": round((now - call.began) * 1000, 1) if call.began else None,
        }


@contextmanager
def recorded(call: Call, changes: Sequence[ChangedFile], *, undo_id: str = "") -> Generator[EditRecord]:
    """Within it an edit that was written is reported; it is recorded even if that does not come to an end."""
    record = EditRecord(call, changes)
    record.undo_id = undo_id
    record.status = "undone" if call.operation.startswith(("undo", "rollback")) else "applied"
    try:
        yield record
    finally:
        _write(call, record)


@contextmanager
def failures_recorded(call: Call, changes: Sequence[ChangedFile] = ()) -> Generator[None]:
    """Within it an edit is written. That it is refused is recorded; so is one whose end nobody waited for."""
    record = EditRecord(call, changes)
    try:
        yield
    except GroundwireError as error:
        record.status, record.error = "refused", error.message
        _write(call, record)
        raise
    except asyncio.CancelledError:
        record.status = "applied" if changes and all(map(_is_done, changes)) else "cancelled"
        _write(call, record)
        raise


def _is_done(change: ChangedFile) -> bool:
    """Whether the file is as the edit leaves it."""
    if change.kind == "deleted":
        return not change.path.exists()
    try:
        return change.path.exists() if change.after is None else change.path.read_bytes() == change.after
    except OSError:
        return False


def record_event(call: Call, event: str, details: Mapping[str, object]) -> None:
    """Something other than an edit that the trail should tell of."""
    trail = call.pool.kept.get(_Trail)
    log = trail.log(call.pool)
    if log is None:
        return
    told = {
        "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "session_id": trail.session,
        "pid": os.getpid(),
        "workspace": str(call.pool.workspace),
        "tool": call.operation,
        "event": event,
        **({"client": call.client.name} if call.client is not None else {}),
    }
    log.write({**told, **details})


def audit_failure(call: Call) -> str:
    """Why edits could not be recorded; told once."""
    log = call.pool.kept.get(_Trail).log(call.pool)
    return log.take_failure() if log is not None else ""


def _write(call: Call, record: EditRecord) -> None:
    trail = call.pool.kept.get(_Trail)
    log, told = trail.log(call.pool), record.as_dict(trail.session)
    call.pool.kept.get(Journal).note_edit(told)
    if log is not None:
        log.write(told)


def _file(change: ChangedFile, workspace: Path) -> dict[str, object]:
    told: dict[str, object] = {"file": shown_path(change.path, workspace), "kind": change.kind}
    if change.old_path is not None:
        told["old_file"] = shown_path(change.old_path, workspace)
    for side, data in (("before", change.before), ("after", change.after)):
        if data is not None:
            told[side] = {"bytes": len(data), "hash": content_hash(data)}
    return told


def _summary(arguments: Arguments | None) -> dict[str, object]:
    """What was asked, without content of files: names as they are, of other texts their size and hash."""
    if arguments is None:
        return {}
    fields = msgspec.structs.fields(arguments)
    given = {field.name: getattr(arguments, field.name) for field in fields}
    return {
        field.name: _told(field.name, given[field.name]) for field in fields if given[field.name] != _default(field)
    }


def _default(field: msgspec.structs.FieldInfo) -> object:
    is_made = field.default_factory is not msgspec.NODEFAULT
    return field.default_factory() if is_made else field.default


def _told(name: str, value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(msgspec.to_builtins(value), default=str)
    if name in _SHOWN and len(text) <= _LONGEST_SHOWN:
        return value
    return {"chars": len(text), "hash": content_hash(text.encode("utf-8", "surrogatepass"))}


def _counts(report: Answer[EditReport] | None) -> dict[str, object]:
    """Errors before and after, of the files that the report is about."""
    if report is None:
        return {"diagnostics_status": "unknown"}
    if report.value.mode in ("off", "end_of_turn") and not report.value.files:
        return {"diagnostics_status": "not reported"}
    value = report.value
    found = [each for file in value.files for each in file.diagnostics]
    errors = sum(each.severity == "error" for each in found)
    after = {"error_count": errors, "warning_count": sum(each.severity == "warning" for each in found)}
    return {
        "diagnostics_before": {"error_count": errors - value.introduced + value.resolved},
        "diagnostics_after": {**after, "files_checked": [file.file for file in value.files]},
        "net_delta": {"errors": value.introduced - value.resolved},
        "introduced": value.introduced,
        "resolved": value.resolved,
        "diagnostics_status": report.status.value,
    }
