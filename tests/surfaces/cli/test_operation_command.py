"""What a TARGET on the command line says."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.surfaces.cli.operation_command import in_commands, resolved, target_arguments
from groundwire.surfaces.cli.operation_parser import TARGET


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Class.method", {"symbol": "Class.method"}),
        ("Class/method", {"symbol": "Class/method"}),
        ("(*T).Get", {"symbol": "(*T).Get"}),
        ("name[2]", {"symbol": "name[2]"}),
        ("space::Class::method", {"symbol": "space::Class::method"}),
        ("::Class", {"symbol": "::Class"}),
        ("a.py::Class.method", {"file_path": "a.py", "symbol": "Class.method"}),
        ("a.py::space::name", {"file_path": "a.py", "symbol": "space::name"}),
        ("odd::name.py::f", {"file_path": "odd::name.py", "symbol": "f"}),
        ("a.py:12", {"file_path": "a.py", "line": 12}),
        ("a.py:12:5", {"file_path": "a.py", "line": 12, "column": 5}),
        ("nowhere.py:12:5", {"file_path": "nowhere.py", "line": 12, "column": 5}),
        ("a.py", {"file_path": "a.py"}),
        ("dated:12", {"file_path": "dated:12"}),
    ],
)
def test_a_target_is_taken_apart(target: str, expected: dict[str, object], tmp_path: Path) -> None:
    for name in ("a.py", "odd::name.py", "dated:12"):
        (tmp_path / name).touch()
    assert target_arguments(target, tmp_path) == expected


def test_an_empty_target_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="TARGET"):
        target_arguments("  ", tmp_path)


def test_a_name_too_long_for_any_file_is_a_symbol(tmp_path: Path) -> None:
    long = "x" * 5000
    assert target_arguments(f"{long}::{long}", tmp_path) == {"symbol": f"{long}::{long}"}


def test_files_are_those_of_the_directory_where_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    assert resolved({TARGET: "a.py::f", "limit": 3}, tmp_path) == {
        "file_path": str(tmp_path / "a.py"),
        "symbol": "f",
        "limit": 3,
    }
    assert resolved({"file_path": "b.py"}, tmp_path) == {"file_path": str(tmp_path / "b.py")}
    assert resolved({"query": "f"}, tmp_path) == {"query": "f"}
    assert resolved({"file_paths": ["b.py", "/c.py"]}, tmp_path) == {"file_paths": [str(tmp_path / "b.py"), "/c.py"]}


def test_a_hint_names_what_can_be_typed() -> None:
    hint = "It can be asked go_to_implementation or find_references instead; file_path stays."
    assert in_commands(hint) == "It can be asked groundwire impl or groundwire refs instead; file_path stays."


def test_an_argument_that_is_called_target_is_not_taken_for_the_place_meant(tmp_path: Path):
    assert resolved({"target": "patch"}, tmp_path) == {"target": "patch"}
