"""What is known about one place: hover, signatures, completions, highlights."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, InvalidArgument
from groundwire.operations.answer import Status
from groundwire.operations.navigation.completions import get_completions
from groundwire.operations.navigation.inspect import get_document_highlights, get_signature_help, inspect_symbol
from groundwire.operations.results.found import Highlights, HoverText, Signatures
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio

CALL = {"file_path": "animals.toy", "position_pattern": "bark(volume, @@2)"}


@pytest.mark.parametrize(
    "target",
    [
        {"symbol": "bark"},
        {"symbol": "voices.toy::bark"},
        {"file_path": "animals.toy", "line": 9, "column": 15},
        {"file_path": "animals.toy", "line": 9, "text": "bark"},
        {"file_path": "animals.toy", "position_pattern": "use @@bark"},
        {"file_path": "animals.toy", "position_pattern": "@@bark", "line_scope_start": 9, "line_scope_end": 9},
    ],
)
async def test_a_symbol_is_inspected_however_it_is_named(tmp_path: Path, target: dict[str, object]):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, inspect_symbol, **target)
        assert (answer.status, answer.value.text) == (Status.CONFIRMED, "```toy\ndef bark(loudness, count)\n```")


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("string", "def shout(what)"),
        ("marked", "```toy\ndef shout(what)\n```"),
        ("list", "```toy\ndef shout(what)\n```\n\nMakes noise."),
    ],
)
async def test_every_form_of_a_hover_is_one_text(tmp_path: Path, form: str, text: str):
    async with zoo(tmp_path, f"hover={form}") as pool:
        assert (await ask(pool, inspect_symbol, symbol="shout")).value == HoverText(text=text)


async def test_a_place_of_which_nothing_is_known_is_confirmed_to_be_one(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, inspect_symbol, file_path="animals.toy", line=1)
        assert (answer.status, answer.value.text) == (Status.CONFIRMED, "")


async def test_what_is_written_while_it_is_asked_makes_it_be_asked_again(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, "edits=textDocument/hover", log=log) as pool:
        answer = await ask(pool, inspect_symbol, symbol="shout")
        assert answer.status is Status.CONFIRMED
        assert log.count("textDocument/hover") == 2


async def test_no_place_and_no_file_is_refused(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match="no file is named"):
            await ask(pool, inspect_symbol, line=3)
        with pytest.raises(InvalidArgument, match="no place is named"):
            await ask(pool, inspect_symbol, file_path="animals.toy")


async def test_a_server_without_hover_says_what_can_be_asked_instead(tmp_path: Path):
    async with zoo(tmp_path, "lacks=textDocument/hover") as pool:
        with pytest.raises(CapabilityMissing) as raised:
            await ask(pool, inspect_symbol, symbol="shout")
        assert raised.value.hint == "It can be asked go_to_definition instead."


async def test_a_signature_marks_the_parameter_that_is_being_written(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_signature_help, **CALL)
        (signature,) = answer.value.signatures
        assert (signature.label, signature.active) == ("bark(loudness, count)", True)
        assert [(each.label, each.active) for each in signature.parameters] == [("loudness", False), ("count", True)]


async def test_a_text_on_a_line_means_the_cursor_behind_it(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_signature_help, file_path="animals.toy", line=9, text="bark(")
        assert [each.active for each in answer.value.signatures[0].parameters] == [True, False]


async def test_outside_every_call_there_is_no_signature(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_signature_help, file_path="animals.toy", line=1)
        assert (answer.status, answer.value) == (Status.CONFIRMED, Signatures(signatures=()))


async def test_completions_are_in_the_order_of_the_server(tmp_path: Path):
    async with zoo(tmp_path, files={**ZOO, "new.toy": "use "}) as pool:
        answer = await ask(pool, get_completions, file_path="new.toy", line=1, column=5)
        labels = [completion.label for completion in answer.value.completions]
        assert labels == ["Dog", "bark", "speak", "shout", "nobody", "Animal"]
        assert (answer.status, answer.value.total) == (Status.CONFIRMED, 6)
        assert [completion.kind for completion in answer.value.completions[:2]] == ["class", "function"]


async def test_completions_can_be_narrowed_and_paged(tmp_path: Path):
    async with zoo(tmp_path, files={**ZOO, "new.toy": "use "}) as pool:
        place = {"file_path": "new.toy", "line": 1, "text": "use "}
        narrowed = await ask(pool, get_completions, **place, prefix="S")
        assert [completion.label for completion in narrowed.value.completions] == ["speak", "shout"]
        page = await ask(pool, get_completions, **place, limit=1, offset=1)
        assert ([completion.label for completion in page.value.completions], page.value.total) == (["bark"], 6)


async def test_documentation_is_asked_for_only_where_it_is_wanted_and_shown(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, files={**ZOO, "new.toy": "use sh"}, log=log) as pool:
        place = {"file_path": "new.toy", "line": 1, "column": 7}
        assert (await ask(pool, get_completions, **place)).value.completions[0].documentation == ""
        assert log.count("completionItem/resolve") == 0
        answer = await ask(pool, get_completions, **place, documentation=True)
        assert [each.documentation for each in answer.value.completions] == ["Makes noise."]
        assert log.count("completionItem/resolve") == 1


async def test_completions_that_the_server_cut_are_said_to_be_cut(tmp_path: Path):
    async with zoo(tmp_path, "incomplete", files={**ZOO, "new.toy": "use "}) as pool:
        answer = await ask(pool, get_completions, file_path="new.toy", line=1, column=5)
        assert (answer.status, answer.value.incomplete) == (Status.PARTIAL, True)
        assert "more than it told" in answer.reason


async def test_nothing_within_a_word_is_not_known_to_be_nothing(tmp_path: Path):
    async with zoo(tmp_path, files={**ZOO, "new.toy": "use qqzz"}) as pool:
        within = await ask(pool, get_completions, file_path="new.toy", line=1, column=7)
        assert (within.status, within.value.total) == (Status.PARTIAL, 0)
        assert "within a word" in within.reason
        behind = await ask(pool, get_completions, file_path="new.toy", line=1, column=9)
        assert (behind.status, behind.value.total) == (Status.CONFIRMED, 0)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
async def test_highlights_tell_reading_from_writing_in_columns_of_characters(tmp_path: Path, ending: str):
    text = "def shout(what)\n    😀😀 use shout(1)\n".replace("\n", ending)
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        answer = await ask(pool, get_document_highlights, file_path="a.toy", line=2, column=12)
        assert answer.value.file == "a.toy"
        found = [(each.kind, each.line, each.column, each.end_column) for each in answer.value.highlights]
        assert found == [("write", 1, 5, 10), ("read", 2, 12, 17)]
        assert answer.value.highlights[1].text == "😀😀 use shout(1)"


@pytest.mark.parametrize("habits", ["", "null"])
async def test_a_place_without_a_symbol_has_no_highlights(tmp_path: Path, habits: str):
    async with zoo(tmp_path, habits) as pool:
        answer = await ask(pool, get_document_highlights, file_path="animals.toy", line=1)
        expected = Highlights(file="animals.toy", highlights=(), total=0)
        assert (answer.status, answer.value) == (Status.CONFIRMED, expected)
