"""A host of ``groundwire mcp`` that does nothing but ask: blocking pipes, one line out, one line in.

Above: ``mcp``. Below: the process.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
import psutil

from bench.arena import environment
from groundwire.daemon.control import stop_daemon

_TIMEOUT_S = 60
HELLO: Mapping[str, object] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class _Item(msgspec.Struct):
    text: str = ""


class _Result(msgspec.Struct):
    content: list[_Item] = []


class _Message(msgspec.Struct):
    id: int | None = None
    result: _Result | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Message).decode


class HostError(Exception):
    """It did not answer as it should; the benchmark is void."""


class Host:
    """One process of ``groundwire mcp``, in ``root``, with one language server for its language: its own, or that of a
    daemon, which ends with the host.
    """

    def __init__(self, root: Path, config: Path, language: str, server: str, *, has_daemon: bool = False) -> None:
        write_config(config / "groundwire", {language: server})
        self._root, self._has_daemon = root.resolve(), has_daemon
        self._environment = {**environment(), "XDG_CONFIG_HOME": str(config), "XDG_STATE_HOME": str(config)}
        alone = () if has_daemon else ("--no-daemon",)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "groundwire", "mcp", *alone, "--root", str(root)],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise HostError("the process has no pipes")
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout
        self._last = 0
        self._ask("initialize", HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, arguments: Mapping[str, object]) -> str:
        """The text of the answer."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments}).result
        return result.content[0].text if result and result.content else ""

    @property
    def processor_ms(self) -> float:
        """What the process itself has taken of the processor, without its language server."""
        taken = psutil.Process(self._process.pid).cpu_times()
        return (taken.user + taken.system) * 1000

    def close(self) -> None:
        """As a host does: it ends with its input."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._has_daemon:
            stop_daemon(str(self._root), self._environment)

    def _ask(self, method: str, params: Mapping[str, object]) -> _Message:
        self._last += 1
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while line := self._from.readline():
            message = _decode(line)
            if message.id == self._last:
                return message
        raise HostError("groundwire mcp has ended")

    def _send(self, message: Mapping[str, object]) -> None:
        os.write(self._to, _encode(message) + b"\n")


def write_config(directory: Path, servers: Mapping[str, str]) -> None:
    """A user's configuration in which each language has one server."""
    directory.mkdir(parents=True)
    tables = (f'[languages.{language}]\nservers = ["{server}"]\nlinters = []\n' for language, server in servers.items())
    (directory / "config.toml").write_text("".join(tables), "utf-8")
