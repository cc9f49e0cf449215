"""Finding out what a session is to hear of some edits, and remembering what it heard and what it still has to.

Above: ``handler``. Below: ``operations.edit_report``, ``sessions``, ``report_text``.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit, with_past
from groundwire.operations.reporting.report_settings import ReportSettings
from groundwire.operations.results.edits import EditReport
from groundwire.pool.policy import ReportPolicy
from groundwire.pool.pool import Pool
from groundwire.protocol.hashing import content_hash
from groundwire.surfaces.hooks.changed_files import Changed
from groundwire.surfaces.hooks.report_text import report_text, visible
from groundwire.surfaces.hooks.sessions import Session

_OVERRUN_S = 0.2
"""Reports keep to their deadline; this is for the one that does not."""


class Wanted(NamedTuple):
    """What is to be reported. ``tries``: how often each file was tried before."""

    edits: tuple[Edited, ...]
    changed: Changed = Changed()
    tries: Mapping[Path, int] = {}
    is_write: bool = False
    is_end: bool = False
    """Whether the turn ends: what others changed then makes it go on only where it is known to be broken by that."""

    @property
    def everything(self) -> tuple[Edited, ...]:
        """Whoever edited it."""
        return (*self.edits, *self.changed.edits)


def nothing_to_take_back() -> None:
    """For silence."""


class Telling(NamedTuple):
    """``text`` is empty for silence; ``take_back`` is for a text that nobody read."""

    text: str = ""
    take_back: Callable[[], None] = nothing_to_take_back


async def tell(pool: Pool, session: Session, wanted: Wanted, deadline: float, *, is_verbose: bool) -> Telling:
    """What the session hears now; what is not known by the deadline is kept for the next time."""
    if not wanted.everything:
        return Telling()
    baselines = pool.kept.get(Baselines)
    wanted = _with_pasts(wanted, baselines)
    answer = await _report(pool, session, wanted, deadline)
    is_late = asyncio.get_running_loop().time() >= deadline
    tries = {edit.file: wanted.tries.get(edit.file, 0) + 1 for edit in wanted.everything}
    if answer is None:
        session.keep(wanted.everything, tries)
        return Telling()
    left = _unproven(answer, wanted.everything, pool.workspace, is_late=is_late)
    session.keep(left, tries)
    for edit in left:
        if edit.before is None:  # what was shown just now is no past of an edit that is to be looked at again
            baselines.forget(edit.file)
    news = _Listener(pool, session, wanted).news(answer)
    others = [shown_path(edit.file, pool.workspace) for edit in wanted.changed.edits]
    text = report_text(news, others, wanted.changed.more, is_verbose=is_verbose)
    return Telling(text, lambda: _take_back(pool, session, wanted, news.value)) if text else Telling()


def _with_pasts(wanted: Wanted, baselines: Baselines) -> Wanted:
    """Each edit with what was last shown of its file: once it is reported that is its present, and no past any more."""
    changed = wanted.changed._replace(edits=tuple(with_past(edit, baselines) for edit in wanted.changed.edits))
    return wanted._replace(edits=tuple(with_past(edit, baselines) for edit in wanted.edits), changed=changed)


def hash_of(edit: Edited) -> str:
    """Of the content of the file; empty when it is gone."""
    return "" if edit.after is None else content_hash(edit.after)


async def _report(pool: Pool, session: Session, wanted: Wanted, deadline: float) -> Answer[EditReport] | None:
    session.kept.get(ReportSettings, lambda: ReportSettings(_spoken(pool.settings.report)))
    call = Call(pool, deadline, client=session.kept)
    try:
        async with asyncio.timeout_at(deadline + _OVERRUN_S):
            return await report_edit(call, wanted.everything, "write" if wanted.is_write else "edit")
    except TimeoutError:
        return None


def _spoken(policy: ReportPolicy) -> ReportPolicy:
    """At the end of a turn all errors are told, as at the end of edits that were begun."""
    return msgspec.structs.replace(policy, mode="errors") if policy.mode == "end_of_turn" else policy


def _unproven(answer: Answer[EditReport], edits: Sequence[Edited], workspace: Path, *, is_late: bool) -> list[Edited]:
    """Those of which more may be known the next time."""
    if is_late and answer.status is not Status.CONFIRMED:
        return list(edits)
    proven = {file.file for file in answer.value.files if file.status in (Status.CONFIRMED, Status.UNSUPPORTED)}
    return [edit for edit in edits if edit.after is not None and shown_path(edit.file, workspace) not in proven]


class _Listener:
    """Leaves out of a report what its session knows, and notes the rest as known."""

    def __init__(self, pool: Pool, session: Session, wanted: Wanted) -> None:
        self._session = session
        self._contents = {shown_path(edit.file, pool.workspace): hash_of(edit) for edit in wanted.everything}
        changed = {shown_path(edit.file, pool.workspace) for edit in wanted.changed.edits}
        self._blameless = changed if wanted.is_end else set[str]()
        self._is_without_edits = wanted.is_end and not wanted.edits

    def news(self, answer: Answer[EditReport]) -> Answer[EditReport]:
        """The report without what was told."""
        files = tuple(self._unheard(answer.value, file) for file in answer.value.files)
        return msgspec.structs.replace(answer, value=msgspec.structs.replace(answer.value, files=files))

    def _unheard(self, report: EditReport, file: FileFindings) -> FileFindings:
        content = self._contents.get(file.file)
        if content is None:  # it was not edited, and only what is new, or may be, is here
            return _with_known_news(file) if self._is_without_edits else file
        found = self._session.unheard(file.file, content, file.diagnostics)
        file = msgspec.structs.replace(file, diagnostics=found)
        if file.file in self._blameless:
            file = _with_known_news(file)
        self._session.heard(file.file, content, visible(report, file))
        return file


def _with_known_news(file: FileFindings) -> FileFindings:
    new = tuple(each for each in file.diagnostics if each.origin == "introduced")
    return msgspec.structs.replace(file, diagnostics=new)


def _take_back(pool: Pool, session: Session, wanted: Wanted, report: EditReport) -> None:
    """Nobody read it: it is to be told again, and is as new then as it was now."""
    broken = {pool.workspace / file.file: file for file in report.files if visible(report, file)}
    edits = {edit.file: edit for edit in wanted.everything}
    baselines = pool.kept.get(Baselines)
    for path in broken:
        baselines.forget(path)
    session.unhear(file.file for file in broken.values())
    session.keep(edits.get(path, Edited(path, None, "")) for path in broken)
