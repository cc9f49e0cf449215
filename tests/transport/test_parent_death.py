"""A child asks the kernel to be killed with us, in one of two ways, and is otherwise as it was to be."""

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from groundwire.transport.parent_death import born_to_die_with_parent
from tests.transport.children_at_hand import eventually_blocking, lives

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel offers this on Linux only")

PYTHON = str(Path(sys.executable).resolve())
TELL = """
import ctypes, json, os
number = ctypes.c_int()
ctypes.CDLL(None).prctl(2, ctypes.byref(number))
environment = dict((os.fsdecode(name), os.fsdecode(value)) for name, value in os.environb.items())
print(json.dumps([number.value, os.getppid(), os.getcwd(), environment]))
"""
PLAIN: Mapping[str, str] = {"COLOUR": "green", "ODD": "two\nlines 'and' \"quotes\" $HOME \udcff", "EMPTY": ""}
ELSEWHERE: Mapping[str, str] = {**PLAIN, "PWD": "/else where", "SHLVL": "7", "_": "/bin/it", "OLDPWD": "-"}
NO_NAMES: Mapping[str, str] = {**PLAIN, "npm_package_config.port": "1", "BASH_FUNC_f%%": "() { :; }"}
OF_THE_SHELL: Mapping[str, str] = {**PLAIN, "PPID": "1", "IFS": "x", "OPTIND": "5"}
OF_THE_LOADER: Mapping[str, str] = {**PLAIN, "LD_LIBRARY_PATH": "/no/such/directory"}
ALL = [PLAIN, ELSEWHERE, NO_NAMES, OF_THE_SHELL, OF_THE_LOADER]


def start(command: tuple[str, ...], env: Mapping[str, str], cwd: Path) -> subprocess.Popen[bytes]:
    birth = born_to_die_with_parent(command, env)
    return subprocess.Popen(
        birth.command,
        stdout=subprocess.PIPE,
        cwd=cwd,
        env=env,
        preexec_fn=birth.preparation,  # noqa: PLW1509 - as it is used
    )


def is_copied(program: Path | str, env: Mapping[str, str] = PLAIN) -> bool:
    """Whether all our memory is copied for it."""
    return born_to_die_with_parent((str(program),), env).preparation is not None


needs_launchers = pytest.mark.skipif(is_copied(PYTHON), reason="no dash, or no setpriv that can do it")


@pytest.mark.parametrize("env", ALL)
def test_a_child_has_asked_for_the_signal_and_has_just_the_environment_it_was_given(
    env: Mapping[str, str], tmp_path: Path
) -> None:
    with start((PYTHON, "-I", "-S", "-c", TELL), env, tmp_path) as process:
        output, _ = process.communicate(timeout=30)
    number, parent, directory, environment = json.loads(output)
    assert (number, parent, directory) == (signal.SIGKILL, os.getpid(), str(tmp_path))
    # What Python sets by itself in the plainest locale.
    assert {name: value for name, value in environment.items() if name != "LC_CTYPE"} == env


@needs_launchers
def test_memory_is_copied_only_for_an_environment_that_the_shell_would_change_or_that_may_change_the_shell() -> None:
    assert [is_copied(PYTHON, env) for env in ALL] == [False, False, True, True, True]


@needs_launchers
def test_a_child_whose_parent_died_before_it_asked_does_nothing(tmp_path: Path) -> None:
    made = tmp_path / "made"
    command = born_to_die_with_parent(("/usr/bin/touch", str(made)), {}).command
    others = tuple("1" if each == str(os.getpid()) else each for each in command)
    assert others != command
    assert subprocess.run(others, env={}, check=False).returncode == 1
    assert not made.exists()
    assert subprocess.run(command, env={}, check=False).returncode == 0
    assert made.exists()


def script(first_line: str) -> Callable[[Path], object]:
    return lambda file: file.write_text(f"{first_line}\n")


def for_another_machine(file: Path) -> None:
    content = bytearray(Path(PYTHON).read_bytes()[:64])
    content[18] ^= 0xFF
    file.write_bytes(content)


@needs_launchers
@pytest.mark.parametrize(
    ("make", "copies"),
    [
        (script("#!/usr/bin/env node"), False),
        (script(f"#! {PYTHON} -I"), False),
        (script("#!/no/such/interpreter"), True),
        (script("#!python"), True),
        (script("#!/bin/sh\r"), True),
        (script("#!"), True),
        (script("echo no interpreter is named"), True),
        (script(""), True),
        (for_another_machine, True),
        (os.mkfifo, True),
        (Path.mkdir, True),
    ],
)
def test_only_what_is_sure_to_start_is_left_to_others(
    make: Callable[[Path], object], copies: bool, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    make(program)
    program.chmod(stat.S_IRWXU)
    assert is_copied(program) is copies


@needs_launchers
def test_what_is_not_there_or_may_not_be_run_is_not_left_to_others(tmp_path: Path) -> None:
    (tmp_path / "program").write_bytes(Path(PYTHON).read_bytes()[:64])
    assert is_copied(tmp_path / "program")
    assert is_copied(tmp_path / "missing")
    assert is_copied("python3")


STARTS_ONE = """
import subprocess, sys, time
from groundwire.transport.parent_death import born_to_die_with_parent
env = {"ODD%": "1"} if sys.argv[1] == "copied" else {}
birth = born_to_die_with_parent((sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"), env)
assert (birth.preparation is not None) == (sys.argv[1] == "copied")
child = subprocess.Popen(birth.command, env=env, preexec_fn=birth.preparation, start_new_session=True)
print(child.pid, flush=True)
time.sleep(600)
"""


@needs_launchers
@pytest.mark.parametrize("way", ["copied", "left to others"])
def test_a_child_is_killed_with_its_parent_either_way(way: str) -> None:
    with subprocess.Popen((sys.executable, "-c", STARTS_ONE, way), stdout=subprocess.PIPE) as process:
        assert process.stdout
        child = int(process.stdout.readline())
        # It may not have asked yet; that it then finds its parent gone is as good.
        assert lives(child)
        process.kill()
    assert eventually_blocking(lambda: not lives(child))
