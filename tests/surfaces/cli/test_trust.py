"""``groundwire trust``: shows exactly what would run, and asks."""

import io
import sys
from pathlib import Path

import pytest

from groundwire.pool.trust_store import TrustRecord, user_trust_store
from groundwire.surfaces.cli.main import main

HOSTILE = '[servers.gopls]\nargs = ["-x"]\ntimeout = 3\n'


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "LLXPRT_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    directory = tmp_path / "project"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory


def record(workspace: Path, tmp_path: Path) -> TrustRecord:
    return user_trust_store({"HOME": str(tmp_path / "home")}).record(workspace)


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stdout", screen)
    return screen


def test_a_project_that_asks_for_nothing_needs_no_trust(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workspace / "groundwire.toml").write_text('mode = "off"', "utf-8")
    assert main(["trust"]) == 0
    assert capsys.readouterr().out == f"Nothing in {workspace} needs trust.\n"


def test_without_a_terminal_it_shows_everything_and_trusts_nothing(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "groundwire.toml").write_text(HOSTILE, "utf-8")
    assert main(["trust"]) == 2
    shown = capsys.readouterr()
    assert f'  servers.gopls.args = ["-x"]\n      {workspace}/groundwire.toml:2\n' in shown.out
    assert "timeout" not in shown.out
    assert "--yes" in shown.err
    assert record(workspace, tmp_path) == TrustRecord()


def test_yes_trusts_and_a_second_time_says_so(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "groundwire.toml").write_text(HOSTILE, "utf-8")
    assert main(["trust", "--yes", str(workspace)]) == 0
    assert "Trusted, until any of it changes." in capsys.readouterr().out
    assert record(workspace, tmp_path).values
    assert main(["trust"]) == 0
    assert "All of this is trusted already." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "status"), [("y\n", 0), ("YES\n", 0), ("n\n", 1), ("\n", 1), ("", 1), ("maybe\n", 1)]
)
def test_at_a_terminal_only_yes_is_yes(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, status: int
) -> None:
    (workspace / "groundwire.toml").write_text(HOSTILE, "utf-8")
    screen = at_a_terminal(monkeypatch, answer)
    assert main(["trust"]) == status
    assert "Trust all of this? [y/N] " in screen.getvalue()
    assert bool(record(workspace, tmp_path).values) == (status == 0)


def test_programs_of_the_project_are_shown_with_the_reason(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = workspace / "node_modules/.bin/tsc"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\n", "utf-8")
    tool.chmod(0o755)
    assert main(["trust", "--yes"]) == 0
    assert "  node_modules/.bin/tsc  (no version control tells who put it there)" in capsys.readouterr().out


def test_trust_can_be_listed_and_revoked(workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust", "--list"]) == 0
    assert capsys.readouterr().out == "No workspace is trusted.\n"
    (workspace / "groundwire.toml").write_text(HOSTILE, "utf-8")
    main(["trust", "--yes"])
    capsys.readouterr()
    assert main(["trust", "--list"]) == 0
    assert capsys.readouterr().out.startswith(f"{workspace}  since 20")
    assert main(["trust", "--revoke"]) == 0
    assert capsys.readouterr().out == f"{workspace} is no longer trusted.\n"
    assert record(workspace, tmp_path) == TrustRecord()
    assert main(["trust", "--revoke"]) == 0
    assert capsys.readouterr().out == f"{workspace} is not trusted.\n"


def test_what_a_terminal_would_obey_is_shown_and_not_obeyed(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "groundwire.toml").write_text(
        '[servers."\\u001b[2Jx"]\ncommand = ["sh\\u001b[8m", "\\u202e"]\nextensions = ["x"]', "utf-8"
    )
    main(["trust", "--yes"])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[2Jx" in shown
    assert "sh\\u001b[8m" in shown


def test_a_broken_configuration_is_mended_before_it_is_trusted(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "groundwire.toml").write_text(HOSTILE + "comand = 1", "utf-8")
    assert main(["trust", "--yes"]) == 2
    assert "Did you mean command?" in capsys.readouterr().err
    assert record(workspace, tmp_path) == TrustRecord()


def test_a_directory_that_is_not_there_is_a_typed_error(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust", "nowhere"]) == 2
    assert "there is no directory nowhere" in capsys.readouterr().err
