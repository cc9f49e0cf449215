"""Which directory a command works in."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations.serving.workspace import find_workspace


def repository(directory: Path) -> Path:
    (directory / ".git").mkdir(parents=True)
    return directory


def test_a_named_directory_is_taken(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    assert find_workspace(Path("p"), tmp_path / "a.py", tmp_path) == tmp_path / "p"


def test_a_named_directory_that_is_not_there_or_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileNotFound):
        find_workspace(Path("nowhere"), tmp_path / "a.py", tmp_path)
    with pytest.raises(InvalidArgument):
        find_workspace(Path("file"), tmp_path / "a.py", tmp_path)


def test_the_repository_round_the_current_directory_is_taken(tmp_path: Path) -> None:
    top = repository(tmp_path / "r")
    assert find_workspace(None, top / "a/b.py", top / "a") == top


def test_a_repository_inside_that_of_the_current_directory_is_part_of_it(tmp_path: Path) -> None:
    top = repository(tmp_path / "r")
    repository(top / "sub")
    assert find_workspace(None, top / "sub/b.py", top) == top


def test_the_repository_of_a_file_elsewhere_is_taken(tmp_path: Path) -> None:
    here, there = repository(tmp_path / "here"), repository(tmp_path / "there")
    assert find_workspace(None, there / "src/b.py", here) == there


def test_without_a_repository_it_is_the_current_directory_if_the_file_is_in_it(tmp_path: Path) -> None:
    assert find_workspace(None, tmp_path / "here/a.py", tmp_path / "here") == tmp_path / "here"
    assert find_workspace(None, tmp_path / "there/a.py", tmp_path / "here") == tmp_path / "there"


def test_a_repository_of_the_whole_home_directory_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(repository(tmp_path)))
    assert find_workspace(None, tmp_path / "p/a.py", tmp_path / "p") == tmp_path / "p"
