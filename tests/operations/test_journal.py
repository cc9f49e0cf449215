"""What was asked lately is kept, in bounds, with how it ended."""

from pathlib import Path

import msgspec
import pytest

from groundwire.errors import FileNotFound, PermissionDenied
from groundwire.operations.journal import BUCKETS_MS, CallRecord, Event, Journal, Tally
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.runner import perform
from groundwire.pool.kept import Kept
from tests.operations.toy_project import zoo

pytestmark = pytest.mark.anyio


def test_a_tally_puts_each_time_below_the_first_bound_that_holds_it():
    tally = Tally()
    for elapsed in (0.5, 1.0, 1.5, 31_000.0):
        tally.add(elapsed)
    assert tally.count == 4
    assert tally.total_ms == 31_003.0
    assert tally.buckets[:2] == [2, 1]
    assert sum(tally.buckets) == 3
    assert len(tally.buckets) == len(BUCKETS_MS)


def test_only_the_last_calls_are_kept_and_all_are_counted():
    journal = Journal()
    for _ in range(1000):
        journal.note_call("hover", "reads", outcome="confirmed", elapsed_ms=1.0)
    assert len(journal.calls) == 200
    assert journal.calls[-1].id == 1000
    assert journal.tallies["hover", "confirmed"].count == 1000


def test_listeners_hear_of_calls_and_edits_until_they_leave():
    journal, heard = Journal(), list[Event]()
    journal.listeners.append(heard.append)
    journal.note_call("hover", "reads", outcome="error", elapsed_ms=1.0, error="FileNotFound", client="mcp 1")
    journal.note_edit({"tool": "apply_edit"})
    journal.listeners.clear()
    journal.note_edit({"tool": "undo"})
    call, edit = heard
    assert isinstance(call, CallRecord)
    assert (call.operation, call.outcome, call.error, call.client) == ("hover", "error", "FileNotFound", "mcp 1")
    assert edit == {"tool": "apply_edit"}


async def test_a_call_that_fails_is_in_the_journal_with_its_kind_and_its_client(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        client = Kept("mcp 7")
        good, bad = (list_symbols.parse({"file_path": name}) for name in ("animals.toy", "nowhere.toy"))
        await perform(pool, list_symbols, good, client=client)
        with pytest.raises(FileNotFound):
            await perform(pool, list_symbols, bad, client=client)
        first, second = pool.kept.get(Journal).calls
        assert (first.outcome, first.error, first.client) == ("confirmed", "", "mcp 7")
        assert (second.outcome, second.error, second.effect) == ("error", "FileNotFound", "reads")


async def test_what_the_configuration_denies_is_refused_under_every_name(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        for name in (list_symbols.name, *list_symbols.aliases):
            pool.settings = msgspec.structs.replace(pool.settings, denied=frozenset({name}))
            with pytest.raises(PermissionDenied, match="denied"):
                await perform(pool, list_symbols, list_symbols.parse({"file_path": "animals.toy"}))
        pool.settings = msgspec.structs.replace(pool.settings, denied=frozenset({"apply_edit"}))
        await perform(pool, list_symbols, list_symbols.parse({"file_path": "animals.toy"}))
