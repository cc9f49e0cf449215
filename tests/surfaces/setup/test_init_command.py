"""``groundwire init``: shows, asks, writes, takes back."""

import io
import json
import sys
from pathlib import Path
from typing import cast

import pytest

from groundwire.surfaces.cli.main import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "CLINE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(sys, "argv", ["/nowhere/bin/groundwire"])
    (tmp_path / "home").mkdir()
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / ".mcp.json").write_text('{\n  // ours\n  "mcpServers": {}\n}\n', "utf-8")
    monkeypatch.chdir(directory)
    return directory


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stdout", screen)
    return screen


def answer_of(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(capsys.readouterr().out))


def test_without_a_terminal_it_shows_the_plan_and_writes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (project / ".mcp.json").read_bytes()
    assert main(["init"]) == 2
    shown = capsys.readouterr()
    assert "Claude Code  (.mcp.json is in the project)" in shown.out
    assert f"{project}/.mcp.json  changed: MCP server for Claude Code" in shown.out
    assert f"{project}/.claude/settings.json  new: hooks for Claude Code" in shown.out
    assert "--yes" in shown.err
    assert (project / ".mcp.json").read_bytes() == before


def test_where_nothing_could_be_written_nothing_is_said_to_be(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "home/.local").write_text("no directory", "utf-8")  # there is no place for a record
    before = (project / ".mcp.json").read_bytes()
    assert main(["init", "--yes"]) == 1
    shown = capsys.readouterr()
    assert shown.out.endswith("\nNothing was written.\n")
    assert shown.err.count("hint: Without a record nothing is changed.") == 2
    assert main(["init", "--yes", "--json"]) == 1
    assert answer_of(capsys)["written"] is False
    assert (project / ".mcp.json").read_bytes() == before


def test_where_all_is_to_be_done_by_hand_it_is_not_said_that_there_is_nothing_to_do(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".mcp.json").write_text("{ broken", "utf-8")
    assert main(["init", "--yes", "--agent", "claude", "--no-hooks"]) == 1
    shown = capsys.readouterr().out
    assert f"By hand, for Claude Code: {project}/.mcp.json" in shown
    assert shown.endswith("\nNothing was written.\n")


def test_a_yes_writes_and_tells_what_is_to_be_confirmed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = at_a_terminal(monkeypatch, "y\n")
    assert main(["init"]) == 0
    assert "Write 2 files? [y/N]" in screen.getvalue()
    assert "2 files written" in screen.getvalue()
    assert "Claude Code asks once" in screen.getvalue()
    assert "// ours" in (project / ".mcp.json").read_text("utf-8")


@pytest.mark.parametrize("answer", ["\n", "n\n", ""])
def test_anything_else_writes_nothing(project: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    screen = at_a_terminal(monkeypatch, answer)
    assert main(["init"]) == 1
    assert "Nothing was written." in screen.getvalue()
    assert not (project / ".claude").exists()


def test_the_second_time_there_is_nothing_to_do(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--yes"]) == 0
    capsys.readouterr()
    assert main(["init"]) == 0
    assert "Nothing to do." in capsys.readouterr().out


def test_undo_gives_back_what_was_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (project / ".mcp.json").read_bytes()
    main(["init", "--yes"])
    assert main(["init", "--undo"]) == 0
    assert f"{project}/.mcp.json  as it was before" in capsys.readouterr().out
    assert [path.name for path in project.iterdir()] == [".mcp.json"]
    assert (project / ".mcp.json").read_bytes() == before
    assert main(["init", "--undo"]) == 0
    assert capsys.readouterr().out == "There is nothing to take back.\n"


def test_undo_takes_back_nothing_of_another_project_or_of_the_user(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["init", "--yes"])
    main(["init", "--yes", "--scope", "user", "--agent", "cursor"])
    (tmp_path / "other").mkdir()
    assert main(["init", "--undo", "--root", str(tmp_path / "other")]) == 0
    assert (tmp_path / "home/.cursor/mcp.json").is_file()
    assert main(["init", "--undo", "--scope", "user"]) == 0
    assert not (tmp_path / "home/.cursor").exists()
    assert (project / ".claude/settings.json").is_file()


def test_undo_for_one_agent_keeps_what_others_share(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["init", "--yes", "--agent", "claude", "--agent", "copilot"])
    capsys.readouterr()
    assert main(["init", "--undo", "--agent", "copilot", "--json"]) == 0
    answer = answer_of(capsys)
    assert answer["kept"] == [str(project / ".mcp.json")]
    assert not (project / ".github").exists()
    assert "groundwire" in (project / ".mcp.json").read_text("utf-8")


def test_a_dry_run_is_a_difference_and_nothing_else(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (project / ".mcp.json").read_bytes()
    assert main(["init", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert f"--- {project}/.mcp.json\n+++ {project}/.mcp.json\n@@ " in out
    assert f"--- /dev/null\n+++ {project}/.claude/settings.json\n" in out
    assert '+      "command":' in out
    assert (project / ".mcp.json").read_bytes() == before
    assert not (project / ".claude").exists()


def test_a_terminal_is_not_made_to_obey_what_a_project_says(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".mcp.json").write_text('{\n  // \x1b[2J\u202e\n  "mcpServers": {}\n}\n', "utf-8")
    assert main(["init", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert " // \\x1b[2J\\u202e\n" in out


def test_a_file_that_cannot_be_edited_is_left_to_the_user_and_the_rest_is_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".mcp.json").write_text("{", "utf-8")
    assert main(["init", "--yes"]) == 1
    out = capsys.readouterr().out
    assert f"By hand, for Claude Code: {project}/.mcp.json (" in out
    assert '"groundwire": {' in out
    assert (project / ".claude/settings.json").is_file()
    assert (project / ".mcp.json").read_text("utf-8") == "{"


def test_the_answer_in_json_says_all_of_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--json"]) == 2
    answer = answer_of(capsys)
    assert answer["written"] is False
    assert "--yes" in str(answer["hint"])
    assert main(["init", "--json", "--yes", "--no-hooks"]) == 0
    answer = answer_of(capsys)
    assert answer["ok"] is True
    assert answer["written"] is True
    (change,) = cast("list[dict[str, object]]", answer["changes"])
    assert (change["file"], change["agents"]) == (str(project / ".mcp.json"), ["claude"])


def test_where_no_agent_is_found_those_that_could_be_named_are_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".mcp.json").unlink()
    assert main(["init"]) == 2
    assert "no coding agent was found" in capsys.readouterr().err
    assert main(["init", "--agent", "nobody"]) == 2
    assert "Known are: " in capsys.readouterr().err


def test_the_home_directory_is_no_project(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path / "home")
    assert main(["init", "--agent", "cursor", "--yes"]) == 2
    assert "--scope user" in capsys.readouterr().err
