"""Real processes with one bad habit each: every question ends in time, in the truth, and no process is left."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.client.connection import Limits
from groundwire.client.options import SessionOptions
from groundwire.client.session import Session
from groundwire.errors import GroundwireError, MessageTooLarge, RequestTimeout, SessionDead
from groundwire.workspace.rules import ReadinessRule, SettleRule
from tests.client.proof import check, opened, outcome
from tests.fakes.server import toy_options
from tests.fakes.toy_servers import SERVERS, ToyProcess, is_running
from tests.transport.children_at_hand import eventually

pytestmark = pytest.mark.anyio

RULE = SettleRule(measured=True, scope="file")
STOP_BOUND = 6.0


@pytest.fixture
def anyio_backend() -> str:
    """Processes live in real time."""
    return "asyncio"


def options(root: Path, **changes: object) -> SessionOptions:
    return toy_options(root, **{"settle": RULE, "start_timeout": 10.0, "shutdown_timeout": 0.3, **changes})


@asynccontextmanager
async def running(script: str, root: Path, **changes: object) -> AsyncGenerator[tuple[Session, int]]:
    """A started server with that habit. Afterwards it is stopped, in time, and nothing of it is left."""
    process = ToyProcess(script, options(root, **changes))
    await process.session.start()
    try:
        yield process.session, process.pid
    finally:
        began = time.monotonic()
        await process.session.stop()
        assert time.monotonic() - began < STOP_BOUND
        assert not is_running(process.pid)


async def failed_start(script: str, root: Path, **changes: object) -> GroundwireError:
    process = ToyProcess(script, options(root, **changes))
    with pytest.raises(GroundwireError) as caught:
        await process.session.start()
    assert process.session.life == "dead"
    assert process.pid
    assert not is_running(process.pid)
    return caught.value


HABITS = sorted(path.stem for path in SERVERS.glob("*.py") if path.stem != "base")


async def test_whatever_the_habit_everything_ends_in_time_and_no_wrong_file_is_called_clean(tmp_path: Path):
    async with asyncio.timeout(30):
        outcomes = await asyncio.gather(*(_try_out(script, _folder(tmp_path / script)) for script in HABITS))
    false_cleans = {script for script, outcome in zip(HABITS, outcomes, strict=True) if outcome == "clean"}
    assert false_cleans == {"never_ready"}  # which needs its own rule: see below


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


async def _try_out(script: str, root: Path) -> str:
    """Start, check a wrong file and stop; how it went."""
    process = ToyProcess(script, options(root, start_timeout=5.0))
    try:
        await process.session.start()
        found = await check(process.session, opened(process.session, "this is wrong\n"), 2)
    except GroundwireError as error:
        return error.kind
    finally:
        await process.session.stop()
        assert process.pid
        assert not is_running(process.pid)
    return "clean" if found.proof == "confirmed" and not found.diagnostics else found.proof


async def test_a_server_that_crashes_at_start_is_told_with_its_last_words(tmp_path: Path):
    failure = await failed_start("crash_at_start", tmp_path)
    assert isinstance(failure, SessionDead)
    assert "code 3" in failure.message
    assert "cannot find libtoy.so" in failure.message


async def test_a_server_that_hangs_at_start_is_given_up_in_time(tmp_path: Path):
    began = time.monotonic()
    failure = await failed_start("hang_at_start", tmp_path, start_timeout=0.3)
    assert isinstance(failure, RequestTimeout)
    assert "initialize" in failure.message
    assert time.monotonic() - began < STOP_BOUND


async def test_a_crash_in_the_middle_of_a_request_is_told_with_code_and_last_words(tmp_path: Path):
    async with running("crash_mid_request", tmp_path) as (session, _):
        found = await check(session, opened(session), 10)
        assert outcome(found) == ("unknown", "", [])
        assert "code 7" in found.reason
        assert "segmentation fault" in found.reason
        with pytest.raises(SessionDead, match="code 7"):
            await session.request("textDocument/hover")


async def test_a_crash_at_shutdown_is_an_end_like_any_other(tmp_path: Path):
    async with running("crash_on_shutdown", tmp_path) as (session, pid):
        assert outcome(await check(session, opened(session, "wrong\n"))) == ("confirmed", "pull", ["wrong"])
        await session.stop()
        assert session.life == "dead"
        assert not is_running(pid)


async def test_a_server_that_hangs_at_shutdown_is_ended_by_a_signal(tmp_path: Path):
    async with running("hang_at_shutdown", tmp_path) as (session, pid):
        assert outcome(await check(session, opened(session, "wrong\n"))) == ("confirmed", "pull", ["wrong"])
        await session.stop()
        assert not is_running(pid)


async def test_a_server_that_is_never_ready_gives_no_false_clean(tmp_path: Path):
    loading = ReadinessRule(progress_titles=("Indexing",), gates_diagnostics=True)
    async with running("never_ready", tmp_path, readiness=loading) as (session, _):
        found = await check(session, opened(session, "this is wrong\n"), 0.5)
        assert outcome(found) == ("unknown", "", [])
        assert "Indexing 10 %" in found.reason


async def test_null_instead_of_a_report_is_not_a_clean_file(tmp_path: Path):
    async with running("null_results", tmp_path) as (session, _):
        found = await check(session, opened(session, "this is wrong\n"))
        assert outcome(found) == ("unknown", "", [])
        assert "textDocument/diagnostic" in found.reason


async def test_noise_on_the_output_is_kept_apart_from_the_messages(tmp_path: Path):
    async with running("log_noise_on_stdout", tmp_path) as (session, _):
        found = await check(session, opened(session, "größe is wrong\n"))
        assert outcome(found) == ("confirmed", "pull", ["größe is wrong"])
        assert any("größe of cache: 17" in line for line in session.state.log)


async def test_messages_in_pieces_come_out_whole(tmp_path: Path):
    async with running("split_frames", tmp_path) as (session, _):
        found = await check(session, opened(session, "größe 😀 is wrong\n"))
        assert outcome(found) == ("confirmed", "pull", ["größe 😀 is wrong"])


async def test_a_huge_message_fails_its_own_request_and_no_other(tmp_path: Path):
    async with running("huge_frame", tmp_path, limits=Limits(max_message=1_000_000)) as (session, _):
        huge, small = opened(session, "huge\nwrong\n", "huge.toy"), opened(session, "wrong\n", "small.toy")
        of_huge, of_small = await asyncio.gather(check(session, huge), check(session, small))
        assert outcome(of_huge) == ("unknown", "", [])
        assert "refused" in of_huge.reason
        assert outcome(of_small) == ("confirmed", "pull", ["wrong"])
        with pytest.raises(MessageTooLarge):
            await session.request("textDocument/diagnostic", {"textDocument": {"uri": huge.uri}})


async def test_a_flood_of_messages_leaves_the_loop_to_others_and_the_answer_is_found_in_it(tmp_path: Path):
    async with running("flood", tmp_path) as (session, _):
        pauses: list[float] = []
        ticking = asyncio.ensure_future(_tick(pauses))
        found = await check(session, opened(session, "wrong\n"), 20)
        ticking.cancel()
        assert outcome(found) == ("confirmed", "pull", ["wrong"])
        assert session.state.log[-1] == "line 19999"
        assert len(pauses) > 10
        assert max(pauses) < 1


async def test_a_server_that_cannot_bear_null_gets_an_object_for_every_section(tmp_path: Path):
    async with running("fails_on_null_configuration", tmp_path, settings={"toy": {"x": 1}}) as (session, _):
        assert outcome(await check(session, opened(session, "wrong\n"))) == ("confirmed", "pull", ["wrong"])
        assert outcome(await check(session, opened(session, "wrong 2\n"))) == ("confirmed", "pull", ["wrong 2"])


async def test_a_server_that_registers_late_is_waited_for(tmp_path: Path):
    rule = SettleRule(measured=True, pull="expected")
    async with running("registers_late", tmp_path, settle=rule) as (session, _):
        found = await check(session, opened(session, "wrong\n"), 10)
        assert outcome(found) == ("confirmed", "pull", ["wrong"])


async def test_findings_of_an_old_version_are_never_shown_for_the_new_text(tmp_path: Path):
    rule = SettleRule(measured=True, push="versioned", scope="file")
    async with running("publishes_old_version", tmp_path, settle=rule) as (session, _):
        found = await check(session, opened(session, "old and wrong\n"), 10)
        assert outcome(found) == ("confirmed", "version", ["old and wrong"])
        found = await check(session, opened(session, "new and wrong\n"), 10)
        assert outcome(found) == ("confirmed", "version", ["new and wrong"])
        assert outcome(await check(session, opened(session, "right\n"), 10)) == ("confirmed", "version", [])


async def test_silence_of_a_server_that_says_nothing_when_nothing_changed_is_not_taken_for_clean(tmp_path: Path):
    rule = SettleRule(measured=True, push="unversioned", quiet_ms=100)
    async with running("publishes_nothing_when_unchanged", tmp_path, settle=rule) as (session, _):
        found = await check(session, opened(session, "right\n"))
        assert outcome(found) == ("unknown", "quiet", [])
        found = await check(session, opened(session, "wrong\n"))
        assert outcome(found) == ("partial", "quiet", ["wrong"])


async def test_a_server_that_ignores_a_cancellation_delays_the_next_answer_but_does_not_spoil_it(tmp_path: Path):
    async with running("ignores_cancel", tmp_path) as (session, _):
        with pytest.raises(RequestTimeout):
            await session.request("toy/slow", timeout=0.1)
        found = await check(session, opened(session, "wrong\n"), 10)
        assert outcome(found) == ("confirmed", "pull", ["wrong"])


async def test_a_server_that_dies_late_is_waited_for(tmp_path: Path):
    async with running("dies_late_after_stdin_closes", tmp_path) as (session, pid):
        await session.stop()
        assert not is_running(pid)
        assert "code 0" in session.close_reason or session.close_reason == "closed by groundwire"


async def test_a_server_that_ignores_everything_is_killed_in_time(tmp_path: Path):
    async with running("ignores_eof_and_term", tmp_path) as (session, pid):
        await session.stop()
        assert not is_running(pid)


async def test_a_server_that_closes_its_output_is_ended_without_being_asked_to(tmp_path: Path):
    async with running("closes_its_output", tmp_path) as (session, pid):
        found = await check(session, opened(session, "wrong\n"), 10)
        assert outcome(found) == ("unknown", "", [])
        assert "closed its output" in found.reason
        assert await eventually(lambda: not is_running(pid))
        assert session.life == "dead"


async def _tick(pauses: list[float]) -> None:
    last = time.perf_counter()
    while True:
        await asyncio.sleep(0)
        now = time.perf_counter()
        pauses.append(now - last)
        last = now
