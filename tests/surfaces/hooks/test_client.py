"""The hook's own process, but for its conversation: who asks, about which workspace, and what it reads."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from groundwire import __file__ as package
from groundwire.surfaces.hooks.client import LARGEST_PAYLOAD, SILENCE, agent_in, main, read_input, root_of
from groundwire.surfaces.hooks.detection import AGENTS
from groundwire.surfaces.hooks.output import silence


def test_the_agent_is_read_however_it_is_said():
    assert agent_in(["--agent", "claude"]) == "claude"
    assert agent_in(["--agent=claude"]) == "claude"
    assert agent_in(["claude"]) == "claude"
    assert agent_in(["--what", "--agent"]) == ""
    assert agent_in([]) == ""


def test_help_is_left_to_the_command_line():
    assert main(["--help"]) is None


def test_it_is_silent_as_the_daemon_would_be():
    assert {agent: SILENCE.get(agent, b"{}") for agent in AGENTS} == {agent: silence(agent) for agent in AGENTS}


@pytest.mark.parametrize("name", ["cwd", "working_dir", "directory", "workspace_roots", "workspaceRoots"])
def test_the_workspace_is_the_repository_round_what_the_host_names(name: str, tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    value = str(tmp_path / "src")
    payload: dict[str, object] = {name: [value, "/other"] if name.startswith("workspace") else value}
    assert root_of(payload, {}, "/") == str(tmp_path.resolve())


def test_a_directory_that_is_not_there_is_passed_over_for_the_project_of_the_environment(tmp_path: Path):
    environment = {"CLAUDE_PROJECT_DIR": str(tmp_path)}
    assert root_of({"cwd": str(tmp_path / "gone")}, environment, "/") == str(tmp_path.resolve())
    assert root_of({"cwd": ["x", 1], "directory": "relative\0"}, environment, "/") == str(tmp_path.resolve())


def test_without_a_repository_a_directory_below_the_project_means_the_project(tmp_path: Path):
    (tmp_path / "src").mkdir()
    payload = {"cwd": str(tmp_path / "src")}
    assert root_of(payload, {"CLAUDE_PROJECT_DIR": str(tmp_path)}, "/") == str(tmp_path.resolve())
    assert root_of(payload, {"CLAUDE_PROJECT_DIR": str(tmp_path / "other")}, "/") == str((tmp_path / "src").resolve())


def test_the_whole_disk_is_no_workspace():
    assert root_of({}, {}, "/") == ""


def piped(data: bytes, *, is_ended: bool) -> bytes:
    """What is read from a pipe that is given so much."""
    source, sink = os.pipe()

    def write() -> None:
        with open(sink, "wb", closefd=is_ended) as file:
            file.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return read_input(source)
    finally:
        os.close(source)
        writer.join()
        if not is_ended:
            os.close(sink)


def test_input_is_read_to_its_end():
    data = b'{"a": "' + b"x" * 300_000 + b'"}'
    assert piped(data, is_ended=True) == data
    assert piped(b"", is_ended=True) == b""


def test_input_that_does_not_end_is_read_until_it_is_whole():
    data = b'{"a": {"b": 1}}'
    assert piped(data, is_ended=False) == data


def test_input_that_neither_ends_nor_becomes_whole_is_given_up():
    assert piped(b'{"a": {"b": 1}', is_ended=False) == b'{"a": {"b": 1}'


def test_too_much_input_is_no_input(tmp_path: Path):
    large = tmp_path / "large"
    large.write_bytes(b" " * (LARGEST_PAYLOAD + 70_000))
    with large.open("rb") as file:
        assert read_input(file.fileno()) == b""


def test_its_process_loads_next_to_nothing():
    program = "import sys, groundwire.surfaces.hooks.client; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(package).parents[1])}
    done = subprocess.run([sys.executable, "-S", "-c", program], env=environment, capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    too_much = {"asyncio", "argparse", "pathlib", "subprocess", "threading", "msgspec", "logging", "dataclasses"}
    assert not loaded & too_much
