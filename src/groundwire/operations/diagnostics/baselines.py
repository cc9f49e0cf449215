"""What the reader was last told of each file, so that the next report can tell what is new.

Only what was shown counts: a check that nobody saw changes nothing here. Above: ``edit_report``, ``get_diagnostics``.
Below: ``answer``, ``workspace.difference``.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from groundwire.operations.answer import FileFindings, Finding, Status
from groundwire.operations.diagnostics.diagnose import CheckedFile
from groundwire.workspace.difference import LineShifts, compare

_MOST_FILES = 2_000
_QUOTED = re.compile(r"'[^']*'|`[^`]*`|\"[^\"]*\"")
_WORD = re.compile(r"\w+")


class Known(msgspec.Struct, frozen=True):
    """Findings that were proven, and for which content. What ``unknown_sources`` found is not among them."""

    text: str
    findings: tuple[Finding, ...]
    unknown_sources: frozenset[str] = frozenset()


class Baselines:
    """The last proven findings of each file; those of files that were not looked at for long are forgotten."""

    def __init__(self) -> None:
        self._known: dict[Path, Known] = {}

    def get(self, file: Path) -> Known | None:
        """What was last shown of it, if it was proven."""
        return self._known.get(file)

    def remember(self, checked: Iterable[CheckedFile]) -> None:
        """Keep what has been shown. What is not proven replaces nothing."""
        for each in checked:
            if each.findings.status is Status.CONFIRMED and each.text is not None:
                self._known.pop(each.file, None)
                self._known[each.file] = Known(each.text, each.findings.diagnostics)
        while len(self._known) > _MOST_FILES:
            del self._known[next(iter(self._known))]

    def forget(self, file: Path) -> None:
        """It is gone, or its past does not matter."""
        self._known.pop(file, None)


class Compared(msgspec.Struct, frozen=True):
    """Findings that say their origin, and those that are gone."""

    findings: FileFindings
    resolved: tuple[Finding, ...]


def with_origins(findings: FileFindings, before: Known, text: str) -> Compared:
    """The findings, each said to be introduced or to have been there, where that is known."""
    found = compare(before.findings, findings.diagnostics, LineShifts(before.text, text), _told)
    old = set(map(id, found.existing))

    def marked(finding: Finding) -> Finding:
        if id(finding) in old:
            return msgspec.structs.replace(finding, origin="existing")
        origin = "" if finding.source in before.unknown_sources else "introduced"
        return msgspec.structs.replace(finding, origin=origin)

    return Compared(
        msgspec.structs.replace(findings, diagnostics=tuple(map(marked, findings.diagnostics))), found.resolved
    )


def _told(finding: Finding) -> tuple[int, tuple[str, ...]]:
    """By the first line of its message: what follows explains it, and may be about other files."""
    headline = finding.message.partition("\n")[0]
    if " | " in headline:
        headline = _QUOTED.sub(_in_any_order, headline)
    return finding.line - 1, (finding.severity, finding.code, finding.source, headline)


def _in_any_order(quoted: re.Match[str]) -> str:
    """A union is the same in whatever order: that depends on which file a server happened to check first."""
    return " ".join(sorted(_WORD.findall(quoted[0]))) if " | " in quoted[0] else quoted[0]
