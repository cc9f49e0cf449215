"""What is proven of files as they are on disk, kept until something changes: what an edit is compared with.

A server's world moves with everything it is told that is news; what it was only shown, and was put back, is none
(``client.interlude``). As long as its world, its loads and its wishes to be asked again are the same, so are its
findings. Above: ``evaluation``. Below: ``diagnose``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.client.diagnose import diagnose
from groundwire.client.sync import sync_file
from groundwire.errors import GroundwireError
from groundwire.operations.answer import FileFindings, Status
from groundwire.operations.diagnostics.diagnose import CheckedFile, prove_files
from groundwire.operations.diagnostics.findings import Part, merged, part_of
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call
from groundwire.operations.speculation.virtual_texts import text_on_disk
from groundwire.pool.instance import Instance

_MOST_KEPT = 2_000

World = tuple[object, ...]


class Stood(NamedTuple):
    """What is proven of a file, and of which worlds of its servers."""

    checked: CheckedFile
    world: World | None


class _Kept(NamedTuple):
    stood: Stood
    wishes: World


class Standing:
    """Of many files; the ones that were not asked for for long are forgotten."""

    def __init__(self) -> None:
        self._kept: dict[Path, _Kept] = {}

    async def prove(self, call: Call, files: Sequence[Path], until: float) -> dict[Path, Stood]:
        """What is proven, from before where it still holds. Raises what ``prove_files`` raises."""
        call.pool.refresh()
        known = {file: kept.stood for file in files if (kept := self._still(call, file)) is not None}
        missing = [file for file in files if file not in known]
        if not missing:
            return known
        before = {file: wishes_of(call, file) for file in missing}
        unsaved = [file for file in missing if _has_save_check(call, file)]
        own = await asyncio.gather(*(_without_save_check(call, file, until) for file in unsaved))
        found = [each for each in own if each is not None]
        missing = [file for file in missing if file not in {each.file for each in found}]
        for checked in [*found, *(await prove_files(call.pool, missing, deadline=until) if missing else ())]:
            stood = Stood(checked, world_of(call, checked.file))
            known[checked.file] = stood
            self._keep(call, stood, before.get(checked.file))
        return known

    async def prove_again(self, call: Call, files: Sequence[Path], until: float) -> dict[Path, Stood]:
        """Asked anew, whatever is kept."""
        for file in files:
            self._kept.pop(file, None)
        return await self.prove(call, files, until)

    def _still(self, call: Call, file: Path) -> _Kept | None:
        kept = self._kept.get(file)
        if kept is None or kept.stood.world != world_of(call, file) or kept.wishes != wishes_of(call, file):
            return None
        return kept if text_on_disk(file) == kept.stood.checked.text else None

    def _keep(self, call: Call, stood: Stood, wishes: World | None) -> None:
        checked = stood.checked
        self._kept.pop(checked.file, None)
        if checked.findings.status is not Status.CONFIRMED or wishes is None or stood.world is None:
            return
        if wishes == wishes_of(call, checked.file):
            self._kept[checked.file] = _Kept(stood, wishes)
        while len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]


def _has_save_check(call: Call, file: Path) -> bool:
    return any(each.session.options.settle.save_check is not None for each in serving(call, file))


async def _without_save_check(call: Call, file: Path, until: float) -> CheckedFile | None:
    """The findings without those of a checker that a save starts: of edits that are not on disk it can say nothing, so
    there is no point in waiting for it. None: not proven, or no longer."""
    parts: list[Part] = []
    texts: set[str] = set()
    for instance in serving(call, file):
        try:
            session = await instance.ready(until)
            document = sync_file(session, file, call.pool.route(file).language)
        except (GroundwireError, TimeoutError):
            return None
        found = await diagnose(session, document, until, save_checks=False)
        if found.proof != "confirmed" or session.interlude.is_on or session.state.documents.clock != found.clock:
            return None
        parts.append(part_of(found, session.state.capabilities.position_encoding))
        texts.add(found.text)
    servers = tuple(part.server for part in parts)
    name = shown_path(file, call.pool.workspace)
    findings = FileFindings(file=name, status=Status.CONFIRMED, servers=servers, diagnostics=merged(parts))
    return CheckedFile(file, findings, texts.pop()) if len(texts) == 1 else None


def serving(call: Call, file: Path) -> list[Instance]:
    """The servers that take care of a file and run; none unless all do."""
    try:
        chosen = call.pool.route(file).chosen
    except GroundwireError:
        return []
    by_key = {(each.chosen.spec.id, each.chosen.root): each for each in call.pool.instances()}
    found = [by_key.get((each.spec.id, each.root)) for each in chosen]
    running = [each for each in found if each is not None and each.has_started and each.is_usable]
    return running if len(running) == len(chosen) else []


def world_of(call: Call, file: Path) -> World | None:
    """By which it is noticed that a file's servers were told news; None while they do not all run."""
    sessions = [each.session for each in serving(call, file)]
    return (
        tuple(
            (id(each), each.state.documents.world - each.interlude.moved, each.state.readiness.loads)
            for each in sessions
        )
        or None
    )


def wishes_of(call: Call, file: Path) -> World | None:
    """How often its servers wished to be asked again."""
    sessions = [each.session for each in serving(call, file)]
    return tuple((id(each), each.state.diagnostics.refreshes) for each in sessions) or None
