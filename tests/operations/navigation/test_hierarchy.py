"""Who calls whom and what derives from what: every call with its place, and one world for all steps."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.navigation.hierarchy import callers, find_callers, type_hierarchy
from groundwire.operations.results.hierarchy import Calls
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ask, at, zoo

pytestmark = pytest.mark.anyio


def shown(calls: Calls | None) -> list[str]:
    assert calls is not None
    return [f"{call.name}: {' '.join(at(site) for site in call.sites)}" for call in calls.calls]


@pytest.mark.parametrize(
    "target",
    [
        {"symbol": "bark"},
        {"file_path": "voices.toy", "line": 1, "column": 5},
        {"file_path": "animals.toy", "line": 9, "text": "bark"},
        {"file_path": "animals.toy", "position_pattern": "use @@bark"},
    ],
)
async def test_both_directions_of_calls_have_the_places_of_the_calls(tmp_path: Path, target: dict[str, object]):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, find_callers, **target)
        assert answer.status is Status.CONFIRMED
        (symbol,) = answer.value.symbols
        assert (symbol.name, symbol.kind, symbol.file, symbol.line) == ("bark", "function", "voices.toy", 1)
        assert shown(answer.value.incoming) == ["speak: animals.toy:9:15"]
        assert shown(answer.value.outgoing) == ["shout: voices.toy:2:9"]


async def test_a_call_is_shown_with_its_line_in_characters(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, callers, symbol="bark")
        assert answer.value.incoming is not None
        (caller,) = answer.value.incoming.calls
        assert (caller.kind, caller.file, caller.line, caller.column) == ("method", "animals.toy", 8, 9)
        (site,) = caller.sites
        assert (site.column, site.end_column, site.text) == (15, 19, "😀 use bark(volume, 2)")


@pytest.mark.parametrize(("direction", "left_out"), [("incoming", "outgoing"), ("outgoing", "incoming")])
async def test_what_was_not_asked_for_is_not_called_none(tmp_path: Path, direction: str, left_out: str):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, find_callers, symbol="bark", direction=direction)
        assert getattr(answer.value, left_out) is None
        assert getattr(answer.value, direction).total == 1


async def test_callers_are_paged_and_all_their_calls_counted(tmp_path: Path):
    text = "def hit()\n" + "".join(f"def by{number}()\n    use hit\n    use hit\n" for number in range(3))
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        incoming = (await ask(pool, callers, symbol="hit", limit=1, offset=1)).value.incoming
        assert shown(incoming) == ["by1: a.toy:6:9 a.toy:7:9"]
        assert incoming is not None
        assert (incoming.total, incoming.sites, incoming.offset) == (3, 6, 1)


@pytest.mark.parametrize("habits", ["", "null"])
async def test_a_function_that_nobody_calls_is_confirmed_to_be_one(tmp_path: Path, habits: str):
    async with zoo(tmp_path, habits) as pool:
        answer = await ask(pool, callers, symbol="nobody")
        assert (answer.status, answer.value.incoming) == (Status.CONFIRMED, Calls(calls=(), total=0, sites=0))


@pytest.mark.parametrize("habits", ["", "null"])
async def test_a_place_that_cannot_be_called_is_not_one_without_callers(tmp_path: Path, habits: str):
    async with zoo(tmp_path, habits) as pool:
        with pytest.raises(NoSuchSymbol, match=r"at animals\.toy:2:7 there is nothing that can be called"):
            await ask(pool, callers, symbol="Animal")
        with pytest.raises(NoSuchSymbol, match="there is no type"):
            await ask(pool, type_hierarchy, symbol="bark")


@pytest.mark.parametrize("step", ["textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls"])
async def test_a_caller_written_between_the_steps_is_in_the_answer(tmp_path: Path, step: str):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, f"edits={step}", log=log) as pool:
        answer = await ask(pool, callers, symbol="voices.toy::shout")
        assert answer.status is Status.CONFIRMED
        assert "late: late.toy:2:9" in shown(answer.value.incoming)
        assert log.count("textDocument/prepareCallHierarchy") == 2


async def test_a_server_without_a_hierarchy_says_what_can_be_asked_instead(tmp_path: Path):
    async with zoo(tmp_path, "lacks=textDocument/prepareCallHierarchy") as pool:
        with pytest.raises(CapabilityMissing) as raised:
            await ask(pool, callers, symbol="bark")
        assert "find_references" in raised.value.hint
    async with zoo(tmp_path, "lacks=textDocument/prepareTypeHierarchy") as pool:
        with pytest.raises(CapabilityMissing) as raised:
            await ask(pool, type_hierarchy, symbol="Dog")
        assert "go_to_implementation" in raised.value.hint


async def test_types_have_what_they_derive_from_and_what_derives_from_them(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        dog = (await ask(pool, type_hierarchy, symbol="Dog")).value
        assert dog.supertypes is not None
        assert dog.subtypes is not None
        assert [(each.name, each.file, each.line) for each in dog.supertypes.types] == [("Animal", "animals.toy", 2)]
        assert dog.subtypes.total == 0
        animal = (await ask(pool, type_hierarchy, symbol="Animal", direction="subtypes")).value
        assert animal.subtypes is not None
        assert ([each.name for each in animal.subtypes.types], animal.supertypes) == (["Dog"], None)
