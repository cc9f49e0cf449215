"""The edits of symbols as operations: on disk, by the server's word, and refused where that is not enough."""

from pathlib import Path

import pytest

from groundwire.errors import AmbiguousSymbol, CapabilityMissing, EditConflict, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.editing.carry_out import undo
from groundwire.operations.editing.symbol_edits import (
    insert_after_symbol,
    insert_before_symbol,
    replace_symbol_body,
    safe_delete_symbol,
)
from groundwire.operations.operation import Call
from groundwire.workspace.rules import SettleRule
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio

ANIMALS, VOICES = ZOO["animals.toy"], ZOO["voices.toy"]


def content(root: Path, name: str) -> str:
    return (root / name).read_bytes().decode()


async def test_a_body_is_replaced_on_disk_and_the_edit_is_reported(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, replace_symbol_body, symbol_path="voices.toy::bark", new_body="use shout(count)")
        assert (answer.status, answer.value.applied, answer.servers) == (Status.CONFIRMED, True, ("well_read",))
        assert content(pool.workspace, "voices.toy") == VOICES.replace("use shout(loudness)", "use shout(count)")
        assert answer.value.report is not None


async def test_an_edit_of_a_symbol_can_be_undone(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, safe_delete_symbol, symbol_path="Dog", file_path="animals.toy")
        assert content(pool.workspace, "animals.toy") == ANIMALS[: ANIMALS.index("\nclass Dog")]
        await undo(Call(pool, float("inf")), answer.value.undo_id)
        assert content(pool.workspace, "animals.toy") == ANIMALS


async def test_a_preview_writes_nothing(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, insert_after_symbol, symbol_path="Dog.speak", code="def sit()", preview=True)
        assert not answer.value.applied
        assert "+    def sit()" in answer.value.files[0].diff
        assert content(pool.workspace, "animals.toy") == ANIMALS


async def test_code_is_inserted_before_the_comments_of_a_symbol(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, insert_before_symbol, symbol_path="shout", file_path="voices.toy", code="def hum()")
        assert content(pool.workspace, "voices.toy") == VOICES.replace("# Makes", "def hum()\n\n# Makes")


async def test_line_endings_and_columns_of_the_file_are_kept(tmp_path: Path) -> None:
    files = {"animals.toy": ANIMALS.replace("\n", "\r\n")}
    async with zoo(tmp_path, files=files) as pool:
        await ask(pool, replace_symbol_body, symbol_path="Dog.speak", new_body="😀 use Dog\nuse Animal")
        expected = ANIMALS.replace(
            "😀 use bark(volume, 2)\n        use shout(volume)", "😀 use Dog\n        use Animal"
        )
        assert content(pool.workspace, "animals.toy") == expected.replace("\n", "\r\n")


async def test_a_symbol_that_is_used_is_not_deleted_and_the_places_are_told(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(EditConflict) as refusal:
            await ask(pool, safe_delete_symbol, symbol_path="shout")
        assert "used in 3 places: animals.toy:5:13 use shout(volume); animals.toy:10:13" in refusal.value.message
        assert content(pool.workspace, "voices.toy") == VOICES


async def test_a_use_by_itself_does_not_keep_a_symbol(tmp_path: Path) -> None:
    text = "def again(count)\n    use again(count)\n\ndef other()\n"
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        await ask(pool, safe_delete_symbol, symbol_path="again")
        assert content(pool.workspace, "a.toy") == "def other()\n"


async def test_a_file_written_meanwhile_is_seen(tmp_path: Path) -> None:
    async with zoo(tmp_path, "edits=textDocument/documentSymbol") as pool:
        with pytest.raises(EditConflict, match="used in"):
            await ask(pool, safe_delete_symbol, symbol_path="shout")
        (pool.workspace / "user.toy").write_text("def user()\n    use nobody\n", "utf-8")
        with pytest.raises(EditConflict, match=r"used in 1 place: user\.toy:2:9"):
            await ask(pool, safe_delete_symbol, symbol_path="nobody")


async def test_what_may_be_used_is_not_deleted(tmp_path: Path) -> None:
    async with zoo(tmp_path, settle=SettleRule(measured=False, scope="file")) as pool:
        with pytest.raises(EditConflict, match="whether nobody is used is not known"):
            await ask(pool, safe_delete_symbol, symbol_path="nobody")
        assert content(pool.workspace, "lonely.toy") == ZOO["lonely.toy"]


async def test_without_references_nothing_is_deleted(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/references") as pool:
        with pytest.raises(CapabilityMissing):
            await ask(pool, safe_delete_symbol, symbol_path="nobody")
        assert content(pool.workspace, "lonely.toy") == ZOO["lonely.toy"]


async def test_a_near_miss_is_edited_and_said_but_never_deleted(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(NoSuchSymbol) as refusal:
            await ask(pool, safe_delete_symbol, symbol_path="animals.toy::dog")
        assert "Dog" in refusal.value.hint
        answer = await ask(pool, insert_after_symbol, symbol_path="animals.toy::dog", code="class Cat")
        assert "taken for Dog, in another case" in answer.value.notes


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"symbol_path": "missing"}, NoSuchSymbol),
        ({"symbol_path": "animals.toy::speak"}, AmbiguousSymbol),
        ({"symbol_path": "shout"}, InvalidArgument),
        ({}, InvalidArgument),
    ],
)
async def test_what_cannot_be_done_is_typed(tmp_path: Path, given: dict[str, object], error: type[Exception]) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(error):
            await ask(pool, replace_symbol_body, new_body="use shout", **given)
        assert content(pool.workspace, "voices.toy") == VOICES


async def test_symbols_without_a_tree_can_be_edited_too(tmp_path: Path) -> None:
    async with zoo(tmp_path, "flat") as pool:
        await ask(pool, replace_symbol_body, symbol_path="Animal.speak", new_body="use Dog")
        assert content(pool.workspace, "animals.toy") == ANIMALS.replace("use shout(volume)", "use Dog", 1)
