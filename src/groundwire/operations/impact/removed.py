"""Symbols that are gone, and where their names still stand: no server can be asked for uses of what is not there.

Above: ``detect_changes``. Below: ``impact_text``.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.operations.answer import Status
from groundwire.operations.files.paths import shown_path
from groundwire.operations.impact.code_words import TextHit, TextHits, find_words
from groundwire.operations.impact.detect_changes_past import OldFile, OldSymbol
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.results.context import Caller
from groundwire.operations.results.impact import AffectedSymbol
from groundwire.operations.text.test_files import is_test_file

_BY_TEXT = "its name was looked for as text, and what these places mean is not proven"
_MOST_SHOWN = 10


class RemovedSymbol(NamedTuple):
    """``doubt``: why its name may stand elsewhere too."""

    affected: AffectedSymbol
    doubt: str


async def removed_symbols(call: Call, gone: Sequence[tuple[Edited, OldFile, OldSymbol]]) -> list[RemovedSymbol]:
    """Each with the places that still name it; that there are none is proven by a search that saw everything."""
    if not gone:
        return []
    names = sorted({symbol.symbol.path[-1] for _, _, symbol in gone})
    languages = {ending: language for _, old, _ in gone for ending, language in old.languages.items()}
    found = await asyncio.to_thread(find_words, tuple(call.pool.folders), names, languages)
    return [_removed(call, edit, symbol, found) for edit, _, symbol in gone]


def _removed(call: Call, edit: Edited, old: OldSymbol, found: TextHits) -> RemovedSymbol:
    symbol = old.symbol
    hits = [hit for hit in found.hits if hit.word == symbol.path[-1]]
    tests = [hit for hit in hits if is_test_file(_shown(call, hit))]
    others = [hit for hit in hits if hit not in tests]
    reason = _BY_TEXT if hits else found.doubt
    affected = AffectedSymbol(
        name=symbol.name,
        kind=symbol.kind_name,
        path=symbol.dotted,
        file=shown_path(edit.file, call.pool.workspace),
        line=0,
        column=0,
        exported=old.exported,
        status=Status.PARTIAL if reason else Status.CONFIRMED,
        reason=reason,
        test_uses=len(tests),
        non_test_uses=len(others),
        test_callers=tuple(_caller(call, hit) for hit in tests[:_MOST_SHOWN]),
        non_test_callers=tuple(_caller(call, hit) for hit in others[:_MOST_SHOWN]),
        hidden=sum(max(len(side) - _MOST_SHOWN, 0) for side in (tests, others)),
    )
    return RemovedSymbol(affected, f"uses of {symbol.dotted}: {reason}" if reason else "")


def _shown(call: Call, hit: TextHit) -> str:
    return shown_path(hit.file, call.pool.workspace)


def _caller(call: Call, hit: TextHit) -> Caller:
    return Caller(file=_shown(call, hit), line=hit.line, column=hit.column, text=hit.text)
