"""From the findings of files to what is shown of them: counted, ordered, cut to a page, and with what is not known.

Pure. Above: ``get_diagnostics``. Below: ``check_many``, ``diagnostics_by_symbol``, ``results_diagnostics``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from groundwire.operations.answer import Answer, FileFindings, Finding, Severity, Status, worst
from groundwire.operations.diagnostics.by_symbol import FileOutline, Groups
from groundwire.operations.diagnostics.check_many import Checked, Unserved
from groundwire.operations.diagnostics.scope import ScopeFiles
from groundwire.operations.pages import Paged, page_of
from groundwire.operations.results.diagnostics import DiagnosticEntry, Diagnostics, FileDiagnostics, Unchecked

_RANK: Mapping[Severity, int] = {"error": 0, "warning": 1, "information": 2, "hint": 3}
_PROVEN = (Status.CONFIRMED, Status.PARTIAL)


class Wanted(Paged, Protocol):
    """What was asked for."""

    @property
    def severity(self) -> Severity: ...


class _File(NamedTuple):
    """One file, with those of its findings that are wanted, by line."""

    findings: FileFindings
    wanted: tuple[DiagnosticEntry, ...]

    @property
    def is_clean(self) -> bool:
        return self.findings.status is Status.CONFIRMED and not self.wanted

    @property
    def order(self) -> tuple[int, str]:
        """The most severe first."""
        return min((_RANK[each.severity] for each in self.wanted), default=len(_RANK)), self.findings.file

    def shown(self, entries: tuple[DiagnosticEntry, ...]) -> FileDiagnostics:
        found = self.findings
        return FileDiagnostics(file=found.file, status=found.status, reason=_reason(found), diagnostics=entries)


class DiagnosticsResult:
    """What was found, to be shown in one way or the other."""

    def __init__(self, wanted: Wanted, scope: ScopeFiles, checked: Checked) -> None:
        self._wanted = wanted
        self._scope = scope
        self._checked = checked
        files = [_File(findings, tuple(_entries(findings, wanted.severity))) for findings in checked.findings]
        self._files = sorted(files, key=lambda file: file.order)
        self._missed = [each for each in checked.unserved if each.is_missed]
        self._proven = sum(findings.status in _PROVEN for findings in checked.findings)
        self._candidates = len(files) + checked.left + scope.beyond + len(self._missed)

    def by_file(self, note: str) -> Answer[Diagnostics]:
        """File by file."""
        return self._answer(self._result(tuple(self._page()), None, ""), note)

    def by_symbol(self, outline: FileOutline | None, note: str) -> Answer[Diagnostics]:
        """The one file by its symbols; without them nothing is grouped."""
        (file,) = self._files
        page = tuple(page_of(file.wanted, self._wanted))
        groups = outline.groups(page) if outline is not None else Groups((), page)
        return self._answer(self._result((), groups, file.findings.file), note)

    def _page(self) -> Iterator[FileDiagnostics]:
        """The files of the page; those without findings on the first one."""
        everything = [(number, entry) for number, file in enumerate(self._files) for entry in file.wanted]
        own: dict[int, list[DiagnosticEntry]] = {}
        for number, entry in page_of(everything, self._wanted):
            own.setdefault(number, []).append(entry)
        for number, file in enumerate(self._files):
            if number in own or (self._wanted.offset == 0 and not file.wanted and self._is_listed(file)):
                yield file.shown(tuple(own.get(number, ())))

    def _is_listed(self, file: _File) -> bool:
        """Of a whole workspace or directory the clean files are only counted."""
        return self._scope.scope not in ("workspace", "directory") or not file.is_clean

    def _result(self, files: tuple[FileDiagnostics, ...], groups: Groups | None, file: str) -> Diagnostics:
        severities = Counter(each.severity for found in self._checked.findings for each in _provable(found))
        return Diagnostics(
            scope=self._scope.scope,
            files=files,
            checked=self._proven,
            candidates=self._candidates,
            clean=sum(file.is_clean for file in self._files),
            broken=sum(bool(file.wanted) for file in self._files),
            counts={severity: severities[severity] for severity in _RANK if severities[severity]},
            total=sum(len(file.wanted) for file in self._files),
            severity=self._wanted.severity,
            offset=self._wanted.offset,
            unchecked=tuple(by_language(self._checked.unserved)),
            file=file,
            symbols=groups.symbols if groups is not None else None,
            ungrouped=groups.ungrouped if groups is not None else None,
        )

    def _answer(self, value: Diagnostics, note: str) -> Answer[Diagnostics]:
        doubts = list(self._doubts())
        status = self._status(has_doubts=bool(doubts))
        # A named file tells for itself what is not known of it, so its own reason is enough.
        unproven = (_reason(each) for each in self._checked.findings if each.status is not Status.CONFIRMED)
        reasons = [*doubts, *([first] if (first := next(unproven, "")) else [])]
        servers = dict.fromkeys(server for each in self._checked.findings for server in each.servers)
        return Answer(
            value=value,
            status=status,
            reason="" if status is Status.CONFIRMED else "; ".join(dict.fromkeys(reasons)) or self._why_nothing(),
            servers=tuple(servers),
            note=note,
        )

    def _status(self, *, has_doubts: bool) -> Status:
        statuses = [findings.status for findings in self._checked.findings]
        if not statuses:
            return self._status_of_nothing(has_doubts=has_doubts)
        joined = worst(statuses)
        is_sweep = self._scope.scope != "file"
        if is_sweep and joined is Status.UNKNOWN and Status.CONFIRMED in statuses:
            return Status.PARTIAL
        return Status.PARTIAL if has_doubts and joined in (Status.CONFIRMED, Status.UNSUPPORTED) else joined

    def _status_of_nothing(self, *, has_doubts: bool) -> Status:
        """That nothing has changed is known. That no server takes care of what there is says nothing about it."""
        if has_doubts or self._scope.scope == "open":
            return Status.UNKNOWN
        is_nothing_changed = self._scope.scope == "changed" and not self._checked.unserved
        return Status.CONFIRMED if is_nothing_changed else Status.UNSUPPORTED

    def _why_nothing(self) -> str:
        return "no file is open" if self._scope.scope == "open" else "no server takes care of any of the files"

    def _doubts(self) -> Iterator[str]:
        """Why there may be more than was found."""
        if self._checked.left or self._scope.beyond:
            why = "the time was over" if self._checked.left else "there are too many"
            yield f"only {self._proven:,} of {self._candidates:,} files were checked: {why}"
        missed = [f"{each.files:,} of {each.language}" for each in by_language(self._missed)]
        if missed:
            yield f"files were not checked for which there is no server here: {', '.join(missed)}"
        if self._scope.doubt:
            yield self._scope.doubt


def _provable(findings: FileFindings) -> tuple[Finding, ...]:
    """What was reported for a file of unknown state may belong to older content."""
    return () if findings.status is Status.UNKNOWN else findings.diagnostics


def _reason(findings: FileFindings) -> str:
    if findings.status is not Status.UNKNOWN or not findings.diagnostics:
        return findings.reason
    number = len(findings.diagnostics)
    withheld = "1 finding is" if number == 1 else f"{number:,} findings are"
    return f"{findings.reason} ({withheld} withheld: not proven for the present content)"


def _entries(findings: FileFindings, least: Severity) -> Iterator[DiagnosticEntry]:
    wanted = (each for each in _provable(findings) if _RANK[each.severity] <= _RANK[least])
    for each in sorted(wanted, key=lambda finding: (finding.line, finding.column)):
        yield DiagnosticEntry(
            severity=each.severity,
            line=each.line,
            column=each.column,
            end_line=each.end_line,
            end_column=each.end_column,
            code=each.code,
            source=each.source,
            message=each.message,
        )


def by_language(unserved: Sequence[Unserved]) -> Iterator[Unchecked]:
    """How many files of which language no server takes care of, and why."""
    languages = dict.fromkeys(each.language for each in unserved)
    for language in languages:
        own = [each for each in unserved if each.language == language]
        reason = own[0].reason if language else "no language server is known for this kind of file"
        yield Unchecked(language=language or "other", files=len(own), reason=reason)
