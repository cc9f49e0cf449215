"""``groundwire lsp`` as a process: through the daemon, through its replacement, and without it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.surfaces.lsp.pump import framed, frames, read_root
from tests.daemon.conftest import home
from tests.daemon.homes import Home

pytestmark = pytest.mark.timeout(180)

__all__ = ["home"]


class Host:
    """The other end of the pipes."""

    def __init__(self, home: Home, *words: str) -> None:
        self.root = home.root
        self.process = subprocess.Popen(
            [sys.executable, "-m", "groundwire", "lsp", "--root", str(home.root), *words],
            cwd=home.root,
            env=home.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout is not None
        output = self.process.stdout.fileno()
        self._bodies = frames(lambda: os.read(output, 65536))
        self._last = 0
        self.told: list[Any] = []

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(framed(json.dumps({"jsonrpc": "2.0", **message}).encode()))
        self.process.stdin.flush()

    def hear(self) -> Any:
        return json.loads(next(self._bodies))

    def ask(self, method: str, **params: Any) -> Any:
        self._last += 1
        self.send(id=self._last, method=method, params=params)
        while (message := self.hear()).get("id") != self._last or "method" in message:
            self.told.append(message)
        return message["result"]

    def begin(self) -> Any:
        answer = self.ask("initialize", rootUri=self.root.as_uri(), capabilities={})
        self.send(method="initialized", params={})
        text = (self.root / "voices.toy").read_bytes().decode()
        item = {"uri": (self.root / "voices.toy").as_uri(), "languageId": "toy", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": item})
        return answer["serverInfo"]["name"]

    def symbols(self) -> list[str]:
        uri = (self.root / "voices.toy").as_uri()
        return [each["name"] for each in self.ask("textDocument/documentSymbol", textDocument={"uri": uri})]

    def end(self) -> int:
        assert self.ask("shutdown") is None
        self.send(method="exit")
        return self.process.wait(30)

    def close(self) -> None:
        """Whatever became of it."""
        self.process.kill()
        self.process.wait(30)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def start(home: Home) -> Generator[Callable[..., Host]]:
    """Starts one, with more words."""
    hosts: list[Host] = []

    def begin(*words: str) -> Host:
        hosts.append(Host(home, *words))
        return hosts[-1]

    yield begin
    for host in hosts:
        host.close()


def test_a_client_is_served_by_the_daemon_and_by_the_next_one(home: Home, start: Callable[..., Host]):
    host = start()
    assert host.begin() == "groundwire"
    assert host.symbols() == ["bark", "shout"]
    (daemon,) = home.daemons()
    daemon.kill()
    daemon.wait(30)
    assert host.symbols() == ["bark", "shout"]
    assert daemon.pid not in [each.pid for each in home.daemons()]
    assert host.end() == 0


def test_without_the_daemon_it_has_servers_of_its_own_and_leaves_nothing_behind(home: Home, start: Callable[..., Host]):
    host = start("--no-daemon")
    assert host.begin() == "groundwire"
    assert host.symbols() == ["bark", "shout"]
    assert home.daemons() == []
    assert host.end() == 0
    assert home.language_servers() == []


def test_the_end_of_the_input_is_the_end(start: Callable[..., Host]):
    host = start("--no-daemon")
    host.begin()
    assert host.process.stdin is not None
    host.process.stdin.close()
    assert host.process.wait(30) == 0


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_messages_are_found_in_pieces_of_any_size(size: int):
    stream = b"noise\r\n\r\n" + framed(b"{}") + b"content-length: 3\r\nX: y\r\n\r\nabc" + framed("é".encode())
    assert list(frames(reading(stream, size))) == [b"{}", b"abc", "é".encode()]


def reading(stream: bytes, size: int) -> Any:
    pieces: Iterator[bytes] = iter(_pieces(stream, size))
    return lambda: next(pieces, b"")


def _pieces(stream: bytes, size: int) -> Iterable[bytes]:
    return [stream[start : start + size] for start in range(0, len(stream), size)]


def test_the_root_is_the_one_named_or_the_one_round_here(tmp_path: Path):
    (tmp_path / "project/.git").mkdir(parents=True)
    (tmp_path / "project/deep").mkdir()
    project = str((tmp_path / "project").resolve())
    assert read_root(["--stdio"], str(tmp_path / "project/deep")) == project
    assert read_root(["--root", "project"], str(tmp_path)) == project
    assert read_root([f"--root={project}", "--stdio"], "/") == project
    assert read_root(["--root", "nowhere"], str(tmp_path)) is None
    assert read_root(["--no-daemon"], str(tmp_path)) is None


def test_the_pump_loads_nothing_but_the_standard_library():
    program = "import sys, groundwire.surfaces.lsp.pump; print({'msgspec', 'asyncio', 'pathlib'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"
