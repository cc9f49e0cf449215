"""The tests that a change reaches: those that changed, and those that use what changed, at first or second hand.

Above: ``run_tests``. Below: ``detect_changes``, ``blast_radius``, ``test_files``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.operations.answer import Status
from groundwire.operations.files.paths import shown_path
from groundwire.operations.impact.blast_radius import FindBlastRadius, blast_radius
from groundwire.operations.impact.detect_changes import DetectChanges, detect_changes
from groundwire.operations.operation import Call
from groundwire.operations.results.building import AffectedTests
from groundwire.operations.results.impact import DetectedChanges
from groundwire.operations.text.test_files import is_test_file

_MOST_SYMBOLS = 200
_HOW = "changed files of tests, and files of tests that use what changed since HEAD or what uses that, by references"
_BLIND_TO = (
    "what is reached by names made at run time, through data or configuration, in another process, or by tests "
    "that fixtures and plugins bring along"
)


@dataclass(frozen=True)
class Reached:
    """Which files, and why there may be more."""

    files: tuple[Path, ...]
    told: AffectedTests
    doubt: str


async def reached_by_changes(call: Call, within: Sequence[Path]) -> Reached:
    """Those that lie in one of some directories, or are one of some files. Raises InvalidArgument without git."""
    changes = [
        await detect_changes.run(call, DetectChanges(scope=scope, limit=10_000)) for scope in ("staged", "unstaged")
    ]
    changed = sorted({file for each in changes for file in each.value.changed_files})
    symbols = sorted({name for each in changes for name in _symbols(each.value)})
    doubts = [each.reason for each in changes if each.status is not Status.CONFIRMED]
    files = {file for file in changed if is_test_file(file)}
    files |= {file for each in changes for file in each.value.test_files}
    if symbols:
        further = await blast_radius.run(
            call, FindBlastRadius(symbols=tuple(symbols[:_MOST_SYMBOLS]), include_transitive=True, limit=1)
        )
        files |= set(further.value.test_files)
        doubts += [further.reason] if further.status is not Status.CONFIRMED else []
    if len(symbols) > _MOST_SYMBOLS:
        doubts.append(f"of {len(symbols):,} changed symbols the first {_MOST_SYMBOLS} were followed further")
    paths = tuple(path for file in sorted(files) if _is_meant(path := call.pool.workspace / file, within))
    told = AffectedTests(
        test_files=tuple(sorted(shown_path(path, call.pool.workspace) for path in paths)),
        changed_files=tuple(changed),
        changed_symbols=len(symbols),
        how=_HOW,
        blind_to=_BLIND_TO,
    )
    words = "; ".join(dict.fromkeys(filter(None, doubts)))
    return Reached(paths, told, f"other tests may be affected too: {words}" if words else "")


def _is_meant(path: Path, within: Sequence[Path]) -> bool:
    return path.is_file() and any(path == each or path.is_relative_to(each) for each in within)


def _symbols(changes: DetectedChanges) -> list[str]:
    """As blast_radius takes them; what is gone has no users any more that could be asked for."""
    return [f"{each.file}::{each.path}" for each in changes.changed_symbols if each.change != "removed"]
