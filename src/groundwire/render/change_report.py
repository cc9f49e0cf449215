"""What a change set introduced, as text and as JSON.

Above: ``surfaces``. Below: ``findings`` (the form of a finding), ``json``, ``wording``.
"""

from collections.abc import Iterable

import msgspec

from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.results.change_report import ChangeReport
from groundwire.render.findings import Budget, shown_findings, state_line
from groundwire.render.json import render_findings_json
from groundwire.render.limits import Limits
from groundwire.render.wording import counted, known_by

_DEFAULT = Limits()


def render_changes(answer: Answer[ChangeReport], *, limits: Limits = _DEFAULT) -> str:
    """A first line that says what is known, what is not, then the findings."""
    report = answer.value
    budget = Budget(limits)
    lines = [_summary(answer)]
    lines += [state_line(file, limits) for file in report.files if file.status is Status.UNKNOWN][: limits.total_lines]
    if answer.status is not Status.CONFIRMED:
        lines.append(f"Not all is known: {answer.reason}")
    lines += _section("introduced by these changes, please fix:", _of(report.files, "introduced"), budget)
    lines += _section("that may be new, for what was there before is not known:", _of(report.files, ""), budget)
    lines += _section("that were there before:", _of(report.files, "existing"), budget)
    return "\n".join(lines)


def render_changes_json(answer: Answer[ChangeReport]) -> dict[str, object]:
    """The findings as ever, and the sums beside them."""
    report = answer.value
    found = render_findings_json(
        Answer(
            value=report.files,
            status=answer.status,
            reason=answer.reason,
            servers=answer.servers,
            elapsed_ms=answer.elapsed_ms,
            note=answer.note,
        )
    )
    sums: dict[str, object] = msgspec.structs.asdict(report)
    files = found["result"]
    return {**found, "result": {**sums, **(files if isinstance(files, dict) else {})}}


def _summary(answer: Answer[ChangeReport]) -> str:
    report = answer.value
    gone = f" and {counted(report.deleted, 'deleted file')}" if report.deleted else ""
    checked = counted(report.changed, "changed file") + gone
    others = f", and {counted(report.others, 'other file')}" if report.others else ""
    proof = f" ({known_by(answer.servers)})" if answer.status is Status.CONFIRMED and answer.servers else ""
    head = f"Checked {checked} against {report.against}{others}: "
    if not report.changed and not report.deleted:
        head = f"Nothing that a server takes care of has changed against {report.against}: "
    return f"{head}{_sums(answer)}{proof}"


def _sums(answer: Answer[ChangeReport]) -> str:
    report, is_confirmed = answer.value, answer.status is Status.CONFIRMED
    none = "no errors introduced" if is_confirmed else "whether errors were introduced is not known"
    parts = [f"{counted(report.introduced, 'error')} introduced" if report.introduced else none]
    if report.undetermined:
        parts.append(f"{counted(report.undetermined, 'error')} old or new")
    if report.existing:
        parts.append(f"{report.existing:,} there before")
    if report.resolved:
        parts.append(f"{report.resolved:,} resolved")
    return ", ".join(parts)


def _of(files: Iterable[FileFindings], origin: str) -> list[FileFindings]:
    return [
        msgspec.structs.replace(file, diagnostics=tuple(each for each in file.diagnostics if each.origin == origin))
        for file in files
    ]


def _section(heading: str, files: Iterable[FileFindings], budget: Budget) -> list[str]:
    broken = [file for file in files if shown_findings(file, budget.limits)]
    blocks = [block for file in broken if (block := budget.block(file))]
    left = len(broken) - len(blocks)
    kind = budget.limits.kind
    more = [f"... and {counted(left, 'more file')} with {kind}"] if left else []
    return ["", f"LSP {kind} {heading}", *(line for block in blocks for line in block), *more] if blocks else more
