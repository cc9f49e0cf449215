"""Formatting: shown or written, with the indentation that the project wants."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, InvalidArgument
from groundwire.operations.answer import Status
from groundwire.operations.editing.formatting import FormatDocument, format_document, format_range, options_for
from groundwire.pool.pool import Pool
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

UGLY = "def one()  \n\tuse two()\n\tuse three()\r\n  \n"
FILES = {"a.toy": UGLY, "b.toy": "def two()\n", ".editorconfig": "root = true\n"}


def text(pool: Pool) -> str:
    return (pool.workspace / "a.toy").read_bytes().decode()


async def test_a_preview_shows_the_difference_and_writes_nothing(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, format_document, file_path="a.toy")
        assert text(pool) == UGLY
    assert (answer.status, answer.servers, answer.value.applied) == (Status.CONFIRMED, ("well_read",), False)
    assert "+def one()\n" in answer.value.files[0].diff


async def test_applied_it_is_written_as_the_arguments_say(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        given = {"file_path": "a.toy", "tab_size": 3, "insert_spaces": True, "apply": True}
        answer = await ask(pool, format_document, **given)
        assert text(pool) == "def one()\n   use two()\n   use three()\r\n\n"
    assert (answer.value.applied, bool(answer.value.undo_id)) == (True, True)


async def test_without_arguments_the_project_decides(tmp_path: Path) -> None:
    config = "root = true\n[*.toy]\nindent_style = space\nindent_size = 2\n"
    async with zoo(tmp_path, files={**FILES, ".editorconfig": config}) as pool:
        await ask(pool, format_document, file_path="a.toy", apply=True)
        assert text(pool) == "def one()\n  use two()\n  use three()\r\n\n"


async def test_only_the_lines_of_the_range_are_changed(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        given = {"start_line": 2, "end_line": 2, "tab_size": 2, "insert_spaces": True, "apply": True}
        await ask(pool, format_range, file_path="a.toy", **given)
        assert text(pool) == UGLY.replace("\tuse two", "  use two")
        with pytest.raises(InvalidArgument, match="end_line is 20"):
            await ask(pool, format_range, file_path="a.toy", start_line=2, end_line=20)


async def test_what_is_formatted_already_stays_and_that_is_said(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, format_document, file_path="b.toy", apply=True)
    assert (answer.status, answer.value.applied, answer.value.files) == (Status.CONFIRMED, False, ())
    assert answer.value.notes == ("well_read has nothing to change",)


async def test_a_server_that_does_not_format_says_so(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/formatting", files=FILES) as pool:
        with pytest.raises(CapabilityMissing):
            await ask(pool, format_document, file_path="a.toy")


def test_options_come_from_the_arguments_then_editorconfig_then_the_text(tmp_path: Path) -> None:
    file = tmp_path / "deep/a.py"
    file.parent.mkdir()
    spaces = "def f():\n  if x:\n    pass\n"
    (tmp_path / ".editorconfig").write_text("root=true\n[*]\ninsert_final_newline=true\n", "utf-8")
    assert options_for(file, spaces, FormatDocument(file_path="x")) == {
        "tabSize": 2,
        "insertSpaces": True,
        "insertFinalNewline": True,
    }
    config = "[*.py]\nindent_style=tab\ntab_width=8\ntrim_trailing_whitespace=false\n"
    (tmp_path / "deep/.editorconfig").write_text(config, "utf-8")
    found = options_for(file, spaces, FormatDocument(file_path="x"))
    assert (found["tabSize"], found["insertSpaces"], found["trimTrailingWhitespace"]) == (8, False, False)
    forced = options_for(file, spaces, FormatDocument(file_path="x", tab_size=3, insert_spaces=True))
    assert (forced["tabSize"], forced["insertSpaces"]) == (3, True)
