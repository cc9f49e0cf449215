"""The findings of files, and of all that is in directories: what ``groundwire check`` is given.

Above: ``command_questions``. Below: ``check_many``, ``scope``, ``result``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.operations.answer import Answer, FileFindings, Severity
from groundwire.operations.diagnostics.check_many import check_many
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.diagnostics.result import DiagnosticsResult, by_language
from groundwire.operations.diagnostics.scope import find_files
from groundwire.operations.operation import Call

Findings = Answer[tuple[FileFindings, ...]]


class _All(NamedTuple):
    """Everything is wanted, on one page."""

    severity: Severity = "hint"
    limit: int = 0
    offset: int = 0


async def check_paths(call: Call, paths: Sequence[Path]) -> Findings:
    """Check files, and what servers take care of in directories. Raises FileNotFound or NotAFile for a file."""
    found = await find_files(call, tuple(paths), "")
    if found.scope == "file":  # few as they may be, they are checked at once
        wait_s = max(call.deadline - asyncio.get_running_loop().time(), 0.0)
        return await check_files(call.pool, found.files, wait_s=wait_s)
    checked = await check_many(call, found.files, found.named)
    missed = by_language([each for each in checked.unserved if each.is_missed])
    why = (f"Not checked: {each.files:,} of {each.language}: {each.reason}" for each in missed)
    note = "\n".join(filter(None, [*why, call.pool.watcher_note]))
    answer = DiagnosticsResult(_All(), found, checked).by_file(note)
    return Answer(
        value=checked.findings,
        status=answer.status,
        reason=answer.reason,
        servers=answer.servers,
        note=answer.note,
    )
