"""The hook as hosts run it: a process that ends with status 0, something that the host understands, and in time."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundwire.daemon.greeting import Welcome, dump
from groundwire.daemon.house import furnish
from tests.daemon.homes import Home, within
from tests.surfaces.hooks.hosting import BROKEN, LIBRARY, OWN_ERROR, PROJECT, heard
from tests.surfaces.hooks.payloads import Payload, claude, codex

pytestmark = pytest.mark.timeout(150)

DEADLINE_S = 3.0
_START_S = 10.0
"""For a Python to start and end on a machine that is busy; the hook's own time begins after that."""

Done = subprocess.CompletedProcess[bytes]


@pytest.fixture(autouse=True)
def _project(home: Home) -> None:  # pyright: ignore[reportUnusedFunction]  pytest uses it
    home.configure(server="type_checked")
    for file in home.root.iterdir():
        file.unlink()
    home.fill(home.root, PROJECT)


def hook(home: Home, payload: bytes | Payload, *words: str, deadline_s: float = 20.0, **environment: str) -> Done:
    """A host runs it."""
    given = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return subprocess.run(
        [sys.executable, "-m", "groundwire", "hook", *words],
        input=given,
        capture_output=True,
        cwd=home.root,
        env={**home.environment, "GROUNDWIRE_HOOK_DEADLINE_S": str(deadline_s), **environment},
        timeout=60,
        check=False,
    )


def edited(home: Home, text: str = BROKEN, of: Callable[..., Payload] = claude) -> Payload:
    """A host has written the library."""
    file = home.root / "library.toy"
    before = file.read_text("utf-8")
    file.write_text(text, "utf-8")
    given = {"file_path": str(file), "content": text}
    response = {"filePath": str(file), "originalFile": before}
    payload = of("PostToolUse", tool_name="Write", tool_input=given, tool_response=response)
    return {**payload, "cwd": str(home.root)}


def assert_silent(done: Done, output: bytes = b"{}") -> None:
    assert (done.returncode, done.stdout) == (0, output), done.stderr


@contextmanager
def in_time(deadline_s: float = DEADLINE_S) -> Generator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < deadline_s + _START_S


def test_an_edit_that_breaks_something_is_told_by_the_first_hook_that_ever_runs(home: Home):
    done = hook(home, edited(home), "--agent", "claude")
    assert (done.returncode, done.stderr) == (0, b"")
    told = heard(done.stdout)
    assert OWN_ERROR in told
    assert "caller.toy" in told
    assert_silent(hook(home, edited(home), "--agent", "claude"))
    assert_silent(hook(home, edited(home, LIBRARY), "--agent", "claude"))
    assert len(home.daemons()) == 1


def test_the_host_is_seen_from_what_it_says(home: Home):
    done = hook(home, edited(home, of=codex))
    assert OWN_ERROR in heard(done.stdout)
    assert_silent(hook(home, edited(home, of=codex)), b"")


def test_a_relative_path_below_the_project_is_found(home: Home):
    (home.root / ".git").mkdir()
    (home.root / "below").mkdir()
    payload = edited(home)
    moved = {**payload, "cwd": str(home.root / "below"), "tool_input": {"file_path": "../library.toy"}}
    assert OWN_ERROR in heard(hook(home, moved, "claude").stdout)


def test_a_language_server_that_hangs_costs_no_more_than_the_deadline_and_is_told_later(home: Home):
    hook(home, edited(home, LIBRARY + "\n"), "--agent", "claude")
    server = home.language_servers("type_checked.py")[0]
    server.suspend()
    try:
        with in_time():
            assert_silent(hook(home, edited(home), "--agent", "claude", deadline_s=DEADLINE_S))
    finally:
        server.resume()
    stopped = {**claude("Stop"), "cwd": str(home.root)}
    assert OWN_ERROR in heard(hook(home, stopped, "--agent", "claude").stdout)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"\xff\xfe{}", b"{" * 100_000, b"x" * 100_000])
def test_a_payload_that_cannot_be_read_is_answered_with_silence(home: Home, raw: bytes):
    with in_time():
        assert_silent(hook(home, raw, deadline_s=DEADLINE_S))
    with in_time():
        assert_silent(hook(home, raw, "--agent", "codex", deadline_s=DEADLINE_S), b"")


def test_a_payload_that_says_nothing_is_answered_with_silence(home: Home):
    home.start()
    for payload in (b'{"cwd": 1}', b'{"hook_event_name": ["PostToolUse"], "tool_input": 3}'):
        assert_silent(hook(home, payload))


def test_input_that_nobody_ends_holds_up_nothing(home: Home):
    hook(home, edited(home, LIBRARY + "\n"), "--agent", "claude")
    source, sink = os.pipe()
    os.write(sink, json.dumps(edited(home)).encode())
    with in_time(20.0):
        done = _run(home, source)
    os.close(sink)
    assert (done.returncode, OWN_ERROR in heard(done.stdout)) == (0, True)


def test_input_that_never_comes_ends_in_silence(home: Home):
    source, sink = os.pipe()
    with in_time():
        assert_silent(_run(home, source))
    os.close(sink)


def _run(home: Home, source: int) -> Done:
    environment = {**home.environment, "GROUNDWIRE_HOOK_DEADLINE_S": "20"}
    command = [sys.executable, "-m", "groundwire", "hook", "--agent", "claude"]
    with open(source, "rb") as given:
        return subprocess.run(
            command, stdin=given, capture_output=True, cwd=home.root, env=environment, timeout=60, check=False
        )


@pytest.mark.parametrize(
    "answers",
    [
        (),
        (b"garbage\n",),
        (b"\xff\xfe\x00",),
        (dump(Welcome(is_welcome=True)),),
        (dump(Welcome(is_welcome=True)), b'{"hookSpecificOutput": {"hookEv'),
        (dump(Welcome(is_welcome=True)), b"[1, 2]"),
        (dump(Welcome(is_welcome=False, error="no")),),
    ],
    ids=["hangs", "garbage", "bytes", "dies at once", "dies in the middle", "another shape", "refuses"],
)
def test_a_daemon_that_is_broken_is_answered_with_silence(home: Home, answers: tuple[bytes, ...]):
    with _broken_daemon(home, answers), in_time():
        assert_silent(hook(home, edited(home), "--agent", "claude", deadline_s=DEADLINE_S))


@contextmanager
def _broken_daemon(home: Home, answers: tuple[bytes, ...]) -> Generator[None]:
    """Whoever connects is given these answers, one for each thing it says, and hung up on; without any, never."""
    furnish(home.house)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(home.house.socket)
    listening.listen(16)
    held: list[socket.socket] = []

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connected, _ = listening.accept()
                held.append(connected)
                for answer in answers:
                    connected.recv(65536)
                    connected.sendall(answer)
                if answers:
                    connected.close()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for each in held:
            each.close()
        Path(home.house.socket).unlink(missing_ok=True)


def test_a_daemon_that_is_killed_in_the_middle_is_silence_and_the_next_hook_has_another(home: Home):
    hook(home, edited(home, LIBRARY + "\n"), "--agent", "claude")
    home.language_servers("type_checked.py")[0].suspend()
    environment = {**home.environment, "GROUNDWIRE_HOOK_DEADLINE_S": "20"}
    command = [sys.executable, "-m", "groundwire", "hook", "--agent", "claude"]
    running = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home.root, env=environment
    )
    assert running.stdin is not None
    running.stdin.write(json.dumps(edited(home)).encode())
    running.stdin.close()
    assert within(lambda: _has_hook(home), 10.0)
    home.daemons()[0].kill()
    assert running.wait(20) == 0
    assert running.stdout is not None
    assert running.stderr is not None
    with running.stdout, running.stderr:
        assert running.stdout.read() == b"{}"
    assert OWN_ERROR in heard(hook(home, edited(home, BROKEN + "\n"), "--agent", "claude").stdout)


def _has_hook(home: Home) -> bool:
    status = home.status()
    return status is not None and "hook" in str(status["clients"])


def test_what_a_hook_that_was_killed_did_not_print_is_told_by_the_next_one(home: Home):
    payload = json.dumps(edited(home)).encode()
    link = home.meet("hook", options={"agent": "claude", "size": str(len(payload))})
    with link.socket as connected:
        connected.settimeout(30)
        connected.sendall(b"20\n" + payload)
        assert OWN_ERROR in heard(b"".join(iter(lambda: connected.recv(65536), b"")))
    ran = {**claude("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}), "cwd": str(home.root)}
    told = heard(hook(home, ran, "--agent", "claude").stdout)
    assert OWN_ERROR in told
    assert "caller.toy" in told


def test_hooks_that_make_no_sense_are_hung_up_on_and_disturb_nobody(home: Home):
    for said in (b"", b"20\n{", b"nan\n{}", b"x" * 100):
        link = home.meet("hook", options={"agent": "claude", "size": "2"})
        with link.socket as connected:
            connected.settimeout(30)
            connected.sendall(said)
            connected.shutdown(socket.SHUT_WR)
            assert connected.recv(65536) == b""
    assert OWN_ERROR in heard(hook(home, edited(home), "--agent", "claude").stdout)


def test_a_state_directory_that_cannot_be_written_is_silence(home: Home, tmp_path: Path):
    in_the_way = tmp_path / "in_the_way"
    in_the_way.write_text("a file", "utf-8")
    with in_time():
        done = hook(home, edited(home), "--agent", "claude", deadline_s=DEADLINE_S, XDG_STATE_HOME=str(in_the_way))
    assert_silent(done)
    assert b"there is no place for a background process" in done.stderr


def test_a_host_that_reads_nothing_and_a_host_without_a_home_get_status_zero(home: Home):
    environment = {name: value for name, value in home.environment.items() if name != "HOME"}
    command = [sys.executable, "-m", "groundwire", "hook", "--agent", "claude"]
    source, sink = os.pipe()
    os.close(source)
    done = subprocess.run(
        command,
        input=json.dumps(edited(home)).encode(),
        stdout=sink,
        stderr=subprocess.PIPE,
        cwd=home.root,
        env=environment,
        timeout=60,
        check=False,
    )
    os.close(sink)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_start_that_takes_longer_than_the_deadline_goes_on_without_the_hook(home: Home):
    with in_time(0.05):
        assert_silent(hook(home, edited(home), "--agent", "claude", deadline_s=0.05))
    assert OWN_ERROR in heard(hook(home, edited(home, BROKEN + "\n"), "--agent", "claude").stdout)
    assert within(lambda: len(home.daemons()) == 1)


def test_the_hook_writes_nothing_into_the_workspace(home: Home):
    hook(home, edited(home), "--agent", "claude")
    assert sorted(file.name for file in home.root.iterdir()) == sorted(PROJECT)


def test_help_is_given(home: Home):
    done = home.run("hook", "--help")
    assert (done.returncode, "--agent" in done.stdout) == (0, True)
