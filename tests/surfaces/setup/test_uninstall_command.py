"""``groundwire uninstall``: everything that was ever written goes, and nothing else."""

import json
from pathlib import Path
from typing import cast

import pytest

from groundwire.errors import DaemonUnavailable
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.main import main
from groundwire.surfaces.cli.uninstall import run


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two, in which groundwire was set up, and the user has it too."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "GROUNDWIRE_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    (tmp_path / "home").mkdir()
    made = [tmp_path / "one", tmp_path / "two"]
    for directory in made:
        directory.mkdir()
        monkeypatch.chdir(directory)
        assert main(["init", "--yes", "--agent", "cursor"]) == 0
    assert main(["init", "--yes", "--agent", "codex", "--scope", "user"]) == 0
    return made


def test_what_was_written_anywhere_is_gone(
    projects: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["uninstall", "--yes"]) == 0
    assert "Taken back:" in capsys.readouterr().out
    assert [list(project.iterdir()) for project in projects] == [[], []]
    assert not (tmp_path / "home/.codex").exists()
    assert not (tmp_path / "home/.local/state/groundwire/setup").exists()
    assert main(["uninstall", "--yes"]) == 0
    assert "There was nothing to take back." in capsys.readouterr().out


def test_nobody_asked_is_nothing_done(projects: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["uninstall"]) == 2
    shown = capsys.readouterr()
    assert "To take back:" in shown.out
    assert "--yes" in shown.err
    assert (projects[0] / ".cursor/mcp.json").is_file()


def test_a_dry_run_only_tells(projects: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["uninstall", "--dry-run", "--json"]) == 0
    answer = cast("dict[str, object]", json.loads(capsys.readouterr().out))
    assert str(projects[0] / ".cursor/mcp.json") in cast("list[str]", answer["to_undo"])
    assert (projects[0] / ".cursor/mcp.json").is_file()


def test_what_remains_is_told_and_not_touched(
    projects: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "home/.config/groundwire/config.toml"
    own.parent.mkdir(parents=True)
    own.write_text("", "utf-8")
    assert main(["uninstall", "--yes"]) == 0
    assert f"Still there, for you to delete:\n  {own.parent}\n" in capsys.readouterr().out
    assert own.exists()


def sure(**more: bool) -> Arguments:
    return Arguments(yes=True, **more)


def test_daemons_are_stopped_and_counted(projects: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(sure(), stop_daemons=lambda: 3) == 0
    assert "Stopped in the background: 3" in capsys.readouterr().out


def test_a_daemon_that_does_not_end_is_told_and_the_rest_is_done(
    projects: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> int:
        raise DaemonUnavailable("it does not end", hint="Look at its log.")

    assert run(sure(), stop_daemons=refuse) == 1
    assert "it does not end" in capsys.readouterr().out
    assert list(projects[0].iterdir()) == []
