"""What a server does not notice by itself: it is started anew, or told to look at everything again."""

import sys
from pathlib import Path

import pytest

from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import WELL_BEHAVED, ToyLog, toy_spec
from tests.pool.test_pool import ready, toy_pool
from tests.transport.children_at_hand import eventually

pytestmark = pytest.mark.anyio

RELOAD = "workspace/executeCommand"
WATCHED = "workspace/didChangeWatchedFiles"


def settle(**habits: object) -> SettleRule:
    return SettleRule(measured=True, **habits)  # pyright: ignore[reportArgumentType]


async def test_a_package_that_is_installed_restarts_who_reads_packages(tmp_path: Path):
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, reads_packages=("node",))) as (pool, _):
        first = await ready(pool)
        (pool.workspace / "node_modules/six").mkdir(parents=True)
        pool.refresh()
        second = await ready(pool)
        assert second is not first
        pool.refresh()
        assert await ready(pool) is second


async def test_a_package_that_is_installed_is_news_though_no_file_in_sight_has_changed(tmp_path: Path):
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, reads_packages=("node",))) as (pool, _):
        await ready(pool)
        pool.refresh()
        assert not pool.has_news_beside([])
        (pool.workspace / "node_modules/six").mkdir(parents=True)
        pool.refresh()  # the directory itself is seen to have come
        await ready(pool)
        pool.refresh()
        (pool.workspace / "node_modules/seven").mkdir()
        assert pool.has_news_beside([])


async def test_who_reads_no_packages_does_not_care(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, _):
        first = await ready(pool)
        (pool.workspace / "node_modules/six").mkdir(parents=True)
        pool.refresh()
        assert await ready(pool) is first


async def test_an_environment_that_is_made_later_is_what_the_server_is_started_with_then(tmp_path: Path):
    spec = toy_spec(WELL_BEHAVED, reads_packages=("python",), settings={"python": "{python}"})
    async with toy_pool(tmp_path, spec) as (pool, _):
        before = (await ready(pool)).options.settings.get("python")
        python = pool.workspace / ".venv/bin/python"
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
        pool.refresh()
        assert before != str(python)
        assert (await ready(pool)).options.settings["python"] == str(python)


async def test_who_can_look_anew_is_told_to_and_not_restarted(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    spec = toy_spec("reloads", log, reads_packages=("node",), settle=settle(reloads_by="tsserver"))
    async with toy_pool(tmp_path, spec) as (pool, _):
        first = await ready(pool)
        clock = first.state.documents.clock
        (pool.workspace / "node_modules/six").mkdir(parents=True)
        pool.refresh()
        assert await ready(pool) is first
        assert first.state.documents.clock > clock
        assert await eventually(lambda: log.count(RELOAD) == 1)
        pool.refresh()
        assert log.count(RELOAD) == 1


async def test_what_was_installed_during_the_start_is_looked_at_once_it_runs(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    spec = toy_spec("reloads", log, reads_packages=("node",), settle=settle(reloads_by="tsserver"))
    async with toy_pool(tmp_path, spec) as (pool, _):
        chosen = pool.route(pool.workspace / "a.toy").primary
        assert chosen is not None
        assert pool.instance(chosen).is_starting
        (pool.workspace / "node_modules/six").mkdir(parents=True)
        pool.refresh()
        await ready(pool)
        pool.refresh()
        assert await eventually(lambda: log.count(RELOAD) == 1)


async def test_who_was_thought_to_look_anew_and_cannot_is_restarted(tmp_path: Path):
    spec = toy_spec(WELL_BEHAVED, reads_packages=("node",), settle=settle(reloads_by="tsserver"))
    async with toy_pool(tmp_path, spec) as (pool, _):
        first = await ready(pool)
        (pool.workspace / "node_modules/six").mkdir(parents=True)
        pool.refresh()
        assert await ready(pool) is not first


async def test_only_new_files_that_lie_too_near_to_the_top_are_missed(tmp_path: Path):
    names = len((tmp_path / "project/a.toy").parts) - 1
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, settle=settle(misses_above=names + 1))) as (pool, _):
        (pool.workspace / "sub").mkdir()
        pool.refresh()
        first = await ready(pool)
        (pool.workspace / "a.toy").write_text("two\n")
        (pool.workspace / "sub/new.toy").write_text("two\n")
        pool.refresh()
        assert await ready(pool) is first
        (pool.workspace / "new.toy").write_text("two\n")
        pool.refresh()
        assert await ready(pool) is not first


async def test_a_new_file_behind_a_link_among_the_packages_is_missed_and_others_are_not(tmp_path: Path):
    spec = toy_spec(WELL_BEHAVED, reads_packages=("node",), settle=settle(misses_linked=True))
    async with toy_pool(tmp_path, spec) as (pool, _):
        (pool.workspace / "packages/b").mkdir(parents=True)
        (pool.workspace / "node_modules").mkdir()
        (pool.workspace / "node_modules/b").symlink_to("../packages/b")
        first = await ready(pool)
        (pool.workspace / "packages/new.toy").write_text("two\n")
        pool.refresh()
        assert await ready(pool) is first
        (pool.workspace / "packages/b/new.toy").write_text("two\n")
        pool.refresh()
        assert await ready(pool) is not first


async def test_a_change_is_told_by_every_name_that_leads_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    told: list[str] = []
    spec = toy_spec(WELL_BEHAVED, reads_packages=("node",), watches=("**/*",), settle=settle(tells_links=True))
    async with toy_pool(tmp_path, spec) as (pool, _):
        for name in ("packages/b", "app", "node_modules"):
            (pool.workspace / name).mkdir(parents=True)
        (pool.workspace / "node_modules/b").symlink_to("../packages/b")
        (pool.workspace / "app/b").symlink_to("../packages/b")
        session = await ready(pool)
        pool.refresh()

        def hear(method: str, params: dict[str, list[dict[str, str]]]) -> None:
            told.extend(change["uri"] for change in params["changes"] if method == WATCHED)

        monkeypatch.setattr(session, "notify", hear)
        (pool.workspace / "packages/b/new.toy").write_text("two\n")
        pool.refresh()
        names = [uri.removeprefix(pool.workspace.as_uri()) for uri in told]
        assert sorted(names) == ["/app/b/new.toy", "/node_modules/b/new.toy", "/packages/b/new.toy"]


async def test_a_namesake_that_comes_or_goes_is_missed_and_a_file_without_one_is_not(tmp_path: Path):
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, settle=settle(namesakes=(".d.toy", ".toy")))) as (pool, _):
        first = await ready(pool)
        (pool.workspace / "b.toy").write_text("two\n")
        (pool.workspace / "a.toy").write_text("two\n")
        pool.refresh()
        assert await ready(pool) is first
        (pool.workspace / "b.d.toy").write_text("two\n")
        pool.refresh()
        second = await ready(pool)
        assert second is not first
        (pool.workspace / "b.toy").unlink()
        pool.refresh()
        assert await ready(pool) is not second
