"""Edits that nobody has made yet, as text: first whether they are safe and how far that is proven, then what breaks.

Above: ``answers``. Below: ``findings`` (the form of a finding), ``edits``, ``page``, ``wording``.
"""

from collections.abc import Iterator, Sequence

import msgspec

from groundwire.operations.answer import Answer, FileFindings, Finding, Status, T
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.results.speculation import (
    Alternative,
    ChainEvaluation,
    ChainStep,
    CommittedSession,
    EditComparison,
    Evaluation,
    LocatedFinding,
    SafeEdit,
    SimulationSession,
)
from groundwire.render.edits import edit_page
from groundwire.render.findings import Budget
from groundwire.render.limits import Limits
from groundwire.render.page import Page, Section, prose
from groundwire.render.verdict import noted, reason, shown
from groundwire.render.wording import counted, known_by

_LIMITS = Limits()


def evaluation_page(answer: Answer[Evaluation]) -> Page:
    """Whether it is safe, and what it would break."""
    value = answer.value
    return Page(f"{_head(answer, value)}{noted(answer)}", _details(value))


def session_page(answer: Answer[SimulationSession]) -> Page:
    """What a session holds."""
    value = answer.value
    files = f", {counted(value.version_after, 'edit')} of {', '.join(value.files)}" if value.files else ""
    return Page(f"Session {value.session_id}: {value.status.replace('_', ' ')}{files}")


def chain_page(answer: Answer[ChainEvaluation]) -> Page:
    """Up to which step it is safe, and what each brings."""
    value, last = answer.value, len(answer.value.steps)
    through = value.safe_to_apply_through_step
    if through == last:
        head = shown(answer, f"All {counted(last, 'step')} are safe")
    elif not through:
        head = f"Not even step 1 is safe{_unless_confirmed(answer)}"
    else:
        head = f"Safe through step {through} of {last}{_unless_confirmed(answer)}"
    steps = _lines([_step(step) for step in value.steps])
    broken = next((step.errors_introduced for step in value.steps if step.errors_introduced), ())
    return Page(f"{head}{noted(answer)}", (steps, *_findings("\nThe first step that breaks something:", broken)))


def committed_page(answer: Answer[CommittedSession]) -> Page:
    """What was written, or the patch."""
    value = answer.value
    if not (value.patch or value.files_written):
        return Page("Nothing was changed: the session holds no edits")
    if value.target == "patch":
        return Page(f"Session {value.session_id}: committed as a patch, nothing is written", (_patch(value.patch),))
    return _written(answer, value.outcome, f"Session {value.session_id}: committed")


def safe_edit_page(answer: Answer[SafeEdit]) -> Page:
    """What was written; or that nothing was, and why."""
    value = answer.value
    if value.applied:
        return _written(answer, value.outcome, _said(value.evaluation, "safe: "))
    head = _head(answer, value.evaluation)
    return Page(f"Nothing was written: {head[0].lower()}{head[1:]}{noted(answer)}", _details(value.evaluation))


def comparison_page(answer: Answer[EditComparison]) -> Page:
    """One line for each, the best first; then what they break."""
    value = answer.value
    best = next((each.name for each in value.alternatives if each.number == value.best), "")
    head = f"Best: {best}" if best else "None of them is known to be safe"
    rows = _lines([_alternative(each) for each in value.alternatives])
    broken = [_findings(f"\n{each.name} would introduce:", _introduced(each)) for each in value.alternatives]
    head = f"{head} ({known_by(answer.servers)})" if answer.status is Status.CONFIRMED else head
    return Page(f"{head}{noted(answer)}", (rows, *(section for sections in broken for section in sections)))


def _head(answer: Answer[T], value: Evaluation) -> str:
    if value.verdict == "safe":
        return f"Safe ({known_by(answer.servers)}): {_said(value)}{_where(value)}"
    proof = f" ({known_by(answer.servers)})" if answer.status is Status.CONFIRMED else ""
    unproven = f"; there may be more: {reason(answer)}" if not proof else ""
    if value.verdict == "breaks":
        resolves = f" and resolve {len(value.errors_resolved):,}" if value.errors_resolved else ""
        return f"Would introduce {counted(len(value.errors_introduced), 'error')}{resolves}{proof}{unproven}"
    found = f"; no new error was found so far{_resolves(value)}" if answer.status is Status.PARTIAL else ""
    return f"Not known to be safe: {reason(answer)}{found}"


def _said(value: Evaluation, before: str = "") -> str:
    if not value.edited:
        return f"{before}changes nothing"
    return f"{before}introduces no error{_resolves(value)}"


def _resolves(value: Evaluation) -> str:
    warnings = f", brings {counted(len(value.warnings_introduced), 'warning')}" if value.warnings_introduced else ""
    return (f", resolves {len(value.errors_resolved):,}" if value.errors_resolved else "") + warnings


def _where(value: Evaluation) -> str:
    if value.scope == "file":
        return "; only the edited files were checked"
    return f"; {counted(len(value.dependents), 'file')} that may use it checked" if value.dependents else ""


def _details(value: Evaluation) -> tuple[Section, ...]:
    not_covered = _lines([f"Not covered: {', '.join(value.not_covered)}"] if value.not_covered else [])
    own = [each for each in value.errors_introduced if each.file in value.edited]
    others = [each for each in value.errors_introduced if each.file not in value.edited]
    where = "this file" if len(value.edited) == 1 else "the edited files"
    return (
        not_covered,
        *_findings(f"\nLSP errors that it would bring in {where}:", own),
        *_findings("\nLSP errors that it would bring in other files:", others),
    )


def _findings(title: str, findings: Sequence[LocatedFinding]) -> tuple[Section, ...]:
    """In the form that models know."""
    budget = Budget(_LIMITS)
    blocks = [tuple(block) for each in _by_file(findings) if (block := budget.block(each))]
    files = len({each.file for each in findings})
    return (Section(blocks, files, title=title, more=_more_files),) if blocks else ()


def _by_file(findings: Sequence[LocatedFinding]) -> Iterator[FileFindings]:
    for file in dict.fromkeys(each.file for each in findings):
        own = (each for each in findings if each.file == file)
        yield FileFindings(file=file, status=Status.CONFIRMED, diagnostics=tuple(map(_finding, own)))


def _finding(each: LocatedFinding) -> Finding:
    return msgspec.convert(
        {name: getattr(each, name) for name in Finding.__struct_fields__ if name != "origin"}, Finding
    )


def _introduced(each: Alternative) -> Sequence[LocatedFinding]:
    return each.evaluation.errors_introduced if each.evaluation is not None else ()


def _step(step: ChainStep) -> str:
    words = {"safe": "safe", "unproven": f"not known to be safe: {step.reason}"}
    said = words.get(step.verdict, f"would introduce {counted(len(step.errors_introduced), 'error')}")
    return f"  {step.step}. {said} (net {step.net_delta:+d})"


def _alternative(each: Alternative) -> str:
    parts = [*each.reasons, f"{counted(each.lines_changed, 'line')} changed"]
    if each.tests_touched:
        parts.append(f"tests: {', '.join(each.tests_touched)}")
    return f"  {each.rank}. {each.name}: {', '.join(parts)}"


def _written(answer: Answer[T], outcome: EditOutcome | None, said: str) -> Page:
    if outcome is None:
        return Page(shown(answer, said))
    edited = Answer(value=outcome, status=answer.status, reason=answer.reason, servers=answer.servers, note=answer.note)
    page = edit_page(edited)
    return page._replace(head=f"{page.head} [{said}]")


def _patch(patch: str) -> Section:
    return prose(patch.removesuffix("\n"))


def _unless_confirmed(answer: Answer[T]) -> str:
    return f" ({known_by(answer.servers)})" if answer.status is Status.CONFIRMED else ""


def _lines(lines: Sequence[str]) -> Section:
    return Section([(line,) for line in lines], len(lines), more=_more)


def _more(left: int, _: int) -> str:
    return f"... and {left:,} more"


def _more_files(left: int, _: int) -> str:
    return f"... and {counted(left, 'more file')} with errors"
