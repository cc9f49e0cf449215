"""An edit as text: first that it was done, then what is known of the files now, then the errors in the form that models
know; of a preview, what would be changed.

Above: ``answers``. Below: ``findings`` (the form of a finding), ``page``, ``wording``.
"""

from collections.abc import Iterator, Sequence

import msgspec

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.operations.reporting.report_mode import ReportState
from groundwire.operations.results.edits import EditedFile, EditOutcome, EditReport
from groundwire.render.findings import END, Budget, counts, shown_findings
from groundwire.render.limits import Limits, limits_of
from groundwire.render.page import Block, Page, Section, prose
from groundwire.render.verdict import noted, reason, shown
from groundwire.render.wording import counted, known_by

_DONE = {"created": "Created", "changed": "Edited", "renamed": "Renamed", "deleted": "Deleted"}
_HELD = {
    "end_of_turn": "What is wrong now is reported at the end of these edits.",
    "off": "What is wrong now is not reported: reports are switched off.",
}


def edit_page(answer: Answer[EditOutcome]) -> Page:
    """What was done, or would be."""
    outcome = answer.value
    sections = [_lines(f"Note: {note}" for note in outcome.notes)]
    if len(outcome.files) > 1:
        sections.insert(0, _lines(f"  {_lowered(_file(file))}" for file in outcome.files))
    if not outcome.applied:
        diffs = (prose(file.diff.removesuffix("\n")) for file in outcome.files if file.diff)
        return Page(f"{_preview(outcome)}{noted(answer)}", (*sections, *diffs))
    report = report_sections(answer, outcome.report) if outcome.report is not None else ()
    return Page(_success(outcome), (*sections, *report))


def report_state_page(answer: Answer[ReportState]) -> Page:
    """What edits report from now on."""
    state = answer.value
    held = "; edits were begun, and are reported at end_edits" if state.in_transaction else ""
    words = f"Reported after edits: {state.mode}, of other files: {state.other_files}{held}"
    return Page(shown(answer, words))


def report_sections(answer: Answer[EditOutcome], report: EditReport) -> tuple[Section, ...]:
    """What is known of the files now, in a line, and the errors."""
    if report.mode in _HELD and not report.files:
        return (_lines([_HELD[report.mode]]),)
    if not report.edited:
        return ()
    limits = report_limits(report)
    files = [_wanted(file, report) for file in report.files]
    edited = [file for file in files if file.file in report.edited]
    others = sorted((file for file in files if file.file not in report.edited), key=lambda file: file.file)
    budget = Budget(limits)
    where = "this file" if len(report.edited) == 1 else "the edited files"
    return (
        _lines([_state(answer, report, files, limits)]),
        _findings(f"\nLSP {limits.kind} detected in {where}, please fix:", edited, len(edited), budget),
        _findings(f"\nLSP {limits.kind} detected in other files:", others, limits.other_files, budget),
    )


def report_limits(report: EditReport) -> Limits:
    """How much of a report is shown."""
    return limits_of(report.showing, has_all=report.mode == "all")


def _success(outcome: EditOutcome) -> str:
    undo = f", undo with undo_edit {outcome.undo_id}" if outcome.undo_id else ""
    if not outcome.files:
        return _nothing(outcome)
    if len(outcome.files) == 1:
        return f"{_file(outcome.files[0])}{undo}"
    return f"Changed {counted(len(outcome.files), 'file')}{_numbers(*_sum(outcome.files))}{undo}"


def _preview(outcome: EditOutcome) -> str:
    if not outcome.files:
        return _nothing(outcome)
    if len(outcome.files) == 1:
        return f"Preview, nothing is written yet: {_lowered(_file(outcome.files[0]))}"
    return f"Preview, nothing is written yet: {counted(len(outcome.files), 'file')}{_numbers(*_sum(outcome.files))}"


def _nothing(outcome: EditOutcome) -> str:
    return "Nothing was changed" if outcome.notes else "Nothing was changed: the files are like that already"


def _file(file: EditedFile) -> str:
    name = f"{file.old_file} to {file.file}" if file.kind == "renamed" else file.file
    return f"{_DONE[file.kind]} {name}{_numbers(file.added, file.removed)}"


def _lowered(words: str) -> str:
    return words[0].lower() + words[1:]


def _sum(files: Sequence[EditedFile]) -> tuple[int, int]:
    return sum(file.added for file in files), sum(file.removed for file in files)


def _numbers(added: int, removed: int) -> str:
    return f" (+{added} -{removed})" if added or removed else ""


def _wanted(file: FileFindings, report: EditReport) -> FileFindings:
    """The file with those findings that the mode asks for; what nobody knows the past of may be new."""
    if report.mode != "introduced":
        return file
    new = tuple(finding for finding in file.diagnostics if finding.origin != "existing")
    return msgspec.structs.replace(file, diagnostics=new)


def _state(answer: Answer[EditOutcome], report: EditReport, files: Sequence[FileFindings], limits: Limits) -> str:
    """What is known, in a line: only what is confirmed is ever called free of errors."""
    visible = [finding for file in files for finding in shown_findings(file, limits)]
    number = counts(visible, limits) if visible or not _hidden(report) else "no new errors"
    if answer.status is Status.CONFIRMED:
        return f"{number.capitalize()}{_change(visible, report)} ({known_by(answer.servers)}){noted(answer)}"
    if answer.status is Status.UNSUPPORTED and not visible:
        return f"Not checked: {reason(answer)}{noted(answer)}"
    if visible:
        return (
            f"{number.capitalize()}{_change(visible, report)}, and more is not known: {reason(answer)}{noted(answer)}"
        )
    own = [file for file in files if file.file in report.edited]
    if own and all(file.status is Status.CONFIRMED for file in own):
        where = "this file" if len(own) == 1 else "the edited files"
        return f"{number.capitalize()} in {where}; other files are not known: {reason(answer)}{noted(answer)}"
    return f"Errors: not known: {reason(answer)}{noted(answer)}"


def _change(visible: Sequence[Finding], report: EditReport) -> str:
    """Which of them are new, as far as that is known, and how many are gone."""
    errors = [finding for finding in visible if finding.severity == "error"]
    new = sum(finding.origin == "introduced" for finding in errors)
    hidden = _hidden(report)
    parts = [
        f"{new:,} of them introduced by this edit" if 0 < new < len(errors) else "",
        "introduced by this edit" if errors and new == len(errors) else "",
        f"{report.resolved:,} resolved" if report.resolved else "",
        f"{counted(hidden, 'older one')} not shown" if hidden else "",
    ]
    return "".join(f", {part}" for part in parts if part)


def _hidden(report: EditReport) -> int:
    """Errors that are not shown because they were there before."""
    if report.mode != "introduced":
        return 0
    everything = [finding for file in report.files for finding in shown_findings(file, report_limits(report))]
    return sum(finding.origin == "existing" for finding in everything)


def _findings(title: str, files: Sequence[FileFindings], most: int, budget: Budget) -> Section:
    """One block for each line, so that a page can be cut after any of them; what was opened is closed then too."""
    broken = [file for file in files if shown_findings(file, budget.limits)]
    tagged = [lines for file in broken[:most] if (lines := budget.block(file))]
    blocks = [block for lines in tagged for block in _blocks(lines)]
    left_out = len(broken) - len(tagged)
    if left_out:
        blocks.append((f"... and {counted(left_out, 'more file')} with errors",))
    ends = set(_ends(tagged))

    def more(left: int, at: int) -> str:
        rest = f"... and {left:,} more lines"
        return rest if at in ends else f"{END}\n{rest}"

    return Section(blocks, len(blocks), title=title, more=more)


def _blocks(lines: Sequence[str]) -> list[Block]:
    """Each finding alone; the tags go with the first and the last."""
    first, *between, last = lines
    blocks: list[Block] = [(line,) for line in between]
    blocks[0] = (first, *blocks[0])
    blocks[-1] = (*blocks[-1], last)
    return blocks


def _ends(tagged: Sequence[Sequence[str]]) -> Iterator[int]:
    """After how many lines a file ends."""
    number = 0
    yield number
    for lines in tagged:
        number += len(lines) - 2
        yield number


def _lines(lines: Iterator[str] | Sequence[str]) -> Section:
    blocks = [(line,) for line in lines]
    return Section(blocks, len(blocks), more=_more)


def _more(left: int, _: int) -> str:
    return f"... and {left:,} more"
