"""Renaming a symbol everywhere: previewed with every site, written all or nothing, refused where it may be partial."""

from pathlib import Path

import pytest

from groundwire.edits.undo import UndoStack
from groundwire.errors import CapabilityMissing, EditConflict, InvalidArgument
from groundwire.operations.answer import Status
from groundwire.operations.editing.rename import prepare_rename, rename_symbol
from groundwire.operations.results.fixes import RenameSite
from groundwire.pool.pool import Pool
from groundwire.workspace.rules import SettleRule
from tests.operations.toy_project import ZOO, ask, at, zoo

pytestmark = pytest.mark.anyio

UNMEASURED = SettleRule(measured=False, scope="file")


def texts(pool: Pool) -> dict[str, str]:
    return {name: (pool.workspace / name).read_bytes().decode() for name in ZOO}


def short(site: RenameSite) -> tuple[str, str, str]:
    return f"{site.file}:{site.line}:{site.column}", site.before, site.after


async def test_a_preview_shows_every_site_and_writes_nothing(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, rename_symbol, symbol="bark", new_name="howl")
        assert texts(pool) == ZOO
    assert (answer.status, answer.servers, answer.value.applied) == (Status.CONFIRMED, ("well_read",), False)
    assert [short(site) for site in answer.value.sites] == [
        ("animals.toy:9:15", "😀 use bark(volume, 2)", "😀 use howl(volume, 2)"),
        ("voices.toy:1:5", "def bark(loudness, count)", "def howl(loudness, count)"),
    ]
    assert answer.value.total == 2
    assert {file.file: (file.added, file.removed) for file in answer.value.files} == {
        "animals.toy": (1, 1),
        "voices.toy": (1, 1),
    }
    assert all("howl" in file.diff for file in answer.value.files)


async def test_applied_it_is_written_everywhere_and_can_be_undone(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, rename_symbol, symbol="bark", new_name="howl", apply=True)
        assert texts(pool) == {name: text.replace("bark", "howl") for name, text in ZOO.items()}
        pool.kept.get(UndoStack).undo(answer.value.undo_id)
        assert texts(pool) == ZOO
    assert (answer.value.applied, answer.value.total, answer.value.sites) == (True, 2, ())
    assert answer.value.report is not None


async def test_line_endings_stay_as_they_are(tmp_path: Path) -> None:
    files = {**ZOO, "voices.toy": ZOO["voices.toy"].replace("\n", "\r\n")}
    async with zoo(tmp_path, files=files) as pool:
        await ask(pool, rename_symbol, symbol="shout", new_name="whisper", apply=True)
        assert texts(pool) == {name: text.replace("shout", "whisper") for name, text in files.items()}


@pytest.mark.parametrize(("given", "is_applied"), [({"dry_run": False}, True), ({"dry_run": True}, False)])
async def test_dry_run_is_understood(given: dict[str, bool], is_applied: bool, tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, rename_symbol, symbol="bark", new_name="howl", **given)
        assert (answer.value.applied, texts(pool) != ZOO) == (is_applied, is_applied)


async def test_apply_and_dry_run_exclude_each_other(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match="exclude"):
            await ask(pool, rename_symbol, symbol="bark", new_name="howl", apply=True, dry_run=True)


@pytest.mark.parametrize("name", ["", " ", "a\nb", " howl", "a\u2028b", "x" * 2000])
async def test_what_is_no_name_in_any_language_is_refused_before_a_server_is_asked(name: str, tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match="new_name"):
            await ask(pool, rename_symbol, symbol="bark", new_name=name)
        assert pool.instances() == ()


@pytest.mark.parametrize("pattern", ["animals.toy", "**/animals.toy", "*.toy", "an*"])
async def test_files_that_are_left_out_are_named_and_the_danger_is_said(pattern: str, tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, rename_symbol, symbol="bark", new_name="howl", exclude_globs=[pattern])
    assert "animals.toy" not in {site.file for site in answer.value.sites}
    (note,) = answer.value.notes
    assert "animals.toy" in note
    assert "may not compile" in note


async def test_a_directory_below_can_be_left_out(tmp_path: Path) -> None:
    files = {**ZOO, "vendor/deep/copy.toy": "def other()\n    use bark(1, 2)\n"}
    async with zoo(tmp_path, files=files) as pool:
        given = {"symbol": "bark", "new_name": "howl", "exclude_globs": ["vendor/**"], "apply": True}
        answer = await ask(pool, rename_symbol, **given)
        assert "use bark" in (pool.workspace / "vendor/deep/copy.toy").read_text("utf-8")
        assert "use howl" in (pool.workspace / "animals.toy").read_text("utf-8")
    assert answer.value.total == 2


async def test_a_place_where_nothing_has_a_name_cannot_be_renamed(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match="cannot rename what is there"):
            await ask(pool, rename_symbol, file_path="animals.toy", line=1, column=1, new_name="howl")


async def test_a_server_that_does_not_rename_says_so(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/rename") as pool:
        with pytest.raises(CapabilityMissing):
            await ask(pool, rename_symbol, symbol="bark", new_name="howl")


async def test_what_may_be_incomplete_is_shown_but_not_written_unless_insisted_on(tmp_path: Path) -> None:
    async with zoo(tmp_path, settle=UNMEASURED) as pool:
        shown = await ask(pool, rename_symbol, symbol="bark", new_name="howl")
        assert (shown.status, shown.value.total) == (Status.PARTIAL, 2)
        with pytest.raises(EditConflict, match="sites may be missing"):
            await ask(pool, rename_symbol, symbol="bark", new_name="howl", apply=True)
        assert texts(pool) == ZOO
        done = await ask(pool, rename_symbol, symbol="bark", new_name="howl", apply=True, force=True)
        assert texts(pool) != ZOO
    assert done.status is not Status.CONFIRMED


async def test_the_present_name_changes_nothing(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, rename_symbol, symbol="bark", new_name="bark", apply=True)
        assert texts(pool) == ZOO
    assert (answer.value.applied, answer.value.files, answer.value.undo_id) == (False, (), "")


async def test_what_can_be_renamed_is_told_with_its_place_and_name(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        found = await ask(pool, prepare_rename, file_path="animals.toy", line=9, text="bark")
        nothing = await ask(pool, prepare_rename, file_path="animals.toy", line=1, column=1)
    assert found.value.place is not None
    assert (at(found.value.place), found.value.placeholder) == ("animals.toy:9:15", "bark")
    assert (nothing.status, nothing.value.renamable, nothing.value.place) == (Status.CONFIRMED, False, None)


async def test_a_file_that_appears_while_the_server_answers_is_renamed_in_too(tmp_path: Path) -> None:
    async with zoo(tmp_path, "edits=textDocument/rename") as pool:
        answer = await ask(pool, rename_symbol, symbol="shout", new_name="whisper", apply=True)
        assert (pool.workspace / "late.toy").read_text("utf-8") == "def late(what)\n    use whisper(what)\n"
    assert "late.toy" in {file.file for file in answer.value.files}
