"""Servers that are limited to the packages in use: what they are told, when the limit moves, when there is none."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from groundwire.client.diagnose import diagnose
from groundwire.client.sync import path_of, sync_file
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.inspect import inspect_symbol
from groundwire.operations.navigation.navigate import find_references
from groundwire.pool.pool import Pool
from groundwire.pool.routes import Chosen
from groundwire.pool.scope import IndexingSettings, Scoping
from groundwire.pool.settings import PoolSettings
from groundwire.registry.spec import ScopeRule
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ask

pytestmark = pytest.mark.anyio

PACKAGES = 20
SETTING = "toy.sources.include"


def write(root: Path) -> Path:
    """Packages of two files: in the toy language a name is found wherever it is."""
    for number in range(PACKAGES):
        package = root / f"p{number:02}"
        package.mkdir(parents=True)
        (package / "a.toy").write_text(f"def one{number}()\n    use one{number}()\n")
        (package / "b.toy").write_text("all is wrong\n")
    return root


def rule(*, takes_changes: bool = False, checks_others: bool = False, not_with: tuple[str, ...] = ()) -> ScopeRule:
    return ScopeRule(setting=SETTING, takes_changes=takes_changes, checks_others=checks_others, not_with=not_with)


@asynccontextmanager
async def limited(
    tmp_path: Path, scope: ScopeRule | None, indexing: IndexingSettings | None = None, **changes: object
) -> AsyncGenerator[tuple[Pool, ToyLog]]:
    log = ToyLog(tmp_path / "log")
    spec = toy_spec("well_read", log, scope=scope, **changes)
    settings = PoolSettings(indexing=indexing or IndexingSettings(threshold=20))
    async with Pool(write(tmp_path / "project"), catalog=toy_catalog(spec), settings=settings) as pool:
        yield pool, log


def included(pool: Pool) -> object:
    """What the one server that runs is told to look at."""
    (instance,) = pool.instances()
    settings = msgspec.to_builtins(instance.session.options.settings)
    return settings.get("toy", {}).get("sources", {}).get("include")


async def check(pool: Pool, name: str) -> tuple[Status, int]:
    found = await check_files(pool, [pool.workspace / name])
    return found.status, sum(len(file.diagnostics) for file in found.value)


async def test_a_server_is_told_to_look_only_at_the_packages_in_use(tmp_path: Path):
    async with limited(tmp_path, rule()) as (pool, _):
        assert await check(pool, "p03/b.toy") == (Status.CONFIRMED, 1)
        assert included(pool) == ["p03"]


async def test_what_spans_files_is_then_partial_and_names_the_key_that_switches_it_off(tmp_path: Path):
    async with limited(tmp_path, rule()) as (pool, _):
        uses = await ask(pool, find_references, file_path="p03/a.toy", symbol="one3")
        assert uses.status is Status.PARTIAL
        assert uses.reason.startswith("the workspace is large, and well_read looks only at the 2 sources")
        assert "indexing.selective = false" in uses.reason
        hover = await ask(pool, inspect_symbol, file_path="p03/a.toy", symbol="one3")
        assert hover.status is Status.CONFIRMED


@pytest.mark.parametrize("takes_changes", [True, False])
async def test_the_limit_moves_with_the_questions(tmp_path: Path, *, takes_changes: bool):
    scope = rule(takes_changes=takes_changes, checks_others=takes_changes)
    async with limited(tmp_path, scope, settings={"toy": {"kept": True}}) as (pool, log):
        await check(pool, "p03/b.toy")
        assert await check(pool, "p07/b.toy") == (Status.CONFIRMED, 1)
        assert included(pool) == ["p03", "p07"]
        assert len(log.pids()) == (1 if takes_changes else 2)
        assert log.count("workspace/didChangeConfiguration") == 2
        assert await check(pool, "p03/b.toy") == (Status.CONFIRMED, 1)
        assert len(log.pids()) == (1 if takes_changes else 2)


@pytest.mark.parametrize("takes_changes", [True, False])
async def test_who_asks_everywhere_gets_everything(tmp_path: Path, *, takes_changes: bool):
    scope = rule(takes_changes=takes_changes, checks_others=takes_changes)
    async with limited(tmp_path, scope) as (pool, _):
        for number in range(9):
            await check(pool, f"p{number:02}/b.toy")
        assert included(pool) is None
        uses = await ask(pool, find_references, file_path="p03/a.toy", symbol="one3")
        assert uses.status is Status.CONFIRMED


async def test_a_file_beyond_the_limit_that_is_shown_all_the_same_is_not_taken_for_checked(tmp_path: Path):
    async with limited(tmp_path, rule()) as (pool, _):
        await check(pool, "p03/b.toy")
        (instance,) = pool.instances()
        beyond = pool.workspace / "p07/b.toy"
        document = sync_file(instance.session, beyond, "toy")
        found = await diagnose(instance.session, document, instance.session.now() + 10)
        assert found.proof == "unknown", "nobody asked about it, so the limit stays where it is"
        assert included(pool) == ["p03"]
        assert await check(pool, "p07/b.toy") == (Status.CONFIRMED, 1)
        assert included(pool) == ["p03", "p07"]


async def test_a_server_that_is_shown_what_an_edit_would_do_is_left_alone_meanwhile(tmp_path: Path):
    async with limited(tmp_path, rule()) as (pool, _):
        await check(pool, "p03/b.toy")
        (instance,) = pool.instances()
        beyond = pool.workspace / "p07/b.toy"
        async with instance.session.interlude.on():
            pool.route(beyond)
            sync_file(instance.session, beyond, "toy")
            assert not instance.is_outdated
        assert await check(pool, "p07/b.toy") == (Status.CONFIRMED, 1)


async def test_to_find_out_who_serves_files_moves_nothing(tmp_path: Path):
    async with limited(tmp_path, rule()) as (pool, _):
        await check(pool, "p03/b.toy")
        for number in range(PACKAGES):
            pool.route(pool.workspace / f"p{number:02}/a.toy")
        assert await check(pool, "p03/a.toy") == (Status.CONFIRMED, 0)
        assert included(pool) == ["p03"]


async def test_documents_of_packages_that_are_not_looked_at_are_not_opened_again(tmp_path: Path):
    now = [0.0]
    async with limited(tmp_path, rule()) as (pool, _):
        pool._starter.scoping = Scoping(  # pyright: ignore[reportPrivateUsage]
            IndexingSettings(threshold=20),
            pool._watching.seen,  # pyright: ignore[reportPrivateUsage]
            clock=lambda: now[0],
        )
        for number in range(10):
            now[0] += 100.0
            assert await check(pool, f"p{number:02}/b.toy") == (Status.CONFIRMED, 1)
        (instance,) = pool.instances()
        opened = {Path(path_of(document.uri)).parent.name for document in instance.session.state.documents}
        assert included(pool) == sorted(opened) == [f"p{number:02}" for number in range(2, 10)]


@pytest.mark.parametrize(
    ("scope", "indexing", "settings"),
    [
        (None, IndexingSettings(threshold=10), {}),
        (rule(), IndexingSettings(threshold=10, selective=False), {}),
        (rule(), IndexingSettings(threshold=40), {}),
        (rule(not_with=("toy.toml",)), IndexingSettings(threshold=10), {}),
        (rule(), IndexingSettings(threshold=10), {"toy": {"sources": {"include": ["own"]}}}),
    ],
    ids=["cannot be", "switched off", "not large", "would not obey", "set already"],
)
async def test_a_server_is_not_limited(
    tmp_path: Path, scope: ScopeRule | None, indexing: IndexingSettings, settings: dict[str, object]
):
    (tmp_path / "toy.toml").write_text("")  # above the root, where it counts as well
    async with limited(tmp_path, scope, indexing, settings=settings) as (pool, _):
        uses = await ask(pool, find_references, file_path="p03/a.toy", symbol="one3")
        assert uses.status is Status.CONFIRMED
        assert included(pool) in (None, ["own"])


async def test_names_that_a_setting_would_take_for_patterns_are_not_told(tmp_path: Path):
    async with limited(tmp_path, rule()) as (pool, _):
        odd = pool.workspace / "odd[1]"
        odd.mkdir()
        (odd / "x.toy").write_text("wrong\n")
        assert await check(pool, "odd[1]/x.toy") == (Status.CONFIRMED, 1)
        assert included(pool) is None


async def test_what_is_remembered_of_questions_stays_small(tmp_path: Path):
    scoping = Scoping(IndexingSettings(threshold=0), lambda _: None)
    for number in range(10_000):
        scoping.routed(tmp_path / f"{number}.toy")
    spec = toy_spec("well_read", scope=rule())
    assert scoping.limit_for(Chosen(spec, spec.command, tmp_path, "test"), (".toy",)) is None
    assert len(scoping.remembered) <= 512
