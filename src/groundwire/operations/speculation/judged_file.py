"""One file before and with the edits: what is introduced, what is resolved, and how far that is proven.

Pure. Above: ``evaluation``. Below: ``baselines`` (the comparison), ``findings``, ``lease``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.client.session import Session
from groundwire.operations.answer import FileFindings, Finding, Status, worst
from groundwire.operations.diagnostics.baselines import Known, with_origins
from groundwire.operations.diagnostics.findings import Part, merged
from groundwire.operations.results.speculation import LocatedFinding
from groundwire.operations.speculation.lease import Lease
from groundwire.operations.speculation.standing import Stood
from groundwire.operations.speculation.virtual_texts import VirtualFile


class JudgedFile(msgspec.Struct, frozen=True, kw_only=True):
    """``unsupported``: no server takes care of it."""

    file: str
    status: Status
    reason: str = ""
    servers: tuple[str, ...] = ()
    introduced: tuple[LocatedFinding, ...] = ()
    resolved: tuple[LocatedFinding, ...] = ()
    not_covered: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether the edit does anything to it."""
        return bool(self.introduced or self.resolved)


class _Compared(NamedTuple):
    introduced: tuple[Finding, ...] = ()
    resolved: tuple[Finding, ...] = ()


def judge(name: str, text: VirtualFile, stood: Stood | None, leases: Sequence[Lease], *, servers: int) -> JudgedFile:
    """The difference. ``servers``: how many must have answered."""
    before = stood.checked.findings if stood is not None else None
    if before is not None and before.status is Status.UNSUPPORTED:
        return JudgedFile(file=name, status=Status.UNSUPPORTED, reason=before.reason)
    if text.after is None:
        return _gone(name, before)
    found = [(lease.found[text.file], lease.session) for lease in leases if text.file in lease.found]
    failures = [lease.reason for lease in leases if lease.reason]
    if not found or len(found) < servers:
        reason = next(iter(failures), "") or (before.reason if before else "") or f"no server answered for {name}"
        return JudgedFile(file=name, status=Status.UNKNOWN, reason=reason)
    after = _after(name, found)
    doubts = [after.reason, *_doubts(before, text), *_saves(found)]
    compared = _compared(text, before, after, _save_sources(found))
    if (certain := _without_doubtful(compared, text.file, leases)) != compared:
        compared = certain
        doubts.append("what is said where a new file is named may be wrong, and is left out")
    return JudgedFile(
        file=name,
        status=_status(after.status, before, doubts),
        reason="; ".join(dict.fromkeys(filter(None, doubts))),
        servers=after.servers,
        introduced=_located(name, compared.introduced),
        resolved=_located(name, compared.resolved),
        not_covered=tuple(dict.fromkeys(f"{each} (runs on what is saved)" for each in _save_names(found))),
    )


def agreed(first: JudgedFile, second: JudgedFile) -> JudgedFile:
    """What both say. They differ in what was found before the edit: some servers say of the same texts now this, now
    that, by the order in which they were asked, and then nobody knows what is due to the edit."""
    introduced = tuple(each for each in first.introduced if each in second.introduced)
    resolved = tuple(each for each in first.resolved if each in second.resolved)
    if (introduced, resolved) == (second.introduced, second.resolved) == (first.introduced, first.resolved):
        return first
    doubt = second.reason or f"of {first.file}, with and without the edit, it is not always said the same"
    status = worst([first.status, second.status, Status.PARTIAL])
    reason = "; ".join(dict.fromkeys(filter(None, [first.reason, doubt])))
    return msgspec.structs.replace(first, status=status, reason=reason, introduced=introduced, resolved=resolved)


def _after(name: str, found: Sequence[tuple[Part, Session]]) -> FileFindings:
    parts = [part for part, _ in found]
    return FileFindings(
        file=name,
        status=worst(part.status for part in parts),
        reason="; ".join(part.reason for part in parts if part.reason),
        servers=tuple(part.server for part in parts),
        diagnostics=merged(parts),
    )


def _compared(
    text: VirtualFile, before: FileFindings | None, after: FileFindings, unknown_sources: frozenset[str]
) -> _Compared:
    """As far as both sides are proven."""
    if after.status is Status.UNKNOWN or not _is_proven(before, text):
        return _Compared()
    known = tuple(each for each in before.diagnostics if each.source not in unknown_sources) if before else ()
    compared = with_origins(after, Known(text.before or "", known, unknown_sources), text.after or "")
    introduced = tuple(each for each in compared.findings.diagnostics if each.origin == "introduced")
    return _Compared(introduced, compared.resolved if after.status is Status.CONFIRMED else ())


def _without_doubtful(compared: _Compared, file: Path, leases: Sequence[Lease]) -> _Compared:
    """Without what may be wrong; what that came instead of is then not known to be resolved."""
    doubtful = frozenset(each for lease in leases for each in lease.doubtful.get(file, ()))
    certain = tuple(each for each in compared.introduced if msgspec.structs.replace(each, origin="") not in doubtful)
    return compared if len(certain) == len(compared.introduced) else _Compared(certain)


def _is_proven(before: FileFindings | None, text: VirtualFile) -> bool:
    return text.before is None or (before is not None and before.status is Status.CONFIRMED)


def _gone(name: str, before: FileFindings | None) -> JudgedFile:
    if before is None or before.status is not Status.CONFIRMED:
        return JudgedFile(file=name, status=Status.UNKNOWN, reason=before.reason if before else "it was not checked")
    resolved = _located(name, before.diagnostics)
    return JudgedFile(file=name, status=Status.CONFIRMED, servers=before.servers, resolved=resolved)


def _status(after: Status, before: FileFindings | None, doubts: Iterable[str]) -> Status:
    if before is not None and before.status is Status.UNKNOWN:
        return Status.UNKNOWN
    return Status.PARTIAL if after is Status.CONFIRMED and any(doubts) else after


def _doubts(before: FileFindings | None, text: VirtualFile) -> list[str]:
    if before is None or before.status is Status.CONFIRMED:
        return [] if before is not None or text.before is None else ["what is wrong before the edit is not known"]
    return [f"what is wrong before the edit is not known: {before.reason}"]


def _save_names(found: Sequence[tuple[Part, Session]]) -> list[str]:
    checks = (session.options.settle.save_check for _, session in found)
    return [check.name for check in checks if check is not None]


def _saves(found: Sequence[tuple[Part, Session]]) -> list[str]:
    return [f"{name} is not run on edits that are not on disk" for name in _save_names(found)]


def _save_sources(found: Sequence[tuple[Part, Session]]) -> frozenset[str]:
    checks = (session.options.settle.save_check for _, session in found)
    return frozenset(source for check in checks if check is not None for source in check.sources)


def _located(file: str, findings: Iterable[Finding]) -> tuple[LocatedFinding, ...]:
    return tuple(
        LocatedFinding(
            file=file,
            line=each.line,
            column=each.column,
            end_line=each.end_line,
            end_column=each.end_column,
            severity=each.severity,
            message=each.message,
            code=each.code,
            source=each.source,
        )
        for each in findings
        if each.severity in ("error", "warning")
    )
