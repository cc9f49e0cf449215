"""What a change reaches, as text: symbols by file, each with its users, tests apart.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from collections.abc import Iterator, Sequence

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.context import Caller
from groundwire.operations.results.impact import (
    AffectedSymbol,
    BlastRadius,
    ChangedSymbol,
    DetectedChanges,
    IndirectCaller,
)
from groundwire.render.page import Page, Section
from groundwire.render.places import by_file
from groundwire.render.verdict import found
from groundwire.render.wording import counted, source_line

_MOST_CHARS = 200
_CHANGES = {"added": "new", "signature": "signature changed", "body": "body changed", "removed": "removed"}


def blast_radius_page(answer: Answer[BlastRadius]) -> Page:
    """The symbols, then the users of users, then the tests."""
    radius = answer.value
    blocks = by_file([(symbol.file, tuple(_symbol(symbol))) for symbol in radius.affected_symbols])
    indirect = Section(
        [(_indirect(each),) for each in radius.transitive], len(radius.transitive), title="Users of users:"
    )
    head = found(answer, radius.total, "symbol", _sums(radius))
    return Page(
        head, (_note(radius.note), Section(blocks, radius.total, radius.offset), indirect, _tests(radius.test_files))
    )


def changes_page(answer: Answer[DetectedChanges]) -> Page:
    """The changed symbols, the riskiest first, then the tests."""
    changes = answer.value
    blocks = [tuple(_changed(symbol)) for symbol in changes.changed_symbols]
    where = f" in {counted(len(changes.changed_files), 'changed file')} against {changes.against}"
    head = found(answer, changes.total, "changed symbol", where)
    return Page(head, (_note(changes.note), Section(blocks, changes.total, changes.offset), _tests(changes.test_files)))


def _sums(radius: BlastRadius) -> str:
    summary = radius.summary
    if radius.total != summary.symbols:
        return f" of {summary.symbols:,} that no test uses"
    if not summary.symbols:
        return ""
    uses = f" with {counted(summary.non_test_uses + summary.test_uses, 'use')}, {summary.test_uses:,} in tests"
    return f"{uses}, in {counted(summary.files, 'file')}"


def _note(note: str) -> Section:
    return Section([(f"Note: {note}",)] if note else [], int(bool(note)))


def _tests(files: Sequence[str]) -> Section:
    return Section([(f"  {file}",) for file in files], len(files), title="Test files:")


def _symbol(symbol: AffectedSymbol) -> Iterator[str]:
    private = "" if symbol.exported else " (not exported)"
    yield f"  {symbol.line}:{symbol.column}  {symbol.kind} {symbol.path}{private}  {usage(symbol)}"
    yield from _users(symbol)


def _changed(symbol: ChangedSymbol) -> Iterator[str]:
    what = _CHANGES.get(symbol.change, symbol.change)
    place = f"{symbol.file}:{symbol.line}:{symbol.column}" if symbol.line else symbol.file
    yield f"  {symbol.risk}  {place}  {symbol.kind} {symbol.path}  {what}; {'; '.join(symbol.reasons)}"
    yield from _users(symbol)


def _users(symbol: AffectedSymbol) -> Iterator[str]:
    yield from (f"    caller  {_end(caller)}" for caller in symbol.non_test_callers)
    yield from (f"    test    {_end(caller)}" for caller in symbol.test_callers)
    if symbol.hidden:
        yield f"    +{symbol.hidden:,} more callers"


def usage(symbol: AffectedSymbol) -> str:
    """How often it is used; that it is not, only where that is proven."""
    uses = symbol.test_uses + symbol.non_test_uses
    if symbol.status is Status.CONFIRMED:
        return _times(symbol) if uses else "not used"
    return f"at least {_times(symbol)}: {symbol.reason}" if uses else f"uses not known: {symbol.reason}"


def _times(symbol: AffectedSymbol) -> str:
    uses = symbol.test_uses + symbol.non_test_uses
    tests = f"{symbol.test_uses:,} in tests" if symbol.test_uses else "no test"
    return f"{counted(uses, 'use')}, {tests}"


def _indirect(caller: IndirectCaller) -> str:
    return f"  {caller.file}:{caller.line}:{caller.column}  {caller.kind} {caller.name}  uses {caller.via}"


def _end(caller: Caller) -> str:
    name = f"{caller.kind} {caller.name}".strip()
    times = f"{caller.count:,} times" if caller.count > 1 else ""
    parts = (f"{caller.file}:{caller.line}:{caller.column}", name, times, source_line(caller.text, _MOST_CHARS))
    return "  ".join(filter(None, parts))
