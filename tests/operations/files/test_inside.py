"""Paths that must lie in the workspace."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument, OutsideWorkspace
from groundwire.operations.files.inside import directory_inside, path_inside


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "project/deep").mkdir(parents=True)
    (tmp_path / "project/a.py").write_text("\n")
    (tmp_path / "other").mkdir()
    return (tmp_path / "project").resolve()


def test_a_path_is_taken_from_the_workspace_be_it_there_or_not(workspace: Path) -> None:
    assert path_inside("deep/../a.py", workspace) == workspace / "a.py"
    assert path_inside(str(workspace / "gone.py"), workspace) == workspace / "gone.py"


@pytest.mark.parametrize("named", ["../other", "/", "..", "deep/../../other/x.py"])
def test_what_is_outside_is_refused(workspace: Path, named: str) -> None:
    with pytest.raises(OutsideWorkspace):
        path_inside(named, workspace)


def test_a_link_that_leads_outside_is_refused(workspace: Path) -> None:
    (workspace / "way").symlink_to(workspace.parent / "other")
    for named in ("way", "way/x.py"):
        with pytest.raises(OutsideWorkspace):
            path_inside(named, workspace)


@pytest.mark.parametrize("named", ["a\0b", "x" * 5000, "\0/x"])
def test_what_can_be_no_path_is_typed(workspace: Path, named: str) -> None:
    with pytest.raises(FileNotFound):
        directory_inside(named, workspace)


def test_a_directory_must_be_one(workspace: Path) -> None:
    assert directory_inside("", workspace) == workspace
    assert directory_inside("deep", workspace) == workspace / "deep"
    with pytest.raises(FileNotFound):
        directory_inside("nowhere", workspace)
    with pytest.raises(InvalidArgument, match="not a directory"):
        directory_inside("a.py", workspace)
