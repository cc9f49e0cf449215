"""Findings as text: a first line that says what is known, then the errors, in a form that models know.

Above: ``surfaces``, ``edits``. Below: ``operations.answer``, ``environment`` and ``limits``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.render.environment import without_environment
from groundwire.render.limits import Limits
from groundwire.render.wording import counted, escaped, known_by, on_one_line

_SEVERITIES = {"error": "ERROR", "warning": "WARN", "information": "INFO", "hint": "HINT"}
_NOUNS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_SHORT_SOURCES = {"typescript": "ts"}
_DEFAULT = Limits()
END = "</diagnostics>"


def render_findings(
    answer: Answer[tuple[FileFindings, ...]], *, this_file: str | None = None, limits: Limits = _DEFAULT
) -> str:
    """What is known of the files.

    ``this_file`` is the one that was edited: it comes first, and the others are those that the edit concerns. A file
    that is alone is that file. Several without it are equals.
    """
    files = answer.value
    if this_file is None and len(files) == 1:
        this_file = files[0].file
    budget = Budget(limits)
    lines = _equals(answer, budget) if this_file is None else _edited_and_others(answer, this_file, budget)
    return "\n".join([*lines, *_what_is_missing(answer)])


class Budget:
    """Keeps count of the lines that are left."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.lines_left = limits.total_lines

    def block(self, findings: FileFindings) -> list[str]:
        """The findings of one file between its tags; nothing when no line is left."""
        shown = shown_findings(findings, self.limits)
        room = min(self.limits.per_file, self.lines_left)
        if room <= 0 or not shown:
            return []
        causes, others = without_environment(shown, findings.servers)
        kept = _newest(others, max(room - len(causes), 0))
        lines = [*causes, *(_line(finding, self.limits) for finding in kept)]
        self.lines_left -= len(lines)
        if len(others) > len(kept):
            lines.append(f"... and {len(others) - len(kept)} more")
        return [f'<diagnostics file="{escaped(findings.file, quote=True)}">', *lines, END]


def _newest(findings: Sequence[Finding], room: int) -> list[Finding]:
    """As many as there is room for, in their order: where some must go, those that the last edit brought stay."""
    if len(findings) <= room:
        return list(findings)
    by_origin = sorted(findings, key=lambda finding: finding.origin == "existing")
    kept = set(map(id, by_origin[:room]))
    return [finding for finding in findings if id(finding) in kept]


def shown_findings(findings: FileFindings, limits: Limits) -> list[Finding]:
    """What may be shown as fact, by line: nothing of a file whose state is unknown, whatever was reported."""
    if findings.status is Status.UNKNOWN:
        return []
    wanted = (finding for finding in findings.diagnostics if limits.shows(finding.severity))
    return sorted(wanted, key=lambda finding: (finding.line, finding.column))


def _line(finding: Finding, limits: Limits) -> str:
    # One finding, one line: readers split on lines, and the limits count them.
    message = escaped(on_one_line(finding.message, limits.message_chars))
    code = f" ({escaped(_code(finding))})" if finding.code else ""
    return f"{_SEVERITIES[finding.severity]} [{finding.line}:{finding.column}] {message}{code}"


def _code(finding: Finding) -> str:
    if not finding.code.isdigit():
        return finding.code
    return _SHORT_SOURCES.get(finding.source, finding.source) + finding.code  # a bare number tells nothing


def _edited_and_others(answer: Answer[tuple[FileFindings, ...]], this_file: str, budget: Budget) -> list[str]:
    this = [findings for findings in answer.value if findings.file == this_file]
    others = sorted((findings for findings in answer.value if findings.file != this_file), key=lambda each: each.file)
    lines = [state_line(findings, budget.limits) for findings in this]
    lines += _not_known(others, budget.limits)
    lines += _section(f"LSP {budget.limits.kind} detected in this file, please fix:", this, budget)
    broken = [findings for findings in others if shown_findings(findings, budget.limits)]
    shown = broken[: budget.limits.other_files]
    lines += _section(
        f"LSP {budget.limits.kind} detected in other files:", shown, budget, also=len(broken) - len(shown)
    )
    return lines


def _equals(answer: Answer[tuple[FileFindings, ...]], budget: Budget) -> list[str]:
    files = sorted(answer.value, key=lambda findings: findings.file)
    broken = [findings for findings in files if shown_findings(findings, budget.limits)]
    lines = [_summary(answer, broken, budget.limits), *_not_known(files, budget.limits)]
    heading = f"LSP {budget.limits.kind} detected in {counted(len(broken), 'file')}, please fix:"
    return lines + _section(heading, broken, budget)


def _section(heading: str, files: Sequence[FileFindings], budget: Budget, *, also: int = 0) -> list[str]:
    broken = [findings for findings in files if shown_findings(findings, budget.limits)]
    blocks = [block for findings in broken if (block := budget.block(findings))]
    left_out = also + len(broken) - len(blocks)
    more = [f"... and {counted(left_out, 'more file')} with {budget.limits.kind}"] if left_out else []
    return ["", heading, *chain.from_iterable(blocks), *more] if blocks else more


def state_line(findings: FileFindings, limits: Limits = _DEFAULT) -> str:
    """What is known of one file, in a line: only a confirmed one is ever called free of errors."""
    number = counts(shown_findings(findings, limits), limits)
    if findings.status is Status.CONFIRMED:
        return f"{findings.file}: {number} ({known_by(findings.servers, findings.evidence)})"
    withheld = len(findings.diagnostics) if findings.status is Status.UNKNOWN else 0
    note = f" ({counted(withheld, 'finding')} withheld: not proven for the present content)" if withheld else ""
    reason = findings.reason or findings.status.value
    if shown_findings(findings, limits):
        return f"{findings.file}: {number}, and more is not known: {reason}"
    return f"{findings.file}: not known: {reason}{note}"


def _not_known(files: Iterable[FileFindings], limits: Limits) -> list[str]:
    unknown = [findings for findings in files if findings.status is not Status.CONFIRMED]
    lines = [state_line(findings, limits) for findings in unknown[: limits.total_lines]]
    left_out = len(unknown) - len(lines)
    return [*lines, f"... and {counted(left_out, 'more file')} not known"] if left_out else lines


def _what_is_missing(answer: Answer[tuple[FileFindings, ...]]) -> list[str]:
    is_told_by_files = any(findings.status is not Status.CONFIRMED for findings in answer.value)
    if answer.status is Status.CONFIRMED or is_told_by_files:
        return []
    return [f"More is not known: {answer.reason or answer.status.value}"]


def _summary(answer: Answer[tuple[FileFindings, ...]], broken: Sequence[FileFindings], limits: Limits) -> str:
    confirmed = [findings for findings in answer.value if findings.status is Status.CONFIRMED]
    clean = [findings for findings in confirmed if not shown_findings(findings, limits)]
    everything = [finding for findings in broken for finding in shown_findings(findings, limits)]
    parts = [f"{counts(everything, limits)} in {counted(len(broken), 'file')}"] if broken else []
    if clean:
        where = "any of them" if len(clean) == len(answer.value) else counted(len(clean), "file")
        parts.append(f"{counts((), limits)} in {where}")
    proof = f" ({known_by(answer.servers)})" if confirmed else ""
    unknown = len(answer.value) - len(confirmed)
    pending = f"; {counted(unknown, 'file')} not known" if unknown else ""
    return f"Checked {counted(len(answer.value), 'file')}: {', '.join(parts) or 'nothing is proven'}{proof}{pending}"


def counts(findings: Sequence[Finding], limits: Limits = _DEFAULT) -> str:
    """So many errors, warnings and notes."""
    if not findings:
        return f"no {limits.none_of}"
    nouns = Counter(_NOUNS[finding.severity] for finding in findings)
    return " and ".join(counted(nouns[noun], noun) for noun in ("error", "warning", "note") if nouns[noun])
