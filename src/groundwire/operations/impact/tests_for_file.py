"""The tests of a file: those that use its symbols, and those that are named after it, each with why.

Above: ``table``. Below: ``tests_for_file_names``, ``impact``, ``workspace_files``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FileArguments
from groundwire.operations.files.paths import existing_file, shown_path
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.impact.blast_radius import is_declaration
from groundwire.operations.impact.places import UsePlaces, tests_within
from groundwire.operations.impact.sums import HeardUses
from groundwire.operations.impact.users import FileUses, Picked, SymbolUses, UsesSearch, declared_for_others
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import Asking
from groundwire.operations.results.impact import FileOfTests, FileTests
from groundwire.operations.text.test_files import is_test_file
from groundwire.operations.text.tests_for_file_names import is_beside_only, names_of_tests
from groundwire.protocol.symbol_tree import Symbol

_MOST_NAMED = 3


@operation("Which test files test a file: those that use its symbols, and those named after it.", command="tests-for")
async def get_tests_for_file(call: Call, arguments: FileArguments) -> Answer[FileTests]:
    """By use and by name."""
    file = existing_file(Path(arguments.file_path), call.pool.workspace)
    search = UsesSearch(call)
    heard = HeardUses(call.pool, search, await search.ask_all([(file, _everything)]), may_fail=True)
    named, doubt = await asyncio.to_thread(_named_after, call.pool.folders.folder_of(file), file)
    tests = _Tests(call, file)
    tests.add_users(heard.symbols)
    tests.add_named(named)
    doubts = [*heard.doubts(), *filter(None, [doubt])]
    found = FileTests(
        source_file=shown_path(file, call.pool.workspace), test_files=tests.listed(), total=len(tests.listed())
    )
    return Answer(value=found, status=heard.status(doubts), reason="; ".join(doubts[:3]), servers=heard.servers)


def _everything(_: Asking, tree: Sequence[Symbol]) -> list[Picked]:
    return [Picked(way[-1], is_exported=True) for way in declared_for_others(tree) if is_declaration(way)]


def _named_after(folder: Path, source: Path) -> tuple[list[Path], str]:
    """Files whose name says that they test it."""
    names, walk = names_of_tests(source), WorkspaceFiles(folder)
    found = [file for file in walk if file.name in names and file != source]
    if is_beside_only(source):
        return [file for file in found if file.parent == source.parent], ""
    return found, walk.note


class _Tests:
    """Every file once, those that use most of the source first."""

    def __init__(self, call: Call, source: Path) -> None:
        self._workspace = call.pool.workspace
        self._places = UsePlaces(call)
        self._used: dict[str, dict[str, int]] = {}
        self._reasons: dict[str, list[str]] = {}
        shown = shown_path(source, self._workspace)
        if is_test_file(shown) or tests_within(source):
            self._reasons[shown] = ["it holds tests itself"]

    def add_users(self, symbols: Sequence[tuple[FileUses, SymbolUses]]) -> None:
        for _, found in symbols:
            for use in self._places.present(found).tests:
                used = self._used.setdefault(self._places.file(use), {})
                used[found.symbol.dotted] = used.get(found.symbol.dotted, 0) + 1
        for file, used in self._used.items():
            self._reasons.setdefault(file, []).append(f"uses {_some(list(used))}")

    def add_named(self, files: Sequence[Path]) -> None:
        for file in files:
            self._reasons.setdefault(shown_path(file, self._workspace), []).append("named after it")

    def listed(self) -> tuple[FileOfTests, ...]:
        found = [
            FileOfTests(file=file, reasons=tuple(reasons), uses=sum(self._used.get(file, {}).values()))
            for file, reasons in self._reasons.items()
        ]
        return tuple(sorted(found, key=lambda each: (-each.uses, each.file)))


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
