"""All of a symbol at once; what cannot be had of it is said."""

from pathlib import Path

import pytest

from groundwire.errors import NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.navigation.explore import explore_symbol
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio


async def test_everything_about_a_symbol_comes_in_one_answer(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, explore_symbol, symbol="shout")
        found = answer.value
        assert (answer.status, answer.reason, found.missing) == (Status.CONFIRMED, "", ())
        assert found.text == "```toy\ndef shout(what)\n```\nMakes noise."
        assert found.source is not None
        assert found.callers is not None
        assert found.references is not None
        assert (found.source.symbol, found.source.source) == ("shout", "# Makes noise.\ndef shout(what)")
        assert ([call.name for call in found.callers.calls], found.callers.total) == (["speak", "speak", "bark"], 3)
        assert (found.references.total, found.references.files) == (3, 2)
        assert [(each.file, each.count) for each in found.references.top_files] == [
            ("animals.toy", 2),
            ("voices.toy", 1),
        ]


@pytest.mark.parametrize(
    ("target", "source"),
    [
        ({"file_path": "animals.toy", "line": 9, "text": "bark"}, "def bark(loudness, count)\n    use shout(loudness)"),
        ({"file_path": "voices.toy", "line": 2, "text": "shout"}, "# Makes noise.\ndef shout(what)"),
        ({"file_path": "voices.toy", "line": 5, "text": "shout"}, "# Makes noise.\ndef shout(what)"),
    ],
)
async def test_the_source_is_that_of_the_definition_wherever_the_symbol_is_used(
    tmp_path: Path, target: dict[str, object], source: str
):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        answer = await ask(pool, explore_symbol, **target)
        assert answer.value.source is not None
        assert (answer.status, answer.value.source.source) == (Status.CONFIRMED, source)
        assert log.count("textDocument/hover") == 1


async def test_a_place_of_no_symbol_has_no_source(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, explore_symbol, file_path="animals.toy", line=1)
        assert answer.value.source is None
        assert "source" in [each.part for each in answer.value.missing]


async def test_only_the_first_callers_are_shown_and_all_are_counted(tmp_path: Path):
    text = "def hit()\n" + "".join(f"def by{number}()\n    use hit\n" for number in range(12))
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        found = (await ask(pool, explore_symbol, symbol="hit")).value
        assert found.callers is not None
        assert (len(found.callers.calls), found.callers.total) == (10, 12)


async def test_a_part_that_the_server_lacks_is_said_and_the_others_are_there(tmp_path: Path):
    async with zoo(tmp_path, "lacks=textDocument/prepareCallHierarchy") as pool:
        answer = await ask(pool, explore_symbol, symbol="shout")
        assert (answer.status, answer.value.callers) == (Status.PARTIAL, None)
        assert answer.reason == "callers: well_read does not offer textDocument/prepareCallHierarchy"
        assert [(each.part, each.status) for each in answer.value.missing] == [("callers", Status.UNSUPPORTED)]
        assert answer.value.references is not None


async def test_a_class_has_no_callers_which_is_no_failure(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, explore_symbol, symbol="Animal")
        assert (answer.status, answer.value.callers) == (Status.CONFIRMED, None)
        assert "nothing that can be called" in answer.value.missing[0].reason


async def test_a_server_that_may_not_know_yet_does_not_prove_that_nothing_calls_it(tmp_path: Path):
    async with zoo(tmp_path, settle=SettleRule(measured=False, scope="file")) as pool:
        answer = await ask(pool, explore_symbol, symbol="Animal")
        missing = next(each for each in answer.value.missing if "nothing that can be called" in each.reason)
        assert (answer.status, missing.status) == (Status.PARTIAL, Status.UNKNOWN)
        assert "that is not certain" in missing.reason


async def test_a_part_that_fails_is_said_and_the_others_are_there(tmp_path: Path):
    async with zoo(tmp_path, "lacks=callHierarchy/incomingCalls") as pool:
        answer = await ask(pool, explore_symbol, symbol="shout")
        assert (answer.status, answer.value.missing[0].status) == (Status.PARTIAL, Status.UNKNOWN)
        assert "no callHierarchy/incomingCalls here" in answer.reason


async def test_all_parts_are_about_one_world(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, "edits=callHierarchy/incomingCalls", log=log) as pool:
        found = (await ask(pool, explore_symbol, symbol="voices.toy::shout")).value
        assert found.callers is not None
        assert found.references is not None
        assert (found.callers.total, found.references.total) == (4, 4)
        assert log.count("textDocument/hover") == 2


async def test_a_symbol_that_is_not_there_is_refused(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(NoSuchSymbol):
            await ask(pool, explore_symbol, symbol="nothing_of_the_sort")
