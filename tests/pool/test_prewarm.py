"""Servers that are started before anybody asks them: what was wished for runs, what cannot be had is in the status."""

import asyncio
import os
import sys
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import LanguageNotEnabled
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from groundwire.pool.prewarm import sample_files
from groundwire.pool.settings import PoolSettings
from groundwire.registry.catalog import Catalog, LanguageSpec
from groundwire.registry.spec import ServerSpec
from tests.fakes.toy_servers import WELL_BEHAVED, ToyLog, is_running, toy_catalog, toy_spec
from tests.transport.children_at_hand import eventually


def laid_out(directory: Path, *names: str) -> Path:
    """A workspace with those files."""
    root = directory / "project"
    root.mkdir()
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("right\n")
    return root


def prewarmed(root: Path, catalog: Catalog, *names: str, settings: PoolSettings | None = None) -> Pool:
    """A pool that was told to start early what is named. Only within an event loop."""
    pool = Pool(root, catalog=catalog, settings=msgspec.structs.replace(settings or PoolSettings(), prewarm=names))
    pool.prewarm()
    return pool


def states(pool: Pool) -> dict[str, str]:
    return {status.server: status.state for status in pool.status()}


def test_the_sample_lies_as_near_to_the_top_as_possible(tmp_path: Path) -> None:
    root = laid_out(tmp_path, "a/b/one.toy", "z/two.toy", "readme.txt")
    assert sample_files(root, toy_catalog(toy_spec(WELL_BEHAVED)), ["toy"]) == {"toy": root / "z/two.toy"}


def test_what_tools_keep_for_themselves_is_no_sample(tmp_path: Path) -> None:
    root = laid_out(tmp_path, "node_modules/x/one.toy", ".hidden/two.toy", "venv/three.toy")
    assert sample_files(root, toy_catalog(toy_spec(WELL_BEHAVED)), ["toy", WELL_BEHAVED]) == {}


def test_the_workspaces_own_marker_stands_for_a_file(tmp_path: Path) -> None:
    root = laid_out(tmp_path, "toy.project")
    marked = toy_spec(WELL_BEHAVED, roots=(("toy.project",), (".git",)))
    found = sample_files(root, toy_catalog(marked), ["toy", WELL_BEHAVED])
    assert {name: (file.parent, file.suffix) for name, file in found.items()} == {
        "toy": (root, ".toy"),
        WELL_BEHAVED: (root, ".toy"),
    }


def test_a_repository_alone_is_no_reason_to_start_anything(tmp_path: Path) -> None:
    root = laid_out(tmp_path, ".git/HEAD")
    assert sample_files(root, toy_catalog(toy_spec(WELL_BEHAVED, roots=((".git",),))), ["toy"]) == {}


@pytest.mark.anyio
async def test_nothing_is_started_unless_somebody_asks_for_it(tmp_path: Path):
    root = laid_out(tmp_path, "a.toy")
    settings = PoolSettings(prewarm=("toy",))
    async with Pool(root, catalog=toy_catalog(toy_spec(WELL_BEHAVED)), settings=settings) as pool:
        await asyncio.sleep(0)
        assert pool.instances() == ()


@pytest.mark.anyio
async def test_nothing_is_started_early_beside_the_servers_that_somebody_named(tmp_path: Path):
    root = laid_out(tmp_path, "a.toy")
    catalog = toy_catalog(toy_spec(WELL_BEHAVED), toy_spec("split_frames"))
    settings = PoolSettings(prewarm=("split_frames",))
    async with Pool(root, catalog=catalog, only=frozenset({WELL_BEHAVED}), settings=settings) as pool:
        pool.prewarm()
        await check_files(pool, [Path("a.toy")])
        assert states(pool) == {WELL_BEHAVED: "active"}


@pytest.mark.anyio
async def test_a_language_is_served_before_it_is_asked_for_and_the_first_question_shares_the_start(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    linter = toy_spec("offers_nothing", log, role="linter")
    root = laid_out(tmp_path, "src/a.toy")
    async with prewarmed(root, toy_catalog(toy_spec(WELL_BEHAVED, log), linter), "toy") as pool:
        assert await eventually(lambda: states(pool) == {WELL_BEHAVED: "active", "offers_nothing": "active"})
        await check_files(pool, [Path("src/a.toy")])
        assert log.count("initialize") == 2


@pytest.mark.anyio
async def test_a_server_is_started_by_its_own_name_even_where_another_goes_before_it(tmp_path: Path):
    root = laid_out(tmp_path, "a.toy")
    async with prewarmed(root, toy_catalog(toy_spec(WELL_BEHAVED), toy_spec("split_frames")), "split_frames") as pool:
        assert await eventually(lambda: states(pool) == {"split_frames": "active"})


@pytest.mark.anyio
async def test_what_cannot_be_started_is_in_the_status_and_hurts_nothing_else(tmp_path: Path):
    root = laid_out(tmp_path, "a.toy")
    absent = toy_spec("absent", command=("no-such-toy-server",), install={"pip": "pip install toy-server"})
    specs: dict[str, ServerSpec] = {
        WELL_BEHAVED: toy_spec(WELL_BEHAVED),
        "absent": absent,
        "crash_at_start": toy_spec("crash_at_start"),
    }
    languages = {
        "toy": LanguageSpec(extensions=(".toy",), servers=tuple(specs)),
        "odd": LanguageSpec(extensions=(".odd",)),
    }
    wished = ("nonsense", "absent", "odd", "crash_at_start", "toy")
    async with prewarmed(root, Catalog(languages, specs), *wished) as pool:
        assert await eventually(lambda: states(pool).get(WELL_BEHAVED) == "active")
        assert await eventually(
            lambda: "libtoy" in next(s.reason for s in pool.status() if s.server == "crash_at_start")
        )
        found = {status.server: status for status in pool.status()}
        assert {name: status.state for name, status in found.items()} == {
            WELL_BEHAVED: "active",
            "crash_at_start": "idle",
            "nonsense": "unavailable",
            "absent": "unavailable",
            "odd": "idle",
        }
        assert "no server and no language is called 'nonsense'" in found["nonsense"].reason
        assert "pip install toy-server" in found["absent"].reason
        assert "nothing in the workspace is written in odd" in found["odd"].reason
        assert (await check_files(pool, [Path("a.toy")])).status is Status.CONFIRMED


@pytest.mark.anyio
async def test_a_language_that_is_switched_off_is_not_started_and_shown_as_disabled(tmp_path: Path):
    root = laid_out(tmp_path, "a.toy")
    settings = PoolSettings(refusal=lambda _: LanguageNotEnabled("toy is switched off by the configuration"))
    async with prewarmed(root, toy_catalog(toy_spec(WELL_BEHAVED)), "toy", settings=settings) as pool:
        assert await eventually(lambda: states(pool) == {"toy": "disabled"})
        assert pool.instances() == ()


@pytest.mark.anyio
async def test_a_pool_that_ends_while_it_still_looks_for_files_starts_nothing(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    root = laid_out(tmp_path, "a.toy")
    pool = prewarmed(root, toy_catalog(toy_spec(WELL_BEHAVED, log)), "toy")
    await pool.stop()
    assert pool.instances() == ()
    assert [pid for pid in log.pids() if is_running(pid)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_whose_name_a_server_may_not_take_stands_for_none(tmp_path: Path) -> None:
    root = laid_out(tmp_path, os.fsdecode(b"a\xff.toy"), "b.toy")
    assert sample_files(root, toy_catalog(toy_spec(WELL_BEHAVED)), ["toy"]) == {"toy": root / "b.toy"}
