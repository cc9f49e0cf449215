"""Files renamed with the imports of them, all or nothing, and honestly where nobody can update them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import EditConflict, FileNotFound, GroundwireError, InvalidArgument, NotAFile, OutsideWorkspace
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.editing.rename_file import rename_file
from groundwire.operations.editing.undo_edit import undo_edit
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

FILES = {
    "voice.toy": "def shout(what)\n",
    "user.toy": "# from voice\ndef user()\n    use shout(1)\n",
    "note.txt": "n\n",
}


@asynccontextmanager
async def project(tmp_path: Path, habit: str = "") -> AsyncGenerator[Pool]:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text, "utf-8")
    spec = msgspec.structs.replace(toy_spec("updates_imports"), environment={"UPDATES": habit})
    async with Pool(root, catalog=toy_catalog(spec)) as pool:
        yield pool


def contents(pool: Pool) -> dict[str, str]:
    files = (file for file in pool.workspace.rglob("*") if file.is_file())
    return {file.relative_to(pool.workspace).as_posix(): file.read_text("utf-8") for file in files}


async def test_a_preview_shows_everything_and_writes_nothing(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await ask(pool, rename_file, old_path="voice.toy", new_path="sound.toy")
        assert (answer.status, answer.value.applied, contents(pool)) == (Status.CONFIRMED, False, FILES)
        assert {(file.kind, file.file) for file in answer.value.files} == {
            ("changed", "user.toy"),
            ("renamed", "sound.toy"),
        }
        assert any("+# from sound" in file.diff for file in answer.value.files)


async def test_applied_the_file_and_its_imports_change_together_and_go_back_together(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await ask(pool, rename_file, old_path="voice.toy", new_path="deep/sound.toy", apply=True)
        assert (answer.value.applied, answer.value.notes) == (True, ())
        assert contents(pool) == {
            "deep/sound.toy": FILES["voice.toy"],
            "user.toy": FILES["user.toy"].replace("voice", "sound"),
            "note.txt": "n\n",
        }
        await ask(pool, undo_edit)
        assert contents(pool) == FILES


async def test_edits_of_the_renamed_file_itself_arrive_at_its_new_place(tmp_path: Path):
    async with project(tmp_path, "itself") as pool:
        await ask(pool, rename_file, old_path="voice.toy", new_path="sound.toy", apply=True)
        assert contents(pool)["sound.toy"] == "def was_shout(what)\n"


@pytest.mark.parametrize(("habit", "error"), [("outside", OutsideWorkspace), ("stale", EditConflict)])
async def test_an_edit_of_the_server_that_cannot_be_applied_stops_all(
    tmp_path: Path, habit: str, error: type[GroundwireError]
):
    async with project(tmp_path, habit) as pool:
        # Open, so that the version which the edit is for is known.
        await ask(pool, get_diagnostics, file_path="user.toy")
        with pytest.raises(error):
            await ask(pool, rename_file, old_path="voice.toy", new_path="sound.toy", apply=True)
        assert contents(pool) == FILES


async def test_a_server_that_fails_leaves_the_imports_unknown(tmp_path: Path):
    async with project(tmp_path, "fails") as pool:
        answer = await ask(pool, rename_file, old_path="voice.toy", new_path="sound.toy")
        assert answer.status is Status.PARTIAL
        assert "cannot" in answer.reason
        assert answer.value.notes == ("imports are not updated: no server could be asked",)


async def test_where_no_server_offers_it_that_is_said(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, rename_file, old_path="lonely.toy", new_path="alone.toy", apply=True)
        assert answer.value.notes == ("imports are not updated: well_read does not offer to",)
        assert (pool.workspace / "alone.toy").exists()


async def test_a_file_that_no_server_knows_is_renamed_all_the_same(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await ask(pool, rename_file, old_path="note.txt", new_path="notes.txt", apply=True)
        assert contents(pool)["notes.txt"] == "n\n"
        assert answer.value.notes == ("imports are not updated: no server offers to for this kind of file",)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("nowhere.toy", "x.toy", FileNotFound),
        ("voice.toy", "user.toy", EditConflict),
        ("voice.toy", "../x.toy", OutsideWorkspace),
        ("../x.toy", "y.toy", OutsideWorkspace),
        ("folder", "other", NotAFile),
        ("voice.toy", "folder", InvalidArgument),
    ],
)
async def test_what_cannot_be_renamed_is_refused(tmp_path: Path, old: str, new: str, error: type[GroundwireError]):
    async with project(tmp_path) as pool:
        (pool.workspace / "folder").mkdir()
        with pytest.raises(error):
            await ask(pool, rename_file, old_path=old, new_path=new, apply=True)
        assert contents(pool) == FILES
