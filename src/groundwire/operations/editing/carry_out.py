"""Carrying out a planned edit: preview it, or write it all or nothing, tell the servers, and report what it did.

The edit comes first: nothing that servers do or fail to do afterwards makes it fail or waits beyond the report's
time. Above: the operations that edit. Below: ``edits``, ``edit_report``, ``audit``.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec, TypeVar

from groundwire.client.disk import read_source
from groundwire.edits.plan import Plan
from groundwire.edits.report import Applied, ChangedFile
from groundwire.edits.undo import UndoStack
from groundwire.edits.write import apply
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.audit import audit_failure, failures_recorded, recorded
from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import EditKind, report_edit
from groundwire.operations.reporting.report_settings import report_settings
from groundwire.operations.results.edits import EditedFile, EditOutcome

P = ParamSpec("P")
T = TypeVar("T")

_PREVIEW_LINES = 400
_LARGEST = 10 * 1024 * 1024


class Writing:
    """One edit at a time, whoever makes it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()


def undo_stack(call: Call) -> UndoStack:
    """The edits of this client that can be undone."""
    return call.kept.get(UndoStack)


def preview(call: Call, plan: Plan, *, notes: Sequence[str] = (), servers: tuple[str, ...] = ()) -> Answer[EditOutcome]:
    """What the plan would do, with the difference of every file."""
    files = tuple(_edited_file(change, call.pool.workspace, is_preview=True) for change in plan.changes)
    value = EditOutcome(applied=False, files=files, notes=(*notes, *_confirmations(plan)))
    return Answer(value=value, status=Status.CONFIRMED, servers=servers)


async def carry_out(
    call: Call, plan: Plan, *, notes: Sequence[str] = (), kind: EditKind = "edit"
) -> Answer[EditOutcome]:
    """Write it. Raises what ``edits.write.apply`` raises, with nothing written."""
    writing = call.pool.kept.get(Writing)
    async with writing.lock:
        await _learn_past(call, plan.changes)
        with failures_recorded(call, plan.changes):
            applied, undo_id = await _to_the_end(_write, plan, undo_stack(call))
    return await _reported(call, applied, kind, undo_id=undo_id, notes=(*notes, *_leftovers(applied)))


async def undo(call: Call, undo_id: str = "") -> Answer[EditOutcome]:
    """Take an edit back. Raises EditConflict or InvalidArgument with nothing written."""
    writing = call.pool.kept.get(Writing)
    async with writing.lock:
        with failures_recorded(call):
            undone = await _to_the_end(undo_stack(call).undo, undo_id)
    return await _reported(call, undone, "write", undo_id="", notes=_leftovers(undone))


async def _reported(
    call: Call, applied: Applied, kind: EditKind, *, undo_id: str, notes: Sequence[str]
) -> Answer[EditOutcome]:
    edits = edits_of(applied.changes)
    with recorded(call, applied.changes, undo_id=undo_id) as record:
        report = record.report = await report_edit(replace(call, deadline=_report_deadline(call)), edits, kind)
    files = tuple(_edited_file(change, call.pool.workspace, is_preview=False) for change in applied.changes)
    value = EditOutcome(applied=True, files=files, undo_id=undo_id, report=report.value, notes=tuple(notes))
    note = "; ".join(filter(None, [report.note, audit_failure(call)]))
    return Answer(value=value, status=report.status, reason=report.reason, servers=report.servers, note=note)


def edits_of(changes: Sequence[ChangedFile]) -> list[Edited]:
    """Each file as the report wants it: one that was renamed is gone in one place and new in another."""
    edits: list[Edited] = []
    for change in changes:
        if change.old_path is not None:
            before = change.before_text if change.before is not None else _moved_text(change.path)
            edits.append(Edited(change.old_path, before, None))
        after = None if change.kind == "deleted" else change.after_text or ""
        edits.append(Edited(change.path, "" if change.kind in ("created", "renamed") else change.before_text, after))
    return edits


def _moved_text(file: Path) -> str | None:
    """Of a file that was only renamed, and so is what it was."""
    try:
        return read_source(file, _LARGEST)
    except GroundwireError:  # no text, or gone again
        return None


async def _learn_past(call: Call, changes: Sequence[ChangedFile]) -> None:
    """What is wrong in the files already, where a server can say so at once: else all would look introduced."""
    baselines, settings = call.pool.kept.get(Baselines), report_settings(call)
    unknown = [
        change.path
        for change in changes
        if change.kind == "changed"
        and ((known := baselines.get(change.path)) is None or known.text != change.before_text)
    ]
    if not unknown or settings.mode == "off" or not _is_warm(call, unknown):
        return
    deadline = min(call.deadline, asyncio.get_running_loop().time() + settings.warm_wait_s)
    try:
        baselines.remember(await prove_files(call.pool, unknown, deadline=deadline))
    except GroundwireError:
        return  # it may be gone by now: then nothing is known of its past, and the write says what is wrong


def _is_warm(call: Call, files: Sequence[Path]) -> bool:
    """Whether every server for them has started already."""
    running = {
        (instance.chosen.spec.id, instance.chosen.root)
        for instance in call.pool.instances()
        if instance.has_started and instance.is_usable
    }
    try:
        chosen = [each for file in files for each in call.pool.route(file).chosen]
    except GroundwireError:  # nobody takes care of one of them
        return False
    return all((each.spec.id, each.root) in running for each in chosen)


def _report_deadline(call: Call) -> float:
    settings = report_settings(call)
    is_warm = all(instance.has_started for instance in call.pool.instances())
    wait_s = settings.warm_wait_s if is_warm and call.pool.instances() else settings.first_wait_s
    return min(call.deadline, asyncio.get_running_loop().time() + wait_s)


def _write(plan: Plan, stack: UndoStack) -> tuple[Applied, str]:
    """Write it and keep it; the name to undo it by, empty where it is too large to be kept."""
    applied = apply(plan)
    return applied, applied.id if stack.push(applied) else ""


async def _to_the_end(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """In a thread, for disks may be slow. One who is cancelled meanwhile still waits: half an edit is none."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise


def _edited_file(change: ChangedFile, workspace: Path, *, is_preview: bool) -> EditedFile:
    added, removed = change.lines
    return EditedFile(
        file=shown_path(change.path, workspace),
        kind=change.kind,
        old_file=shown_path(change.old_path, workspace) if change.old_path else "",
        added=added,
        removed=removed,
        diff=change.diff(workspace, _PREVIEW_LINES) if is_preview else "",
    )


def _confirmations(plan: Plan) -> list[str]:
    return [f"wants to be confirmed: {each.label} {each.description}".rstrip() for each in plan.confirmations]


def _leftovers(applied: Applied) -> list[str]:
    return [f"a temporary file could not be removed: {path}" for path in applied.leftovers]
