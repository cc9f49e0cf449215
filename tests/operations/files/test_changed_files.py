"""What differs from the last commit, told without running anything of the project's."""

import os
import subprocess
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument, RequestTimeout
from groundwire.operations.files.changed_files import Changes, find_changes
from tests.pool.repositories import Project


def changes(project: Project, workspace: Path | None = None, wait_s: float = 20.0) -> Changes:
    return find_changes((workspace or project.workspace).resolve(), project.environment, wait_s)


def names(project: Project) -> list[str]:
    return [file.relative_to(project.workspace.resolve()).as_posix() for file in changes(project).files]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two files under version control."""
    made = Project(tmp_path)
    made.write("a.py", "a = 1\n")
    made.write("deep/b.py", "b = 1\n")
    made.commit()
    return made


def test_nothing_has_changed_right_after_a_commit(project: Project) -> None:
    assert changes(project) == Changes(())


def test_edited_staged_new_and_renamed_files_have_changed(project: Project) -> None:
    project.write("a.py", "a = 2\n")
    project.write("staged.py", "x = 1\n")
    project.git("add", "staged.py")
    project.write("new ü\n.py", "x = 1\n")
    project.git("mv", "deep/b.py", "deep/c.py")
    assert names(project) == ["a.py", "deep/c.py", "new ü\n.py", "staged.py"]
    assert changes(project).deleted == 1


def test_an_edit_that_was_staged_and_undone_on_disk_is_no_change(project: Project) -> None:
    project.write("a.py", "a = 2\n")
    project.git("add", "a.py")
    project.write("a.py", "a = 1\n")
    assert names(project) == []


def test_a_file_of_the_same_size_and_time_is_compared_by_its_content(project: Project) -> None:
    before = (project.workspace / "a.py").stat()
    file = project.write("a.py", "a = 3\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert names(project) == ["a.py"]


def test_a_file_that_was_touched_but_not_changed_is_no_change(project: Project) -> None:
    (project.workspace / "a.py").touch()
    assert names(project) == []


def test_a_conflict_that_is_not_resolved_is_a_change(project: Project) -> None:
    for branch in ("left", "right"):
        project.git("checkout", "-b", branch, "main")
        project.write("a.py", f"a = {branch!r}\n")
        project.commit()
    with pytest.raises(subprocess.CalledProcessError):
        project.git("merge", "left")
    assert names(project) == ["a.py"]


def test_line_ends_that_git_converted_by_itself_are_no_change(project: Project) -> None:
    project.git("config", "core.autocrlf", "true")
    (project.workspace / "a.py").unlink()
    project.git("checkout", "a.py")
    assert (project.workspace / "a.py").read_bytes() == b"a = 1\r\n"
    _make_the_record_younger(project)
    assert names(project) == []


def _make_the_record_younger(project: Project) -> None:
    """As if git had recorded the file a second after it was written: a file as young as its record is not trusted."""
    index = project.workspace / ".git/index"
    later = (project.workspace / "a.py").stat().st_mtime_ns + 1_000_000_000
    os.utime(index, ns=(later, later))


def test_deleted_files_are_told_apart(project: Project) -> None:
    (project.workspace / "a.py").unlink()
    assert changes(project) == Changes((), gone=((project.workspace / "a.py").resolve(),))
    assert changes(project).deleted == 1


def test_ignored_files_links_and_what_tools_left_there_are_passed_over(project: Project) -> None:
    project.write(".gitignore", "*.log\n")
    project.commit()
    project.write("x.log", "x\n")
    project.write("node_modules/x/index.js", "x\n")
    (project.workspace / "link.py").symlink_to(project.workspace / "a.py")
    assert names(project) == []


def test_before_the_first_commit_everything_has_changed(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.py", "a = 1\n")
    project.git("init")
    assert names(project) == ["a.py"]


def test_a_directory_of_a_repository_tells_of_its_own_files(project: Project) -> None:
    project.write("a.py", "a = 2\n")
    project.write("deep/b.py", "b = 2\n")
    deep = project.workspace / "deep"
    assert changes(project, deep).files == ((deep / "b.py").resolve(),)


def test_no_repository_is_a_typed_refusal_with_a_way_out(tmp_path: Path) -> None:
    project = Project(tmp_path)
    with pytest.raises(InvalidArgument, match="no git repository") as raised:
        changes(project)
    assert "scope=workspace" in raised.value.hint


def test_a_submodule_is_said_not_to_be_looked_into(project: Project, tmp_path: Path) -> None:
    inner = Project(tmp_path, "inner")
    inner.write("c.py", "c = 1\n")
    inner.commit()
    project.git("-c", "protocol.file.allow=always", "submodule", "add", str(inner.workspace), "sub")
    project.commit()
    assert changes(project).note == "submodules were not looked into"


def test_time_that_is_over_is_said(project: Project) -> None:
    with pytest.raises(RequestTimeout):
        changes(project, wait_s=0.0)


@pytest.mark.parametrize("command", ["clean", "process", "smudge"])
def test_filters_that_a_repository_brings_along_do_not_run(project: Project, command: str) -> None:
    program = project.program("evil.sh")
    project.git("config", f"filter.evil.{command}", str(program))
    project.git("config", "filter.evil.required", "true")
    project.write(".gitattributes", "*.py filter=evil diff=evil\n")
    project.write("a.py", "a = 2\n")
    assert "a.py" in names(project)
    assert not project.was_run()


@pytest.mark.parametrize("key", ["core.fsmonitor", "diff.external", "core.pager", "core.sshCommand", "core.editor"])
def test_programs_that_a_repository_configures_do_not_run(project: Project, key: str) -> None:
    project.git("config", key, str(project.program("evil.sh")))
    project.write("a.py", "a = 2\n")
    assert "a.py" in names(project)
    assert not project.was_run()


def test_git_of_the_project_itself_is_not_run(project: Project) -> None:
    project.program("bin/git")
    project.environment = {**project.environment, "PATH": f"{project.workspace}/bin:{project.environment['PATH']}"}
    assert "bin/git" in names(project)
    assert not project.was_run()
