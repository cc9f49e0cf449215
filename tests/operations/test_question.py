"""A question that takes long tells what it waits for: the start of the server, its loading, its answer."""

from pathlib import Path

import msgspec
import pytest

from groundwire.errors import GroundwireError
from groundwire.operations.answer import Status
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.navigation.search import FindSymbol, find_symbol
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog, LanguageSpec
from groundwire.registry.spec import ServerSpec
from groundwire.workspace.rules import ReadinessRule
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.operations.toy_project import zoo

pytestmark = pytest.mark.anyio

HERE = FindReferences(file_path="a.toy", line=1, column=1)


async def told_while_asking(root: Path, spec: ServerSpec, wait_s: float = 1.7) -> list[str]:
    (root / "a.toy").write_text("fish\n", "utf-8")
    told: list[str] = []
    async with Pool(root, catalog=toy_catalog(spec)) as pool:
        try:
            await perform(pool, find_references, HERE, wait_s=wait_s, progress=told.append)
        except GroundwireError:
            assert told
    return told


async def test_the_start_of_a_server_is_told_of(tmp_path: Path):
    assert set(await told_while_asking(tmp_path, toy_spec("hang_at_start"))) == {"hang_at_start is starting"}


async def test_an_answer_that_does_not_come_is_told_of(tmp_path: Path):
    assert "asking never_answers for references" in await told_while_asking(tmp_path, toy_spec("never_answers"), 2.7)


async def test_loading_is_told_of_as_far_as_it_has_come(tmp_path: Path):
    rule = ReadinessRule(progress_titles=("Indexing",), start_grace_ms=60_000)
    spec = msgspec.structs.replace(toy_spec("never_ready"), readiness=rule)
    assert "never_ready: Indexing 10 %" in await told_while_asking(tmp_path, spec, 2.7)


async def test_a_warm_answer_comes_without_a_word(tmp_path: Path):
    told: list[str] = []
    async with zoo(tmp_path) as pool:
        await perform(pool, find_references, FindReferences(symbol="shout"))
        await perform(pool, find_references, FindReferences(symbol="shout"), progress=told.append)
    assert told == []


async def test_several_servers_that_start_are_told_of_together(tmp_path: Path):
    (tmp_path / "a.toy").write_text("def fish()\n", "utf-8")
    (tmp_path / "b.other").write_text("def fish()\n", "utf-8")
    first = toy_spec("hang_at_start")
    second = msgspec.structs.replace(first, id="another", languages=("other",))
    languages = {
        **toy_catalog(first).languages,
        "other": LanguageSpec(extensions=(".other",), servers=("another",)),
    }
    told: list[str] = []
    async with Pool(tmp_path, catalog=Catalog(languages, {first.id: first, second.id: second})) as pool:
        answer = await perform(pool, find_symbol, FindSymbol(query="fish"), wait_s=1.7, progress=told.append)
    assert answer.status is Status.PARTIAL
    assert sorted(told[-1].split("; ")) == ["another is starting", "hang_at_start is starting"]
