"""Which symbols a change set touches, who uses them, and how risky that is. Read off the lines that differ.

Above: ``table``. Below: ``detect_changes_read``, ``detect_changes_past``, ``impact``, ``risk``.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta, structs

from groundwire.errors import FileNotFound, OutsideWorkspace
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import Page
from groundwire.operations.files.paths import located, shown_path
from groundwire.operations.impact.blast_radius import is_declaration
from groundwire.operations.impact.detect_changes_past import OldFile, OldSymbol, header_of, old_symbols
from groundwire.operations.impact.detect_changes_read import Question, Scope, read_changes
from groundwire.operations.impact.places import UsePlaces
from groundwire.operations.impact.removed import RemovedSymbol, removed_symbols
from groundwire.operations.impact.risk import RANKS, Exposure, risk_of
from groundwire.operations.impact.sums import HeardUses, reached_tests, summed_up
from groundwire.operations.impact.users import (
    CONTAINERS,
    FileUses,
    Pick,
    Picked,
    SymbolUses,
    UsesSearch,
    declared_for_others,
)
from groundwire.operations.navigation.navigate import REFERENCES
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking
from groundwire.operations.reporting.change_set import ChangeSet
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.served_changes import ServedChanges
from groundwire.operations.reporting.touched import touched_symbols
from groundwire.operations.results.impact import AffectedSymbol, Change, ChangedSymbol, DetectedChanges
from groundwire.operations.text.exported import Exports
from groundwire.operations.waiting import Waiting
from groundwire.protocol.symbol_tree import Symbol

_NONE = frozenset({1, 2, 3, 4, 19})
"""Files, modules, namespaces, packages and blocks, by LSP's numbers: they only hold what changed."""


class DetectChanges(Page, frozen=True):
    """Which change set."""

    scope: Annotated[Scope, Meta(description="unstaged includes untracked files; committed: the last commit.")] = (
        "unstaged"
    )
    range: Annotated[str, Meta(description="Instead: a..b, or one commit.")] = ""
    workspace_root: Annotated[str, Meta(description="Its repository, where that is not the workspace.")] = ""
    limit: Annotated[int, Meta(ge=1, le=10_000, description="Most symbols to show.")] = 50


@operation(
    "Which symbols the changes in git touch, who uses them and how risky that is, with reasons.",
    needs=(REFERENCES,),
    command="changes",
)
async def detect_changes(call: Call, arguments: DetectChanges) -> Answer[DetectedChanges]:
    """From the lines that differ to symbols and their users."""
    change_set = await _read(call, arguments)
    served = ServedChanges(call.pool, change_set)
    past = await old_symbols(call, served.edits)
    search = UsesSearch(call)
    present = [edit for edit in served.edits if edit.after is not None]
    heard = HeardUses(
        call.pool, search, await search.ask_all([(edit.file, _touched(edit)) for edit in present]), may_fail=True
    )
    removed = await removed_symbols(call, _gone(served.edits, past, heard.files))
    return await _Report(call, arguments, change_set, heard, past).answer(served, removed)


async def _read(call: Call, arguments: DetectChanges) -> ChangeSet:
    question = Question(
        workspace=_root(call, arguments.workspace_root),
        environment=call.pool.environment,
        wait_s=max(call.deadline - asyncio.get_running_loop().time(), 0.001),
        largest=call.pool.settings.max_file_size,
    )
    with Waiting(call, lambda: "asking git what has changed"):
        return await asyncio.to_thread(read_changes, question, arguments.scope, arguments.range)


def _root(call: Call, named: str) -> Path:
    root = located(Path(named), call.pool.workspace) if named else call.pool.workspace
    if not root.is_dir():
        raise FileNotFound(f"there is no directory {named}")
    if call.pool.folders.holder(root) is None:
        raise OutsideWorkspace(f"{named} is outside of the workspace", hint="add_workspace_folder works there too.")
    return root


def _touched(edit: Edited) -> Pick:
    def pick(asking: Asking, tree: Sequence[Symbol]) -> list[Picked]:
        exports = Exports(asking.document.lines, asking.document.language, asking.encoding)
        ways = list(declared_for_others(tree))
        own = [way for way in ways if is_declaration(way)]
        if edit.before is not None:
            touched = {id(symbol) for symbol in touched_symbols(edit.before, asking.document.text, tree)}
            own = [way for way in ways if _is_touched(way[-1], touched)]
        return [Picked(way[-1], exports.is_exported(way[-1], way[:-1])) for way in own]

    return pick


def _is_touched(symbol: Symbol, touched: Collection[int]) -> bool:
    """What is local to a function or a value is part of it; a block of declarations is none itself."""
    if symbol.kind in CONTAINERS:
        return id(symbol) in touched and symbol.kind not in _NONE
    return any(id(each) in touched for each in symbol.walk())


def _gone(
    edits: Sequence[Edited], past: Mapping[Path, OldFile], heard: Sequence[FileUses]
) -> list[tuple[Edited, OldFile, OldSymbol]]:
    """What the old content declared and the present one does not; of what went with its container, the container."""
    present = {file.file: {way[-1].dotted for way in declared_for_others(file.tree)} for file in heard}
    gone: list[tuple[Edited, OldFile, OldSymbol]] = []
    for edit in edits:
        old, new = past.get(edit.file), set[str]() if edit.after is None else present.get(edit.file)
        if old is None or new is None:
            continue
        for path, (symbol, *_) in old.symbols.items():
            is_within = any(each.dotted not in new for each in symbol.around)
            if path not in new and not is_within and is_declaration((*symbol.around, symbol.symbol)):
                gone.append((edit, old, symbol))
    return gone


class _Report:
    """What was heard, put together."""

    def __init__(
        self,
        call: Call,
        arguments: DetectChanges,
        change_set: ChangeSet,
        heard: HeardUses,
        past: Mapping[Path, OldFile],
    ) -> None:
        self._call = call
        self._arguments = arguments
        self._set = change_set
        self._heard = heard
        self._past = past
        self._places = UsePlaces(call)

    async def answer(self, served: ServedChanges, removed: Sequence[RemovedSymbol]) -> Answer[DetectedChanges]:
        found, places = self._heard.symbols, self._places
        entries = [*(_with_risk(each.affected, _exposure_of_gone(each.affected)) for each in removed)]
        judged = [(self._exposure(*each, served), each) for each in found]
        order = sorted([*entries, *judged], key=_rank)
        shown = page_of(order, self._arguments)
        uses = (use for each in shown if isinstance(each, tuple) for use in each[1][1].uses)
        await places.read_trees(self._heard.files, uses)
        symbols = [
            each if isinstance(each, ChangedSymbol) else _with_risk(places.affected(*each[1], len(shown)), each[0])
            for each in shown
        ]
        doubts = self._doubts(served, removed)
        changes = DetectedChanges(
            scope=self._arguments.range or self._arguments.scope,
            against=self._set.against,
            changed_files=tuple(shown_path(edit.file, self._call.pool.workspace) for edit in self._set.edits),
            changed_symbols=tuple(symbols),
            total=len(order),
            offset=self._arguments.offset,
            summary=summed_up(found, places),
            test_files=tuple(sorted(reached_tests(found, places))),
            warnings=tuple(doubts),
            note=self._set.note,
        )
        return Answer(
            value=changes,
            status=self._heard.status(doubts),
            reason="; ".join(doubts[:3]),
            servers=self._heard.servers,
        )

    def _doubts(self, served: ServedChanges, removed: Sequence[RemovedSymbol]) -> list[str]:
        doubts = [*self._set.doubts, *served.doubts, *self._heard.doubts()]
        unknown = [edit.file for edit in served.edits if edit.before != "" and edit.file not in self._past]
        if unknown:
            doubts.append(f"what {served.shown(unknown[0])} declared before is not known, so what is gone is not")
        doubts += [each.doubt for each in removed if each.doubt]
        return list(dict.fromkeys(doubts))

    def _exposure(self, heard: FileUses, found: SymbolUses, served: ServedChanges) -> Exposure:
        places = self._places
        present = places.present(found)
        return Exposure(
            file=shown_path(heard.file, self._call.pool.workspace),
            change=self._change(heard, found, served),
            exported=found.picked.is_exported,
            status=found.status,
            reason=found.reason,
            using_files={places.file(use) for use in present.others},
            test_uses=len(present.tests),
        )

    def _change(self, heard: FileUses, found: SymbolUses, served: ServedChanges) -> Change:
        before = next((edit.before for edit in served.edits if edit.file == heard.file), None)
        old = self._past.get(heard.file)
        if before == "":
            return "added"
        if old is None:
            return "changed"
        was = old.symbols.get(found.symbol.dotted, ())
        if not was:
            return "added"
        header = header_of(heard.asking.document.lines, found.symbol)
        return "body" if header in {each.header for each in was} else "signature"


def _exposure_of_gone(affected: AffectedSymbol) -> Exposure:
    return Exposure(
        file=affected.file,
        change="removed",
        exported=affected.exported,
        status=affected.status,
        reason=affected.reason,
        using_files={caller.file for caller in affected.non_test_callers},
        test_uses=affected.test_uses,
    )


def _rank(entry: ChangedSymbol | tuple[Exposure, tuple[FileUses, SymbolUses]]) -> int:
    return RANKS[entry.risk if isinstance(entry, ChangedSymbol) else risk_of(entry[0])[0]]


def _with_risk(affected: AffectedSymbol, exposure: Exposure) -> ChangedSymbol:
    risk, reasons = risk_of(exposure)
    return ChangedSymbol(**structs.asdict(affected), change=exposure.change, risk=risk, reasons=reasons)
