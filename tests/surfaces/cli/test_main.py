"""The command line: wrong use, typed errors as sentences or JSON, and never a traceback."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from groundwire import __version__
from groundwire.surfaces.cli.main import main


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["chekc"],
        ["check"],
        ["check", "a.py", "--wait", "soon"],
        ["check", "a.py", "--wait", "0"],
        ["check", "a.py", "--wait", "-1"],
        ["check", "a.py", "--wait", "inf"],
        ["check", "a.py", "--wait", "nan"],
        ["check", "a.py", "--servers", "ty"],
        ["demo", "a.py"],
    ],
)
def test_wrong_use_ends_with_status_two_and_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: groundwire")


def test_a_command_that_is_not_there_is_told_with_the_one_that_may_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["reffs", "shout"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("groundwire: error: there is no command 'reffs'; did you mean refs?\n")
    for tool, command in {"find_references": "refs", "references": "refs", "Go-To-Definition": "def"}.items():
        with pytest.raises(SystemExit):
            main([tool, "shout"])
        assert capsys.readouterr().err.endswith(f"there is no command {tool!r}; did you mean {command}?\n")
    with pytest.raises(SystemExit):
        main(["xyzzy"])
    assert "groundwire --help lists them all" in capsys.readouterr().err


def test_help_is_in_groups_and_fits_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.split("\n")
    groups = [line.removesuffix(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert groups[:6] == ["Ask", "Check", "Change", "Language servers", "Serve", "Set up"]
    assert groups[-3:] == ["Examples", "Exit status", "Environment"]
    assert max(map(len, lines)) <= 80


def test_exit_statuses_stand_at_the_end_of_a_command_s_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    shown = capsys.readouterr().out
    assert shown.index("Exit status: 0 no errors") > shown.index("--wait")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"groundwire {__version__}\n"


def test_the_version_is_the_same_in_the_package_and_in_its_metadata() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["version"] == __version__


def test_help_and_version_load_nothing_of_the_engine() -> None:
    script = (
        "import sys\nfrom groundwire.surfaces.cli.main import main\n"
        "try:\n    main(['--version'])\nexcept SystemExit:\n    pass\n"
        "sys.exit(sorted({'asyncio', 'msgspec', 'rich', 'groundwire.pool'} & set(sys.modules)) or 0)"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_server_is_a_sentence_with_a_hint_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.py", "--server", "gopsl"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "groundwire: no server is called 'gopsl'\nhint: Did you mean gopls?\n"


def test_a_typed_error_is_the_one_json_shape_when_json_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.py", "--json", "--server", "gopsl"]) == 2
    shown = capsys.readouterr()
    assert shown.err == ""
    assert json.loads(shown.out) == {
        "ok": False,
        "error": "no server is called 'gopsl'",
        "kind": "InvalidArgument",
        "hint": "Did you mean gopls?",
    }


def test_a_file_that_is_not_there_is_a_typed_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "nowhere.py"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["kind"] == "FileNotFound"


@pytest.mark.skipif(sys.platform == "win32", reason="a directory that somebody is in cannot be removed there")
@pytest.mark.parametrize("command", ["check a.py", "status", "daemon status", "init --dry-run", "mcp", "lsp", "refs x"])
def test_a_directory_that_is_gone_is_told_as_that_and_is_no_defect(tmp_path: Path, command: str) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"import os, runpy, sys\nos.chdir({str(gone)!r})\nos.rmdir({str(gone)!r})\n"
    script += f"sys.argv[1:] = {command.split()!r}\nrunpy.run_module('groundwire', run_name='__main__')"
    environment = {"PYTHONPATH": ":".join(sys.path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    told = "groundwire: the current directory is gone\nhint: Change to one that is there.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


def test_a_defect_is_a_sentence_and_its_traceback_is_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    class Broken:
        def isatty(self) -> bool:
            raise ValueError("no such stream")

    monkeypatch.setattr(sys, "stderr", Broken())
    assert main(["check", __file__, "--json"]) == 2
    shown = json.loads(capsys.readouterr().out)
    assert (shown["kind"], shown["error"]) == ("Internal", "ValueError: no such stream")
    assert str(tmp_path / "groundwire/crash.log") in shown["hint"]
    assert "Traceback" in (tmp_path / "groundwire/crash.log").read_text("utf-8")


def test_a_denied_tool_is_refused_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GROUNDWIRE_PERMISSIONS__APPLY_EDIT", "deny")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("x = 1\n", "utf-8")
    assert main(["edit", "a.py", "--old-text", "x = 1", "--new-text", "x = 2", "--no-daemon"]) == 2
    assert "apply_edit is denied here" in capsys.readouterr().err
    assert (tmp_path / "a.py").read_text("utf-8") == "x = 1\n"
