"""What is done about a hook event: the report that its session is to hear now, or silence and a note for later.

Above: ``conversation``. Below: ``sessions``, ``journal``, ``own_edits``, ``telling``, ``warming``.
"""

import asyncio
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.journal import Event
from groundwire.operations.journal import Journal as OperationJournal
from groundwire.operations.reporting.ahead import Ahead
from groundwire.operations.reporting.dependents import Edited
from groundwire.pool.pool import Pool
from groundwire.surfaces.hooks.changed_files import Changed, find_changed, is_served
from groundwire.surfaces.hooks.edited_files import edit_on_disk, read_edits
from groundwire.surfaces.hooks.event import HookEvent
from groundwire.surfaces.hooks.journal import Journal
from groundwire.surfaces.hooks.output import can_speak, silence, write_output
from groundwire.surfaces.hooks.own_edits import silent_edits
from groundwire.surfaces.hooks.sessions import Leftover, Session, Sessions, joined
from groundwire.surfaces.hooks.telling import Wanted, hash_of, nothing_to_take_back, tell
from groundwire.surfaces.hooks.warming import start_servers, warm_up

_MOST_CLAIMED = 2_000


class Reply(NamedTuple):
    """What is printed; ``take_back`` is called when it turns out that nobody read it."""

    output: bytes
    take_back: Callable[[], None] = nothing_to_take_back


class HookHandler:
    """For all hosts and sessions of one workspace. ``is_verbose``: it is said, too, when nothing is proven."""

    def __init__(self, pool: Pool, *, is_verbose: bool = False) -> None:
        self._pool = pool
        self._is_verbose = is_verbose
        self._sessions = Sessions()
        self._journal = Journal()
        self._claimed: dict[Path, str] = {}
        """The content, by its hash, of each file that some session has reported, or is about to, or that one of our own
        tools was to be silent about.
        """
        self._warming: asyncio.Task[None] | None = None
        self._ahead = Ahead(pool)
        pool.seen.append(self._journal.saw)
        pool.kept.get(OperationJournal).listeners.append(self._noted)

    async def handle(self, event: HookEvent, wait_s: float) -> Reply:
        """What the host is to hear, found out within so many seconds."""
        deadline = asyncio.get_running_loop().time() + wait_s
        if event.moment == "other" or self._pool.settings.report.mode == "off":
            return Reply(silence(event.agent))
        self._pool.refresh()  # watches from now on, and knows what has happened since
        session = self._session(event)
        if event.moment == "start":
            self._warm_up()
            return Reply(silence(event.agent))
        named = await self._named(event)
        if not self._is_time_to_speak(event):
            session.keep(named)
            start_servers(self._pool, (edit.file for edit in named))
            return Reply(silence(event.agent))
        if named:
            self._ahead.expect()
            await self._ahead.has_looked({edit.file for edit in named}, deadline)
        return await self._reply(event, session, named, deadline)

    def _session(self, event: HookEvent) -> Session:
        now = asyncio.get_running_loop().time()
        return self._sessions.get(event.agent, event.session, now, self._journal.position)

    def _is_time_to_speak(self, event: HookEvent) -> bool:
        is_held_back = self._pool.settings.report.mode == "end_of_turn" and event.moment != "stop"
        return can_speak(event) and not is_held_back

    async def _named(self, event: HookEvent) -> list[Edited]:
        """What the event says was edited; it is this session's to report."""
        if event.moment not in ("edited", "ran"):
            return []
        size = self._pool.settings.max_file_size
        edits = await asyncio.to_thread(read_edits, event, self._pool.workspace, size)
        served = [edit for edit in edits if is_served(self._pool, edit.file)]
        self._claim(served)
        return served

    async def _reply(self, event: HookEvent, session: Session, named: Sequence[Edited], deadline: float) -> Reply:
        taken = session.take()
        with ExitStack() as unless_told:  # whatever goes wrong, what was to be told must not get lost
            unless_told.callback(session.keep, [*(each.edit for each in taken.values()), *named])
            wanted = await self._wanted(event, session, named, taken)
            told = await tell(self._pool, session, wanted, deadline, is_verbose=self._is_verbose)
            unless_told.pop_all()
        if not told.text:
            return Reply(silence(event.agent))
        return Reply(write_output(event, told.text), told.take_back)

    async def _wanted(
        self, event: HookEvent, session: Session, named: Sequence[Edited], taken: Mapping[Path, Leftover]
    ) -> Wanted:
        """What was put off, as it is now, then what was edited, then what something else has changed."""
        left = [each.edit for each in taken.values()]
        size = self._pool.settings.max_file_size
        edits = {edit.file: edit for edit in await asyncio.to_thread(_reread, left, size)}
        for edit in named:
            edits[edit.file] = joined(edits.get(edit.file), self._with_beginning(edit))
        self._claim(edits.values())
        changed, is_end = await self._changed(session, edits), event.moment == "stop"
        if not is_end:  # a turn does not go on for files that others may have just begun
            changed = changed._replace(edits=tuple(map(self._with_beginning, changed.edits)))
        return Wanted(
            edits=tuple(edits.values()),
            changed=changed,
            tries={file: each.tries for file, each in taken.items()},
            is_write=event.is_write or len(edits) + len(changed.edits) > 1,
            is_end=is_end,
        )

    async def _changed(self, session: Session, known: Container[Path]) -> Changed:
        paths = [path for path in self._journal.since(session.position) if Path(path) not in known]
        session.position = self._journal.position
        changed = await find_changed(self._pool, paths, self._is_news)
        self._claim(changed.edits)
        return changed

    def _with_beginning(self, edit: Edited) -> Edited:
        """Nothing was there before a file that was seen to come, and that nobody was told of yet."""
        is_past_known = edit.before is not None or self._pool.kept.get(Baselines).get(edit.file) is not None
        if is_past_known or edit.after is None or not self._journal.is_new(edit.file.as_posix()):
            return edit
        return Edited(edit.file, "", edit.after)

    def _is_news(self, edit: Edited) -> bool:
        """Whether nobody was told of this content yet: neither by a hook nor by groundwire's own tools."""
        known = self._pool.kept.get(Baselines).get(edit.file)
        if known is not None and known.text == edit.after:
            return False
        if known is None and edit.after is None and self._journal.is_new(edit.file.as_posix()):
            return False  # it came and went
        return self._claimed.get(edit.file) != hash_of(edit)

    def _noted(self, event: Event) -> None:
        self._claim_contents(silent_edits(event, self._pool.workspace))

    def _claim(self, edits: Iterable[Edited]) -> None:
        self._claim_contents((edit.file, hash_of(edit)) for edit in edits)

    def _claim_contents(self, contents: Iterable[tuple[Path, str]]) -> None:
        for file, content in contents:
            self._claimed.pop(file, None)
            self._claimed[file] = content
        while len(self._claimed) > _MOST_CLAIMED:
            del self._claimed[next(iter(self._claimed))]

    def _warm_up(self) -> None:
        if self._warming is None or self._warming.done():
            self._warming = self._pool.beside(warm_up(self._pool))


def _reread(edits: Sequence[Edited], max_size: int) -> list[Edited]:
    """The edits of files as they are on disk now; without those that are no text any more."""
    found = ((edit, edit_on_disk(edit.file, max_size)) for edit in edits)
    return [joined(edit, now) for edit, now in found if now is not None]
