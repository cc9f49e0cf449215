"""The findings of files, and of all that is in directories: what ``groundwire check`` is given.

Above: ``command_questions``. Below: ``check_many``, ``scope``, ``result``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.operations.answer import Answer, FileFindings, Severity
from groundwire.operations.diagnostics.check_many import Checked, check_found, check_named
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.diagnostics.result import DiagnosticsResult
from groundwire.operations.diagnostics.scope import files_below
from groundwire.operations.operation import Call

Findings = Answer[tuple[FileFindings, ...]]


class _All(NamedTuple):
    """Everything is wanted, on one page."""

    severity: Severity = "hint"
    limit: int = 0
    offset: int = 0


async def check_paths(call: Call, paths: Sequence[Path]) -> Findings:
    """Check files, and what servers take care of in directories. Raises FileNotFound or NotAFile for a file."""
    directories = [path for path in paths if path.is_dir()]
    named = [path for path in paths if path not in directories]
    if not directories:
        return await check_files(call.pool, named, wait_s=max(call.deadline - asyncio.get_running_loop().time(), 0.0))
    found = await asyncio.to_thread(files_below, call.pool, directories)
    first = await check_named(call, named) if named else Checked((), (), 0)
    swept = await check_found(call, [file for file in found.files if file not in named])
    checked = Checked((*first.findings, *swept.findings), swept.unserved, first.left + swept.left)
    answer = DiagnosticsResult(_All(), found, checked).by_file(call.pool.watcher_note)
    return Answer(
        value=checked.findings,
        status=answer.status,
        reason=answer.reason,
        servers=answer.servers,
        note=answer.note,
    )
