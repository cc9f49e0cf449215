"""Changes taken back, as long as nobody touched the files since."""

import pytest

from groundwire.edits.undo import UndoStack
from groundwire.errors import EditConflict, InvalidArgument
from tests.edits.projects import Project, text_edit


def fill(project: Project) -> dict[str, bytes | str | None]:
    project.put("a.py", b"\xef\xbb\xbfa\r\n", 0o640)
    project.put("b.py", "b\n", 0o755)
    project.put("d/e/c.py", "c\n", 0o600)
    (project / "d").chmod(0o750)
    (project / "d/link").symlink_to("../a.py")
    project.put("bin", b"\0")
    return project.contents()


def everything(project: Project, stack: UndoStack) -> str:
    applied = project.apply(
        project.change("a.py", text_edit(0, 0, 1, "x")),
        project.rename("b.py", "n/moved.py"),
        project.change("n/moved.py", text_edit(0, 0, 1, "y")),
        project.create("new.py"),
        project.delete("d", recursive=True),
        project.rename("bin", "bin2"),
    )
    assert stack.push(applied)
    return applied.id


def test_everything_is_as_before_and_told(project: Project):
    before = fill(project)
    modes = {name: state[0] for name, state in project.state().items()}
    stack = UndoStack()
    everything(project, stack)
    undone = stack.undo()
    assert project.contents() == before
    assert {name: state[0] for name, state in project.state().items()} == modes
    assert {(change.path.name, change.kind) for change in undone.changes} == {
        ("a.py", "changed"),
        ("b.py", "renamed"),
        ("new.py", "deleted"),
        ("c.py", "created"),
        ("link", "created"),
        ("bin", "renamed"),
    }
    assert stack.ids == []


@pytest.mark.parametrize("name", ["a.py", "n/moved.py", "new.py", "bin2"])
def test_a_file_that_changed_since_is_named_and_nothing_is_undone(project: Project, name: str):
    fill(project)
    stack = UndoStack()
    everything(project, stack)
    project.put(name, "somebody else's")
    after = project.state()
    with pytest.raises(EditConflict, match=rf"changed since: .*{name}$"):
        stack.undo()
    assert project.state() == after
    assert len(stack.ids) == 1


def test_a_file_that_is_there_again_or_gone_is_named(project: Project):
    fill(project)
    stack = UndoStack()
    everything(project, stack)
    project.put("d/e/c.py", "made anew")
    (project / "new.py").unlink()
    with pytest.raises(EditConflict, match=r"new\.py, .*c\.py"):
        stack.undo()


def test_a_file_put_into_a_directory_that_the_edit_made_is_not_lost(project: Project):
    fill(project)
    stack = UndoStack()
    everything(project, stack)
    project.put("n/mine.py", "m")
    after = project.state()
    with pytest.raises(EditConflict, match=r"not empty: mine\.py"):
        stack.undo()
    assert project.state() == after


def test_changes_are_undone_last_first_or_by_id(project: Project):
    project.put("a.py", "a")
    project.put("b.py", "b")
    stack = UndoStack()
    first = project.apply(project.change("a.py", text_edit(0, 0, 1, "1")))
    second = project.apply(project.change("b.py", text_edit(0, 0, 1, "2")))
    third = project.apply(project.change("b.py", text_edit(0, 0, 1, "3")))
    for applied in (first, second, third):
        stack.push(applied)
    assert stack.ids == [third.id, second.id, first.id]
    with pytest.raises(EditConflict, match=r"b\.py"):
        stack.undo(second.id)
    stack.undo(first.id)
    stack.undo()
    assert project.contents() == {"a.py": b"a", "b.py": b"2"}
    stack.undo()
    assert project.contents() == {"a.py": b"a", "b.py": b"b"}


def test_what_cannot_be_undone_is_said(project: Project):
    stack = UndoStack()
    with pytest.raises(InvalidArgument, match="nothing to undo"):
        stack.undo()
    project.put("a.py", "a")
    applied = project.apply(project.change("a.py", text_edit(0, 0, 1, "b")))
    stack.push(applied)
    with pytest.raises(InvalidArgument, match="no change 'other' is kept") as refused:
        stack.undo("other")
    assert applied.id in refused.value.hint


def test_only_the_last_changes_are_kept(project: Project):
    stack = UndoStack(limit=2)
    ids: list[str] = []
    for name in ("a.py", "b.py", "c.py"):
        applied = project.apply(project.create(name))
        stack.push(applied)
        ids.append(applied.id)
    assert stack.ids == [ids[2], ids[1]]


def test_no_more_bytes_are_kept_than_allowed(project: Project):
    project.put("a.py", "a" * 100)
    stack = UndoStack(max_bytes=450)
    kept = [stack.push(project.apply(project.change("a.py", text_edit(0, 0, 1, letter)))) for letter in ("b", "c", "d")]
    assert (kept, len(stack.ids)) == ([True, True, True], 2)
    assert not UndoStack(max_bytes=10).push(project.apply(project.change("a.py", text_edit(0, 0, 1, "e"))))


def test_a_removed_name_of_a_file_with_several_names_is_not_brought_back_as_another_file(project: Project):
    project.put("a.py", "a")
    (project / "b.py").hardlink_to(project / "a.py")
    stack = UndoStack()
    stack.push(project.apply(project.change("a.py", text_edit(0, 0, 1, "x")), project.delete("a.py")))
    with pytest.raises(EditConflict, match=r"several names \(hard links\) of a file: .*a\.py"):
        stack.undo()
    assert project.contents() == {"b.py": b"x"}


def test_a_file_changed_and_then_deleted_comes_back_with_its_permissions(project: Project):
    path = project.put("a.py", "a", 0o750)
    stack = UndoStack()
    stack.push(project.apply(project.change("a.py", text_edit(0, 0, 1, "x")), project.delete("a.py")))
    stack.undo()
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("a", 0o750)
