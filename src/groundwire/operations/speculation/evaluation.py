"""What edits would do to what is wrong: proven findings before, findings with the texts in place, and the difference.

``confirmed`` means: every file in scope is proven before and after, by servers that see the texts. What goes by the
disk is named, and then nothing is called safe. Above: the operations of this package. Below: ``standing``, ``reached``,
``lease``, ``judged_file``.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import FileNotFound, GroundwireError, NoServerForExtension, NotAFile
from groundwire.operations.answer import Answer, Status, worst
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Dependents
from groundwire.operations.results.speculation import Evaluation, LocatedFinding, Scope, Verdict
from groundwire.operations.speculation.judged_file import JudgedFile, agreed, judge
from groundwire.operations.speculation.lease import Lease, findings_with
from groundwire.operations.speculation.reached import find_reached, named_elsewhere
from groundwire.operations.speculation.standing import Standing, Stood, serving, world_of
from groundwire.operations.speculation.virtual_texts import VirtualFile, VirtualTexts
from groundwire.pool.instance import Instance

_MOST_ROUNDS = 3
"""How often it is begun anew because files changed on disk meanwhile."""


async def evaluate(call: Call, texts: VirtualTexts, scope: Scope, timeout_ms: int = 0) -> Answer[Evaluation]:
    """Compare the texts with the disk. Never raises for what servers do: it is in the reason."""
    now = asyncio.get_running_loop().time()
    until = min(call.deadline, now + timeout_ms / 1000) if timeout_ms else call.deadline
    evaluating = _Evaluating(call, texts, scope, until)
    for _ in range(_MOST_ROUNDS):
        if outdated := texts.outdated():
            return evaluating.unknown(f"{outdated[0]} was changed on disk since the edit was made up")
        try:
            answer = await evaluating.run()
        except (FileNotFound, NotAFile):  # one is gone meanwhile
            continue
        except GroundwireError as error:
            return evaluating.unknown(error.message)
        if answer is not None:
            return answer
    return evaluating.unknown("files kept changing while they were checked")


class _Known(NamedTuple):
    """What is needed to judge."""

    stood: Mapping[Path, Stood]
    reached: Dependents
    leases: Sequence[Lease]
    by_disk: str
    """Why what other files say may be without the edit; empty where it is with it."""
    again: Mapping[Path, Stood] = {}
    """Of other files that the edit seems to change: what is proven after everything was put back."""


class _Evaluating:
    """One evaluation."""

    def __init__(self, call: Call, texts: VirtualTexts, scope: Scope, until: float) -> None:
        self._call = call
        self._changed = texts.changed
        self._new = {each.file for each in self._changed if not each.is_on_disk}
        self._scope: Scope = scope
        self._until = until

    async def run(self) -> Answer[Evaluation] | None:
        """None: the world changed meanwhile."""
        standing = self._call.pool.kept.get(Standing)
        on_disk = [each.file for each in self._changed if each.is_on_disk]
        stood, reached = await asyncio.gather(standing.prove(self._call, on_disk, self._until), self._reached())
        stood.update(await standing.prove(self._call, reached.files, self._until))
        leases = await self._leases([*(each.file for each in self._changed if each.after is not None), *reached.files])
        by_disk = await self._by_disk([lease.session.options.server for lease in leases if lease.may_go_by_disk])
        known = await self._asked_again(_Known(stood, reached, leases, by_disk))
        self._call.pool.refresh()
        if any(each.world is not None and each.world != world_of(self._call, file) for file, each in stood.items()):
            return None
        return self._answer(known)

    async def _asked_again(self, known: _Known) -> _Known:
        """What a server says of a file may be due to what it was asked before rather than to the edit."""
        changed = [file for file in known.reached.files if self._judged(_unedited(file, known), known).is_changed]
        standing = self._call.pool.kept.get(Standing)
        return known._replace(again=await standing.prove_again(self._call, changed, self._until))

    def unknown(self, reason: str) -> Answer[Evaluation]:
        """Nothing can be said."""
        value = Evaluation(verdict="unproven", scope=self._scope, edited=self._edited)
        return Answer(value=value, status=Status.UNKNOWN, reason=reason)

    @property
    def _edited(self) -> tuple[str, ...]:
        return tuple(self._shown(each.file) for each in self._changed)

    def _shown(self, file: Path) -> str:
        return shown_path(file, self._call.pool.workspace)

    async def _reached(self) -> Dependents:
        if self._scope == "file":
            return Dependents(())
        return await find_reached(self._call, self._changed, self._until)

    async def _by_disk(self, servers: Sequence[str]) -> str:
        linked = [each.file for each in self._changed if self._call.pool.other_names(each.file)]
        if linked and (len(self._changed) > 1 or self._scope == "workspace"):
            return f"through a link to {self._shown(linked[0])} servers read it from the disk"
        if not servers:
            return ""
        edited = self._changed[0].file if len(self._changed) > 1 else None
        if edited is None and self._scope == "workspace":
            edited = await named_elsewhere(self._call, self._changed)
        return f"{servers[0]} may read {self._shown(edited)} from the disk where others use it" if edited else ""

    async def _leases(self, files: Sequence[Path]) -> list[Lease]:
        """Each server that takes care of one of the files, with all texts in place; servers do not wait for another."""
        by_server: dict[Instance, list[Path]] = {}
        languages: dict[Instance, dict[Path, str]] = {}
        for file in files:
            for instance in await self._servers(file):
                by_server.setdefault(instance, []).append(file)
                languages.setdefault(instance, {})[file] = self._call.pool.route(file).language
        asked = (
            findings_with(instance, self._changed, languages[instance], own, self._until)
            for instance, own in by_server.items()
        )
        return list(await asyncio.gather(*asked))

    async def _servers(self, file: Path) -> list[Instance]:
        """Running already for whatever was proven before; those of a new file may have to start."""
        running = serving(self._call, file)
        if running or file not in self._new:
            return running
        try:
            started = [self._call.pool.instance(each) for each in self._call.pool.route(file).chosen]
            for each in started:
                await each.ready(self._until)
        except (GroundwireError, TimeoutError):
            return []
        return started

    def _answer(self, known: _Known) -> Answer[Evaluation]:
        texts = {each.file: each for each in self._changed}
        judged = [self._judged(each, known) for each in self._changed]
        # Servers name who uses something now in this order, now in that.
        judged += [self._judged(_unedited(file, known), known) for file in sorted(known.reached.files)]
        covered = [each for each in judged if each.status is not Status.UNSUPPORTED]
        # An edited file that no server is shown may still decide what they find: a configuration does.
        unseen = [f"no server is shown {each.file}" for each in judged[: len(texts)] if _is_unsupported(each)]
        doubts = [known.reached.doubt, known.by_disk, *(each.reason for each in covered), *unseen]
        doubts += _absences(self._changed)
        reason = "; ".join(dict.fromkeys(filter(None, doubts)))
        status = worst(each.status for each in covered) if covered else Status.CONFIRMED
        if reason and status is Status.CONFIRMED:
            status = Status.PARTIAL
        if self._changed and not any(each.status is not Status.UNSUPPORTED for each in judged[: len(texts)]):
            status, reason = Status.UNSUPPORTED, next((each.reason for each in judged if each.reason), "")
        return Answer(
            value=self._evaluation(judged, status, known.reached),
            status=status,
            reason=reason,
            servers=tuple(dict.fromkeys(server for each in judged for server in each.servers)),
        )

    def _judged(self, text: VirtualFile, known: _Known) -> JudgedFile:
        stood = known.stood.get(text.file)
        if stood is None and (refusal := self._refusal(text.file)):
            return JudgedFile(file=self._shown(text.file), status=Status.UNSUPPORTED, reason=refusal)
        servers = len(serving(self._call, text.file))
        name, again = self._shown(text.file), known.again.get(text.file)
        judged = judge(name, text, stood, known.leases, servers=servers)
        return judged if again is None else agreed(judged, judge(name, text, again, known.leases, servers=servers))

    def _refusal(self, file: Path) -> str:
        """Why no server takes care of it; empty where one does, or should."""
        try:
            self._call.pool.route(file)
        except NoServerForExtension as error:
            return error.message
        except GroundwireError:
            return ""
        return ""

    def _evaluation(self, judged: Sequence[JudgedFile], status: Status, reached: Dependents) -> Evaluation:
        def of(kind: str, severity: str) -> tuple[LocatedFinding, ...]:
            found = (finding for each in judged for finding in (each.introduced if kind == "new" else each.resolved))
            return tuple(each for each in found if each.severity == severity)

        introduced, resolved = of("new", "error"), of("gone", "error")
        unsupported = (f"{each.file} (no server takes care of it)" for each in judged if _is_unsupported(each))
        return Evaluation(
            verdict=_verdict(status, introduced),
            scope=self._scope,
            edited=self._edited,
            errors_introduced=introduced,
            errors_resolved=resolved,
            warnings_introduced=of("new", "warning"),
            warnings_resolved=of("gone", "warning"),
            net_delta=len(introduced) - len(resolved),
            dependents=tuple(map(self._shown, sorted(reached.files))),
            not_covered=tuple(dict.fromkeys([*(name for each in judged for name in each.not_covered), *unsupported])),
        )


def _unedited(file: Path, known: _Known) -> VirtualFile:
    text = known.stood[file].checked.text if file in known.stood else None
    return VirtualFile(file, text, text)


def _verdict(status: Status, introduced: Sequence[LocatedFinding]) -> Verdict:
    if introduced:
        return "breaks"
    return "safe" if status is Status.CONFIRMED else "unproven"


def _is_unsupported(judged: JudgedFile) -> bool:
    return judged.status is Status.UNSUPPORTED


def _absences(texts: Iterable[VirtualFile]) -> list[str]:
    """What no server can be shown as it would be."""
    new = [f"{each.file.name} is not on disk: other files may not see it" for each in texts if each.before is None]
    gone = [f"{each.file.name} is there still: it is shown to servers as empty" for each in texts if each.after is None]
    return [*new, *gone]
