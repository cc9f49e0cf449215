"""Edits that the reader makes up: text for text, workspace edits, whole files; and taking them back."""

from pathlib import Path

import pytest

from groundwire.errors import EditConflict, FileNotFound, GroundwireError, InvalidArgument, NotAFile, OutsideWorkspace
from groundwire.operations.answer import Status
from groundwire.operations.editing.apply_edit import apply_edit
from groundwire.operations.editing.undo_edit import undo_edit
from groundwire.operations.editing.write_file import write_file
from groundwire.pool.pool import Pool
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio


def content(pool: Pool, name: str) -> bytes:
    return (pool.workspace / name).read_bytes()


async def test_text_is_replaced_and_what_that_brings_is_told(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, apply_edit, file_path="lonely.toy", old_text="def nobody()", new_text="def wrong()\n")
        assert content(pool, "lonely.toy") == b"def wrong()\n\n"
        assert answer.status is Status.CONFIRMED
        assert answer.value.report is not None
        (file,) = answer.value.report.files
        assert [each.message for each in file.diagnostics] == ["def wrong()"]
        assert (answer.value.files[0].file, answer.value.files[0].kind) == ("lonely.toy", "changed")


async def test_put_right_it_is_confirmed_clean_and_the_error_is_resolved(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        given = {"file_path": "lonely.toy", "old_text": "nobody", "new_text": "wrong"}
        await ask(pool, apply_edit, **given)
        answer = await ask(pool, apply_edit, **{**given, "old_text": "wrong", "new_text": "nobody"})
        report = answer.value.report
        assert report is not None
        assert (answer.status, report.introduced, report.resolved) == (Status.CONFIRMED, 0, 1)


async def test_line_endings_byte_order_mark_and_encoding_stay(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        file = pool.workspace / "odd.toy"
        file.write_bytes(b"\xef\xbb\xbfdef one()\r\ndef two()\r\n# \xc3\xa9\r\n")
        old, new = "def one()\ndef two()\n", "def one()\ndef new()\ndef two()\n"
        await ask(pool, apply_edit, file_path="odd.toy", old_text=old, new_text=new)
        assert file.read_bytes() == b"\xef\xbb\xbfdef one()\r\ndef new()\r\ndef two()\r\n# \xc3\xa9\r\n"


async def test_lines_with_other_endings_than_most_are_left_alone(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        file = pool.workspace / "mixed.toy"
        file.write_bytes(b"a\r\nb\nc\r\nd\r\n")
        await ask(pool, apply_edit, file_path="mixed.toy", old_text="c\nd", new_text="e\nf")
        assert file.read_bytes() == b"a\r\nb\ne\r\nf\r\n"


async def test_a_match_with_white_space_ignored_is_noted(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(
            pool,
            apply_edit,
            file_path="animals.toy",
            old_text="def speak(volume, times)\n    😀 use bark(volume, 2)",
            new_text="def speak(volume, times)\n    use bark(volume, 3)",
        )
        assert b"        use bark(volume, 3)\n" in content(pool, "animals.toy")
        assert any("white space" in note for note in answer.value.notes)


async def test_every_place_is_replaced_on_request_and_counted(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        given = {"file_path": "animals.toy", "old_text": "use shout(volume)", "new_text": "use shout(times)"}
        with pytest.raises(EditConflict, match=r"2 times: line 5: .*; line 10: "):
            await ask(pool, apply_edit, **given)
        answer = await ask(pool, apply_edit, **given, replace_all=True)
        assert answer.value.notes == ("replaced 2 times",)


async def test_a_workspace_edit_is_applied_with_its_files(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        uri = (pool.workspace / "animals.toy").as_uri()
        # Columns in UTF-16: the emoji before it takes two units.
        span = {"start": {"line": 8, "character": 11}, "end": {"line": 8, "character": 14}}
        edit = {
            "documentChanges": [
                {"kind": "create", "uri": (pool.workspace / "new/cat.toy").as_uri()},
                {"textDocument": {"uri": uri, "version": None}, "edits": [{"range": span, "newText": "USE"}]},
                {"kind": "delete", "uri": (pool.workspace / "lonely.toy").as_uri()},
            ]
        }
        answer = await ask(pool, apply_edit, workspace_edit=edit)
        assert "😀 USE bark" in content(pool, "animals.toy").decode()
        assert (pool.workspace / "new/cat.toy").exists()
        assert not (pool.workspace / "lonely.toy").exists()
        assert {file.kind for file in answer.value.files} == {"created", "changed", "deleted"}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, InvalidArgument),
        ({"file_path": "lonely.toy", "new_text": "x"}, InvalidArgument),
        ({"file_path": "lonely.toy", "old_text": "absent", "new_text": "x"}, EditConflict),
        ({"file_path": "nowhere.toy", "old_text": "a", "new_text": "x"}, FileNotFound),
        ({"file_path": "../secret.txt", "old_text": "absent", "new_text": "x"}, OutsideWorkspace),
        ({"file_path": "binary.toy", "old_text": "a", "new_text": "x"}, NotAFile),
        ({"workspace_edit": {"changes": {}}}, InvalidArgument),
        ({"workspace_edit": {"documentChanges": [{"kind": "explode", "uri": "file:///a"}]}}, InvalidArgument),
        ({"workspace_edit": {"changes": {"file:///etc/hostname": []}}}, OutsideWorkspace),
        ({"workspace_edit": {"changes": {}}, "file_path": "lonely.toy"}, InvalidArgument),
    ],
)
async def test_what_cannot_be_applied_is_refused_and_changes_nothing(
    tmp_path: Path, given: dict[str, object], error: type[GroundwireError]
):
    async with zoo(tmp_path) as pool:
        (tmp_path / "secret.txt").write_text("the secret\n", "utf-8")
        (pool.workspace / "binary.toy").write_bytes(b"a\0b")
        with pytest.raises(error) as raised:
            await ask(pool, apply_edit, **given)
        assert "secret\n" not in raised.value.message
        assert {name: content(pool, name).decode() for name in ZOO} == ZOO


async def test_a_link_that_leads_out_is_neither_read_nor_written(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        (tmp_path / "secret.txt").write_text("the password is swordfish\n", "utf-8")
        (pool.workspace / "link.toy").symlink_to(tmp_path / "secret.txt")
        with pytest.raises(OutsideWorkspace) as raised:
            await ask(pool, apply_edit, file_path="link.toy", old_text="the password is", new_text="x")
        assert "swordfish" not in raised.value.message


async def test_an_edit_that_changes_nothing_writes_nothing(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        before = (pool.workspace / "lonely.toy").stat().st_mtime_ns
        answer = await ask(pool, apply_edit, file_path="lonely.toy", old_text="nobody", new_text="nobody")
        assert (answer.value.files, (pool.workspace / "lonely.toy").stat().st_mtime_ns) == ((), before)


async def test_a_file_is_written_with_its_directories(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, write_file, file_path="deep/er/cat.toy", text="def wrong()\n")
        assert content(pool, "deep/er/cat.toy") == b"def wrong()\n"
        assert answer.value.files[0].kind == "created"
        assert answer.value.report is not None
        assert [each.message for each in answer.value.report.files[0].diagnostics] == ["def wrong()"]


async def test_a_file_that_is_replaced_keeps_its_mark_and_line_endings(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        file = pool.workspace / "odd.toy"
        file.write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
        await ask(pool, write_file, file_path="odd.toy", text="\ufeffc\nd\n")
        assert file.read_bytes() == b"\xef\xbb\xbfc\r\nd\r\n"


async def test_line_endings_that_differ_from_those_of_the_file_are_noted(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, write_file, file_path="lonely.toy", text="def a()\r\n")
        assert content(pool, "lonely.toy") == b"def a()\n"
        assert any("line endings" in note for note in answer.value.notes)


@pytest.mark.parametrize(
    ("name", "error"), [("../out.toy", OutsideWorkspace), ("folder", NotAFile), ("a.toy/b.toy", EditConflict)]
)
async def test_no_file_is_written_where_none_may_be(tmp_path: Path, name: str, error: type[GroundwireError]):
    async with zoo(tmp_path) as pool:
        (pool.workspace / "folder").mkdir()
        (pool.workspace / "a.toy").write_text("", "utf-8")
        with pytest.raises(error):
            await ask(pool, write_file, file_path=name, text="x")


async def test_edits_are_undone_one_by_one_the_last_first(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, apply_edit, file_path="lonely.toy", old_text="nobody", new_text="somebody")
        await ask(pool, write_file, file_path="new.toy", text="x\n")
        undone = await ask(pool, undo_edit)
        assert undone.value.files[0].kind == "deleted"
        await ask(pool, undo_edit)
        assert content(pool, "lonely.toy").decode() == ZOO["lonely.toy"]
        nothing = await ask(pool, undo_edit)
        assert (nothing.value.applied, nothing.value.files) == (False, ())


async def test_an_edit_is_undone_by_its_name_unless_its_file_changed_since(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        first = await ask(pool, apply_edit, file_path="lonely.toy", old_text="nobody", new_text="somebody")
        await ask(pool, write_file, file_path="new.toy", text="x\n")
        await ask(pool, undo_edit, undo_id=first.value.undo_id)
        assert content(pool, "lonely.toy").decode() == ZOO["lonely.toy"]
        (pool.workspace / "new.toy").write_text("y\n", "utf-8")
        with pytest.raises(EditConflict, match=r"new\.toy"):
            await ask(pool, undo_edit)
        with pytest.raises(InvalidArgument, match="no edit 'ffffff'"):
            await ask(pool, undo_edit, undo_id="ffffff")
