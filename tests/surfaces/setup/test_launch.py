"""How an agent is told to start groundwire."""

import shlex
from pathlib import Path

import pytest

from groundwire.surfaces.setup.agent import System
from groundwire.surfaces.setup.launch import Launch, this_launch
from groundwire.surfaces.setup.ours import is_ours

WINDOWS = Launch(r"C:\Program Files\groundwire.exe", (), "windows")


def test_the_program_that_was_started_is_the_one_that_is_written(tmp_path: Path) -> None:
    program = tmp_path / "groundwire"
    program.touch()
    assert this_launch("linux", started_as=str(program), python="/usr/bin/python3") == Launch(str(program), (), "linux")


def test_a_link_is_written_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv/groundwire").touch()
    link = tmp_path / "groundwire"
    link.symlink_to(tmp_path / "venv/groundwire")
    assert this_launch("linux", started_as=str(link), python="/usr/bin/python3").program == str(link)


def test_else_it_is_the_one_beside_the_interpreter(tmp_path: Path) -> None:
    (tmp_path / "groundwire").touch()
    launch = this_launch("linux", started_as="/x/groundwire/__main__.py", python=str(tmp_path / "python"))
    assert launch == Launch(str(tmp_path / "groundwire"), (), "linux")


def test_else_it_is_the_module(tmp_path: Path) -> None:
    python = str(tmp_path / "python")
    launch = this_launch("linux", started_as="/x/groundwire/__main__.py", python=python)
    assert launch == Launch(python, ("-m", "groundwire"), "linux")
    assert launch.arguments("mcp") == ["-m", "groundwire", "mcp"]


def test_a_portable_command_is_the_plain_name() -> None:
    assert this_launch("darwin", is_portable=True) == Launch("groundwire", (), "darwin")


@pytest.mark.parametrize("program", ["/a b/groundwire", "/it's/groundwire", "/$HOME/groundwire", "/`x`/groundwire"])
def test_a_line_for_a_shell_is_the_same_words_again(program: str) -> None:
    assert shlex.split(Launch(program, (), "linux").line("hook", "--agent", "x")) == [program, "hook", "--agent", "x"]


def test_on_windows_a_line_suits_both_of_its_shells() -> None:
    assert WINDOWS.line("hook") == '"C:/Program Files/groundwire.exe" hook'
    assert shlex.split(WINDOWS.line("hook")) == ["C:/Program Files/groundwire.exe", "hook"]
    assert WINDOWS.powershell_line("hook") == r"& 'C:\Program Files\groundwire.exe' 'hook'"
    assert WINDOWS.posix_line("hook") == "'C:/Program Files/groundwire.exe' hook"


@pytest.mark.parametrize("system", ["linux", "windows"])
@pytest.mark.parametrize("program", ["groundwire", "/a b/groundwire", r"C:\x y\groundwire.exe", "/it's/groundwire"])
def test_every_form_of_our_hook_is_known_again_as_ours(program: str, system: System) -> None:
    launch = Launch(program, (), system)
    for line in (launch.line("hook"), launch.posix_line("hook"), launch.powershell_line("hook")):
        assert is_ours({"hooks": [{"type": "command", "command": line}]}), line
    module = Launch("/usr/bin/python3", ("-m", "groundwire"), system)
    assert is_ours({"command": module.line("hook", "--agent", "cursor"), "timeout": 15})


@pytest.mark.parametrize(
    "command", ["groundwire-hook", "echo groundwire", "my-groundwire-hooks run", "groundwire check"]
)
def test_what_only_looks_like_it_is_not_ours(command: str) -> None:
    assert not is_ours({"hooks": [{"type": "command", "command": command}]})
