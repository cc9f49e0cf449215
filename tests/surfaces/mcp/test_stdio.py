"""The server as a process, spoken to line by line, as a host does."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psutil
import pytest

from groundwire import __file__ as package

START = (
    "import sys; from pathlib import Path; from groundwire.surfaces.mcp.stdio import run;"
    " sys.exit(run(Path(sys.argv[1]), 'core', 'text'))"
)
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Host:
    """The other end of the pipes."""

    def __init__(self, root: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(Path(package).parents[1]), "HOME": str(root.parent)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, str(root)],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._last = 0

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, **params: Any) -> Any:
        self._last += 1
        request = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self.send(json.dumps(request).encode())
        answer = self.hear()
        assert answer["id"] == self._last
        return answer

    def initialize(self) -> Any:
        answer = self.ask("initialize", **HELLO)
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return answer["result"]

    def use(self) -> str:
        """Asks the bundled server something; the text of the answer."""
        answer = self.ask("tools/call", name="find_references", arguments={"symbol": "hello"})
        return answer["result"]["content"][0]["text"]

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()


@pytest.fixture
def host(tmp_path: Path) -> Generator[Host]:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("def hello() -> int:\n    return 1\n\n\nhello()\n")
    (root / "ty.toml").write_text("")
    started = Host(root)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()
        for stream in (started.process.stdin, started.process.stdout, started.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def test_a_host_initializes_lists_calls_and_leaves_and_nothing_is_left(host: Host):
    assert host.initialize()["serverInfo"]["name"] == "groundwire"
    names = [tool["name"] for tool in host.ask("tools/list")["result"]["tools"]]
    assert "find_references" in names
    assert "a.py" in host.use()
    family = host.family()
    assert family
    host.close_input()
    assert host.process.wait(20) == 0
    assert not any(process.is_running() for process in family)
    assert host.process.stdout is not None
    assert host.process.stdout.read() == b""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_with_all_its_servers_though_the_input_stays_open(host: Host, number: signal.Signals):
    host.initialize()
    host.use()
    family = host.family()
    host.process.send_signal(number)
    assert host.process.wait(20) == 128 + number
    assert not any(process.is_running() for process in family)


def test_a_host_that_stops_reading_does_not_hold_up_the_end(host: Host):
    host.initialize()
    assert host.process.stdout is not None
    host.process.stdout.close()
    host.send(b'{"jsonrpc":"2.0","id":9,"method":"tools/list"}')
    host.close_input()
    assert host.process.wait(20) == 0


def test_lines_that_are_no_messages_are_answered_and_the_server_stays(host: Host):
    host.initialize()
    host.send(b"nonsense")
    assert host.hear()["error"]["code"] == -32700
    deep = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
    host.send(b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"find_symbol","arguments":%b}}' % deep)
    refused = host.hear()
    assert (refused["id"], refused["error"]["data"]["kind"]) == (77, "Wire")
    host.send(b"x" * (33 * 1024 * 1024))
    assert host.hear()["error"]["data"]["kind"] == "Wire"
    nested = json.dumps({"query": _nested(100)})
    host.send(
        b'{"jsonrpc":"2.0","id":78,"method":"tools/call","params":{"name":"find_symbol","arguments":%b}}'
        % nested.encode()
    )
    assert host.hear()["result"]["structuredContent"]["kind"] == "InvalidArgument"
    assert "a.py" in host.use()


def _nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_the_newer_era_needs_no_handshake(host: Host):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    discovered = host.ask("server/discover", _meta=meta)["result"]
    assert "2026-07-28" in discovered["supportedVersions"]
    answer = host.ask("tools/call", name="find_references", arguments={"symbol": "hello"}, _meta=meta)
    assert "a.py" in answer["result"]["content"][0]["text"]
