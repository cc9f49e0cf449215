"""``groundwire status`` from the command line."""

from pathlib import Path

import pytest

from tests.surfaces.cli.outputs import run, run_json


def test_status_shows_what_could_be_started(toy_project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = run("status", capsys=capsys)
    assert (status, out.split("\n")[2]) == (0, "idle  toy  toy  .")


def test_status_is_one_object_where_json_is_asked_for(toy_project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = run_json("status", "--root", str(toy_project), capsys=capsys)
    assert (status, shown["ok"], shown["workspace"], shown["files"]) == (0, True, str(toy_project), 1)
