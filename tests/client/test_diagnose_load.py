"""No findings before the server has loaded, and an honest word when something goes wrong on the way."""

import asyncio
from pathlib import Path

import pytest

from groundwire.client.connection import Limits
from groundwire.client.sync import close_file
from groundwire.errors import ServerError
from groundwire.workspace.rules import ReadinessRule, SettleRule
from tests.client.proof import check, opened, outcome
from tests.fakes.server import PULL, Json, full_report, running_session, toy_options

pytestmark = pytest.mark.anyio

DIAGNOSTIC = "textDocument/diagnostic"
MEASURED = SettleRule(measured=True)
QUIESCENT = ReadinessRule(status_method="toy/status", gates_diagnostics=True)
INDEXING = ReadinessRule(
    progress_titles=("Indexing",), progress_starts="at-first-open", start_grace_ms=1000, gates_diagnostics=True
)


async def never(_: Json) -> None:
    await asyncio.get_running_loop().create_future()


async def test_a_false_clean_before_the_server_is_quiescent_is_withheld(tmp_path: Path):
    options = toy_options(tmp_path, settle=MEASURED, readiness=QUIESCENT)
    async with running_session(options, {DIAGNOSTIC: full_report()}, PULL) as (session, server):
        document = opened(session)
        server.tell("toy/status", {"quiescent": False, "health": "ok"})
        found = await check(session, document, 2)
        assert outcome(found) == ("unknown", "", [])
        assert "still loading" in found.reason
        checking = asyncio.ensure_future(check(session, document, 30))
        await asyncio.sleep(10)
        server.handlers[DIAGNOSTIC] = full_report("wrong")
        server.tell("toy/status", {"quiescent": True, "health": "ok"})
        assert outcome(await checking) == ("confirmed", "pull", ["wrong"])
        assert len(server.all(DIAGNOSTIC)) == 1


async def test_what_was_pushed_while_loading_is_not_shown(tmp_path: Path):
    rule = SettleRule(measured=True, push="versioned")
    options = toy_options(tmp_path, settle=rule, readiness=QUIESCENT)
    async with running_session(options) as (session, server):
        document = opened(session)
        server.publish(document.uri, version=1)
        found = await check(session, document, 2)
        assert outcome(found) == ("unknown", "", [])
        assert "still loading" in found.reason


async def test_a_server_that_loads_anew_while_it_is_asked_is_asked_again(tmp_path: Path):
    options = toy_options(tmp_path, settle=MEASURED, readiness=QUIESCENT)
    async with running_session(options, capabilities=PULL) as (session, server):

        async def too_early(_: Json) -> Json:
            server.handlers[DIAGNOSTIC] = full_report("wrong")
            server.tell("toy/status", {"quiescent": False})
            await server.caught_up()
            return full_report()

        server.handlers[DIAGNOSTIC] = too_early
        server.tell("toy/status", {"quiescent": True})
        await server.caught_up()
        checking = asyncio.ensure_future(check(session, opened(session), 30))
        await asyncio.sleep(5)
        assert not checking.done()
        server.tell("toy/status", {"quiescent": True})
        assert outcome(await checking) == ("confirmed", "pull", ["wrong"])


async def test_the_progress_of_loading_is_in_the_reason_and_its_end_opens_the_gate(tmp_path: Path):
    options = toy_options(tmp_path, settle=MEASURED, readiness=INDEXING)
    async with running_session(options, {DIAGNOSTIC: full_report("wrong")}, PULL) as (session, server):
        document = opened(session)
        server.begin("t", "Indexing 3 files", 0)
        server.report("t", 43)
        found = await check(session, document, 2)
        assert outcome(found) == ("unknown", "", [])
        assert "Indexing 3 files 43 %" in found.reason
        server.end("t")
        assert outcome(await check(session, document, 2)) == ("confirmed", "pull", ["wrong"])


async def test_other_progress_opens_and_closes_nothing(tmp_path: Path):
    options = toy_options(tmp_path, settle=MEASURED, readiness=INDEXING)
    async with running_session(options, {DIAGNOSTIC: full_report("wrong")}, PULL) as (session, server):
        document = opened(session)
        server.begin("t", "Formatting")
        server.end("t")
        assert outcome(await check(session, document, 0.5)) == ("unknown", "", [])
        server.begin("t2", "Formatting")
        found = await check(session, document, 5)
        assert outcome(found) == ("partial", "pull", ["wrong"])
        assert "has not said that it loaded" in found.reason


async def test_a_pull_that_is_never_answered_ends_in_time_as_unknown(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: never}, PULL) as (session, server):
        began = session.now()
        found = await check(session, opened(session), 3)
        assert outcome(found) == ("unknown", "", [])
        assert DIAGNOSTIC in found.reason
        assert session.now() - began == pytest.approx(3)
        await server.until(lambda: server.cancelled == [DIAGNOSTIC])


async def test_a_server_that_crashes_in_a_pull_is_unknown_with_the_reason(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities=PULL) as (session, server):
        server.handlers[DIAGNOSTIC] = lambda _: server.crash("segmentation fault")
        found = await check(session, opened(session))
        assert outcome(found) == ("unknown", "", [])
        assert "segmentation fault" in found.reason


@pytest.mark.parametrize("readiness", [ReadinessRule(), QUIESCENT])
async def test_a_server_that_crashes_while_its_word_is_waited_for_ends_the_wait_at_once(
    tmp_path: Path, readiness: ReadinessRule
):
    options = toy_options(tmp_path, settle=SettleRule(push="versioned"), readiness=readiness)
    async with running_session(options) as (session, server):
        document = opened(session)
        checking = asyncio.ensure_future(check(session, document, 60))
        await asyncio.sleep(1)
        began = session.now()
        server.crash("segmentation fault")
        found = await checking
        assert outcome(found) == ("unknown", "", [])
        assert "segmentation fault" in found.reason
        assert session.now() == began


async def test_a_pull_that_fails_shows_only_what_was_pushed_for_this_very_version(tmp_path: Path):
    def broken(_: Json) -> Json:
        raise ServerError(-32603, "internal confusion")

    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: broken}, PULL) as (session, server):
        document = opened(session)
        server.publish(document.uri, "wrong", version=1)
        await server.caught_up()
        found = await check(session, document)
        assert outcome(found) == ("partial", "", ["wrong"])
        assert "internal confusion" in found.reason
        found = await check(session, opened(session, "two\n"))
        assert outcome(found) == ("unknown", "", [])


async def test_a_pull_that_stays_content_modified_is_unknown_in_the_end(tmp_path: Path):
    def modified(_: Json) -> Json:
        raise ServerError(-32801, "content modified")

    options = toy_options(tmp_path, limits=Limits(retry_delays_s=(0.1, 0.1)))
    async with running_session(options, {DIAGNOSTIC: modified}, PULL) as (session, server):
        found = await check(session, opened(session))
        assert outcome(found) == ("unknown", "", [])
        assert "content modified" in found.reason
        assert len(server.all(DIAGNOSTIC)) == 3


async def test_a_huge_report_is_unknown_and_the_next_one_counts(tmp_path: Path):
    options = toy_options(tmp_path, limits=Limits(max_message=10_000))
    async with running_session(options, {DIAGNOSTIC: full_report("x" * 20_000)}, PULL) as (session, server):
        document = opened(session)
        found = await check(session, document)
        assert outcome(found) == ("unknown", "", [])
        assert "refused" in found.reason
        server.handlers[DIAGNOSTIC] = full_report("wrong")
        assert outcome(await check(session, document)) == ("confirmed", "pull", ["wrong"])


async def test_a_file_that_is_closed_while_it_is_checked_is_not_confirmed(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities=PULL) as (session, server):

        def answer(params: Json) -> Json:
            close_file(session, params["textDocument"]["uri"])
            return full_report("wrong")

        server.handlers[DIAGNOSTIC] = answer
        found = await check(session, opened(session))
        assert outcome(found) == ("unknown", "", [])
        assert "closed or deleted" in found.reason


async def test_a_pull_registered_for_nobody_any_more_falls_back_to_what_is_pushed(tmp_path: Path):
    rule = SettleRule(measured=True, push="versioned")
    async with running_session(toy_options(tmp_path, settle=rule), {DIAGNOSTIC: never}) as (session, server):
        await server.register(DIAGNOSTIC, {"identifier": "x"}, id="a")
        gone = [{"id": "a", "method": DIAGNOSTIC}]
        await server.ask("client/unregisterCapability", {"unregisterations": gone})
        document = opened(session)
        server.publish(document.uri, "wrong", version=1)
        assert outcome(await check(session, document)) == ("confirmed", "version", ["wrong"])
