"""``groundwire doctor`` from the command line, and what all commands that look at projects refuse."""

import json
from pathlib import Path

import pytest

from groundwire.surfaces.cli.main import main
from tests.surfaces.cli.outputs import run, run_json


def test_doctor_is_content_with_a_server_that_works(toy_project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = run_json("doctor", capsys=capsys)
    assert (status, shown["ok"], shown["files"]) == (0, True, 1)
    assert '"state": "found"' in json.dumps(shown["servers"])


def test_doctor_ends_with_one_where_a_server_is_missing(toy_project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toy_project / "main.go").touch()
    status, out = run("doctor", "--wait", "30", capsys=capsys)
    assert status == 1
    assert "missing  gopls" in out
    assert out.endswith("1 server of 2 needs attention.\n")


def test_a_configuration_with_mistakes_is_told_with_all_of_them(
    toy_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (toy_project / "groundwire.toml").write_text("mod = 1\nseverty = 2\n", "utf-8")
    for command in (["status"], ["doctor"], ["explain", "a.toy"]):
        assert main(command) == 2
        assert "the configuration has 2 errors" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["explain"], ["explain", "a", "b"], ["status", "a"], ["doctor", "a"], ["doctor", "--wait", "0"]]
)
def test_wrong_use_ends_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
