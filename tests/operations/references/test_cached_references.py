"""What was asked before is answered from the cache, in this life or the next, until anything it depends on changes."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.impact.blast_radius import blast_radius
from groundwire.operations.navigation.explore import explore_symbol
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.references.cached_references import FROM_CACHE
from groundwire.operations.results.found import Locations
from groundwire.pool.pool import Pool
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import ToyLog
from tests.operations.cached_zoo import cache_of, cached_pool, write_project
from tests.operations.toy_project import ask, at

pytestmark = pytest.mark.anyio

REFERENCES = "textDocument/references"
SHOUT = {"symbol": "voices.toy::shout"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "project")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "state" / "references.db"


@pytest.fixture
def log(tmp_path: Path) -> ToyLog:
    return ToyLog(tmp_path / "log")


async def shout(pool: Pool, **more: object) -> Answer[Locations]:
    return await ask(pool, find_references, **SHOUT, **more)


def is_from_cache(answer: Answer[Locations]) -> bool:
    assert answer.status is Status.CONFIRMED
    return FROM_CACHE in answer.note


async def test_the_second_time_no_server_is_asked_and_the_answer_is_the_same(
    root: Path, store: Path, log: ToyLog
) -> None:
    async with cached_pool(root, store, log=log) as pool:
        first, second = await shout(pool), await shout(pool)
    assert not is_from_cache(first)
    assert is_from_cache(second)
    assert second.value == first.value
    assert second.servers == ("well_read",)
    assert log.count(REFERENCES) == 1


async def test_after_a_restart_no_server_is_even_started(root: Path, store: Path, log: ToyLog) -> None:
    async with cached_pool(root, store, log=log) as pool:
        first = await shout(pool)
        await cache_of(pool).written()
    started = len(log.pids())
    async with cached_pool(root, store, log=log) as pool:
        second = await shout(pool)
        assert pool.instances() == ()
    assert is_from_cache(second)
    assert second.value == first.value
    assert len(log.pids()) == started


async def test_a_page_of_a_kept_answer_is_the_page_that_the_server_would_give(root: Path, store: Path) -> None:
    async with cached_pool(root, store) as pool:
        whole = await shout(pool)
        page = await shout(pool, offset=1, limit=1)
    assert is_from_cache(page)
    assert page.value.locations == whole.value.locations[1:2]
    assert (page.value.total, page.value.offset) == (whole.value.total, 1)


async def test_with_and_without_the_declaration_are_two_questions(root: Path, store: Path) -> None:
    async with cached_pool(root, store) as pool:
        without = await shout(pool)
        with_it = await shout(pool, include_declaration=True)
        again = await shout(pool, include_declaration=True)
    assert with_it.value.total == without.value.total + 1
    assert again.value == with_it.value


async def test_a_place_is_answered_from_what_was_asked_by_name(root: Path, store: Path, log: ToyLog) -> None:
    async with cached_pool(root, store, log=log) as pool:
        by_name = await shout(pool)
        by_place = await ask(pool, find_references, file_path="voices.toy", line=5, column=5)
    assert is_from_cache(by_place)
    assert by_place.value == by_name.value
    assert log.count(REFERENCES) == 1


async def test_other_operations_find_what_was_kept(root: Path, store: Path, log: ToyLog) -> None:
    async with cached_pool(root, store, log=log) as pool:
        await shout(pool)
        explored = await ask(pool, explore_symbol, **SHOUT)
    assert explored.status is Status.CONFIRMED
    assert log.count(REFERENCES) == 1


async def test_the_uses_of_many_symbols_are_asked_for_once(root: Path, store: Path, log: ToyLog) -> None:
    async with cached_pool(root, store, log=log) as pool:
        first = await ask(pool, blast_radius, changed_files=["voices.toy"], scope="all")
        asked = log.count(REFERENCES)
        second = await ask(pool, blast_radius, changed_files=["voices.toy"], scope="all")
        one = await shout(pool)
    assert first.status is second.status is Status.CONFIRMED
    assert second.value == first.value
    assert asked > 1
    assert log.count(REFERENCES) == asked
    assert is_from_cache(one)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("new.toy", "def more()\n    use shout(1)\n"),
        ("lonely.toy", "def nobody()\n    use shout(1)\n"),
        ("lonely.toy", "def nobody()\n\n"),
        ("settings.json", "{}"),
        ("below/deep/new.toy", "def other()\n"),
        ("node_modules/left-pad/package.json", '{"version": "2.0.0"}'),
        ("build/made.toy", "def made()\n"),
        ("below/vendor/thing/readme", "new"),
    ],
)
async def test_whatever_may_matter_makes_the_server_be_asked_again(
    root: Path, store: Path, name: str, text: str
) -> None:
    async with cached_pool(root, store) as pool:
        await shout(pool)
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
        after = await shout(pool)
        again = await shout(pool)
    assert not is_from_cache(after)
    assert is_from_cache(again)
    assert again.value == after.value


@pytest.mark.parametrize("name", ["README.md", "picture.png", ".git/index", "__pycache__/a.pyc", "notes.toy~"])
async def test_what_no_server_reads_changes_nothing(root: Path, store: Path, name: str) -> None:
    async with cached_pool(root, store) as pool:
        await shout(pool)
        await cache_of(pool).written()
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("use shout", "utf-8")
        assert is_from_cache(await shout(pool))


async def test_what_a_build_has_made_is_noticed_when_it_changes(root: Path, store: Path) -> None:
    (root / "build").mkdir()
    (root / "build/made.toy").write_text("def made()\n", "utf-8")
    async with cached_pool(root, store) as pool:
        await shout(pool)
        assert is_from_cache(await shout(pool))
        (root / "build/made.toy").write_text("def made()\n    use shout(1)\n", "utf-8")
        after = await shout(pool)
    assert not is_from_cache(after)


async def test_a_change_put_back_brings_the_answer_back(root: Path, store: Path) -> None:
    file = root / "lonely.toy"
    before = file.read_bytes()
    async with cached_pool(root, store) as pool:
        first = await shout(pool)
        await cache_of(pool).written()
        file.write_text("def nobody()\n    use shout(1)\n", "utf-8")
        changed = await shout(pool)
        file.write_bytes(before)
        back = await shout(pool)
    assert changed.value.total == first.value.total + 1
    assert is_from_cache(back)
    assert back.value == first.value


async def test_changes_made_while_nobody_ran_are_seen(root: Path, store: Path) -> None:
    async with cached_pool(root, store) as pool:
        first = await shout(pool)
        await cache_of(pool).written()
    (root / "late.toy").write_text("def late()\n    use shout(1)\n", "utf-8")
    async with cached_pool(root, store) as pool:
        second = await shout(pool)
    assert not is_from_cache(second)
    assert second.value.total == first.value.total + 1


async def test_what_is_not_proven_is_not_kept(root: Path, store: Path, log: ToyLog) -> None:
    async with cached_pool(root, store, log=log, settle=SettleRule(measured=False)) as pool:
        first, second = await shout(pool), await shout(pool)
    assert first.status is second.status is Status.PARTIAL
    assert log.count(REFERENCES) == 2


async def test_other_settings_of_the_server_are_another_key(root: Path, store: Path) -> None:
    async with cached_pool(root, store) as pool:
        await shout(pool)
        await cache_of(pool).written()
    async with cached_pool(root, store, settings={"toy": {"strict": True}}) as pool:
        assert not is_from_cache(await shout(pool))


async def test_while_the_server_is_shown_other_content_nothing_is_kept_or_recalled(root: Path, store: Path) -> None:
    async with cached_pool(root, store) as pool:
        before = await shout(pool)
        session = pool.instances()[0].session
        async with session.interlude.on():
            assert is_from_cache(await shout(pool))  # the disk has not changed, and no server is asked
        (root / "lonely.toy").write_text("def nobody()\n    use shout(1)\n", "utf-8")
        after = await shout(pool)
    assert after.value.total == before.value.total + 1


async def test_a_workspace_that_leads_out_of_itself_is_not_cached(root: Path, store: Path, tmp_path: Path) -> None:
    (tmp_path / "beside.toy").write_text("def beside()\n    use shout(1)\n", "utf-8")
    (root / "linked.toy").symlink_to(tmp_path / "beside.toy")
    async with cached_pool(root, store) as pool:
        await shout(pool)
        assert not is_from_cache(await shout(pool))


async def test_a_symbol_in_an_added_folder_is_not_cached(root: Path, store: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with cached_pool(root, store) as pool:
        await shout(pool)
        pool.add_folder(tmp_path / "other")
        assert FROM_CACHE not in (await shout(pool)).note


async def test_a_change_while_the_server_answers_is_not_kept_under_the_old_world(root: Path, store: Path) -> None:
    async with cached_pool(root, store, habits=f"edits={REFERENCES}") as pool:
        first = await shout(pool)
        second = await shout(pool)
    assert "late.toy" in {place.file for place in second.value.locations}
    assert [at(place) for place in second.value.locations] == [at(place) for place in first.value.locations]
