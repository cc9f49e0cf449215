"""Edits planned over files: in order, against the content planned so far, and refused where they do not fit."""

from pathlib import Path

import msgspec
import pytest

from groundwire.edits.plan import Confirmation, plan_edit
from groundwire.edits.steps import MakeDirectory, MakeFile, Move, RemoveDirectory, RemoveFile, Write
from groundwire.edits.text_changes import Basis, NewText
from groundwire.errors import EditConflict, FileTooLarge, NotAFile, PermissionDenied
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.lsp import decode
from groundwire.protocol.lsp_edits import WorkspaceEdit
from groundwire.protocol.positions import PositionEncoding
from tests.edits.projects import Project, Shape, text_edit, workspace_edit


def test_changes_by_file_become_one_step_each(project: Project):
    a, b = project.put("a.py", "abc"), project.put("b.py", "b")
    edits = {
        project.uri("a.py"): [text_edit(0, 2, 3, "z"), text_edit(0, 0, 1, "x")],
        project.uri("b.py"): [text_edit(0, 0, 0, "!")],
    }
    edit = decode(msgspec.json.encode({"changes": edits}), WorkspaceEdit)
    plan = plan_edit(edit, roots=[project.root], encoding="utf-8")
    assert plan.steps == (Write(a, b"abc", b"xbz"), Write(b, b"b", b"!b"))


def test_nothing_is_written_by_planning(project: Project):
    project.put("a.py", "a")
    before = project.state()
    project.plan(project.change("a.py", text_edit(0, 0, 1, "b")), project.create("d/b.py"), project.delete("a.py"))
    assert project.state() == before


@pytest.mark.parametrize(
    ("encoding", "start", "end"), [("utf-8", 5, 8), ("utf-16", 3, 4), ("utf-32", 2, 3)], ids=["8", "16", "32"]
)
def test_positions_are_counted_in_the_encoding_of_the_server(
    project: Project, encoding: PositionEncoding, start: int, end: int
):
    project.put("a.py", "x😀→y")
    plan = project.plan(project.change("a.py", text_edit(0, start, end, "=")), encoding=encoding)
    assert plan.changes[0].after_text == "x😀=y"


def test_the_same_file_by_two_names_is_one_file(project: Project):
    project.put("a.py", "ab")
    (project / "link.py").symlink_to("a.py")
    plan = project.plan(
        project.change("a.py", text_edit(0, 1, 2, "B")), project.change("link.py", text_edit(0, 0, 1, "A"))
    )
    assert plan.steps == (Write(project / "a.py", b"ab", b"AB"),)


def test_content_that_is_not_what_the_edit_was_computed_for_is_a_conflict(project: Project):
    path = project.put("a.py", "new")
    for change in (
        project.change("a.py", text_edit(0, 0, 1, "x")),
        project.delete("a.py"),
        project.create("a.py", overwrite=True),
    ):
        with pytest.raises(EditConflict, match=r"a\.py was changed since the edit was computed"):
            project.plan(change, computed_for={path: Basis(content_hash("old"))})
        assert project.plan(change, computed_for={path: Basis(content_hash("new"))}).unchecked == ()


def test_the_hash_is_that_of_the_text_the_server_was_told(project: Project):
    path = project.put("a.py", b"\xef\xbb\xbfnew")
    plan = project.plan(
        project.change("a.py", text_edit(0, 0, 3, "x")), computed_for={path: Basis(content_hash("new"))}
    )
    assert plan.steps == (Write(path, b"\xef\xbb\xbfnew", b"\xef\xbb\xbfx"),)


def test_a_file_known_by_the_name_of_a_link_is_checked_too(project: Project):
    project.put("a.py", "new")
    (project / "link.py").symlink_to("a.py")
    with pytest.raises(EditConflict, match="changed since"):
        project.plan(
            project.change("a.py", text_edit(0, 0, 1, "x")), computed_for={project / "link.py": Basis("other")}
        )


def test_a_renamed_file_is_checked_by_its_old_name(project: Project):
    path = project.put("a.py", "new")
    with pytest.raises(EditConflict, match="changed since"):
        project.plan(
            project.rename("a.py", "b.py"),
            project.change("b.py", text_edit(0, 0, 1, "x")),
            computed_for={path: Basis(content_hash("old"))},
        )


def test_files_of_which_nobody_said_what_they_were_are_told(project: Project):
    a = project.put("a.py", "a")
    b = project.put("b.py", "b")
    plan = project.plan(
        project.change("a.py", text_edit(0, 0, 1, "x")),
        project.change("b.py", text_edit(0, 0, 1, "x")),
        project.create("c.py"),
        project.change("c.py", text_edit(0, 0, 0, "x")),
        computed_for={a: Basis(content_hash("a"))},
    )
    assert plan.unchecked == (b,)


def test_an_edit_for_another_version_is_refused_naming_both(project: Project):
    path = project.put("a.py", "a")
    edit = project.change("a.py", text_edit(0, 0, 0, "x"), version=4)
    with pytest.raises(EditConflict, match=r"version 4 .* at 5"):
        project.plan(edit, computed_for={path: Basis(content_hash("a"), 5)})


@pytest.mark.parametrize(("edit_version", "known"), [(4, 4), (None, 4), (4, None), (None, None)])
def test_an_edit_for_this_version_or_for_none_is_taken(project: Project, edit_version: int | None, known: int | None):
    path = project.put("a.py", "a")
    edit = project.change("a.py", text_edit(0, 0, 0, "x"), version=edit_version)
    assert len(project.plan(edit, computed_for={path: Basis(content_hash("a"), known)}).steps) == 1


def test_a_file_that_is_not_there_cannot_be_edited(project: Project):
    with pytest.raises(EditConflict, match=r"b\.py is to be edited, but there is no such file"):
        project.plan(project.change("b.py", text_edit(0, 0, 0, "x")))


def test_what_is_no_text_file_cannot_be_edited(project: Project):
    project.put("a.bin", b"a\0b")
    (project / "d").mkdir()
    for name in ("a.bin", "d"):
        with pytest.raises(NotAFile, match=name):
            project.plan(project.change(name, text_edit(0, 0, 0, "x")))


def test_an_edit_that_changes_nothing_is_no_step(project: Project):
    project.put("a.py", "a")
    assert project.plan(project.change("a.py", text_edit(0, 0, 1, "a")), project.change("a.py")).steps == ()
    assert project.plan().steps == ()


def test_a_created_file_appears_with_its_content(project: Project):
    plan = project.plan(project.create("d/e/b.py"), project.change("d/e/b.py", text_edit(0, 0, 0, "new")))
    made = (MakeDirectory(project / "d"), MakeDirectory(project / "d/e"), MakeFile(project / "d/e/b.py", b"new"))
    assert plan.steps == made


def test_creating_a_file_that_exists_is_refused_unless_the_edit_says_what_then(project: Project):
    b = project.put("b.py", "old")
    edit = project.change("b.py", text_edit(0, 0, 0, "n"))
    with pytest.raises(EditConflict, match="exists"):
        project.plan(project.create("b.py"))
    assert project.plan(project.create("b.py", overwrite=True), edit).steps == (Write(b, b"old", b"n"),)
    assert project.plan(project.create("b.py", ignoreIfExists=True), edit).steps == (Write(b, b"old", b"nold"),)
    both = project.create("b.py", overwrite=True, ignoreIfExists=True)
    assert project.plan(both, edit).steps == (Write(b, b"old", b"n"),)


def test_a_directory_is_not_overwritten_by_a_file(project: Project):
    project.put("d/a.py", "a")
    project.put("b.py", "b")
    with pytest.raises(EditConflict, match="not a file"):
        project.plan(project.create("d", overwrite=True))
    with pytest.raises(EditConflict, match="is a directory"):
        project.plan(project.rename("b.py", "d", overwrite=True))


def test_a_file_in_the_way_of_a_directory_is_a_conflict(project: Project):
    project.put("a.py", "a")
    with pytest.raises(EditConflict, match="not a directory"):
        project.plan(project.create("a.py/b.py"))


def test_a_renamed_file_is_edited_under_its_new_name(project: Project):
    a, b = project.put("a.py", "a\nb"), project / "b.py"
    plan = project.plan(
        project.change("a.py", text_edit(0, 0, 1, "x")),
        project.rename("a.py", "b.py"),
        project.change("b.py", text_edit(1, 0, 1, "y")),
    )
    assert plan.steps == (
        Write(a, b"a\nb", b"x\nb"),
        Move(a, b, content_hash(b"x\nb")),
        Write(b, b"x\nb", b"x\ny"),
    )
    with pytest.raises(EditConflict, match="no such file"):
        project.plan(project.rename("a.py", "b.py"), project.change("a.py", text_edit(0, 0, 1, "x")))


def test_files_of_a_renamed_directory_move_along(project: Project):
    project.put("old/m/a.py", "a")
    project.put("older.py", "o")
    moved = project.rename("old", "new")
    plan = project.plan(moved, project.change("new/m/a.py", text_edit(0, 0, 0, "x")))
    assert plan.steps == (Move(project / "old", project / "new"), Write(project / "new/m/a.py", b"a", b"xa"))
    with pytest.raises(EditConflict):
        project.plan(moved, project.change("old/m/a.py", text_edit(0, 0, 0, "x")))


def test_files_can_swap_their_names(project: Project):
    project.put("a.py", "a")
    project.put("b.py", "b")
    project.apply(
        project.rename("a.py", "c.py"),
        project.rename("b.py", "a.py"),
        project.rename("c.py", "b.py"),
        project.change("a.py", text_edit(0, 0, 0, "1")),
        project.change("b.py", text_edit(0, 0, 0, "2")),
    )
    assert project.contents() == {"a.py": b"1b", "b.py": b"2a"}


def test_renaming_onto_a_file_is_refused_unless_the_edit_says_what_then(project: Project):
    project.put("a.py", "a")
    b = project.put("b.py", "b")
    edit = project.change("b.py", text_edit(0, 0, 0, "x"))
    with pytest.raises(EditConflict, match=r"b\.py, but that exists"):
        project.plan(project.rename("a.py", "b.py"))
    ignored = project.plan(project.rename("a.py", "b.py", ignoreIfExists=True), edit)
    assert ignored.steps == (Write(b, b"b", b"xb"),)
    overwritten = project.plan(project.rename("a.py", "b.py", overwrite=True), edit)
    assert overwritten.steps[-1] == Write(b, b"a", b"xa")


@pytest.mark.parametrize(("old", "new"), [("d", "d/e"), ("d/e", "d"), ("missing.py", "b.py")])
def test_renames_that_make_no_sense_are_refused(project: Project, old: str, new: str):
    project.put("d/e/a.py", "a")
    with pytest.raises(EditConflict):
        project.plan(project.rename(old, new))


def test_renaming_to_the_same_name_does_nothing(project: Project):
    project.put("a.py", "a")
    assert project.plan(project.rename("a.py", "a.py")).steps == ()


def test_upper_and_lower_case_are_two_names_where_the_file_system_says_so(project: Project):
    project.put("a.py", "a")
    project.put("A.py", "A")
    if len(project.contents()) == 1:
        pytest.skip("this file system does not tell upper from lower case")
    with pytest.raises(EditConflict, match="exists"):
        project.plan(project.rename("a.py", "A.py"))
    (project / "A.py").unlink()
    (project / "A.py").hardlink_to(project / "a.py")
    with pytest.raises(EditConflict, match="exists"):
        project.plan(project.rename("a.py", "A.py"))


def test_a_deleted_file_cannot_be_edited(project: Project):
    project.put("d/a.py", "a")
    for deletion in (project.delete("d/a.py"), project.delete("d", recursive=True)):
        with pytest.raises(EditConflict, match="no such file"):
            project.plan(deletion, project.change("d/a.py", text_edit(0, 0, 1, "x")))


def test_deleting_what_is_not_there_is_refused_unless_the_edit_says_so(project: Project):
    with pytest.raises(EditConflict, match="does not exist"):
        project.plan(project.delete("a.py"))
    assert project.plan(project.delete("a.py", ignoreIfNotExists=True)).steps == ()


def test_a_directory_is_deleted_with_its_content_only_if_the_edit_says_so(project: Project):
    path = project.put("d/a.py", "a")
    with pytest.raises(EditConflict, match="not empty"):
        project.plan(project.delete("d"))
    kinds = [type(step) for step in project.plan(project.delete("d", recursive=True)).steps]
    assert kinds == [RemoveFile, RemoveDirectory]
    path.unlink()
    assert [type(step) for step in project.plan(project.delete("d")).steps] == [RemoveDirectory]


def test_a_directory_is_deleted_as_it_is_planned_to_be(project: Project):
    project.put("old/a.py", "a")
    project.put("b.py", "b")
    changes: list[Shape] = [
        project.create("old/new.py"),
        project.rename("old", "d"),
        project.rename("b.py", "d/b.py"),
        project.delete("d/a.py"),
        project.delete("d", recursive=True),
    ]
    project.apply(*changes)
    assert project.contents() == {}


def test_a_deleted_file_can_be_created_again(project: Project):
    project.put("a.py", "a")
    project.apply(project.delete("a.py"), project.create("a.py"), project.change("a.py", text_edit(0, 0, 0, "x")))
    assert project.contents() == {"a.py": b"x"}


def test_two_edits_of_one_file_are_taken_when_they_can_be_read_in_one_way_only(project: Project):
    path = project.put("a.py", "a\nb")
    plan = project.plan(
        project.change("a.py", text_edit(1, 0, 1, "y")), project.change("a.py", text_edit(0, 0, 1, "x"))
    )
    assert plan.steps == (Write(path, b"a\nb", b"x\ny"),)


def test_two_edits_of_one_file_are_refused_when_they_can_be_read_in_two_ways(project: Project):
    project.put("a.py", "a\nb")
    first = project.change("a.py", text_edit(0, 0, 0, "import x\n"))
    with pytest.raises(EditConflict, match="two ways"):
        project.plan(first, project.change("a.py", text_edit(1, 0, 1, "y")))


def test_edits_of_a_file_that_was_replaced_count_from_its_new_content(project: Project):
    project.put("a.py", "aaa\n")
    project.put("b.py", "bbb\n")
    first, then = project.change("b.py", text_edit(0, 0, 0, "1\n")), project.change("b.py", text_edit(0, 0, 0, "2"))
    replaced = [
        ([project.create("b.py", overwrite=True)], "2"),
        ([project.delete("b.py"), project.create("b.py")], "2"),
        ([project.rename("a.py", "b.py", overwrite=True)], "2aaa\n"),
    ]
    for between, expected in replaced:
        plan = project.plan(first, *between, then)
        assert plan.changes[-1].after_text == expected


def test_overlapping_edits_are_refused(project: Project):
    project.put("a.py", "abc")
    with pytest.raises(EditConflict, match="overlap"):
        project.plan(project.change("a.py", text_edit(0, 0, 2, "x"), text_edit(0, 1, 3, "y")))


def test_a_read_only_file_is_not_deleted(project: Project):
    project.put("a.py", "a", 0o444)
    with pytest.raises(PermissionDenied, match="read-only"):
        project.plan(project.delete("a.py"))


def test_more_than_can_be_put_back_is_refused(project: Project):
    project.put("d/a.bin", b"\0" * 600)
    project.put("d/b.bin", b"\0" * 600)
    edit = workspace_edit(project.delete("d", recursive=True))
    with pytest.raises(FileTooLarge, match="more than 1,000 bytes"):
        plan_edit(edit, roots=[project.root], encoding="utf-8", max_bytes=1000)


def test_what_needs_confirmation_is_told(project: Project):
    project.put("a.py", "ab")
    project.put("b.py", "b")
    edit = workspace_edit(
        project.change("a.py", text_edit(0, 0, 1, "x", "strings"), text_edit(0, 1, 2, "y", "harmless")),
        {**project.delete("b.py"), "annotationId": "strings"},
        annotations={
            "strings": {"label": "In strings", "needsConfirmation": True, "description": "May be wrong"},
            "harmless": {"label": "Uses"},
        },
    )
    plan = plan_edit(edit, roots=[project.root], encoding="utf-16")
    assert plan.confirmations == (Confirmation("In strings", "May be wrong", (project / "a.py", project / "b.py")),)


def put(project: Project, path: Path, text: str) -> dict[str, bytes | str | None]:
    plan = plan_edit([NewText(path, text)], roots=[project.root], encoding="utf-16")
    for change in plan.changes:
        assert change.after is not None
        project.put(str(change.path.relative_to(project.root)), change.after)
    return project.contents()


def test_a_whole_text_keeps_how_the_file_is_written(project: Project):
    path = project.put("a.py", b"\xef\xbb\xbfone\r\n")
    assert put(project, path, "1\n2\n") == {"a.py": b"\xef\xbb\xbf1\r\n2\r\n"}


def test_a_whole_text_makes_the_file_when_there_is_none(project: Project):
    assert put(project, project / "d/a.py", "1\n") == {"d": None, "d/a.py": b"1\n"}


def test_a_thousand_files_are_planned_at_once(project: Project):
    names = [f"f{number}.py" for number in range(1000)]
    for name in names:
        project.put(name, "a")
    plan = project.plan(*(project.change(name, text_edit(0, 0, 1, "b")) for name in names))
    assert [change.kind for change in plan.changes] == ["changed"] * 1000
