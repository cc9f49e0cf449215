"""What is known of a change set: the findings of its files and of those that it may have broken, each with its origin.

Pure. Above: ``check_changes``, ``render.change_report``. Below: ``baselines``.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from groundwire.operations.answer import FileFindings, Finding, Status
from groundwire.operations.diagnostics.baselines import Known, with_origins
from groundwire.operations.diagnostics.diagnose import CheckedFile


class Doubtful(msgspec.Struct, frozen=True):
    """Findings that look old, or new, only because the past could not be shown as it was."""

    old: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()


class Compared:
    """Findings of the present against those of the past; adds up what came of it."""

    def __init__(self, past: Mapping[Path, Known], doubtful: Mapping[Path, Doubtful]) -> None:
        self._past = past
        self._doubtful = doubtful
        self.resolved = 0
        self.undetermined: list[str] = []
        """Files with errors of which the origin is not known."""

    def compare(self, checked: CheckedFile) -> FileFindings:
        """The findings with their origin, where that is known."""
        before = self._past.get(checked.file)
        findings = checked.findings
        if before is not None and checked.text is not None:
            compared = with_origins(findings, before, checked.text)
            findings = compared.findings
            if findings.status is Status.CONFIRMED:  # what is merely not mentioned may still be there
                self.resolved += _errors(compared.resolved)
            findings = _without_guesses(findings, self._doubtful.get(checked.file, Doubtful()))
        if findings.status is not Status.UNKNOWN and undetermined(findings.diagnostics):
            self.undetermined.append(findings.file)
        return findings


def _without_guesses(findings: FileFindings, doubtful: Doubtful) -> FileFindings:
    guesses = {("existing", _said(each)) for each in doubtful.old} | {
        ("introduced", _said(each)) for each in doubtful.new
    }
    if not guesses:
        return findings
    kept = tuple(
        msgspec.structs.replace(each, origin="") if (each.origin, _said(each)) in guesses else each
        for each in findings.diagnostics
    )
    return msgspec.structs.replace(findings, diagnostics=kept)


def beyond(findings: Iterable[Finding], proven: Iterable[Finding]) -> tuple[Finding, ...]:
    """Those that are not among the proven ones."""
    said = {_said(each) for each in proven}
    return tuple(each for each in findings if _said(each) not in said)


def count(files: Sequence[FileFindings], origin: str) -> int:
    """Errors of this origin; what is said of a file of unknown state does not count."""
    known = (file for file in files if file.status is not Status.UNKNOWN)
    return sum(_errors(each for each in file.diagnostics if each.origin == origin) for file in known)


def unknown_past(files: Sequence[str]) -> str:
    """That it is not known of errors in these files whether they are new."""
    some = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"
    return f"what was wrong in {some} before is not known"


def undetermined(findings: Iterable[Finding]) -> int:
    """Errors whose origin is not known."""
    return _errors(each for each in findings if not each.origin)


def _errors(findings: Iterable[Finding]) -> int:
    return sum(finding.severity == "error" for finding in findings)


def _said(finding: Finding) -> tuple[int, int, str, str, str]:
    return finding.line, finding.column, finding.message, finding.code, finding.source
