"""Finding uses through a pool of real processes: complete, or said not to be."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, FileNotFound, NoServerForExtension, RequestTimeout, SessionDead
from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.results.found import Locations
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.registry.spec import ServerSpec
from groundwire.workspace.rules import ReadinessRule
from tests.fakes.toy_servers import WELL_BEHAVED, ToyLog, toy_catalog, toy_spec

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def project(tmp_path: Path, files: Mapping[str, str], spec: ServerSpec) -> AsyncGenerator[Pool]:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text, "utf-8")
    async with Pool(root, catalog=toy_catalog(spec)) as pool:
        yield pool


def shown(answer: Answer[Locations]) -> list[str]:
    return [f"{place.file}:{place.line}:{place.column} {place.text}" for place in answer.value.locations]


async def uses(pool: Pool, file: str, line: int, column: int, *, wait_s: float = 30.0) -> Answer[Locations]:
    wanted = FindReferences(file_path=file, line=line, column=column, include_declaration=True)
    return await perform(pool, find_references, wanted, wait_s=wait_s)


TWO_FILES = {"a.toy": "let fish = 1\n😀 fish\n", "b.toy": "  use fish\n"}


async def test_all_uses_are_found_in_order_with_their_lines(tmp_path: Path):
    async with project(tmp_path, TWO_FILES, toy_spec(WELL_BEHAVED)) as pool:
        answer = await uses(pool, "a.toy", 1, 5)
        assert (answer.status, answer.reason, answer.servers) == (Status.CONFIRMED, "", (WELL_BEHAVED,))
        assert [line.split(" ", 1)[1] for line in shown(answer)] == ["let fish = 1", "😀 fish", "use fish"]
        assert [line.split(" ")[0] for line in shown(answer)[::2]] == ["a.toy:1:5", "b.toy:1:7"]


async def test_a_use_written_a_moment_ago_is_found(tmp_path: Path):
    async with project(tmp_path, TWO_FILES, toy_spec(WELL_BEHAVED)) as pool:
        await uses(pool, "a.toy", 1, 5)
        (pool.workspace / "c.toy").write_text("fish\n")
        answer = await uses(pool, "a.toy", 1, 5)
        assert shown(answer)[-1] == "c.toy:1:1 fish"


async def test_an_answer_about_a_place_that_moved_meanwhile_is_not_confirmed(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "once fish\n"}, toy_spec("edits_the_file")) as pool:
        answer = await uses(pool, "a.toy", 1, 6)
        assert answer.status is Status.PARTIAL
        assert "kept changing" in answer.reason


async def test_files_that_never_stop_changing_make_the_answer_partial(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "always fish\n"}, toy_spec("edits_the_file")) as pool:
        answer = await uses(pool, "a.toy", 1, 8)
        assert answer.status is Status.PARTIAL
        assert "kept changing" in answer.reason


async def test_what_writes_more_files_than_a_question_is_repeated_at_once_is_waited_for(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "build fish\n"}, toy_spec("edits_the_file")) as pool:
        answer = await uses(pool, "a.toy", 1, 7)
        assert (answer.status, answer.reason) == (Status.CONFIRMED, "")
        assert len(list(pool.workspace.glob("*.made"))) == 6


async def test_another_file_that_changes_while_the_answer_is_computed_is_in_the_answer(tmp_path: Path):
    files = {"a.toy": "right\n", "b.toy": "again wrong\n"}
    async with project(tmp_path, files, toy_spec("edits_the_file")) as pool:
        answer = await uses(pool, "b.toy", 1, 7, wait_s=20)
        assert (answer.status, shown(answer)[0]) == (Status.CONFIRMED, "a.toy:1:11 meanwhile wrong")


async def test_a_server_that_never_loads_answers_in_part_and_says_why(tmp_path: Path):
    spec = toy_spec("never_ready", readiness=ReadinessRule(progress_titles=("Indexing",)))
    async with project(tmp_path, TWO_FILES, spec) as pool:
        answer = await uses(pool, "a.toy", 1, 5, wait_s=2.0)
        assert answer.status is Status.PARTIAL
        assert "Indexing 10 %" in answer.reason
        assert answer.value.total == 3


async def test_null_is_no_uses(tmp_path: Path):
    async with project(tmp_path, TWO_FILES, toy_spec("null_results")) as pool:
        answer = await uses(pool, "a.toy", 1, 5)
        assert answer.value == Locations(locations=(), total=0)


async def test_whatever_is_in_the_way_is_typed(tmp_path: Path):
    files = {**TWO_FILES, "c.txt": "fish\n"}
    async with project(tmp_path, files, toy_spec(WELL_BEHAVED)) as pool:
        with pytest.raises(FileNotFound):
            await uses(pool, "nowhere.toy", 1, 1)
        with pytest.raises(NoServerForExtension):
            await uses(pool, "c.txt", 1, 1)


@pytest.mark.parametrize(
    ("habit", "error"),
    [("hang_at_start", RequestTimeout), ("crash_at_start", SessionDead), ("offers_nothing", CapabilityMissing)],
)
async def test_a_server_that_cannot_answer_is_typed(tmp_path: Path, habit: str, error: type[Exception]):
    async with project(tmp_path, TWO_FILES, toy_spec(habit)) as pool:
        with pytest.raises(error, match=habit if error is not SessionDead else "libtoy"):
            await uses(pool, "a.toy", 1, 5, wait_s=0.5 if error is RequestTimeout else 20)


async def test_the_question_opens_only_the_file_it_is_about(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with project(tmp_path, TWO_FILES, toy_spec(WELL_BEHAVED, log)) as pool:
        await uses(pool, "a.toy", 1, 5)
        assert log.count("textDocument/didOpen") == 1
        assert log.count("textDocument/references") == 1
