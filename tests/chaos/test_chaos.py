"""Two hundred faults over five servers while they are asked: every answer is true, or typed, and in time."""

import asyncio
import gc
import os
import random
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from groundwire.client.session import Session
from groundwire.client.watchdog import Patience
from groundwire.errors import SessionDead
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.runner import perform
from groundwire.pool import restarts
from groundwire.pool.policy import SeatPolicy
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from groundwire.transport.guardian import guardian
from tests.chaos.harm import Asker, Tormentor
from tests.chaos.subjects import ALL, catalog_with_harm, file_of
from tests.transport.children_at_hand import eventually

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timeout(400)]

PHASES = 10
FAULTS_A_PHASE = 20
ASKERS = 6
WARM_UP_PHASES = 2
MOST_GROWTH_MB = 5
"""Of our own memory, after the warm-up: what is opened anew at each restart would come to far more."""
IMPATIENT = Patience(silence_s=1.0, canary_s=1.0, longest_s=10.0)
MEGABYTE = 1024 * 1024


@asynccontextmanager
async def chaos_pool(tmp_path: Path, settings: PoolSettings) -> AsyncGenerator[Pool]:
    """A pool over one workspace, with the five servers; the pipes of their tormentors lie outside it."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name in ("ruff.toml", "pyproject.toml"):
        (workspace / name).write_text("", "utf-8")
    async with Pool(workspace, catalog=catalog_with_harm(tmp_path), settings=settings) as pool:
        yield pool


def own_memory_mb() -> float:
    """To be asked when rubbish has just been collected."""
    return psutil.Process().memory_info().rss / MEGABYTE


def living_sessions() -> int:
    gc.collect()
    return sum(isinstance(each, Session) for each in gc.get_objects())


async def heal(pool: Pool, asker: Asker) -> None:
    """Without anybody's help every server answers again, and truly; a stopped one is noticed only when it is asked.

    An order that stood behind ``slow`` in the pipe may still do harm once or twice.
    """
    for _ in range(3):
        for name in asker.files:
            attempts = [await asker.check(name, wait_s=20) for _ in range(3)]
            assert attempts[-1], f"{name} is not confirmed although nobody does harm any more: {attempts}"
        if {status.state for status in pool.status(has_memory=False)} == {"active"}:
            return
    pytest.fail(f"not all is well again: {pool.status()}")


async def assert_states_are_right(pool: Pool) -> None:
    def is_right() -> bool:
        states = pool.status(has_memory=False)
        alive = [status for status in states if status.state in ("active", "starting") and status.pid is not None]
        assert all(status.state != "broken" for status in states), states
        assert all(status.reason for status in states if status.state == "idle" and status.restarts), states
        return all(psutil.pid_exists(status.pid) for status in alive if status.pid is not None)

    assert await eventually(is_right), pool.status()


async def test_two_hundred_faults_while_everything_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = int(os.environ.get("CHAOS_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"CHAOS_SEED={seed}")
    chance = random.Random(seed)
    # The pauses are doubled up to half a minute: two hundred of them would take an hour.
    monkeypatch.setattr(restarts, "_FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr(restarts, "_LONGEST_PAUSE_S", 0.2)
    patient = PoolSettings(policy=SeatPolicy(max_restarts=10_000), patience=IMPATIENT, start_timeout=15)
    memory: list[float] = []
    async with chaos_pool(tmp_path, patient) as pool:
        asker, tormentor = Asker(pool, chance), Tormentor(pool, tmp_path, chance)
        await heal(pool, asker)
        for _ in range(PHASES):
            await run_phase(asker, tormentor)
            await assert_states_are_right(pool)
            await heal(pool, asker)
            assert await eventually(lambda: living_sessions() <= 2 * len(ALL))
            memory.append(own_memory_mb())
    print(f"{tormentor.done}, {asker.finished} asked, {asker.confirmed} confirmed, {asker.refused} refused, {memory}")
    assert sum(tormentor.done.values()) == PHASES * FAULTS_A_PHASE
    assert asker.confirmed > asker.finished / 4
    assert await eventually(lambda: survivors(tormentor.seen) == []), survivors(tormentor.seen)
    assert memory[-1] - memory[WARM_UP_PHASES - 1] < MOST_GROWTH_MB, memory


async def run_phase(asker: Asker, tormentor: Tormentor) -> None:
    harm = asyncio.ensure_future(tormentor.torment(FAULTS_A_PHASE, asker))
    askers = [asyncio.ensure_future(asker.keep_asking(harm.done)) for _ in range(ASKERS)]
    try:
        await asyncio.gather(harm, *askers)
    finally:
        for task in (harm, *askers):
            task.cancel()
        await asyncio.gather(harm, *askers, return_exceptions=True)


def survivors(seen: set[psutil.Process]) -> list[psutil.Process]:
    return [process for process in seen if process.is_running() and process.pid != guardian.pid]


async def test_a_server_that_fails_too_often_is_broken_with_its_reason_until_it_is_restarted(tmp_path: Path) -> None:
    async with chaos_pool(tmp_path, PoolSettings(patience=IMPATIENT)) as pool:
        asker = Asker(pool, random.Random(1))
        await heal(pool, asker)
        for _ in range(SeatPolicy().max_restarts + 1):
            await kill(pool, "one")
        assert not await asker.check(file_of("one"))
        (broken,) = [status for status in pool.status() if status.server == "one"]
        assert (broken.state, broken.pid) == ("broken", None)
        assert "SIGKILL" in broken.reason
        with pytest.raises(SessionDead, match="SIGKILL"):
            await perform(pool, find_references, FindReferences(file_path=file_of("one"), line=1, column=1))
        answer = await check_files(pool, [Path(file_of(server)) for server in ("one", "two", "ty")])
        assert [found.status for found in answer.value] == [Status.UNKNOWN, Status.CONFIRMED, Status.CONFIRMED]

        await pool.restart("one")
        assert await asker.check(file_of("one"))
        assert {status.state for status in pool.status()} == {"active"}


async def kill(pool: Pool, server: str) -> None:
    """Kill the running one, and wait until that was noticed; the next question starts another."""

    def pid() -> int | None:
        return next(status.pid for status in pool.status(has_memory=False) if status.server == server)

    primary = pool.route(pool.workspace / file_of(server)).primary
    assert primary is not None
    await pool.instance(primary).ready(asyncio.get_running_loop().time() + 30)
    running = pid()
    assert running is not None
    os.kill(running, signal.SIGKILL)
    assert await eventually(lambda: pid() != running)
