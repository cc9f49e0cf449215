"""What leads out of the workspace is refused, however it is spelled."""

import os
from pathlib import Path

import pytest

from groundwire.edits.boundary import Boundary
from groundwire.edits.files import Disk
from groundwire.errors import (
    EditConflict,
    InvalidArgument,
    NotAFile,
    OutsideWorkspace,
    PermissionDenied,
)
from tests.edits.projects import Project, Shape, text_edit


@pytest.fixture
def boundary(project: Project, tmp_path: Path) -> Boundary:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.py").write_text("s")
    (tmp_path / "project2").mkdir()
    project.put("d/a.py", "a")
    return Boundary([project.root], Disk())


@pytest.mark.parametrize(
    "name", ["..", "../outside/secret.py", "d/../../outside/secret.py", "d/../..", "../project2/a.py", "", ".", "d/.."]
)
def test_a_path_that_is_not_below_the_root_is_refused(project: Project, boundary: Boundary, name: str):
    for resolve in (boundary.entry, boundary.target):
        with pytest.raises(OutsideWorkspace, match="not a file in the workspace"):
            resolve(project / name)


@pytest.mark.parametrize("name", ["d/a.py", "new.py", "d/new/deep.py", "d/../d/a.py", "d/../d/./a.py"])
def test_a_path_below_the_root_comes_back_resolved(project: Project, boundary: Boundary, name: str):
    resolved = boundary.entry(project / name)
    assert resolved == Path(os.path.normpath(project / name))


def test_a_link_that_leads_out_is_refused_as_file_but_not_as_name(project: Project, boundary: Boundary, tmp_path: Path):
    (project / "link.py").symlink_to(tmp_path / "outside/secret.py")
    assert boundary.entry(project / "link.py") == project / "link.py"
    with pytest.raises(OutsideWorkspace, match=r"leads to .*secret\.py"):
        boundary.target(project / "link.py")


def test_a_directory_that_leads_out_is_refused_with_everything_in_it(
    project: Project, boundary: Boundary, tmp_path: Path
):
    (project / "out").symlink_to(tmp_path / "outside")
    for name in ("out/secret.py", "out/new.py", "out/deep/new.py", "out/../outside/secret.py"):
        with pytest.raises(OutsideWorkspace):
            boundary.entry(project / name)


def test_a_link_to_somewhere_inside_is_followed(project: Project, boundary: Boundary):
    (project / "same").symlink_to("d")
    assert boundary.entry(project / "same/a.py") == project / "d/a.py"


def test_a_root_that_is_a_link_is_resolved(project: Project, tmp_path: Path):
    (tmp_path / "alias").symlink_to(project.root)
    assert Boundary([tmp_path / "alias"], Disk()).entry(tmp_path / "alias/a.py") == project / "a.py"


def test_every_root_counts(project: Project, boundary: Boundary, tmp_path: Path):
    both = Boundary([project.root, tmp_path / "project2"], Disk())
    assert both.entry(tmp_path / "project2/a.py") == tmp_path / "project2/a.py"


@pytest.mark.parametrize("name", [".git/hooks/pre-commit", ".GIT/config", "d/.git", ".hg/hgrc", "module/.git/config"])
def test_what_belongs_to_version_control_is_not_written(project: Project, boundary: Boundary, name: str):
    with pytest.raises(PermissionDenied, match="version control"):
        boundary.entry(project / name)


def test_names_that_only_look_like_it_are(project: Project, boundary: Boundary):
    assert boundary.entry(project / ".gitignore") == project / ".gitignore"
    assert boundary.entry(project / ".github/ci.yml") == project / ".github/ci.yml"


def test_what_is_no_path_is_refused(project: Project, boundary: Boundary):
    with pytest.raises(InvalidArgument, match="not an absolute path"):
        boundary.entry(Path("a.py"))
    with pytest.raises(InvalidArgument, match="is no path"):
        boundary.target(project / "a\0b/c")


def test_links_in_a_circle_are_refused(project: Project):
    (project / "loop").symlink_to("loop")
    with pytest.raises((NotAFile, EditConflict)):
        project.plan(project.change("loop", text_edit(0, 0, 0, "x")))


def escapes(project: Project) -> list[Shape]:
    edit = text_edit(0, 0, 0, "x")
    return [
        project.change("../outside/secret.py", edit),
        project.change("link.py", edit),
        project.change("out/secret.py", edit),
        project.create("../outside/new.py"),
        project.create("out/new.py"),
        project.create("link.py", overwrite=True),
        project.create("dangling.py"),
        project.rename("d/a.py", "../outside/a.py"),
        project.rename("d/a.py", "out/a.py"),
        project.rename("../outside/secret.py", "mine.py"),
        project.rename("out/secret.py", "mine.py"),
        project.delete("../outside/secret.py"),
        project.delete("out/secret.py"),
        project.delete("../outside", recursive=True),
        project.delete(".", recursive=True),
    ]


@pytest.mark.parametrize("number", range(15))
def test_no_kind_of_change_reaches_outside(project: Project, boundary: Boundary, tmp_path: Path, number: int):
    (project / "link.py").symlink_to(tmp_path / "outside/secret.py")
    (project / "dangling.py").symlink_to(tmp_path / "outside/new.py")
    (project / "out").symlink_to(tmp_path / "outside")
    with pytest.raises(OutsideWorkspace):
        project.apply(escapes(project)[number])
    assert Project(tmp_path / "outside").contents() == {"secret.py": b"s"}


def test_a_link_moved_by_the_edit_itself_is_no_way_out(project: Project, boundary: Boundary, tmp_path: Path):
    (project / "out").symlink_to(tmp_path / "outside")
    (project / "link.py").symlink_to(tmp_path / "outside/secret.py")
    edit = text_edit(0, 0, 0, "x")
    for changes in (
        [project.rename("out", "moved"), project.change("moved/secret.py", edit)],
        [project.rename("out", "moved"), project.create("moved/new.py")],
        [project.rename("out", "moved"), project.delete("moved/secret.py")],
        [project.rename("out", "moved"), project.rename("moved/secret.py", "mine.py")],
        [project.rename("link.py", "moved.py"), project.change("moved.py", edit)],
    ):
        with pytest.raises((EditConflict, OutsideWorkspace)):
            project.apply(*changes)
    assert Project(tmp_path / "outside").contents() == {"secret.py": b"s"}


def test_deleting_and_renaming_a_link_leaves_what_it_leads_to(project: Project, boundary: Boundary, tmp_path: Path):
    (project / "out").symlink_to(tmp_path / "outside")
    (project / "link.py").symlink_to(tmp_path / "outside/secret.py")
    project.apply(project.delete("out", recursive=True), project.rename("link.py", "moved.py"))
    assert project.contents() == {"d": None, "d/a.py": b"a", "moved.py": str(tmp_path / "outside/secret.py")}
    assert Project(tmp_path / "outside").contents() == {"secret.py": b"s"}


def test_a_deleted_directory_with_a_link_out_takes_only_the_link_along(
    project: Project, boundary: Boundary, tmp_path: Path
):
    (project / "d/out").symlink_to(tmp_path / "outside")
    project.apply(project.delete("d", recursive=True))
    assert project.contents() == {}
    assert Project(tmp_path / "outside").contents() == {"secret.py": b"s"}


def test_a_repository_inside_a_directory_keeps_it_from_being_deleted(project: Project, boundary: Boundary):
    project.put("d/module/.git/config", "c")
    with pytest.raises(PermissionDenied, match="version control"):
        project.apply(project.delete("d", recursive=True))


@pytest.mark.parametrize("uri", ["untitled:a.py", "http://host/a.py", "file://host/a.py", "jdt://contents/A.class"])
def test_a_uri_that_is_no_file_here_is_refused(project: Project, uri: str):
    with pytest.raises(InvalidArgument):
        project.plan({"textDocument": {"uri": uri, "version": None}, "edits": []})
