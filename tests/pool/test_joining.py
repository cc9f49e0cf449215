"""Several roots in one process: each is answered for as if it had its own, or gets its own."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.joining import can_share
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import load_catalog
from groundwire.registry.spec import ServerSpec
from groundwire.workspace.rules import ReadinessRule, SaveCheck, SettleRule
from tests.fakes.toy_servers import ToyLog, is_running, toy_catalog, toy_spec
from tests.transport.children_at_hand import eventually

pytestmark = pytest.mark.anyio

READINESS = ReadinessRule(progress_titles=("Indexing",), gates_diagnostics=True, start_grace_ms=700)
ADDED = "workspace/didChangeWorkspaceFolders"


def many_roots(log: ToyLog, **variables: str) -> ServerSpec:
    """A server that shares its roots; its word is the name of the root."""
    return toy_spec(
        "many_roots",
        log,
        roots=(("toy.project",),),
        shares_roots=True,
        readiness=READINESS,
        settings={"toy": {"word": "{root_name}"}},
        environment={**log.environment, **variables},
    )


@asynccontextmanager
async def roots(tmp_path: Path, *specs: ServerSpec, names: tuple[str, ...] = ("one", "two")) -> AsyncGenerator[Pool]:
    """A workspace with those roots; the file in each names them all, and two of its lines no root at all."""
    for name in names:
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / "toy.project").touch()
        (tmp_path / "all" / name / "a.toy").write_text("nothing\none\ntwo\nthree\nnothing\n")
    async with Pool(tmp_path / "all", catalog=toy_catalog(*specs)) as pool:
        yield pool


async def findings(pool: Pool, *files: str) -> list[list[str]]:
    """What is wrong with the files, which must be proven."""
    answer = await check_files(pool, [Path(file) for file in files])
    assert answer.status is Status.CONFIRMED, answer.reason
    return [[finding.message for finding in found.diagnostics] for found in answer.value]


def noted(log: ToyLog, what: str) -> list[str]:
    """What a server noted about that, of all processes."""
    return [line.removeprefix(f"{what} ") for _, line in log.heard() if line.startswith(f"{what} ")]


async def test_a_second_root_joins_the_running_process_and_is_answered_by_its_own_settings(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log)) as pool:
        assert await findings(pool, "one/a.toy") == [["one"]]
        assert await findings(pool, "two/a.toy") == [["two"]]
        assert await findings(pool, "one/a.toy", "two/a.toy") == [["one"], ["two"]]
        assert (log.count("initialize"), log.count(ADDED)) == (1, 1)
        assert noted(log, "folders") == ["one", "one two"]
        one, two = pool.status()
        assert (one.process_of, two.process_of, one.pid) == ("", one.root, two.pid)
        assert (one.memory_mb is not None, two.memory_mb) == (True, None)
        assert (one.open_documents, two.open_documents) == (1, 1)


async def test_an_added_root_is_not_asked_about_before_the_server_has_loaded_it(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log)) as pool:
        await findings(pool, "one/a.toy")
        asked_before = log.count("textDocument/diagnostic")
        assert await findings(pool, "two/a.toy") == [["two"]]
        heard = [line for _, line in log.heard()]
        questions = [at for at, line in enumerate(heard) if line == "textDocument/diagnostic"]
        assert questions[asked_before] > heard.index("loaded two")


async def test_roots_that_are_needed_at_once_share_one_start(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log), names=("one", "two", "three")) as pool:
        files = ("one/a.toy", "two/a.toy", "three/a.toy")
        assert await findings(pool, *files) == [["one"], ["two"], ["three"]]
        assert (log.count("initialize"), log.count(ADDED)) == (1, 2)


async def test_a_server_that_never_tells_that_it_loaded_the_root_is_started_once_for_each(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log, TOY_SILENT="1"), names=("one", "two", "three")) as pool:
        assert await findings(pool, "one/a.toy") == [["one"]]
        assert await findings(pool, "two/a.toy") == [["two"]]
        assert await findings(pool, "one/a.toy", "two/a.toy", "three/a.toy") == [["one"], ["two"], ["three"]]
        assert {status.process_of for status in pool.status()} == {""}
        assert {status.restarts for status in pool.status()} == {0}
        assert [folders for folders in noted(log, "folders") if " " in folders] == ["one two"]  # and never again


async def test_a_server_that_takes_one_folder_only_is_started_once_for_each(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log, TOY_SINGLE="1")) as pool:
        assert await findings(pool, "one/a.toy", "two/a.toy") == [["one"], ["two"]]
        assert (log.count("initialize"), log.count(ADDED)) == (2, 0)


async def test_a_root_inside_another_gets_its_own_process(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log), names=("one", "one/two")) as pool:
        assert await findings(pool, "one/a.toy", "one/two/a.toy") == [["one"], ["two"]]
        assert log.count("initialize") == 2


async def test_a_root_for_which_the_server_would_be_started_differently_gets_its_own_process(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    different = msgspec.structs.replace(many_roots(log), initialization_options={"where": "{root}"})
    async with roots(tmp_path, different) as pool:
        assert await findings(pool, "one/a.toy", "two/a.toy") == [["one"], ["two"]]
        assert log.count("initialize") == 2


async def test_a_server_of_which_nobody_says_that_it_copes_is_started_once_for_each(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, msgspec.structs.replace(many_roots(log), shares_roots=False)) as pool:
        assert await findings(pool, "one/a.toy", "two/a.toy") == [["one"], ["two"]]
        assert log.count("initialize") == 2


async def test_what_the_server_watches_it_watches_in_every_root(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log)) as pool:
        await findings(pool, "one/a.toy", "two/a.toy")
        for name in ("one/x.toy", "two/y.toy", "two/y.txt", "z.toy"):
            (pool.workspace / name).write_text("fresh\n")
        await findings(pool, "one/a.toy")
        assert await eventually(lambda: sorted(set(noted(log, "told of"))) == ["x.toy", "y.toy"])


async def test_an_open_file_of_an_added_root_that_changes_is_checked_as_it_is_now(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log)) as pool:
        await findings(pool, "one/a.toy", "two/a.toy")
        (pool.workspace / "two/a.toy").write_text("two again\n")
        assert await findings(pool, "two/a.toy", "one/a.toy") == [["two again"], ["one"]]


async def test_a_crash_is_one_of_every_root_and_their_successors_share_again(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log)) as pool:
        await findings(pool, "one/a.toy", "two/a.toy")
        os.kill(log.pids()[0], signal.SIGKILL)
        assert await eventually(lambda: all(instance.has_failed for instance in pool.instances()))
        assert await findings(pool, "two/a.toy", "one/a.toy") == [["two"], ["one"]]
        assert len(log.pids()) == 2
        assert [status.restarts for status in pool.status()] == [1, 1]
        assert sorted(status.open_documents for status in pool.status()) == [1, 1]


async def test_a_change_that_only_a_restart_makes_it_notice_restarts_the_process_of_all_roots(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, msgspec.structs.replace(many_roots(log), restart_on=("toy.lock",))) as pool:
        await findings(pool, "one/a.toy", "two/a.toy")
        (pool.workspace / "two/toy.lock").touch()
        assert await findings(pool, "one/a.toy", "two/a.toy") == [["one"], ["two"]]
        assert len(log.pids()) == 2
        assert await eventually(lambda: not is_running(log.pids()[0]))
        assert {status.restarts for status in pool.status()} == {0}


async def test_a_root_that_nobody_asks_about_leaves_and_the_process_stays(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log)) as pool:
        await findings(pool, "one/a.toy", "two/a.toy")
        joined = next(instance for instance in pool.instances() if instance.process_of)
        await joined.stop()
        assert await eventually(lambda: noted(log, "removed") == [joined.chosen.root.name])
        assert len(joined.session.state.documents) == 1
        assert joined.session.life == "ready"


async def test_a_root_that_joins_a_start_that_fails_is_told_so(tmp_path: Path):
    failing = msgspec.structs.replace(many_roots(ToyLog(tmp_path / "log")), command=toy_spec("crash_at_start").command)
    async with roots(tmp_path, failing) as pool:
        answer = await check_files(pool, [Path("one/a.toy"), Path("two/a.toy")])
        assert answer.status is Status.UNKNOWN
        assert all("libtoy" in found.reason for found in answer.value)


async def test_stopping_while_a_root_joins_leaves_nothing(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with roots(tmp_path, many_roots(log)) as pool:
        check = asyncio.ensure_future(check_files(pool, [Path("one/a.toy"), Path("two/a.toy")]))
        assert await eventually(lambda: log.count("initialize") == 1)
        await pool.stop()
        assert [pid for pid in log.pids() if is_running(pid)] == []
        assert (await check).status is Status.UNKNOWN
        await pool.stop()


@pytest.mark.parametrize(
    "change",
    [
        {"readiness": ReadinessRule(references_need="first-diagnostics")},
        {"readiness": ReadinessRule(rescans_on_new=(".toy",))},
        {"readiness": ReadinessRule(progress_titles=("Indexing",), progress_starts="at-first-open")},
        {"settle": SettleRule(save_check=SaveCheck(name="check", token_prefix="check"))},
        {"settle": SettleRule(tells_directories=True)},
        {"workspace_folders": False},
        {"shares_roots": False},
    ],
)
def test_what_is_counted_once_a_session_cannot_tell_of_a_second_root(tmp_path: Path, change: dict[str, object]) -> None:
    shared = many_roots(ToyLog(tmp_path / "log"))
    assert can_share(shared)
    assert not can_share(msgspec.structs.replace(shared, **change))


def test_every_server_of_the_catalogue_that_shares_its_roots_can() -> None:
    sharing = [spec for spec in load_catalog().servers.values() if spec.shares_roots]
    assert [spec.id for spec in sharing if not can_share(spec)] == []
