"""What a change set introduced: its files and those that it may have broken, now and with the content of before.

Above: ``surfaces``. Below: ``served_changes``, ``change_scope``, ``change_past``, ``change_report``, ``diagnose``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from groundwire.client.session import Session
from groundwire.errors import FileNotFound, NotAFile
from groundwire.operations.answer import Answer, FileFindings, Status, worst
from groundwire.operations.diagnostics.diagnose import CheckedFile, prove_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting.change_past import OtherContent
from groundwire.operations.reporting.change_report import Compared, count, unknown_past
from groundwire.operations.reporting.change_scope import find_other_files, project_settings
from groundwire.operations.reporting.change_set import ChangeSet
from groundwire.operations.reporting.served_changes import ServedChanges
from groundwire.operations.results.change_report import ChangeReport

_BATCH = 64


async def check_changes(call: Call, change_set: ChangeSet) -> Answer[ChangeReport]:
    """What is known. Never raises for what servers do."""
    return await _Checking(call, change_set).answer()


class _Checking:
    def __init__(self, call: Call, change_set: ChangeSet) -> None:
        self._call = call
        self._pool = call.pool
        self._set = change_set
        self._served = ServedChanges(call.pool, change_set)
        self._doubts = [*change_set.doubts, *self._served.doubts]
        self._notes = [change_set.note]
        self._worlds: dict[Session, int] = {}

    async def answer(self) -> Answer[ChangeReport]:
        changed = await self._check([edit.file for edit in self._served.edits if edit.after is not None])
        others = await self._check_others()
        self._require_one_world(changed)
        content = OtherContent(self._call, self._served)
        changed, others = await content.as_staged(changed), await content.as_staged(others)
        everything = [*changed, *others]
        is_past_shown = not project_settings(self._pool.catalog, self._set)  # settings are read off the disk
        past = await content.before(everything) if is_past_shown else {}
        compared = Compared(past, await content.doubtful(everything))
        own, around = [compared.compare(each) for each in changed], [compared.compare(each) for each in others]
        self._doubts += [f"{each.file}: {each.reason}" for each in around if not _is_known(each)][:1]
        if compared.undetermined:
            self._doubts.append(unknown_past(compared.undetermined))
        return self._answer(own, around, compared.resolved)

    def _answer(self, own: list[FileFindings], around: list[FileFindings], resolved: int) -> Answer[ChangeReport]:
        files = (*own, *(each for each in around if each.diagnostics))
        status = worst(each.status for each in own) if own else Status.CONFIRMED
        doubts = [*(each.reason for each in own if each.reason), *self._doubts]
        report = ChangeReport(
            against=self._set.against,
            files=files,
            changed=len(own),
            deleted=sum(edit.after is None for edit in self._served.edits),
            others=len(around),
            introduced=count(files, "introduced"),
            existing=count(files, "existing"),
            resolved=resolved,
            undetermined=count(files, ""),
        )
        return Answer(
            value=report,
            status=Status.PARTIAL if doubts and status is Status.CONFIRMED else status,
            reason="; ".join(dict.fromkeys(doubts)),
            servers=tuple(dict.fromkeys(server for each in (*own, *around) for server in each.servers)),
            note="; ".join(filter(None, [*self._notes, self._pool.watcher_note])),
        )

    async def _check_others(self) -> list[CheckedFile]:
        if not self._set.edits and not self._set.unread:
            return []
        others = await find_other_files(self._call, self._set, self._served)
        self._notes.append(others.note)
        if others.doubt:
            self._doubts.append(others.doubt)
        return await self._check(others.files)

    async def _check(self, files: Sequence[Path]) -> list[CheckedFile]:
        """What is known of those that are there, with the content of the disk."""
        wanted = [file for file in dict.fromkeys(files) if file.is_file()]
        found: list[CheckedFile] = []
        for start in range(0, len(wanted), _BATCH):
            if found and asyncio.get_running_loop().time() >= self._call.deadline:
                self._doubts.append(f"only {len(found):,} of {len(wanted):,} files were checked: the time was over")
                break
            self._call.progress(f"checked {len(found)} of {len(wanted)} files")
            batch = wanted[start : start + _BATCH]
            try:
                found += await prove_files(self._pool, batch, deadline=self._call.deadline)
            except (FileNotFound, NotAFile) as error:
                self._doubts.append(f"files changed while they were checked: {error.message}")
            for session, world in self._current_worlds().items():
                self._worlds.setdefault(session, world)
        return found

    def _require_one_world(self, changed: Sequence[CheckedFile]) -> None:
        """All that was found must be about the same content, which is that of the change set."""
        self._pool.refresh()
        now = self._current_worlds()
        meant = {edit.file: edit.after for edit in self._served.edits}
        meant.update((each.file, each.before) for each in self._served.hidden)
        is_same = all(each.text in (None, meant.get(each.file)) for each in changed)
        if not is_same or any(now.get(session) != world for session, world in self._worlds.items()):
            self._doubts.append("files changed while they were checked")

    def _current_worlds(self) -> dict[Session, int]:
        sessions = (instance.session for instance in self._pool.instances())
        return {session: session.state.documents.world for session in sessions if session.life == "ready"}


def _is_known(findings: FileFindings) -> bool:
    return findings.status in (Status.CONFIRMED, Status.UNSUPPORTED)
