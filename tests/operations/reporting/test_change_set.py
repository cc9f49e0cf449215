"""The texts of a change set, before and after it, as a server would see them; nothing of the project's is run."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.reporting.change_set import ChangeSet, Wanted, read_change_set
from groundwire.operations.reporting.dependents import Edited
from tests.pool.repositories import Project

CHANGED, STAGED = Wanted("changed"), Wanted("staged")
LARGEST = 1000


def read(project: Project, wanted: Wanted = CHANGED) -> ChangeSet:
    return read_change_set(project.workspace.resolve(), project.environment, wanted, wait_s=30.0, largest=LARGEST)


def texts(edits: tuple[Edited, ...], project: Project) -> dict[str, tuple[str | None, str | None]]:
    root = project.workspace.resolve()
    return {edit.file.relative_to(root).as_posix(): (edit.before, edit.after) for edit in edits}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    for name in ("a.py", "b.py", "deep/c.py"):
        made.write(name, f"# {name}\n")
    made.commit()
    return made


def test_changed_are_edited_new_and_deleted_files_with_what_they_were(project: Project) -> None:
    project.write("a.py", "new\n")
    project.write("ü x.py", "untracked\n")
    (project.workspace / "deep/c.py").unlink()
    assert texts(read(project).edits, project) == {
        "a.py": ("# a.py\n", "new\n"),
        "ü x.py": ("", "untracked\n"),
        "deep/c.py": ("# deep/c.py\n", None),
    }


def test_staged_is_what_the_index_has_whatever_the_disk_has(project: Project) -> None:
    project.write("a.py", "staged\n")
    project.write("new.py", "new\n")
    project.git("rm", "--cached", "deep/c.py")
    project.git("add", "a.py", "new.py")
    project.write("a.py", "later\n")
    project.write("b.py", "not staged\n")
    (project.workspace / "new.py").unlink()
    found = read(project, STAGED)
    assert texts(found.edits, project) == {
        "a.py": ("# a.py\n", "staged\n"),
        "new.py": ("", "new\n"),
        "deep/c.py": ("# deep/c.py\n", None),
    }
    assert texts(found.hidden, project) == {
        "a.py": ("later\n", "staged\n"),
        "b.py": ("not staged\n", "# b.py\n"),
        "new.py": (None, "new\n"),
        "deep/c.py": ("# deep/c.py\n", ""),
    }
    assert [file.name for file in found.untracked] == ["c.py"]


def test_with_nothing_beside_what_is_staged_nothing_is_hidden(project: Project) -> None:
    project.write("a.py", "staged\n")
    project.git("add", "a.py")
    found = read(project, STAGED)
    assert (texts(found.edits, project), found.hidden) == ({"a.py": ("# a.py\n", "staged\n")}, ())


def test_base_is_where_the_work_left_the_other_branch_and_not_its_end(project: Project) -> None:
    project.git("checkout", "-b", "work")
    project.write("a.py", "committed\n")
    project.commit()
    project.git("checkout", "main")
    project.write("b.py", "went on\n")
    project.commit()
    project.git("checkout", "work")
    project.write("deep/c.py", "not committed\n")
    found = read(project, Wanted("base", "main"))
    assert texts(found.edits, project) == {
        "a.py": ("# a.py\n", "committed\n"),
        "deep/c.py": ("# deep/c.py\n", "not committed\n"),
    }
    assert found.against.startswith("main at ")


@pytest.mark.parametrize("revision", ["nowhere", "--all", "-x", "", "main..HEAD", "HEAD:a.py"])
def test_what_is_no_commit_is_refused_and_taken_for_no_option(project: Project, revision: str) -> None:
    with pytest.raises(InvalidArgument, match="git knows no commit"):
        read(project, Wanted("base", revision))


def test_branches_without_a_shared_history_are_refused(project: Project) -> None:
    project.git("checkout", "--orphan", "other")
    project.write("a.py", "other\n")
    project.commit()
    with pytest.raises(InvalidArgument, match="no history in common"):
        read(project, Wanted("base", "main"))


def test_without_a_repository_the_reader_is_told_what_to_do_instead(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument) as raised:
        read(Project(tmp_path))
    assert raised.value.hint == "Name the files to check."


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.py", "a\n")
    project.git("init")
    found = read(project)
    assert (texts(found.edits, project), found.against) == (
        {"a.py": ("", "a\n")},
        "nothing, for there is no commit yet",
    )


@pytest.mark.parametrize(
    ("attributes", "settings"),
    [
        ("", {"core.autocrlf": "true"}),
        ("* text=auto\n", {"core.autocrlf": "yes"}),
        ("* text=auto\n", {"core.eol": "crlf"}),
        ("*.py text eol=crlf\n", {}),
        ("*.py eol=crlf\n", {}),
        ("*.py crlf\n", {"core.eol": "crlf"}),
    ],
)
def test_line_ends_that_git_would_write_are_those_of_the_past(
    project: Project, attributes: str, settings: dict[str, str]
) -> None:
    """As git itself does it: what it checked out anew is the same as what is read here."""
    project.write(".gitattributes", attributes)
    project.commit()
    for name, value in settings.items():
        project.git("config", name, value)
    for name in ("a.py", "b.py"):
        (project.workspace / name).unlink()
        project.git("checkout", name)
    (project.workspace / "a.py").touch()
    assert (project.workspace / "a.py").read_bytes() == b"# a.py\r\n"
    (project.workspace / "b.py").write_bytes(b"# b.py\r\nmore\r\n")
    found = texts(read(project).edits, project)
    assert found["b.py"] == ("# b.py\r\n", "# b.py\r\nmore\r\n")
    assert "a.py" not in found


@pytest.mark.parametrize(
    ("attributes", "settings"),
    [
        ("", {}),
        ("* -text\n", {"core.autocrlf": "true"}),
        ("* text eol=lf\n", {"core.autocrlf": "true"}),
        ("* -crlf\n", {"core.autocrlf": "true"}),
        ("* crlf=input\n", {"core.eol": "crlf"}),
        ("* text=auto\n", {"core.autocrlf": "input", "core.eol": "crlf"}),
        ("", {"core.eol": "crlf"}),
    ],
)
def test_line_ends_that_somebody_else_changed_are_a_change(
    project: Project, attributes: str, settings: dict[str, str]
) -> None:
    project.write(".gitattributes", attributes)
    project.commit()
    for name, value in settings.items():
        project.git("config", name, value)
    (project.workspace / "a.py").unlink()
    project.git("checkout", "a.py")
    assert (project.workspace / "a.py").read_bytes() == b"# a.py\n"
    (project.workspace / "a.py").write_bytes(b"# a.py\r\n")
    assert texts(read(project).edits, project)["a.py"] == ("# a.py\n", "# a.py\r\n")


def test_the_past_of_a_file_that_a_filter_converts_is_not_known_and_the_filter_is_not_run(project: Project) -> None:
    program = project.program("evil.sh")
    project.commit()
    for command in ("clean", "smudge", "process"):
        project.git("config", f"filter.evil.{command}", str(program))
    project.git("config", "diff.evil.textconv", str(program))
    project.write(".gitattributes", "a.py filter=evil diff=evil\n")
    project.write("a.py", "new\n")
    found = texts(read(project).edits, project)
    assert found["a.py"] == (None, "new\n")
    read(project, STAGED)
    assert not project.was_run()


def test_marks_and_other_encodings_are_read_as_servers_are_told_them(project: Project) -> None:
    (project.workspace / "a.py").write_bytes(b"\xef\xbb\xbfmarked\n")
    (project.workspace / "b.py").write_bytes(b"caf\xe9\n")
    project.commit()
    for name in ("a.py", "b.py"):
        project.write(name, "new\n")
    assert texts(read(project).edits, project) == {"a.py": ("marked\n", "new\n"), "b.py": ("café\n", "new\n")}


def test_what_is_no_text_or_too_large_is_only_named(project: Project) -> None:
    (project.workspace / "a.py").write_bytes(b"\0\1")
    project.write("b.py", "x" * (LARGEST + 1))
    found = read(project)
    assert (found.edits, [file.name for file in found.unread]) == ((), ["a.py", "b.py"])


def test_a_past_that_was_too_large_is_not_known(project: Project) -> None:
    project.write("a.py", "x" * (LARGEST + 1))
    project.commit()
    project.write("a.py", "small\n")
    assert texts(read(project).edits, project) == {"a.py": (None, "small\n")}


def test_a_conflict_is_a_doubt_about_what_is_staged(project: Project) -> None:
    for branch in ("left", "right"):
        project.git("checkout", "-b", branch, "main")
        project.write("a.py", f"{branch}\n")
        project.commit()
    with pytest.raises(Exception, match="merge"):
        project.git("merge", "left")
    found = read(project, STAGED)
    assert (found.edits, found.doubts) == ((), ("a.py is in conflict",))
