"""``groundwire serve`` as a process: how it begins, how it ends, and what of it outlives it."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import cast

import httpx2
import pytest

from tests.daemon.homes import Home, within
from tests.operations.toy_project import ZOO
from tests.surfaces.http.front import TOKEN, Front, serving

HALF = b'{"cwd": "'


def begin_put(front: Front, length: int, conversation: str = "a") -> socket.socket:
    """A PUT of a cwd whose body has only begun."""
    connection = front.connect()
    head = f"PUT /conversations/{conversation}/cwd HTTP/1.1\r\nHost: 127.0.0.1:{front.port}\r\n"
    head += f"Authorization: Bearer {front.token}\r\nContent-Length: {length}\r\n\r\n"
    connection.sendall(head.encode() + HALF)
    return connection


def read_all(connection: socket.socket) -> bytes:
    """Until it is closed."""
    pieces = b""
    while piece := connection.recv(65536):
        pieces += piece
    return pieces


def is_listening(front: Front) -> bool:
    try:
        front.connect(5).close()
    except OSError:
        return False
    return True


def test_it_says_one_line_with_its_address_and_nothing_of_the_token(front: Front) -> None:
    assert front.is_up()
    assert front.said() == f"groundwire serves on {front.url}\n"
    assert TOKEN not in front.said()


def test_it_starts_without_the_library_that_only_the_newer_era_needs() -> None:
    program = "import sys, groundwire.surfaces.http.serving; print({'mcp', 'mcp_types', 'pydantic'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout == "set()\n"


def test_the_system_does_not_hold_its_answers_back(common: Front) -> None:
    took: list[float] = []
    with common.client() as client:
        for _ in range(30):
            began = time.monotonic()
            client.get("/health")
            took.append(time.monotonic() - began)
    assert min(took) < 0.03, "each waits for an acknowledgement that comes after 40 ms"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_it_ends_with_status_0_and_leaves_nothing_behind(front: Front, number: int) -> None:
    assert front.is_up()
    assert front.end(number) == 0
    assert not front.home.processes("groundwire", "serve")
    assert "Traceback" not in front.said()


def test_the_token_is_not_in_the_environment_of_what_it_starts(front: Front) -> None:
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    greet = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    with front.client(Accept="application/json, text/event-stream") as client:
        assert client.post("/mcp", json=greet).status_code == 200
    assert within(front.home.daemons)
    assert all("GROUNDWIRE_TOKEN" not in each.environ() for each in front.home.daemons())


def test_the_servers_of_a_conversation_are_shown_once_they_run(front: Front) -> None:
    def lsp() -> dict[str, object]:
        return front.get("/conversations/a/lsp").json()

    assert (lsp()["connected"], lsp()["servers"]) == (False, [])
    front.home.start()
    assert within(lambda: lsp()["connected"])
    front.home.check(next(iter(ZOO)))
    assert within(lambda: lsp()["servers"]), lsp()
    (server,) = cast("list[dict[str, object]]", lsp()["servers"])
    assert (server["id"], server["root"]) == ("well_read", str(front.home.root))
    assert server["state"] in {"starting", "active", "idle"}
    assert front.home.stop()
    assert within(lambda: not lsp()["connected"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "a token is needed"),
        (("--no-auth", "--listen", "0.0.0.0"), "--no-auth is for loopback"),
        (("--token", TOKEN, "--listen", "192.0.2.1"), "cannot be listened on"),
    ],
)
def test_what_is_wrong_is_refused_with_a_sentence_and_a_hint(home: Home, words: tuple[str, ...], said: str) -> None:
    refused = home.run("serve", "--port", "0", *words)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert "hint: " in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_port_that_somebody_has_is_refused(home: Home, common: Front) -> None:
    refused = home.run("serve", "--port", str(common.port), "--token", TOKEN)
    assert refused.returncode == 2
    assert "cannot be listened on" in refused.stderr


def test_open_on_loopback_it_asks_for_no_token(home: Home) -> None:
    with serving(Front(home, "--no-auth", token="")) as front:
        assert front.get("/conversations/a/cwd").status_code == 200
        assert front.get("/conversations/a/cwd", Host="evil.example").status_code == 421
        assert front.get("/conversations/a/cwd", Origin="http://evil.example").status_code == 403


def test_what_runs_is_finished_when_it_is_told_to_end(front: Front) -> None:
    body = HALF + os.fsencode(front.home.root) + b'"}'
    with begin_put(front, len(body)) as connection:
        front.is_up()  # so the other request has been seen
        front.tell()
        assert within(lambda: not is_listening(front))
        connection.sendall(body[len(HALF) :])
        answered = read_all(connection)
    assert answered.startswith(b"HTTP/1.1 200")
    assert b"connection: close" in answered
    assert front.wait() == 0
    front.start()
    assert front.get("/conversations/a/cwd").json()["is_default"] is False


def test_what_does_not_finish_is_cut_after_the_time_for_it(home: Home) -> None:
    with serving(Front(home, limits={"drain_s": 0.5})) as front:
        with begin_put(front, 1000) as connection:
            front.is_up()
            began = time.monotonic()
            front.tell()
            answered = read_all(connection)
        assert front.wait() == 0
        assert time.monotonic() - began < 4
        assert answered.startswith(b"HTTP/1.1 503")
        assert "Traceback" not in front.said()


def test_a_second_signal_does_not_wait(home: Home) -> None:
    with serving(Front(home)) as front, begin_put(front, 1000):
        front.is_up()
        front.tell()
        assert within(lambda: not is_listening(front))
        began = time.monotonic()
        assert front.end(signal.SIGINT) == 0
        assert time.monotonic() - began < 4


def test_streams_of_events_do_not_hold_it_up(front: Front) -> None:
    with front.client() as client, client.stream("GET", "/events") as events:
        assert events.status_code == 200
        began = time.monotonic()
        front.tell()
        for _ in events.iter_raw():
            pass
        assert front.wait() == 0
        assert time.monotonic() - began < 4


def test_where_a_conversation_works_survives_the_end_and_the_death_of_the_front(front: Front) -> None:
    for name in ("one", "two"):
        (front.home.root / name).mkdir()
        with front.client() as client:
            put = client.put(f"/conversations/{name}/cwd", json={"cwd": str(front.home.root / name)})
            assert put.status_code == 200, put.text
        if name == "one":
            assert front.end() == 0
        else:
            front.kill()
        front.start()
    for name in ("one", "two"):
        assert front.get(f"/conversations/{name}/cwd").json()["cwd"] == str(front.home.root / name)


@pytest.mark.timeout(150)  # three processes start, one after the other, under load
def test_restarted_under_load_no_confirmed_cwd_is_lost(front: Front) -> None:
    confirmed: dict[str, str] = {}
    is_over = threading.Event()

    def write(writer: int) -> None:
        with front.client() as client:
            for number in range(100_000):
                if is_over.is_set():
                    return
                name = f"{writer}-{number}"
                try:
                    put = client.put(f"/conversations/{name}/cwd", json={"cwd": str(front.home.root)})
                except httpx2.TransportError:
                    is_over.wait(0.05)
                    continue
                if put.status_code == 200:
                    confirmed[name] = put.json()["cwd"]

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for writer in writers:
        writer.start()
    try:
        for number in (signal.SIGTERM, signal.SIGKILL):
            before = len(confirmed)
            assert within(lambda before=before: len(confirmed) > before + 10)
            front.end(number)
            front.start()
        before = len(confirmed)
        assert within(lambda: len(confirmed) > before + 10)
    finally:
        is_over.set()
        for writer in writers:
            writer.join(30)
    with front.client() as client:
        lost = [name for name in confirmed if client.get(f"/conversations/{name}/cwd").json()["is_default"]]
    assert not lost


def test_a_broken_file_of_conversations_does_not_keep_it_from_serving(front: Front) -> None:
    front.end()
    file = Path(front.home.environment["XDG_STATE_HOME"], "groundwire", "serve", "conversations.sqlite3")
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)
    file.write_bytes(b"no database " * 1000)
    front.start()
    with front.client() as client:
        assert client.put("/conversations/a/cwd", json={"cwd": str(front.home.root)}).status_code == 200
        assert client.get("/conversations/a/cwd").json()["is_default"] is False
    assert "is broken" in front.said()
