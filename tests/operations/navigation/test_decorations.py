"""What servers tell about the text of a file: hints, tokens, ranges, lenses."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, InvalidArgument
from groundwire.operations.answer import Status
from groundwire.operations.navigation.decorations import (
    get_code_lenses,
    get_folding_ranges,
    get_inlay_hints,
    get_selection_ranges,
)
from groundwire.operations.navigation.tokens import get_semantic_tokens
from groundwire.operations.table import find_operation
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio


async def test_hints_are_shown_where_they_stand_in_characters(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_inlay_hints, file_path="animals.toy", start_line=9, end_line=9)
        hints = [(each.line, each.column, each.label, each.kind) for each in answer.value.hints]
        assert hints == [(9, 20, "loudness:", "parameter"), (9, 28, "count:", "parameter")]
        assert (answer.status, answer.value.hints[0].text) == (Status.CONFIRMED, "😀 use bark(volume, 2)")


async def test_hints_of_a_whole_file_are_paged(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_inlay_hints, file_path="animals.toy", limit=1, offset=3)
        assert ([each.line for each in answer.value.hints], answer.value.total) == ([10], 4)


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({"start_line": 99}, "start_line is 99, and the file has 11 lines"),
        ({"start_line": 5, "end_line": 2}, "before it begins at 5:1"),
    ],
)
async def test_a_part_that_is_none_is_refused(tmp_path: Path, part: dict[str, object], complaint: str):
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match=complaint):
            await ask(pool, get_inlay_hints, file_path="animals.toy", **part)


@pytest.mark.parametrize(
    ("habits", "part", "method"),
    [
        ("", {}, "full"),
        ("", {"start_line": 8, "end_line": 9}, "range"),
        ("full", {"start_line": 8, "end_line": 9}, "full"),
        ("range", {}, "range"),
    ],
)
async def test_tokens_are_asked_for_in_the_way_that_is_offered_and_cut_to_the_part(
    tmp_path: Path, habits: str, part: dict[str, object], method: str
):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, habits, log=log) as pool:
        answer = await ask(pool, get_semantic_tokens, file_path="animals.toy", **part)
        assert log.count(f"textDocument/semanticTokens/{method}") == 1
        tokens = [token for token in answer.value.tokens if token.line in (8, 9)]
        assert (len(tokens) == answer.value.total) == bool(part)
        assert [(token.column, token.length, token.text, token.type) for token in tokens] == [
            (9, 5, "speak", "method"),
            (15, 6, "volume", "parameter"),
            (23, 5, "times", "parameter"),
            (15, 4, "bark", "function"),
        ]
        assert [token.modifiers for token in tokens[2:]] == [("declaration",), ()]


@pytest.mark.parametrize(("text", "status"), [("", Status.CONFIRMED), ("# nothing\n", Status.PARTIAL)])
async def test_a_text_without_any_token_may_mean_that_they_are_switched_off(tmp_path: Path, text: str, status: Status):
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        answer = await ask(pool, get_semantic_tokens, file_path="a.toy")
        assert (answer.status, answer.value.tokens) == (status, ())


async def test_folds_are_lines_that_belong_together(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_folding_ranges, file_path="animals.toy")
        assert [(fold.start_line, fold.end_line) for fold in answer.value.ranges] == [(2, 5), (4, 5), (7, 10), (8, 10)]


async def test_selections_grow_from_the_word_to_the_file(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_selection_ranges, file_path="animals.toy", line=9, text="bark")
        spans = [(each.line, each.column, each.end_line, each.end_column) for each in answer.value.ranges]
        assert spans == [(9, 15, 9, 19), (9, 1, 9, 30), (8, 5, 10, 26), (7, 1, 10, 26), (1, 1, 11, 1)]


async def test_lenses_are_resolved_where_they_are_shown(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        answer = await ask(pool, get_code_lenses, file_path="voices.toy", limit=1, offset=1)
        (lens,) = answer.value.lenses
        assert (lens.line, lens.column, lens.title, lens.command) == (5, 5, "3 uses", "toy.show")
        assert (answer.status, answer.value.total, log.count("codeLens/resolve")) == (Status.CONFIRMED, 2, 1)


async def test_a_lens_that_cannot_be_resolved_makes_the_answer_partial(tmp_path: Path):
    async with zoo(tmp_path, "lacks=codeLens/resolve") as pool:
        answer = await ask(pool, get_code_lenses, file_path="voices.toy")
        assert (answer.status, answer.value.total) == (Status.PARTIAL, 2)
        assert "what 2 of them are" in answer.reason


@pytest.mark.parametrize("habits", ["", "null"])
@pytest.mark.parametrize("name", ["get_inlay_hints", "get_folding_ranges", "get_code_lenses"])
async def test_nothing_is_confirmed_to_be_nothing(tmp_path: Path, habits: str, name: str):
    async with zoo(tmp_path, habits, {"a.toy": "# nothing\n"}) as pool:
        answer = await ask(pool, find_operation(name), file_path="a.toy")
        assert (answer.status, answer.value.total) == (Status.CONFIRMED, 0)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("get_inlay_hints", "inlayHint"),
        ("get_semantic_tokens", "semanticTokens"),
        ("get_folding_ranges", "foldingRange"),
        ("get_code_lenses", "codeLens"),
    ],
)
async def test_what_a_server_lacks_is_typed_and_says_what_else_can_be_asked(tmp_path: Path, name: str, method: str):
    async with zoo(tmp_path, f"lacks=textDocument/{method}") as pool:
        with pytest.raises(CapabilityMissing, match=method) as raised:
            await ask(pool, find_operation(name), file_path="animals.toy")
        assert "instead" in raised.value.hint
