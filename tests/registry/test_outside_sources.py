"""Sources that a project uses where they are written, out of itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.registry.outside_sources import (
    crates_beside,
    directories_named_in,
    include_directories,
    leads_elsewhere,
    replaced_modules,
)

Finder = Callable[[Path], list[str]]


@pytest.mark.parametrize(
    ("find", "files", "expected"),
    [
        pytest.param(
            replaced_modules, {"go.mod": "module a\nreplace lib => ../lib\n"}, ["lib"], id="a replaced module of Go"
        ),
        pytest.param(
            replaced_modules,
            {"go.mod": "module a\nreplace (\n\tlib v1.0.0 => ../lib // ours\n\tx => example.org/y v1.2.3\n)\n"},
            ["lib"],
            id="one of several, and one that is not local",
        ),
        pytest.param(replaced_modules, {"go.mod": "replace lib => ./inside\n"}, [], id="a module of the project"),
        pytest.param(
            replaced_modules,
            {"go.work": "use (\n\t.\n\t../lib\n)\nuse ../lib2\n"},
            ["lib", "lib2"],
            id="modules in use",
        ),
        pytest.param(replaced_modules, {}, [], id="no Go"),
        pytest.param(
            crates_beside,
            {"Cargo.toml": '[dependencies]\nlib = { path = "../lib" }\n'},
            ["lib"],
            id="a crate by its path",
        ),
        pytest.param(include_directories, {"compile_flags.txt": "-I../lib\n-Iinside\n"}, ["lib"], id="headers"),
        pytest.param(
            include_directories,
            {"compile_commands.json": '[{"command": "cc -I ../lib -isystem ../lib2 -c x.c"}]'},
            ["lib", "lib2"],
            id="headers of commands",
        ),
        pytest.param(include_directories, {"compile_flags.txt": "-I../missing\n"}, [], id="headers that are not there"),
    ],
)
def test_directories_out_of_the_project_are_found_by_what_names_them(
    tmp_path: Path, find: Finder, files: dict[str, str], expected: list[str]
) -> None:
    for name in ("project/inside", "lib", "lib2"):
        (tmp_path / name).mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "project" / name).write_text(text)
    assert find(tmp_path / "project") == [str(tmp_path / name) for name in expected]


def test_a_package_of_python_that_is_installed_from_a_directory_names_it(tmp_path: Path) -> None:
    (tmp_path / "lib/src").mkdir(parents=True)
    file = tmp_path / "_lib.pth"
    file.write_text(f"import something; /{tmp_path}\n# {tmp_path}\n{tmp_path}/lib/src\n/no/such/place\n")
    assert leads_elsewhere(file.name)
    assert leads_elsewhere("__editable___lib_finder.py")
    assert not leads_elsewhere("lib.py")
    assert directories_named_in(file) == [tmp_path / "lib/src"]
