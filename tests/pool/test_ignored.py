"""The part of ``.gitignore`` that a walk understands."""

from pathlib import Path

import pytest

from groundwire.pool.ignored import IgnoreFile, is_ignored, read_ignore_file

TOP = Path("/w")


@pytest.mark.parametrize(
    ("rules", "path", "kept_out"),
    [
        ("out/", "out", True),
        ("out/", "a/out", True),
        ("/out/", "a/out", False),
        ("/out", "out", True),
        ("a/out", "a/out", True),
        ("a/out", "b/a/out", False),
        ("**/gen", "a/b/gen", True),
        ("build*", "build-x", True),
        ("out/**", "out", True),
        ("*\n!src", "src", False),
        ("*\n!src", "lib", True),
        ("# out", "# out", False),
        ("", "out", False),
        ("a/*/c", "a/b/c", True),
        ("a/*/c", "a/b/x/c", False),
        ("x\\ y", "x y", False),
        ("a/**/b", "a/b", False),
    ],
)
def test_a_rule_keeps_out_what_it_names(rules: str, path: str, kept_out: bool) -> None:
    file = IgnoreFile(TOP, rules)
    assert bool(file.verdict(TOP / path, is_directory=True)) is kept_out


def test_a_rule_for_directories_is_not_about_files() -> None:
    assert IgnoreFile(TOP, "out/").verdict(TOP / "out", is_directory=False) is None


def test_an_inner_file_has_the_last_word() -> None:
    rules = (IgnoreFile(TOP, "gen"), IgnoreFile(TOP / "a", "!gen"))
    assert not is_ignored(TOP / "a/gen", rules, is_directory=True)
    assert is_ignored(TOP / "gen", rules[:1], is_directory=True)


def test_what_cannot_be_read_keeps_nothing_out(tmp_path: Path) -> None:
    assert read_ignore_file(tmp_path) is None
    (tmp_path / ".gitignore").mkdir()
    assert read_ignore_file(tmp_path) is None
    (tmp_path / "b").mkdir()
    (tmp_path / "b/.gitignore").write_bytes(b"\xff\xfe\nout\n")
    found = read_ignore_file(tmp_path / "b")
    assert found is not None
    assert found.verdict(tmp_path / "b/out", is_directory=True)
