"""Several edits as one: silence in between, then one report, or everything taken back.

Above: ``table``, ``undo_edit``. Below: ``carry_out``, ``edit_report``, ``report_settings``.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from groundwire.edits.diff import blocks, lines_of
from groundwire.edits.report import Applied
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.carry_out import Writing, undo, undo_stack
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.reporting.report_mode import ReportState, report_state
from groundwire.operations.reporting.report_settings import report_settings
from groundwire.operations.results.edits import EditedFile, EditOutcome, EditReport

_MARK = "begin_edits"
"""Kept among the edits that can be undone: as long as it is there, so is everything written since."""


class NoEdits(Arguments, frozen=True):
    """Nothing to choose."""


@operation(
    "Begin edits that belong together: nothing is reported until end_edits, and rollback_edits takes all of them back.",
    effect="manages",
)
async def begin_edits(call: Call, arguments: NoEdits) -> Answer[ReportState]:  # noqa: ARG001  nothing to choose
    """Begun twice is begun once."""
    settings, writing = report_settings(call), call.pool.kept.get(Writing)
    if settings.is_in_transaction:
        return report_state(call, note="they were begun before")
    async with writing.lock:
        settings.is_in_transaction = True
        undo_stack(call).push(Applied(_MARK, ()))
    return report_state(call)


@operation("End the edits that were begun, and report once what is wrong after all of them.", effect="manages")
async def end_edits(call: Call, arguments: NoEdits) -> Answer[EditOutcome]:  # noqa: ARG001  nothing to choose
    """Also what was put off by the mode end_of_turn is reported."""
    settings = report_settings(call)
    was_begun = settings.is_in_transaction
    await _close(call)
    held = settings.take_held()
    if not held:
        note = "nothing was edited since they began" if was_begun else "no edits were begun"
        return _nothing(note)
    report = await _report(call, held)
    files = tuple(_net(held, call.pool.workspace))
    value = EditOutcome(applied=True, files=files, report=report.value)
    return Answer(value=value, status=report.status, reason=report.reason, servers=report.servers, note=report.note)


@operation(
    "Take back everything written since begin_edits, the last edit first; says what could not be taken back.",
    effect="writes",
)
async def rollback_edits(call: Call, arguments: NoEdits) -> Answer[EditOutcome]:  # noqa: ARG001  nothing to choose
    """An edit whose files somebody else changed since stays, and so do earlier ones of the same files."""
    settings = report_settings(call)
    if not settings.is_in_transaction:
        return _nothing("no edits were begun")
    since, is_all = _since_mark(call)
    done, failures = await _undo_each(call, since)
    await _close(call)
    held = settings.take_held()
    if not is_all:
        failures.append("earlier edits since begin_edits are kept no longer, and stay")
    report = await _report(call, held) if held else None
    return Answer(
        value=EditOutcome(
            applied=True,
            files=tuple(file for outcome in done for file in outcome.files),
            report=report.value if report is not None else None,
            notes=(f"{len(done)} of {len(since)} edits are taken back", *failures),
        ),
        status=Status.PARTIAL if failures else report.status if report is not None else Status.CONFIRMED,
        reason="; ".join(failures) or (report.reason if report is not None else ""),
        servers=report.servers if report is not None else (),
        note=report.note if report is not None else "",
    )


def undoable(call: Call) -> list[str]:
    """The edits that can be undone, the last one first."""
    return [each for each in undo_stack(call).ids if each != _MARK]


def _since_mark(call: Call) -> tuple[list[str], bool]:
    """The edits since the mark, the last one first; and whether these are all of them."""
    ids = undo_stack(call).ids
    return (ids[: ids.index(_MARK)], True) if _MARK in ids else (ids, False)


async def _undo_each(call: Call, ids: Sequence[str]) -> tuple[list[EditOutcome], list[str]]:
    done: list[EditOutcome] = []
    failures: list[str] = []
    for each in ids:
        try:
            done.append((await undo(call, each)).value)
        except GroundwireError as error:
            failures.append(f"the edit {each} stays: {error.message}")
    return done, failures


async def _close(call: Call) -> None:
    settings, writing = report_settings(call), call.pool.kept.get(Writing)
    async with writing.lock:
        settings.is_in_transaction = False
        if _MARK in undo_stack(call).ids:
            undo_stack(call).undo(_MARK)  # it has no steps: only the mark goes


async def _report(call: Call, held: Sequence[Edited]) -> Answer[EditReport]:
    """Now, whatever the mode: this is the end that it was put off to."""
    settings = report_settings(call)
    wait_s = settings.first_wait_s
    deadline = min(call.deadline, asyncio.get_running_loop().time() + wait_s)
    mode = settings.mode
    if mode == "end_of_turn":
        settings.mode = "errors"
    try:
        return await report_edit(replace(call, deadline=deadline), held)
    finally:
        if mode == "end_of_turn":
            settings.mode = mode


def _net(held: Sequence[Edited], workspace: Path) -> Iterator[EditedFile]:
    """What all the edits together did to each file."""
    for edit in held:
        if edit.before == edit.after:
            continue
        kind = "deleted" if edit.after is None else "created" if edit.before == "" else "changed"
        found = blocks(lines_of(edit.before or ""), lines_of(edit.after or ""))
        added, removed = sum(each[3] - each[2] for each in found), sum(each[1] - each[0] for each in found)
        yield EditedFile(file=shown_path(edit.file, workspace), kind=kind, added=added, removed=removed)


def _nothing(note: str) -> Answer[EditOutcome]:
    return Answer(value=EditOutcome(applied=False, notes=(note,)), status=Status.CONFIRMED)
