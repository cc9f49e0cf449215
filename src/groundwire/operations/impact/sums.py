"""How far an answer about many symbols is proven, and its sums.

Above: ``blast_radius``, ``detect_changes``, ``tests_for_file``. Below: ``impact``, ``answer``.
"""

from collections.abc import Iterable, Sequence

from groundwire.operations.answer import Status
from groundwire.operations.files.paths import shown_path
from groundwire.operations.impact.places import UsePlaces
from groundwire.operations.impact.users import CHANGED, FileUses, SymbolUses, Unheard, UsesSearch
from groundwire.operations.results.impact import ImpactSummary
from groundwire.pool.pool import Pool

_MOST_NAMED = 3


class HeardUses:
    """All that was heard of files. Where nothing was heard at all, raises why, unless it ``may_fail``."""

    def __init__(
        self, pool: Pool, search: UsesSearch, heard: Iterable[FileUses | Unheard], *, may_fail: bool = False
    ) -> None:
        self._pool = pool
        self._search = search
        everything = list(heard)
        self.files = [each for each in everything if isinstance(each, FileUses)]
        self._unheard = [each for each in everything if isinstance(each, Unheard)]
        if self._unheard and not self.files and not may_fail:
            raise self._unheard[0].error

    @property
    def symbols(self) -> list[tuple[FileUses, SymbolUses]]:
        """Every symbol with its file."""
        return [(file, symbol) for file in self.files for symbol in file.symbols]

    @property
    def servers(self) -> tuple[str, ...]:
        """Who was asked."""
        return tuple(dict.fromkeys(file.session.options.server for file in self.files))

    def doubts(self) -> list[str]:
        """Why there may be more than was heard, each once."""
        doubts = [f"{self._shown(each)}: {each.error.message}" for each in self._unheard]
        doubts += [f"{self._shown(file)}: {file.doubt}" for file in self.files if file.doubt]
        by_reason: dict[str, list[str]] = {}
        for _, found in self.symbols:
            if found.reason:
                by_reason.setdefault(found.reason, []).append(found.symbol.dotted)
        doubts += [f"uses of {_some(names)}: {reason}" for reason, names in by_reason.items()]
        if not doubts and not all(self._search.is_current(file) for file in self.files):
            doubts.append(CHANGED)
        return list(dict.fromkeys(doubts))

    def status(self, doubts: Sequence[str]) -> Status:
        """Confirmed only where every symbol is; where something is known, the whole is not unknown."""
        statuses = {found.status for _, found in self.symbols}
        if not doubts:
            return Status.CONFIRMED
        if self._unheard and not self.files:
            return Status.UNKNOWN
        if statuses == {Status.UNSUPPORTED}:
            return Status.UNSUPPORTED
        is_something_known = statuses & {Status.CONFIRMED, Status.PARTIAL} or not statuses
        return Status.PARTIAL if is_something_known else Status.UNKNOWN

    def _shown(self, each: FileUses | Unheard) -> str:
        return shown_path(self._pool.workspace / each.file, self._pool.workspace)


def summed_up(found: Sequence[tuple[FileUses, SymbolUses]], places: UsePlaces) -> ImpactSummary:
    """The sums over all symbols."""
    tests = others = 0
    files: set[str] = set()
    for _, symbol in found:
        present = places.present(symbol)
        tests, others = tests + len(present.tests), others + len(present.others)
        files |= present.files
    return ImpactSummary(
        symbols=len(found),
        test_uses=tests,
        non_test_uses=others,
        files=len(files),
        untested=sum(is_untested(file, symbol, places) for file, symbol in found),
        unknown=sum(symbol.status is not Status.CONFIRMED for _, symbol in found),
    )


def is_untested(file: FileUses, found: SymbolUses, places: UsePlaces) -> bool:
    """Whether it is proven that no test uses it. What is a test itself needs none."""
    if found.status is not Status.CONFIRMED or places.is_own_test(file, found):
        return False
    return not places.present(found).tests


def reached_tests(found: Iterable[tuple[FileUses, SymbolUses]], places: UsePlaces) -> set[str]:
    """The files of tests that use any of them."""
    return {places.file(use) for _, symbol in found for use in places.present(symbol).tests}


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMED])
    return shown if len(names) <= _MOST_NAMED else f"{shown} and {len(names) - _MOST_NAMED} more"
