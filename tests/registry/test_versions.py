"""Versions: what programs print, and which of two is newer."""

import sys
from pathlib import Path

import pytest

from groundwire.registry.versions import is_at_least, short_version, told_version, version_of


def prints(text: str, status: int = 0) -> tuple[str, ...]:
    return ("-c", f"print({text!r}); raise SystemExit({status})")


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Version 7.0.2", "7.0.2"),
        ("ty 0.0.100 (abc 2026-11-01)", "0.0.100"),
        ("golang.org/x/tools/gopls v0.23.0", "0.23.0"),
        ("clangd version 22", "22"),
        ("no number", None),
    ],
)
def test_the_version_is_the_first_number_that_is_printed(text: str, version: str | None) -> None:
    assert version_of(Path(sys.executable), prints(text), {}) == version


def test_a_program_that_fails_has_no_version() -> None:
    assert version_of(Path(sys.executable), prints("1.0", status=1), {}) is None


def test_a_file_that_is_no_program_has_no_version(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\0")
    (tmp_path / "x").chmod(0o755)
    assert version_of(tmp_path / "x", (), {}) is None


def test_a_program_that_reads_its_input_gets_none() -> None:
    reader = ("-c", "import sys; print('9.' + str(len(sys.stdin.read())))")
    assert version_of(Path(sys.executable), reader, {}) == "9.0"


@pytest.mark.parametrize(
    ("version", "wanted", "outcome"),
    [
        ("7.0.2", "7", True),
        ("7", "7", True),
        ("7", "7.0", True),
        ("10.1", "7", True),
        ("6.9.9", "7", False),
        ("1.10", "1.9", True),
    ],
)
def test_versions_are_compared_as_numbers(version: str, wanted: str, outcome: bool) -> None:
    assert is_at_least(version, wanted) is outcome


@pytest.mark.parametrize(
    ("told", "short"),
    [
        ("1.1.414", "1.1.414"),
        ("v0.23.0", "0.23.0"),
        ("rust-analyzer 1.96.0 (ac68faa 2026-10-01)", "1.96.0"),
        ('{"GoVersion":"go1.26.8","Version":"v0.23.0"}', "0.23.0"),
        ("2.0.0-beta.1", "2.0.0-beta.1"),
        ("HEAD", "HEAD"),
        ("", ""),
        ("a very long sentence without any number", "a very long sentence"),
    ],
)
def test_of_what_a_server_tells_of_itself_the_version_is_kept(told: str, short: str) -> None:
    assert short_version(told) == short


def test_the_version_of_a_node_program_is_that_of_its_package(tmp_path: Path) -> None:
    script = tmp_path / "node_modules/@scope/tool/dist/cli.js"
    script.parent.mkdir(parents=True)
    script.touch()
    (script.parents[1] / "package.json").write_text('{"version": "3.2.1"}', "utf-8")
    link = tmp_path / "bin/tool"
    link.parent.mkdir()
    link.symlink_to(script)
    assert told_version(link) == "3.2.1"


def test_the_version_of_a_python_program_is_that_of_its_distribution(tmp_path: Path) -> None:
    (tmp_path / "lib/python3.11/site-packages/some_tool-4.5.dist-info").mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    assert told_version(tmp_path / "bin/some-tool") == "4.5"
    assert told_version(tmp_path / "bin/some-tool-langserver", "some-tool") == "4.5"
    assert told_version(tmp_path / "bin/other") == ""
