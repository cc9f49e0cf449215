"""The text before an edit, only where it is certain, and which files an event is about."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from groundwire.operations.reporting.dependents import Edited
from groundwire.surfaces.hooks.edited_files import read_edits, text_before
from groundwire.surfaces.hooks.event import HookEvent, Replaced

LARGEST = 1000


def event(*files: str, before: dict[str, str] | None = None, replaced: tuple[Replaced, ...] = ()) -> HookEvent:
    return HookEvent(agent="claude", moment="edited", name="X", files=files, before=before or {}, replaced=replaced)


def test_a_replacement_is_undone_where_the_new_text_stands_once():
    assert text_before("a = 2\n", [Replaced("f", "1", "2")]) == "a = 1\n"


def test_several_replacements_are_undone_from_the_last_to_the_first():
    assert text_before("c", [Replaced("f", "a", "b"), Replaced("f", "b", "c")]) == "a"


def test_the_past_is_not_known_where_the_new_text_stands_twice_or_nowhere_or_is_nothing():
    assert text_before("2 2", [Replaced("f", "1", "2")]) is None
    assert text_before("3", [Replaced("f", "1", "2")]) is None
    assert text_before("3", [Replaced("f", "1", "")]) is None
    assert text_before("2", [Replaced("f", "1", "2", is_everywhere=True)]) is None


@given(st.text("ab\n", max_size=8), st.text("abc", min_size=1, max_size=3), st.text("abc", min_size=1, max_size=3))
def test_a_past_that_is_worked_out_leads_to_the_present(text: str, old: str, new: str):
    before = text_before(text, [Replaced("f", old, new)])
    if before is not None:
        start = text.index(new)
        assert before[:start] + new + before[start + len(old) :] == text


def test_what_the_host_says_of_the_past_comes_first(tmp_path: Path):
    (tmp_path / "a.toy").write_text("2", "utf-8")
    told = event("a.toy", before={"a.toy": "0"}, replaced=(Replaced("a.toy", "1", "2"),))
    assert read_edits(told, tmp_path, LARGEST) == [Edited(tmp_path / "a.toy", "0", "2")]
    told = event("a.toy", replaced=(Replaced("a.toy", "1", "2"), Replaced("b.toy", "x", "y")))
    assert read_edits(told, tmp_path, LARGEST) == [Edited(tmp_path / "a.toy", "1", "2")]


def test_a_file_that_is_gone_is_told_as_gone_and_a_directory_not_at_all(tmp_path: Path):
    (tmp_path / "directory").mkdir()
    assert read_edits(event("gone.toy", "directory"), tmp_path, LARGEST) == [Edited(tmp_path / "gone.toy", None, None)]


def test_names_outside_the_workspace_and_names_of_no_file_are_passed_over(tmp_path: Path):
    names = ("../x.toy", "/etc/hosts", "x" * 5000, "a\udc80", "")
    assert [each.file.parent for each in read_edits(event(*names), tmp_path, LARGEST)] in ([], [tmp_path])


def test_a_link_that_leads_out_of_the_workspace_is_passed_over(tmp_path: Path):
    (tmp_path / "outside.toy").write_text("x", "utf-8")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "link.toy").symlink_to(tmp_path / "outside.toy")
    assert read_edits(event("link.toy"), workspace, LARGEST) == []
