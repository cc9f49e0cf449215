"""The report after an edit, whoever made it: what is wrong in the edited files now, and what the edit broke elsewhere.

``report_edit`` is what hooks, tools and commands use. It never raises for what servers do and never waits longer than
it may: what is not known by then is said. Above: ``carry_out``, ``surfaces``. Below: ``diagnose``, ``baselines``,
``dependents``.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.errors import FileNotFound, GroundwireError, NotAFile
from groundwire.operations.answer import Answer, FileFindings, Finding, Status, worst
from groundwire.operations.diagnostics.baselines import Baselines, Known, with_origins
from groundwire.operations.diagnostics.diagnose import CheckedFile, all_asked, prove_files
from groundwire.operations.files.paths import shown_path
from groundwire.operations.looks import Looks
from groundwire.operations.operation import Call
from groundwire.operations.reporting.change_report import undetermined, unknown_past
from groundwire.operations.reporting.dependents import Dependents, Edited, find_dependents, find_importers
from groundwire.operations.reporting.everything import MOST_DEPENDENTS, all_that_may_use
from groundwire.operations.reporting.overlay import Past, findings_before
from groundwire.operations.reporting.remembered import DependentsMemory
from groundwire.operations.reporting.report_settings import ReportSettings, report_settings
from groundwire.operations.results.edits import EditReport

EditKind = Literal["edit", "write"]
"""A change within files, or whole files that were written, a patch among them."""


async def report_edit(call: Call, edits: Sequence[Edited], kind: EditKind = "edit") -> Answer[EditReport]:
    """What is known after these edits. The files are as they are on disk now."""
    settings = report_settings(call)
    if settings.holds_back(edits):
        return Answer(value=EditReport(mode=settings.effective_mode, showing=settings.showing), status=Status.CONFIRMED)
    return await _Reporting(replace(call, looks=Looks(call.pool)), settings, kind).report(edits)


def with_past(edit: Edited, baselines: Baselines) -> Edited:
    """The edit with what was last shown of the file as its past, where nobody told another."""
    known = baselines.get(edit.file)
    if edit.before is not None or known is None:
        return edit
    return msgspec.structs.replace(edit, before=known.text)


class _Reporting:
    """One report. What was known before is taken before anything is asked."""

    def __init__(self, call: Call, settings: ReportSettings, kind: EditKind) -> None:
        self._call = call
        self._settings = settings
        only_after_writes = settings.other_files == "write" and kind != "write"
        self._looks_elsewhere = settings.other_files != "never" and not only_after_writes
        self._baselines = call.pool.kept.get(Baselines)
        self._introduced = 0
        self._resolved = 0

    async def report(self, edits: Sequence[Edited]) -> Answer[EditReport]:
        edits = [with_past(edit, self._baselines) for edit in edits]
        edited, others, reason, doubt = await self._check_all(edits)
        past = await self._past_of([*edited, *others], edits)
        own = [self._compared(each, past.get(each.file)) for each in edited]
        # Servers name who uses something now in this order, now in that.
        ordered = sorted(others, key=lambda each: each.file)
        compared = [self._broken(each, past.get(each.file)) for each in ordered]
        broken = [each for each in compared if each is not None]
        doubt = "; ".join(filter(None, [doubt, _undetermined(edits, broken)]))
        for edit in edits:
            if edit.after is None:
                self._baselines.forget(edit.file)
        files = (*own, *broken)
        reason = reason or _unchecked(edits, edited)
        return Answer(
            value=EditReport(
                mode=self._settings.effective_mode,
                files=files,
                edited=tuple(shown_path(edit.file, self._call.pool.workspace) for edit in edits),
                introduced=self._introduced,
                resolved=self._resolved,
                dependents=len(others),
                dependents_reason=doubt,
                showing=self._settings.showing,
            ),
            status=_status(own, reason, doubt),
            reason=reason or next((each.reason for each in own if each.reason), "") or doubt,
            servers=tuple(dict.fromkeys(server for each in files for server in each.servers)),
            note=self._call.pool.watcher_note,
        )

    async def _check(self, files: Sequence[Path]) -> tuple[list[CheckedFile], str]:
        """What is known of those that are there; the reason when nothing could be asked."""
        present = [file for file in files if file.is_file()]
        if not present:
            return [], ""
        try:
            return await prove_files(self._call.pool, present, deadline=self._call.deadline), ""
        except (FileNotFound, NotAFile):  # one is gone meanwhile
            return [], "the files kept changing while they were checked"
        except GroundwireError as error:
            return [], error.message

    async def _past_of(self, checked: Sequence[CheckedFile], edits: Sequence[Edited]) -> dict[Path, Known]:
        """What was wrong in each file before, as far as it was shown or can still be found out."""
        known = {each.file: past for each in checked if (past := self._baselines.get(each.file)) is not None}
        texts = {edit.file: edit.before for edit in edits}
        known.update((file, Known("", ())) for file, before in texts.items() if before == "")
        unknown = {each.file for each in checked if each.file not in known and _errors(each.findings.diagnostics)}
        # Not every server believes in a file that is not on disk, or in the absence of one that is; and through a link
        # it sees what is on disk.
        names = self._call.pool.other_names
        if not unknown or any(not edit.before or edit.after is None or names(edit.file) for edit in edits):
            return known
        past = [Past(edit.file, edit.before or "") for edit in edits]
        now = {each.file: each.text for each in checked}
        for file, found in (await findings_before(self._call, past, sorted(unknown))).items():
            text = texts.get(file, now[file])
            if text is not None:
                known[file] = Known(text, found.findings, found.unknown_sources)
        return known

    def _compared(self, checked: CheckedFile, before: Known | None) -> FileFindings:
        """The findings with their origin, where it is known what was there before; from now on they are what was."""
        self._baselines.remember([checked])
        if before is None or checked.text is None:
            return checked.findings
        compared = with_origins(checked.findings, before, checked.text)
        self._remember_broken(checked.file, compared.findings)
        self._introduced += _errors(each for each in compared.findings.diagnostics if each.origin == "introduced")
        if checked.findings.status is Status.CONFIRMED:  # what is merely not mentioned may still be there
            self._resolved += _errors(compared.resolved)
        return compared.findings

    def _remember_broken(self, file: Path, findings: FileFindings) -> None:
        memory = self._call.pool.kept.get(DependentsMemory)
        if _errors(each for each in findings.diagnostics if each.origin == "introduced"):
            memory.broken(file)
        elif findings.status is Status.CONFIRMED and not _errors(findings.diagnostics):
            memory.mended(file)

    async def _check_all(self, edits: Sequence[Edited]) -> tuple[list[CheckedFile], list[CheckedFile], str, str]:
        """The edited files and those that the edit may have broken; why nothing is known, and why there may be more.

        Those that depended on a file the last time are checked while it is found out who does now: mostly the same.
        What is found in the others is told as well: it is true, and may be what became of an earlier edit.
        """
        own = {edit.file for edit in edits if edit.after is not None}
        if not self._looks_elsewhere:
            edited, reason = await self._check(sorted(own))
            return edited, [], reason, ""
        memory = self._call.pool.kept.get(DependentsMemory)
        likely = [file for file in memory.of(edit.file for edit in edits) if file not in own][:MOST_DEPENDENTS]
        first = self._check([*sorted(own), *likely])
        if all(edit.before is not None for edit in edits):
            (checked, reason), found = await asyncio.gather(first, self._dependents_behind(edits))
        else:
            checked, reason = await first
            found = await self._unknown_dependents(edits, checked)
        memory.remember(edits, found)
        wanted = found.files[:MOST_DEPENDENTS]
        others, doubt = [each for each in checked if each.file not in own], reason
        missing = [file for file in wanted if not any(file == each.file for each in checked)]
        if missing and not reason:
            more, doubt = await self._check(missing)
            others += more
        needed = [each for each in others if each.file in wanted]
        return [each for each in checked if each.file in own], others, reason, _doubt(found, wanted, needed, doubt)

    async def _unknown_dependents(self, edits: Sequence[Edited], checked: list[CheckedFile]) -> Dependents:
        """Where all of a file may have changed servers have much to find out: first those are looked at who import it.

        What is known of these is put with the others that were checked.
        """
        importers = await find_importers(self._call, edits)
        known = {each.file for each in checked}
        more, doubt = await self._check([file for file in importers if file not in known][:MOST_DEPENDENTS])
        checked += more
        found = await self._dependents(edits)
        files = tuple(dict.fromkeys((*importers, *found.files)))
        return Dependents(files, "; ".join(filter(None, [found.doubt, doubt])))

    async def _dependents_behind(self, edits: Sequence[Edited]) -> Dependents:
        """Whom to look for is thought about while servers look at the files: their questions go out first."""
        await all_asked()
        return await self._dependents(edits)

    async def _dependents(self, edits: Sequence[Edited]) -> Dependents:
        try:
            async with asyncio.timeout_at(self._call.deadline):
                found = await find_dependents(self._call, edits)
                return await self._rather_everybody(edits, found) if found.doubt else found
        except TimeoutError:
            return Dependents((), "there was no time left to find out who uses what was edited")

    async def _rather_everybody(self, edits: Sequence[Edited], found: Dependents) -> Dependents:
        """All files, where they are few: then there is no doubt who. Not where nobody could tell what was wrong in them
        before, see ``_past_of``."""
        if any(not edit.before or edit.after is None for edit in edits):
            return found
        files = await all_that_may_use(self._call, {edit.file for edit in edits}, found.files)
        return found if files is None else Dependents(files, is_everybody=True)

    def _broken(self, checked: CheckedFile, before: Known | None) -> FileFindings | None:
        """What of its findings may be due to the edit: those that were not there before, or all where nobody knows."""
        findings = self._compared(checked, before)
        if before is not None and self._settings.other_files != "always":
            new = tuple(each for each in findings.diagnostics if each.origin != "existing")
            findings = msgspec.structs.replace(findings, diagnostics=new)
        return findings if _errors(findings.diagnostics) else None


def _doubt(found: Dependents, wanted: Sequence[Path], checked: Sequence[CheckedFile], reason: str) -> str:
    doubts = [found.doubt, reason]
    if len(found.files) > len(wanted):
        doubts.append(f"only {len(wanted)} of {len(found.files)} files that use what was edited were checked")
    doubts += [f"{each.findings.file}: {each.findings.reason}" for each in checked if not _is_known(each)][:1]
    return "; ".join(filter(None, doubts))


def _undetermined(edits: Sequence[Edited], broken: Sequence[FileFindings]) -> str:
    """Where the reader would take errors of other files for those of an edit of which nobody knows what it did."""
    names = [each.file for each in broken if undetermined(each.diagnostics)]
    return unknown_past(names) if names and any(edit.before is None for edit in edits) else ""


def _unchecked(edits: Sequence[Edited], checked: Sequence[CheckedFile]) -> str:
    """Why nothing is known of a file that was there when it was edited."""
    known = {each.file for each in checked}
    missing = [edit.file.name for edit in edits if edit.after is not None and edit.file not in known]
    return f"{missing[0]} is not there any more" if missing else ""


def _is_known(checked: CheckedFile) -> bool:
    return checked.findings.status in (Status.CONFIRMED, Status.UNSUPPORTED)


def _errors(findings: Iterable[Finding]) -> int:
    return sum(finding.severity == "error" for finding in findings)


def _status(own: Sequence[FileFindings], reason: str, doubt: str) -> Status:
    if reason:
        return Status.UNKNOWN
    status = worst(each.status for each in own) if own else Status.CONFIRMED
    return Status.PARTIAL if doubt and status is Status.CONFIRMED else status
