"""Garbage on the wire of ``groundwire mcp``: what asks for an answer gets one, in JSON, by a rule of the protocol;
nothing else is written, nothing is traced, and a question among it is answered as ever.
"""

import contextlib
import json
import os
import queue
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import IO, Any, cast

import pytest

from tests.interaction.questions import write_project, write_user_config
from tests.surfaces.mcp.test_command import INITIALIZE
from tests.thoroughness import examples

SECONDS = 40
QUESTION: dict[str, Any] = {"name": "find_references", "arguments": {"symbol": "shout"}}

VALUES: tuple[object, ...] = (
    *(None, True, 0, -1, 2**70, 0.5, "", "x", "\0", "tools/call", "😀", "y" * 100_000, [1], {"a": 1}),
    list[object](),
    dict[str, object](),
    {"name": "find_references"},
    {"name": ["find_references"], "arguments": 1},
    {"name": "find_references", "arguments": [7]},
    {"name": "find_references", "arguments": None, "_meta": {"progressToken": {"a": 1}}},
    {"name": "find_references", "arguments": {"symbol": "shout"}, "_meta": 7},
    {"uri": "lsp-diagnostics:///../../etc/passwd"},
    {"uri": "\0"},
    {"cursor": "😀"},
    {"ref": {"type": "ref/resource", "uri": "x"}, "argument": {"name": "symbol", "value": "\ud800"}},
    {"requestId": 5, "reason": [7]},
)
METHODS: tuple[object, ...] = (
    *(
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
    ),
    *("completion/complete", "prompts/get", "ping", "initialize", "logging/setLevel", "server/discover", "nonsense"),
    *(
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/progress",
        "",
        "rpc.discover",
        7,
        None,
        {},
    ),
)
BYTES: tuple[bytes, ...] = (
    *(b"\xff\xfe", b"\x00", b"{", b"}", b"[]", b"null", b"1", b'"', b"\\", b"\xef\xbb\xbf{}", b"Content-Length: 5"),
    *(
        b"GET / HTTP/1.1",
        b"[" * 20_000,
        b'{"a":' * 20_000,
        b"NaN",
        b"-" * 1000,
        b"{}" * 1000,
        b"\r",
        b"\x85",
        b"\x1b[2J",
    ),
    b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
    b'{"jsonrpc":"2.0","method":"\xff\xff"}',
    b'{"jsonrpc":"2.0","error":{"code":"x","message":7}}',
    b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
)


class Host:
    """The other end of the pipes, which are read beside everything else: whatever comes, it holds up nothing."""

    def __init__(self, command: list[str], cwd: Path, environment: dict[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=cwd, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self.process.stdin is not None
        self._input = self.process.stdin
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: list[bytes] = []
        self._readers = [
            threading.Thread(target=_read, args=(self.process.stdout, self._lines.put), daemon=True),
            threading.Thread(target=_read, args=(self.process.stderr, self._errors.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def send(self, line: bytes) -> None:
        self._input.write(line + b"\n")
        self._input.flush()

    def ask(self, request: str, method: str, params: object) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "id": request, "method": method, "params": params}).encode())

    def heard_until(self, requests: set[str]) -> Iterator[dict[str, Any]]:
        """Every message until those requests are answered."""
        while requests:
            line = self._lines.get(timeout=SECONDS)
            assert line, f"it has ended; no answer to {sorted(requests)[:3]}"
            message = cast("dict[str, Any]", json.loads(line))
            identity = message.get("id")
            if isinstance(identity, str):
                requests.discard(identity)
            yield message

    def end(self) -> str:
        """Ends it as a host does; what it wrote to its errors."""
        self._input.close()
        assert self.process.wait(SECONDS) == 0
        self._readers[1].join(SECONDS)
        return b"".join(self._errors).decode("utf-8", "replace")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(SECONDS)
        with contextlib.suppress(BrokenPipeError):
            self._input.close()


def _read(stream: IO[bytes], put: Callable[[bytes], object]) -> None:
    with stream:
        for line in stream:
            put(line)
    put(b"")


@pytest.fixture
def host(tmp_path: Path) -> Generator[Host]:
    write_user_config(tmp_path / "config/groundwire")
    places = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state")}
    command = [sys.executable, "-m", "groundwire", "mcp", "--no-daemon", "--profile", "full"]
    started = Host(command, write_project(tmp_path / "project"), {**os.environ, **places})
    try:
        started.send(json.dumps({**INITIALIZE, "id": "hello"}).encode())
        assert len(list(started.heard_until({"hello"}))) == 1
        started.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        yield started
    finally:
        started.close()


def some_line(dice: random.Random, request: str) -> tuple[bytes, bool]:
    """A line, and whether it is a request in form, whatever it asks."""
    if dice.random() < 0.3:
        return dice.choice(BYTES), False
    message: dict[str, object] = {
        "jsonrpc": "2.0",
        "id": request,
        "method": dice.choice(METHODS),
        "params": dice.choice(VALUES),
    }
    for name in dice.sample(list(message), dice.randrange(3)):
        if dice.random() < 0.5:
            del message[name]
        else:
            message[name] = dice.choice(VALUES)
    if dice.random() < 0.2:
        message[str(dice.choice(VALUES))[:50]] = dice.choice(VALUES)
    line = json.dumps(message).encode()
    is_whole = dice.random() < 0.9
    is_request = is_whole and message.get("jsonrpc") == "2.0" and message.get("id") == request
    named = isinstance(message.get("method"), str) and message["method"]
    return line if is_whole else _damaged(line, dice), bool(is_request and named)


def _damaged(line: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(line))
    harms = (line[:at], line[:at] + b"\xff" + line[at:], line[:at] + line[at + 1 :], line + line, line[at:])
    return dice.choice(harms).replace(b"\n", b"")


def test_garbage_is_answered_by_the_rules_and_a_question_among_it_as_ever(host: Host) -> None:
    host.ask("before", "tools/call", QUESTION)
    (before,) = host.heard_until({"before"})
    for seed in range(3):
        dice, wanted = random.Random(seed), set[str]()
        for number in range(examples(300)):
            request = f"request {number} of {seed}"
            line, is_request = some_line(dice, request)
            host.send(line)
            wanted |= {request} if is_request else set()
        host.ask(f"after {seed}", "tools/call", QUESTION)
        heard = list(host.heard_until({*wanted, f"after {seed}"}))
        assert [message for message in heard if not _is_by_the_rules(message)] == [], seed
        (after,) = (message for message in heard if message.get("id") == f"after {seed}")
        assert _text(after) == _text(before)
    assert "Traceback" not in host.end()


def _is_by_the_rules(message: dict[str, Any]) -> bool:
    """A notification, a result, or an error whose words are ours."""
    if message.get("jsonrpc") != "2.0" or "Traceback" in str(message):
        return False
    if "error" in message:
        return isinstance(message["error"]["code"], int) and bool(message["error"]["message"])
    return "method" in message or "result" in message


def _text(message: dict[str, Any]) -> str:
    return cast("str", message["result"]["content"][0]["text"])


ARGUMENTS: tuple[bytes, ...] = (
    b'{"query":' + b"[" * 150 + b"]" * 150 + b"}",
    b'{"query":' + b'{"a":' * 3_000 + b"1" + b"}" * 3_000 + b"}",
    b'{"query":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b'{"query":"' + b"\\ud800" * 1000 + b'"}',
    b'{"query":1' + b"0" * 10_000 + b"}",
    b'{"query":"shout","limit":1e400}',
    b'{"query":"shout","query":["shout"]}',
    b"{" + b",".join(b'"k%d":1' % number for number in range(100_000)) + b"}",
    b'{"' + b"k" * 20_000_000 + b'":1}',
)


def test_arguments_that_no_client_should_send_are_refused_under_the_id_of_their_call(host: Host) -> None:
    for number, arguments in enumerate(ARGUMENTS):
        params = b'{"name":"find_symbol","arguments":%b}' % arguments
        host.send(b'{"jsonrpc":"2.0","id":"call %d","method":"tools/call","params":%b}' % (number, params))
        *_, refused = host.heard_until({f"call {number}"})
        assert refused.get("error") or refused["result"]["isError"], arguments[:100]
        assert len(json.dumps(refused)) < 20_000
    host.ask("after", "tools/call", QUESTION)
    *_, after = host.heard_until({"after"})
    assert "voices.toy" in _text(after)
    assert "Traceback" not in host.end()
