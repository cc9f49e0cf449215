"""A look at a workspace: the languages in it, without what tools and version control keep out, and bounded."""

import os
import sys
from pathlib import Path

import pytest

from groundwire.operations.files.survey import Survey, survey
from groundwire.registry.catalog import load_catalog


def write(directory: Path, *names: str, text: str = "x\n") -> None:
    for name in names:
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def surveyed(directory: Path, **limits: int) -> Survey:
    return survey(directory, load_catalog(), **limits)


def counts(directory: Path) -> dict[str, int]:
    return {found.language: found.files for found in surveyed(directory).languages}


def test_languages_come_with_their_files_those_with_most_first(tmp_path: Path) -> None:
    write(tmp_path, "a.go", "b/a.py", "b/b.py", "notes.txt", "Dockerfile")
    seen = surveyed(tmp_path)
    assert [(found.language, found.files) for found in seen.languages] == [("python", 2), ("dockerfile", 1), ("go", 1)]
    assert (seen.files, seen.note) == (4, "")


def test_each_directory_gives_one_sample_and_an_empty_file_only_where_there_is_no_other(tmp_path: Path) -> None:
    write(tmp_path, "p/__init__.py", "q/__init__.py", text="")
    write(tmp_path, "p/code.py", "p/more.py")
    (python,) = surveyed(tmp_path).languages
    assert python.samples == (tmp_path / "p/code.py", tmp_path / "q/__init__.py")


def test_a_script_without_an_ending_counts_by_its_first_line(tmp_path: Path) -> None:
    write(tmp_path, "deploy", text="#!/bin/bash\n")
    write(tmp_path, "LICENSE", text="All rights\n")
    assert counts(tmp_path) == {"shellscript": 1}


def test_what_tools_make_is_not_looked_into(tmp_path: Path) -> None:
    write(
        tmp_path,
        "node_modules/a/i.js",
        ".venv/lib/a.py",
        "target/b.rs",
        "target/CACHEDIR.TAG",
        ".hidden/c.go",
        "src/a.go",
    )
    assert counts(tmp_path) == {"go": 1}


def test_what_version_control_ignores_is_not_looked_into(tmp_path: Path) -> None:
    write(tmp_path, "generated/a.py", "src/out/b.py", "src/keep.py", "src/made.pb.py")
    (tmp_path / ".gitignore").write_text("/generated/\nout/\n*.pb.py\n", "utf-8")
    assert counts(tmp_path) == {"python": 1}


def test_links_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "p/a.py", "outside/b.py")
    (tmp_path / "p/loop").symlink_to(tmp_path / "p")
    (tmp_path / "p/link.py").symlink_to(tmp_path / "outside/b.py")
    assert counts(tmp_path / "p") == {"python": 1}


def test_a_pipe_is_no_file_to_wait_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert counts(tmp_path) == {}


def test_a_walk_that_was_cut_short_says_so(tmp_path: Path) -> None:
    write(tmp_path, *(f"{number}.py" for number in range(9)))
    seen = surveyed(tmp_path, most_entries=5)
    assert (seen.files, seen.note) == (5, "only the first 5 names were looked at")


def test_more_directories_than_are_looked_at_are_told(tmp_path: Path) -> None:
    write(tmp_path, *(f"d{number}/a.py" for number in range(4)))
    seen = surveyed(tmp_path, most_samples=2)
    assert len(seen.languages[0].samples) == 2
    assert seen.note == "of python only the files of 2 directories were looked at"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_sample_has_a_name_that_every_server_can_take_where_there_is_one(tmp_path: Path) -> None:
    odd, directory = os.fsdecode(b"a\xff.py"), os.fsdecode(b"caf\xe9")
    write(tmp_path, f"p/{odd}", f"{directory}/a.py")
    write(tmp_path, "p/b.py", text="")
    (python,) = surveyed(tmp_path).languages
    assert set(python.samples) == {tmp_path / "p/b.py", tmp_path / directory / "a.py"}
