"""Servers are shown other content for a moment, and nobody gets an answer about that content by mistake."""

import asyncio
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.reporting.overlay import Past, findings_before
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import ToyLog
from tests.operations.reporting.test_edit_report import CALLERS, LIBRARY, call_of, project
from tests.operations.toy_project import ask

pytestmark = pytest.mark.anyio

BROKEN = LIBRARY.replace("shout(what)", "shout(what, how)")


async def opened(pool: Pool, *names: str) -> list[Path]:
    files = [pool.workspace / name for name in names]
    await prove_files(pool, files, deadline=call_of(pool).deadline)
    return files


async def test_files_are_judged_with_the_old_content_in_place(tmp_path: Path):
    async with project(tmp_path) as pool:
        library, caller = await opened(pool, "library.toy", "caller0.toy")
        found = await findings_before(call_of(pool), [Past(library, BROKEN)], [library, caller])
        assert [each.message for each in found[caller].findings] == ["shout takes 2, not 1"]
        assert [each.line for each in found[library].findings] == [4]
        after = await prove_files(pool, [caller, library], deadline=call_of(pool).deadline)
        assert [each.findings.diagnostics for each in after] == [(), ()]


async def test_who_asks_meanwhile_waits_and_is_told_of_the_disk(tmp_path: Path):
    async with project(tmp_path) as pool:
        library, *callers = await opened(pool, "library.toy", *CALLERS)
        call = call_of(pool)
        shown = findings_before(call, [Past(library, BROKEN)], callers)
        asked = prove_files(pool, callers, deadline=call.deadline)
        listed = ask(pool, list_symbols, file_path="library.toy")
        past, present, symbols = await asyncio.gather(shown, asked, listed)
        assert {each.findings.status for each in present} == {Status.CONFIRMED}
        assert [each.findings.diagnostics for each in present] == [()] * len(callers)
        assert symbols.value.symbols[0].detail == "shout(what)"
        assert all(len(before.findings) == 1 for before in past.values())


async def test_a_question_under_way_when_the_server_is_shown_something_else_is_put_again(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with project(tmp_path, log=log) as pool:
        library, caller = await opened(pool, "library.toy", "caller0.toy")
        asking = asyncio.ensure_future(prove_files(pool, [caller], deadline=call_of(pool).deadline))
        await asyncio.sleep(0)
        await findings_before(call_of(pool), [Past(library, BROKEN)], [caller])
        assert [each.findings.diagnostics for each in await asking] == [()]


async def test_nothing_is_known_of_the_past_when_the_disk_changes_meanwhile(tmp_path: Path):
    async with project(tmp_path) as pool:
        library, caller = await opened(pool, "library.toy", "caller0.toy")
        session = pool.instances()[0].session
        showing = asyncio.ensure_future(findings_before(call_of(pool), [Past(library, BROKEN)], [caller]))
        while not session.interlude.is_on:  # noqa: ASYNC110  nothing tells of it
            await asyncio.sleep(0)
        caller.write_text("def call0()\n", "utf-8")
        pool.refresh()
        assert await showing == {}


async def test_a_server_that_does_not_run_knows_no_past(tmp_path: Path):
    async with project(tmp_path) as pool:
        files = [pool.workspace / "library.toy"]
        assert await findings_before(call_of(pool), [Past(files[0], BROKEN)], files) == {}
        assert pool.instances() == ()


async def test_places_are_those_of_the_content_that_was_shown_and_not_of_what_took_its_place(tmp_path: Path):
    longer = LIBRARY + "# é😀\n" * 40 + "wrong é😀 wrong\n"
    async with project(tmp_path) as pool:
        (library,) = await opened(pool, "library.toy")
        found = await findings_before(call_of(pool), [Past(library, longer)], [library])
        assert {each.line for each in found[library].findings} == {longer.count("\n")}


@pytest.mark.parametrize("turns", range(12))
async def test_findings_of_content_that_was_only_shown_are_never_given_however_few_times_it_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turns: int
):
    monkeypatch.setattr("groundwire.operations.rounds.AT_ONCE", 1)
    monkeypatch.setattr("groundwire.operations.rounds.RESTS_S", ())
    async with project(tmp_path) as pool:
        library, caller = await opened(pool, "library.toy", "caller0.toy")
        asking = asyncio.ensure_future(prove_files(pool, [caller], deadline=call_of(pool).deadline))
        for _ in range(turns):
            await asyncio.sleep(0)
        await findings_before(call_of(pool), [Past(library, BROKEN)], [caller])
        (found,) = [each.findings for each in await asking]
        assert found.status in (Status.UNKNOWN, Status.CONFIRMED)
        assert found.diagnostics == ()
