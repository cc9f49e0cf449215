"""All to know before a file is edited: complete and proven, or with what is missing; an etag that never lies."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, FileNotFound
from groundwire.operations.answer import Status
from groundwire.operations.navigation.editing_context import get_editing_context
from groundwire.operations.results.context import Caller, ContextSymbol, EditingContext
from groundwire.pool.pool import Pool
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio

TESTED = {**ZOO, "tests/voices.toy": "def check()\n    use shout(1)\n    use shout(2)\n"}
CALLS = "textDocument/prepareCallHierarchy"
REFERENCES = "textDocument/references"


def at(callers: tuple[Caller, ...]) -> list[str]:
    return [f"{caller.file}:{caller.line} {caller.name} {caller.count}" for caller in callers]


def symbol(context: EditingContext, path: str) -> ContextSymbol:
    return next(symbol for symbol in context.symbols if symbol.path == path)


async def context_of(pool: Pool, **given: object) -> EditingContext:
    return (await ask(pool, get_editing_context, **{"file_path": "voices.toy", **given})).value


async def test_symbols_come_with_signature_callers_and_callees(tmp_path: Path):
    async with zoo(tmp_path, files=TESTED) as pool:
        answer = await ask(pool, get_editing_context, file_path="voices.toy")
        context = answer.value
        assert (answer.status, context.file, context.total, context.missing) == (
            Status.CONFIRMED,
            "voices.toy",
            2,
            (),
        )
        bark, shout = context.symbols
        assert (bark.signature, bark.line, bark.start_line, bark.end_line) == ("def bark(loudness, count)", 1, 1, 2)
        assert bark.callees is not None
        assert at(bark.callees) == ["voices.toy:5 shout 1"]
        assert shout.callers is not None
        assert at(shout.callers.test_callers) == ["tests/voices.toy:2 check 2"]
        assert at(shout.callers.non_test_callers) == [
            "animals.toy:5 speak 1",
            "animals.toy:10 speak 1",
            "voices.toy:2 bark 1",
        ]


async def test_a_type_has_its_uses_for_callers(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        context = await context_of(pool, file_path="animals.toy")
        animal = symbol(context, "Animal").callers
        assert animal is not None
        assert at(animal.non_test_callers) == ["animals.toy:7  1"]
        assert symbol(context, "Animal").callees is None


async def test_without_a_hierarchy_of_calls_uses_stand_for_them(tmp_path: Path):
    async with zoo(tmp_path, f"lacks={CALLS}", TESTED) as pool:
        answer = await ask(pool, get_editing_context, file_path="voices.toy")
        callers = symbol(answer.value, "shout").callers
        assert answer.status is Status.CONFIRMED
        assert callers is not None
        assert at(callers.test_callers) == ["tests/voices.toy:2  2"]
        assert at(callers.non_test_callers) == ["animals.toy:5  2", "voices.toy:2  1"]


async def test_what_a_server_cannot_tell_is_said_and_the_rest_is_there(tmp_path: Path):
    async with zoo(tmp_path, f"lacks={REFERENCES}") as pool:
        answer = await ask(pool, get_editing_context, file_path="animals.toy")
        (missing,) = answer.value.missing
        assert (answer.status, missing.status) == (Status.PARTIAL, Status.UNSUPPORTED)
        assert missing.part == "callers of Animal, Dog"
        assert symbol(answer.value, "Dog").callers is None
        assert symbol(answer.value, "Dog.speak").callers is not None


async def test_without_symbols_there_is_no_answer(tmp_path: Path):
    async with zoo(tmp_path, "lacks=textDocument/documentSymbol") as pool:
        with pytest.raises(CapabilityMissing):
            await context_of(pool)
        with pytest.raises(FileNotFound):
            await context_of(pool, file_path="nowhere.toy")


async def test_symbols_come_in_pages_and_only_those_shown_are_asked_about(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    text = "".join(f"def name{number}()\n" for number in range(7))
    async with zoo(tmp_path, files={"a.toy": text}, log=log) as pool:
        page = await context_of(pool, file_path="a.toy", limit=3, offset=4)
        assert ([each.name for each in page.symbols], page.total, page.offset) == (["name4", "name5", "name6"], 7, 4)
        assert log.count(CALLS) == 3


async def test_an_etag_that_still_holds_is_all_that_is_said_and_nothing_is_asked(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        first = await context_of(pool)
        asked = log.count(CALLS)
        answer = await ask(pool, get_editing_context, file_path="voices.toy", if_none_match=first.etag)
        assert answer.status is Status.CONFIRMED
        assert answer.value == EditingContext(file="voices.toy", etag=first.etag, not_modified=True)
        assert log.count(CALLS) == asked


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("voices.toy", "\n" + ZOO["voices.toy"]),
        ("animals.toy", "# nothing\n"),
        ("new.toy", "def fresh()\n    use shout(1)\n"),
        ("lonely.toy", None),
    ],
)
async def test_an_etag_ends_with_any_change_of_any_file(tmp_path: Path, file: str, text: str | None):
    async with zoo(tmp_path) as pool:
        first = await context_of(pool)
        if text is None:
            (pool.workspace / file).unlink()
        else:
            (pool.workspace / file).write_text(text, "utf-8")
        second = await context_of(pool, if_none_match=first.etag)
        assert not second.not_modified
        assert second.etag != first.etag
        assert (await context_of(pool, if_none_match=second.etag)).not_modified


async def test_an_etag_ends_with_the_life_of_the_server(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        first = await context_of(pool)
        await pool.restart()
        assert not (await context_of(pool, if_none_match=first.etag)).not_modified


async def test_an_etag_is_of_one_file_and_one_page(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        etag = (await context_of(pool)).etag
        assert not (await context_of(pool, file_path="animals.toy", if_none_match=etag)).not_modified
        assert not (await context_of(pool, limit=1, if_none_match=etag)).not_modified


async def test_what_is_not_proven_has_no_etag(tmp_path: Path):
    async with zoo(tmp_path, settle=SettleRule(scope="file")) as pool:
        answer = await ask(pool, get_editing_context, file_path="voices.toy")
        assert (answer.status, answer.value.etag) == (Status.PARTIAL, "")


async def test_callers_written_while_it_is_answered_are_in_the_answer(tmp_path: Path):
    async with zoo(tmp_path, f"edits={CALLS}") as pool:
        answer = await ask(pool, get_editing_context, file_path="voices.toy")
        callers = symbol(answer.value, "shout").callers
        assert callers is not None
        assert "late.toy:2 late 1" in at(callers.non_test_callers)
