"""What clients are told without asking: those who want it, what they want, and nobody else."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import psutil
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import LoggingLevel, LoggingMessageNotificationParams, ResourceUpdatedNotification

from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.speculation.preview_edit import preview_edit
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp import resource_handlers
from groundwire.surfaces.mcp.notices import Listener, Notices
from groundwire.surfaces.mcp.notices_health import Notice
from groundwire.surfaces.mcp.watching import Watching
from tests.operations.toy_project import ask, zoo
from tests.surfaces.mcp.conversations import ERAS, client_of, until

pytestmark = pytest.mark.anyio

FILES = {"a.toy": "all is well\n", "b.toy": "all is well\n"}


class Clock:
    """Stands still until it is told otherwise: whatever happens meanwhile is one burst."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Everything is looked at often enough for a test."""
    given = cast("Callable[[], float]", request.getfixturevalue("clock")) if "clock" in request.fixturenames else None

    def watching(pool: Pool) -> Watching:
        return Watching(pool, every_s=0.02, quiet_s=0.1, clock=given or time.monotonic)

    monkeypatch.setattr(resource_handlers, "Watching", watching)


class Ears:
    """What one client was told."""

    def __init__(self) -> None:
        self.notices: list[dict[str, Any]] = []
        self.levels: list[LoggingLevel] = []
        self.updates: list[str] = []

    async def log(self, params: LoggingMessageNotificationParams) -> None:
        assert params.logger == "groundwire"
        self.notices.append(cast("dict[str, Any]", params.data))
        self.levels.append(params.level)

    async def message(self, message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.updates.append(message.params.uri)

    def types(self) -> list[str]:
        return [each["type"] for each in self.notices]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        return [each for each in self.notices if each["type"] == kind]


@asynccontextmanager
async def watched_zoo(tmp_path: Path, clock: Callable[[], float] = time.monotonic) -> AsyncGenerator[Pool]:
    """A project whose notices come soon."""
    async with zoo(tmp_path, files=FILES) as pool:
        pool.kept.get(Notices, lambda: Notices(pool, 0.02, regression_quiet_s=0.1, stale_quiet_s=0.1, clock=clock))
        yield pool


@asynccontextmanager
async def hearing(pool: Pool, mode: str, level: LoggingLevel | None = "info") -> AsyncGenerator[tuple[Client, Ears]]:
    """A client that wants log messages from a level on, in the way of its era."""
    ears = Ears()
    callbacks: dict[str, Any] = {"logging_callback": ears.log, "message_handler": ears.message}
    async with client_of(pool, mode=mode, log_level=level, **callbacks) as client:
        if mode != ERAS[0]:
            async with client.listen(resource_subscriptions=["groundwire://status"]):
                yield client, ears
            return
        if level is not None:
            await set_level(client, level)
        yield client, ears


async def set_level(client: Client, level: LoggingLevel) -> None:
    with pytest.warns(MCPDeprecationWarning):
        await client.set_logging_level(level)  # pyright: ignore[reportDeprecated]


async def subscribe(client: Client, uri: str) -> None:
    with pytest.warns(MCPDeprecationWarning):
        await client.subscribe_resource(uri)  # pyright: ignore[reportDeprecated]


async def check(pool: Pool, *names: str) -> None:
    await check_files(pool, [pool.workspace / name for name in names])


async def soon(is_so: Callable[[], object]) -> None:
    await until(lambda: bool(is_so()))


@pytest.mark.parametrize("mode", ERAS)
async def test_errors_that_come_up_are_told_once_after_a_burst_of_edits(tmp_path: Path, mode: str, clock: Clock):
    async with watched_zoo(tmp_path, clock) as pool, hearing(pool, mode, "warning") as (_, ears):
        await check(pool, "a.toy", "b.toy")
        await soon(lambda: Notices.of(pool).errors_in(pool.workspace / "a.toy") == 0)
        for number in range(20):
            (pool.workspace / "a.toy").write_text("this is wrong\n" * (number + 1))
            await check(pool, "a.toy")
        await soon(lambda: Notices.of(pool).errors_in(pool.workspace / "a.toy") == 20)
        assert not ears.notices
        clock.now += 1
        await soon(lambda: ears.notices)
        await soon(lambda: Notices.of(pool).is_quiet)
    (told,) = ears.notices
    assert (told["type"], told["file"], told["errors"], told["delta"]) == ("diagnostic_regression", "a.toy", 20, 20)
    assert told["message"] == "a.toy has 20 errors, 20 more than before."
    assert ears.levels == ["warning"]


async def test_errors_that_go_and_those_of_a_file_never_seen_before_are_no_regression(tmp_path: Path):
    async with watched_zoo(tmp_path) as pool, hearing(pool, ERAS[0], "warning") as (_, ears):
        (pool.workspace / "a.toy").write_text("wrong\nwrong\n")
        await check(pool, "a.toy", "b.toy")
        await soon(lambda: Notices.of(pool).errors_in(pool.workspace / "b.toy") == 0)
        (pool.workspace / "a.toy").write_text("wrong\n")
        await check(pool, "a.toy")
        (pool.workspace / "b.toy").write_text("wrong\n")
        await check(pool, "b.toy")
        await soon(lambda: ears.notices)
    assert [(each["file"], each["errors"], each["delta"]) for each in ears.notices] == [("b.toy", 1, 1)]


async def test_a_preview_is_no_regression(tmp_path: Path):
    async with watched_zoo(tmp_path) as pool, hearing(pool, ERAS[0], "warning") as (_, ears):
        await check(pool, "a.toy", "b.toy")
        await soon(lambda: Notices.of(pool).errors_in(pool.workspace / "a.toy") == 0)
        preview = await ask(pool, preview_edit, file_path="a.toy", old_text="well", new_text="wrong")
        assert preview.value.verdict == "breaks"
        (pool.workspace / "b.toy").write_text("wrong\n")
        await check(pool, "b.toy")
        await soon(lambda: ears.notices)
    assert [each["file"] for each in ears.notices] == ["b.toy"]


@pytest.mark.parametrize("mode", ERAS)
async def test_a_server_that_is_ready_crashes_and_comes_back_is_told_of_each_time(tmp_path: Path, mode: str):
    async with watched_zoo(tmp_path) as pool, hearing(pool, mode) as (_, ears):
        await check(pool, "a.toy")
        await soon(lambda: ears.types() == ["workspace_ready"])
        (instance,) = pool.instances()
        assert instance.pid is not None
        psutil.Process(instance.pid).kill()
        await soon(lambda: "process_health" in ears.types())
        await check(pool, "a.toy")
        await soon(lambda: len(ears.notices) == 4)
    assert [each.get("status", each["type"]) for each in ears.notices] == [
        "workspace_ready",
        "crashed",
        "recovered",
        "workspace_ready",
    ]
    assert ears.levels == ["info", "error", "info", "info"]
    assert {each["root"] for each in ears.notices} == {str(pool.workspace)}


@pytest.mark.parametrize("mode", ERAS)
async def test_sources_that_change_on_disk_make_references_stale_once_a_burst(tmp_path: Path, mode: str, clock: Clock):
    async with watched_zoo(tmp_path, clock) as pool, hearing(pool, mode) as (_, ears):
        await check(pool, "a.toy")
        await soon(lambda: ears.types() == ["workspace_ready"])
        for number in range(20):
            (pool.workspace / f"new{number % 4}.toy").write_text(f"well {number}\n")
            (pool.workspace / "image.png").write_text(f"{number}")
            pool.refresh()
        await soon(lambda: not Notices.of(pool).is_quiet)
        clock.now += 1
        await soon(lambda: ears.of_type("stale_references"))
        await soon(lambda: Notices.of(pool).is_quiet)
    assert ears.types() == ["workspace_ready", "stale_references"]
    assert ears.notices[1]["files_changed"] == 4


async def test_each_client_is_told_what_it_asked_for_and_nothing_else(tmp_path: Path):
    async with (
        watched_zoo(tmp_path) as pool,
        hearing(pool, ERAS[0], "error") as (strict, errors_only),
        hearing(pool, ERAS[0]) as (_, everything),
        hearing(pool, ERAS[0], None) as (subscriber, updates_only),
        hearing(pool, ERAS[1], None) as (_, silent),
    ):
        await subscribe(subscriber, "lsp-diagnostics:///a.toy")
        await subscribe(subscriber, "lsp-references://")
        await check(pool, "a.toy", "b.toy")
        await soon(lambda: Notices.of(pool).errors_in(pool.workspace / "a.toy") == 0)
        (pool.workspace / "a.toy").write_text("wrong\n")
        await soon(lambda: len(updates_only.updates) == 2 and len(everything.notices) == 3)
        assert (errors_only.notices, errors_only.updates) == ([], [])
        await set_level(strict, "warning")
        (pool.workspace / "b.toy").write_text("wrong\n")
        await soon(lambda: errors_only.notices)
    assert sorted(updates_only.updates)[:2] == ["lsp-diagnostics:///a.toy", "lsp-references://"]
    assert "lsp-diagnostics:///b.toy" not in updates_only.updates
    assert updates_only.notices == silent.notices == []
    assert set(silent.updates) <= {"groundwire://status"}
    assert sorted(everything.types())[:3] == ["diagnostic_regression", "diagnostic_regression", "stale_references"]
    assert everything.updates == []
    assert errors_only.types() == ["diagnostic_regression"]


async def test_a_burst_of_edits_is_one_update_of_a_watched_resource(tmp_path: Path, clock: Clock):
    async with watched_zoo(tmp_path) as pool, hearing(pool, ERAS[0], None) as (client, ears):
        await subscribe(client, "lsp-diagnostics:///a.toy")
        await subscribe(client, "lsp-diagnostics://")
        for number in range(20):
            (pool.workspace / "a.toy").write_text("wrong\n" * (number + 1))
            await check(pool, "a.toy")
        assert ears.updates == []
        clock.now += 1
        await soon(lambda: len(ears.updates) == 2)
        for _ in range(3):  # what the looks themselves did is looked at again, and is nothing
            clock.now += 1
            await asyncio.sleep(0.05)
    assert sorted(ears.updates) == ["lsp-diagnostics://", "lsp-diagnostics:///a.toy"]


async def test_a_call_of_the_newer_era_is_told_what_happens_while_it_is_answered(tmp_path: Path):
    ears = Ears()
    async with (
        watched_zoo(tmp_path) as pool,
        client_of(pool, mode=ERAS[1], log_level="info", logging_callback=ears.log) as client,
    ):
        await client.call_tool("get_diagnostics", {"file_path": "a.toy"})
        assert Notices.of(pool).listeners == 0
    assert ears.types() in ([], ["workspace_ready"])


async def test_nobody_looks_when_the_last_listener_has_gone(tmp_path: Path):
    async with watched_zoo(tmp_path) as pool:
        for mode in ERAS:
            async with hearing(pool, mode) as (_, ears):
                assert Notices.of(pool).listeners == 1
            assert ears.notices == []
            await soon(lambda: Notices.of(pool).listeners == 0)
        await soon(lambda: not _lookouts())


async def test_one_that_does_not_read_keeps_nobody_from_anything_and_holds_little(tmp_path: Path):
    stuck, heard = asyncio.Event(), list[Notice]()

    async def never(_: Notice) -> None:
        await stuck.wait()

    async def at_once(notice: Notice) -> None:
        heard.append(notice)

    listeners = [Listener("debug", never), Listener("debug", at_once)]
    for number in range(1000):
        for listener in listeners:
            listener.hear(Notice("info", {"number": number}))
        await asyncio.sleep(0)
    await soon(lambda: len(heard) == 1000)
    assert listeners[0].waiting <= 100
    await asyncio.gather(*(listener.finish() for listener in listeners))
    assert listeners[0].waiting == 0


async def test_a_client_that_cannot_be_told_is_not_told_again_and_again():
    tries: list[Notice] = []

    async def fails(notice: Notice) -> None:
        tries.append(notice)
        raise ConnectionResetError

    listener = Listener("debug", fails)
    for number in range(3):
        listener.hear(Notice("info", {"number": number}))
    await listener.finish()
    assert len(tries) == 1


def _lookouts() -> int:
    return sum("Lookout._look_on" in repr(task) and not task.cancelling() for task in asyncio.all_tasks())


async def test_a_stream_of_the_newer_era_begins_with_its_acknowledgement(tmp_path: Path):
    order: list[str] = []

    async def log(params: LoggingMessageNotificationParams) -> None:
        order.append(str(cast("dict[str, Any]", params.data)["type"]))

    async with (
        watched_zoo(tmp_path) as pool,
        client_of(pool, mode=ERAS[1], log_level="info", logging_callback=log) as client,
        client.listen(resource_subscriptions=["lsp-diagnostics:///a.toy"]),  # which starts the server
    ):
        order.append("acknowledged")
        await soon(lambda: "workspace_ready" in order)
    assert order == ["acknowledged", "workspace_ready"]
