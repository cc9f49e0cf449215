"""``groundwire explain`` from the command line."""

import os
import sys
from pathlib import Path

import pytest

from tests.surfaces.cli.outputs import run, run_json


def test_explain_tells_which_server_a_file_gets(toy_project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = run("explain", "a.toy", capsys=capsys)
    assert status == 0
    assert out.startswith("a.toy is toy, by its ending .toy\n")
    assert "\ntoy  primary\n" in out
    assert "\x1b" not in out


def test_explain_takes_the_workspace_that_is_named(toy_project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = run_json("explain", "a.toy", "--root", "..", capsys=capsys)
    assert (status, shown["file"], shown["workspace"]) == (0, "project/a.toy", str(toy_project.parent))


def test_a_file_that_is_not_there_is_wrong_use(toy_project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = run_json("explain", "gone.toy", capsys=capsys)
    assert (status, shown["kind"]) == (2, "FileNotFound")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_explain_says_who_cannot_take_a_name_that_is_no_text(
    toy_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (toy_project / os.fsdecode(b"bad\xff.toy")).touch()
    status, out = run("explain", r"bad\xff.toy", capsys=capsys)
    assert (status, out.startswith(r"bad\xff.toy is toy")) == (0, True)
    assert "cannot take a file whose name is no UTF-8" in " ".join(out.split())
