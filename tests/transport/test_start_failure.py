"""A command that cannot be started says what is wrong and what to do."""

import sys
from pathlib import Path

import pytest

from groundwire.errors import ServerUnavailable
from groundwire.transport.process import ProcessSpec, spawn
from tests.transport.children_at_hand import environment

pytestmark = pytest.mark.anyio


async def refusal(command: tuple[str, ...], cwd: str) -> ServerUnavailable:
    """How the start of this command fails."""
    with pytest.raises(ServerUnavailable) as failure:
        await spawn(ProcessSpec(command, cwd, environment()))
    return failure.value


async def test_a_missing_binary_is_named_with_a_hint_to_install_it(tmp_path: Path):
    error = await refusal(("no-such-language-server", "--stdio"), str(tmp_path))
    assert error.message == "no-such-language-server was not found"
    assert "Install no-such-language-server" in error.hint


async def test_a_missing_path_is_named(tmp_path: Path):
    error = await refusal((str(tmp_path / "bin" / "server"),), str(tmp_path))
    assert error.message == f"{tmp_path / 'bin' / 'server'} was not found"


async def test_a_file_that_is_not_executable_says_so(tmp_path: Path):
    program = tmp_path / "server"
    program.write_text("#!/bin/sh\n")
    error = await refusal((str(program),), str(tmp_path))
    assert error.message == f"{program} is not executable"
    assert error.hint == f"Make it executable: chmod +x {program}"


async def test_a_relative_command_is_looked_up_from_the_directory_it_starts_in(tmp_path: Path):
    (tmp_path / "server").write_text("#!/bin/sh\n")
    assert "is not executable" in (await refusal(("./server",), str(tmp_path))).message


async def test_a_directory_as_command_says_so(tmp_path: Path):
    assert "is a directory" in (await refusal((str(tmp_path),), str(tmp_path))).message


async def test_a_script_whose_interpreter_is_missing_says_so(tmp_path: Path):
    program = tmp_path / "server"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    error = await refusal((str(program),), str(tmp_path))
    assert error.message == f"the interpreter that {program} names in its first line was not found"


async def test_a_file_that_is_no_program_says_so(tmp_path: Path):
    program = tmp_path / "server"
    program.write_bytes(b"\x00\x01\x02\x03")
    program.chmod(0o755)
    error = await refusal((str(program),), str(tmp_path))
    assert error.message == f"{program} is not in a format this system can run"


async def test_a_directory_that_does_not_exist_is_named(tmp_path: Path):
    error = await refusal((sys.executable,), str(tmp_path / "gone"))
    assert error.message == f"the directory to start {sys.executable} in does not exist: {tmp_path / 'gone'}"
    assert error.hint == "Check the workspace path."


async def test_a_directory_that_is_a_file_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    assert "is not a directory" in (await refusal((sys.executable,), str(tmp_path / "file"))).message


async def test_an_empty_command_says_so(tmp_path: Path):
    assert (await refusal((), str(tmp_path))).message == "the command is empty"


async def test_an_argument_the_system_cannot_take_is_refused(tmp_path: Path):
    error = await refusal((sys.executable, "nul\0byte"), str(tmp_path))
    assert "could not be started: embedded null byte" in error.message
