"""Uses of a symbol in other directories: proven, or said not to be; and the workspace is afterwards what it was."""

import asyncio
from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.impact.cross_repo import get_cross_repo_references
from groundwire.operations.results.impact import CrossRepoReferences
from groundwire.operations.serving.workspace_folders import add_workspace_folder
from groundwire.pool.pool import Pool
from groundwire.render.answers import render_answer
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio


@pytest.fixture
def consumer(tmp_path: Path) -> Path:
    (tmp_path / "consumer").mkdir()
    (tmp_path / "consumer/tools.toy").write_text("def hammer(nail)\n    use shout(nail)\n# shout\n", "utf-8")
    return tmp_path / "consumer"


async def uses(pool: Pool, *roots: Path | str, symbol: str = "shout") -> Answer[CrossRepoReferences]:
    return await ask(pool, get_cross_repo_references, symbol=symbol, consumer_roots=[str(root) for root in roots])


def folders_and_roots(pool: Pool) -> tuple[list[Path], list[Path]]:
    return list(pool.folders), [instance.chosen.root for instance in pool.instances()]


async def test_a_consumer_whose_server_cannot_see_the_declaration_is_not_known_and_never_empty(
    tmp_path: Path, consumer: Path
) -> None:
    async with zoo(tmp_path) as pool:
        answer = await uses(pool, consumer)
        primary, other = answer.value.repositories
        assert (primary.repo, primary.status, primary.total) == ("primary", Status.CONFIRMED, 3)
        assert (other.repo, other.status, other.total) == (str(consumer), Status.UNKNOWN, 0)
        assert [(place.file, place.line) for place in other.unproven] == [(str(consumer / "tools.toy"), 2)]
        assert (answer.status, bool(answer.reason)) == (Status.PARTIAL, True)
        assert "Not proven, found by its name:" in render_answer(get_cross_repo_references, answer)
        assert folders_and_roots(pool) == ([pool.workspace], [pool.workspace])


async def test_a_consumer_that_nowhere_names_it_is_proven_not_to_use_it(tmp_path: Path, consumer: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await uses(pool, consumer, symbol="nobody")
        assert (answer.status, answer.value.total) == (Status.CONFIRMED, 0)


async def test_a_consumer_that_declares_the_same_name_itself_uses_its_own(tmp_path: Path, consumer: Path) -> None:
    (consumer / "own.toy").write_text("def shout(it)\n", "utf-8")
    async with zoo(tmp_path) as pool:
        answer = await uses(pool, consumer)
        assert (answer.status, answer.value.repositories[1].total) == (Status.CONFIRMED, 0), answer.reason


async def test_a_part_of_the_workspace_is_told_apart_and_counted_once(tmp_path: Path) -> None:
    files = {**ZOO, "app/main.toy": "def main()\n    use shout(1)\n"}
    async with zoo(tmp_path, files=files) as pool:
        answer = await uses(pool, "app")
        assert answer.status is Status.CONFIRMED, answer.reason
        assert [(each.repo, each.total) for each in answer.value.repositories] == [("primary", 3), ("app", 1)]


async def test_a_folder_that_was_there_before_stays(tmp_path: Path, consumer: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, add_workspace_folder, path=str(consumer))
        await uses(pool, consumer)
        assert consumer in pool.folders


async def test_two_questions_at_once_leave_nothing_behind(tmp_path: Path, consumer: Path) -> None:
    async with zoo(tmp_path) as pool:
        first, second = await asyncio.gather(uses(pool, consumer), uses(pool, consumer, symbol="bark"))
        assert (first.value.repositories[1].unproven_total, second.value.repositories[1].total) == (1, 0)
        assert list(pool.folders) == [pool.workspace]


async def test_a_question_that_is_cancelled_leaves_no_folder_and_no_server(tmp_path: Path, consumer: Path) -> None:
    async with zoo(tmp_path) as pool:
        asked = asyncio.ensure_future(uses(pool, consumer))
        async with asyncio.timeout(30):
            while consumer not in pool.folders:  # noqa: ASYNC110  nobody tells of it
                await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert list(pool.folders) == [pool.workspace]
        assert all(instance.chosen.root == pool.workspace for instance in pool.instances())


async def test_no_consumer_and_one_that_cannot_be_are_refused_and_nothing_stays(tmp_path: Path, consumer: Path) -> None:
    async with zoo(tmp_path) as pool:
        for roots, error in (
            ((), InvalidArgument),
            ((consumer, tmp_path / "nowhere"), FileNotFound),
            ((".",), InvalidArgument),
            ((tmp_path,), InvalidArgument),
        ):
            with pytest.raises(error):
                await uses(pool, *roots)
        assert list(pool.folders) == [pool.workspace]
