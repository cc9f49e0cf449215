"""Building and testing from the command line: what a project supplies runs once it is trusted, and the exit status
tells how it ended."""

import shutil
from pathlib import Path

import pytest

from groundwire.surfaces.cli.main import main

PASSES = "import unittest\n\n\nclass Case(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(1, 1)\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    directory = tmp_path / "project"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_recipes_run_once_the_makefile_is_trusted(project: Path, capsys: pytest.CaptureFixture[str]):
    (project / "Makefile").write_text("all:\n\ttouch made\n", "utf-8")
    assert main(["build", "--no-daemon"]) == 2
    assert "groundwire trust" in capsys.readouterr().err
    assert not (project / "made").exists()
    assert main(["trust", "--yes"]) == 0
    assert "Makefile" in capsys.readouterr().out
    assert main(["build", "--no-daemon"]) == 0
    assert (project / "made").exists()
    (project / "Makefile").write_text("all:\n\ttouch other\n", "utf-8")
    assert main(["build", "--no-daemon"]) == 2
    assert not (project / "other").exists()


@pytest.mark.parametrize(("setting", "is_refused_when_trusted"), [("never", True), ("trusted", False)])
def test_code_that_is_not_to_be_executed_is_not_tested(setting: str, is_refused_when_trusted: bool, project: Path):
    home = project.parent / "home/.config/groundwire"
    home.mkdir(parents=True)
    (home / "config.toml").write_text(f'project_code = "{setting}"\n', "utf-8")
    (project / "test_it.py").write_text(PASSES, "utf-8")
    assert main(["test", "--no-daemon"]) == 2
    main(["trust", "--yes"])
    assert (main(["test", "--no-daemon"]) == 2) is is_refused_when_trusted


@pytest.mark.parametrize(("expected", "status"), [("1, 1", 0), ("1, 2", 1)])
def test_the_exit_status_tells_whether_the_tests_passed(expected: str, status: int, project: Path):
    (project / "test_it.py").write_text(PASSES.replace("1, 1", expected), "utf-8")
    assert main(["test", "--no-daemon"]) == status
