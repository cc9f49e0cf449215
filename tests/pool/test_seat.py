"""The place of a server through its lives: what is counted, handed on and said of it."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.client.sync import sync_file
from groundwire.errors import SessionDead
from groundwire.pool.instance import Instance
from groundwire.pool.seat import Seat
from groundwire.workspace.changes import ChangeKind, FileChange
from tests.fakes.instances import FakeStarts, seat_at
from tests.fakes.toy_servers import WELL_BEHAVED, toy_spec
from tests.fakes.virtual_time import VIRTUAL_TIME

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], asyncio.AbstractEventLoop]]]:
    """Asyncio on a clock that jumps."""
    return VIRTUAL_TIME


def now() -> float:
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def seated(root: Path, *, max_restarts: int = 2) -> AsyncGenerator[tuple[Seat, FakeStarts]]:
    """A seat, and what is started on it; all is ended afterwards."""
    starts = FakeStarts()
    seat = seat_at(root, starts, toy_spec(WELL_BEHAVED, restart_on=("toy.lock",)), max_restarts=max_restarts)
    yield seat, starts
    if seat.instance is not None:
        await seat.instance.stop()
    for process in starts.processes:
        await process.end()


async def started(seat: Seat) -> Instance:
    instance = seat.take(now())
    await instance.ready(now() + 100)
    return instance


async def crashed(seat: Seat, starts: FakeStarts) -> None:
    """The server that runs ends by itself, and the seat notices."""
    await started(seat)
    starts.processes[-1].server.crash("it was out of memory")
    await starts.processes[-1].session.signal.wait(now() + 1)
    assert seat.look(now()) is not None


async def test_all_who_take_it_share_one_start(tmp_path: Path):
    async with seated(tmp_path) as (seat, starts):
        assert seat.state() == "idle"
        assert seat.take(now()) is seat.take(now())
        assert seat.state() == "starting"
        await started(seat)
        assert (seat.state(), len(starts.processes)) == ("active", 1)


async def test_each_failure_is_counted_and_the_next_start_waits_longer(tmp_path: Path):
    async with seated(tmp_path, max_restarts=3) as (seat, starts):
        pauses: list[float] = []
        for _ in range(3):
            await crashed(seat, starts)
            failed_at = now()
            assert seat.status(now()).reason == "it was out of memory"
            await started(seat)
            pauses.append(round(now() - failed_at, 3))
        assert pauses == [0.5, 1.0, 2.0]
        assert seat.status(now()).restarts == 3
        assert seat.status(now()).reason == "", "it runs: an old failure is no reason any more"


async def test_one_that_failed_too_often_is_broken_until_it_is_forgiven(tmp_path: Path):
    async with seated(tmp_path, max_restarts=1) as (seat, starts):
        await crashed(seat, starts)
        await crashed(seat, starts)
        assert (seat.state(), seat.status(now()).reason) == ("broken", "it was out of memory")
        with pytest.raises(SessionDead, match="failed 2 times in a row: it was out of memory") as caught:
            seat.take(now())
        assert "restart" in caught.value.hint
        assert len(starts.processes) == 2
        seat.restarts.forgive()
        await started(seat)
        assert seat.state() == "active"


async def test_a_start_that_fails_counts_like_a_crash(tmp_path: Path):
    async with seated(tmp_path, max_restarts=0) as (seat, starts):
        starts.failing = True
        with pytest.raises(SessionDead):
            await started(seat)
        seat.look(now())
        assert seat.state() == "broken"
        assert "it has no heap" in seat.status(now()).reason


async def test_what_was_open_is_opened_by_the_successor_as_it_is_now(tmp_path: Path):
    async with seated(tmp_path) as (seat, starts):
        session = await (await started_with(seat, tmp_path, "a.toy", "b.toy")).ready(now() + 1)
        assert len(session.state.documents) == 2
        (tmp_path / "a.toy").write_text("newer\n")
        (tmp_path / "b.toy").unlink()
        await crashed(seat, starts)
        await started(seat)
        opened = starts.processes[-1].server
        await opened.until(lambda: opened.documents)
        assert {uri: document.text for uri, document in opened.documents.items()} == {
            (tmp_path / "a.toy").as_uri(): "newer\n"
        }


async def test_what_was_open_is_remembered_through_a_start_that_fails(tmp_path: Path):
    async with seated(tmp_path) as (seat, starts):
        await started_with(seat, tmp_path, "a.toy")
        await crashed(seat, starts)
        starts.failing = True
        with pytest.raises(SessionDead):
            await started(seat)
        seat.look(now())
        starts.failing = False
        await started(seat)
        assert len(starts.processes[-1].session.state.documents) == 1


async def started_with(seat: Seat, root: Path, *names: str) -> Instance:
    """The server runs and has those files open."""
    instance = await started(seat)
    for name in names:
        (root / name).write_text("old\n")
        sync_file(instance.session, root / name, "toy")
    return instance


async def test_one_that_is_left_on_purpose_is_idle_with_the_note_and_opens_nothing_again(tmp_path: Path):
    async with seated(tmp_path) as (seat, starts):
        instance = await started_with(seat, tmp_path, "a.toy")
        assert seat.leave(now(), "nobody used it") is instance
        await instance.stop()
        status = seat.status(now())
        assert (status.state, status.reason, status.restarts) == ("idle", "nobody used it", 0)
        await started(seat)
        assert len(starts.processes[-1].session.state.documents) == 0
        assert seat.status(now()).reason == ""


async def test_one_that_is_outdated_is_replaced_at_once_and_that_is_no_failure(tmp_path: Path):
    async with seated(tmp_path) as (seat, starts):
        old = await started_with(seat, tmp_path, "a.toy")
        old.tell_changes([FileChange(str(tmp_path / "toy.lock"), ChangeKind.CHANGED)])
        assert seat.look(now()) is old
        await old.stop()
        assert "only when it is started anew" in seat.status(now()).reason
        before = now()
        assert await started(seat) is not old
        assert now() == before
        assert (seat.restarts.count, len(starts.processes[-1].session.state.documents)) == (0, 1)


async def test_one_that_ran_for_long_before_it_failed_has_a_clean_record(tmp_path: Path):
    async with seated(tmp_path) as (seat, starts):
        await crashed(seat, starts)
        await started(seat)
        await asyncio.sleep(3600)
        await crashed(seat, starts)
        assert seat.restarts.count == 1


async def test_how_long_it_is_in_its_state_is_told(tmp_path: Path):
    async with seated(tmp_path) as (seat, _):
        await started(seat)
        await asyncio.sleep(42)
        assert seat.status(now()).since_s == 42
        assert seat.used_at == now() - 42
