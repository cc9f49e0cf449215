"""The two ways to a tool that are compared: a connection of HTTP to the front, and the daemon's own socket.

Both do as little as can be done, for they share the machine with what is measured: bytes that were prepared before, one
request at a time, no parsing beyond the end of the answer. Above: ``http_clients``. Below: sockets.
"""

import asyncio
import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from groundwire.daemon.greeting import Greeting, relevant
from groundwire.daemon.meeting import meet

VERSION = "2025-11-25"
MODERN = "2026-07-28"
_START_S = 60.0
_HEADER_END = b"\r\n\r\n"
_HELLO = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class LostError(Exception):
    """The connection has ended, or the other side does not know us any more: connect again."""


class Way(Protocol):
    """One client's."""

    async def connect(self) -> None: ...

    async def ask(self, question: int) -> bytes:
        """The answer to one of the questions; raises LostError."""
        ...

    def close(self) -> None: ...


class _Answers(asyncio.Protocol):
    """One answer at a time."""

    def __init__(self) -> None:
        self._waiting: asyncio.Future[bytes] | None = None
        self._transport: asyncio.Transport | None = None
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(LostError(str(exc)))

    def data_received(self, data: bytes) -> None:
        self._held = self._held + data if self._held else data
        answer = self._answer()
        if answer is not None and self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(answer)

    async def ask(self, request: bytes) -> bytes:
        if self._transport is None or self._transport.is_closing():
            raise LostError("not connected")
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._waiting

    def say(self, line: bytes) -> None:
        if self._transport is not None:
            self._transport.write(line)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _answer(self) -> bytes | None:
        raise NotImplementedError


class _HttpAnswers(_Answers):
    def _answer(self) -> bytes | None:
        """Headers and body."""
        end = self._held.find(_HEADER_END)
        if end < 0:
            return None
        head = self._held[:end].lower()
        at = head.find(b"content-length:")
        if at < 0:
            whole = self._held if self._held.endswith(b"0\r\n\r\n") else None  # in pieces, each with its length
        else:
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) + end + len(_HEADER_END)
            whole = self._held if len(self._held) >= length else None
        if whole is not None:
            self._held = b""
        return whole


class _Lines(_Answers):
    def _answer(self) -> bytes | None:
        """The line that is one; what the daemon says of its own accord is passed over."""
        while b"\n" in self._held:
            line, self._held = self._held.split(b"\n", 1)
            if b'"method":' not in line[:200] or b'"result":' in line[:200]:
                return line
        return None


class DaemonWay:
    """Straight to the daemon of a workspace."""

    def __init__(self, root: str, calls: Sequence[Mapping[str, object]]) -> None:
        self._root = root
        self._lines = [_body(number, "tools/call", call) + b"\n" for number, call in enumerate(calls, 1)]
        self._wire = _Lines()

    async def connect(self) -> None:
        options = {"profile": "core", "output": "text"}
        greeting = Greeting("mcp", self._root, "bench", options, relevant(os.environ))
        met = await asyncio.to_thread(meet, greeting, os.environ, time.monotonic() + _START_S)
        assert met is not None
        _, self._wire = await asyncio.get_running_loop().create_connection(_Lines, sock=met.socket)
        await self._wire.ask(_body(0, "initialize", _HELLO) + b"\n")
        self._wire.say(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    async def ask(self, question: int) -> bytes:
        return await self._wire.ask(self._lines[question])

    def close(self) -> None:
        self._wire.close()


class HttpWay:
    """Through the front; a session, or with ``is_modern`` none."""

    def __init__(
        self, port: int, token: str, conversation: str, calls: Sequence[Mapping[str, object]], *, is_modern: bool
    ) -> None:
        self._port = port
        self._headers = {"Authorization": f"Bearer {token}", "Groundwire-Conversation": conversation}
        self._calls = calls
        self._is_modern = is_modern
        self._requests: list[bytes] = []
        self._wire = _HttpAnswers()

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, self._wire = await loop.create_connection(_HttpAnswers, "127.0.0.1", self._port)
        except OSError as problem:
            raise LostError(str(problem)) from None
        if self._is_modern:
            self._requests = [self._modern(number, call) for number, call in enumerate(self._calls, 1)]
            return
        welcome = _checked(await self._wire.ask(self.post(_body(0, "initialize", _HELLO))))
        session = welcome.lower().split(b"mcp-session-id:", 1)[1].split(b"\r\n", 1)[0].strip().decode()
        headers = {"Mcp-Session-Id": session, "Mcp-Protocol-Version": VERSION}
        _checked(await self._wire.ask(self.post(b'{"jsonrpc":"2.0","method":"notifications/initialized"}', **headers)))
        bodies = [_body(number, "tools/call", call) for number, call in enumerate(self._calls, 1)]
        self._requests = [self.post(body, **headers) for body in bodies]

    async def ask(self, question: int) -> bytes:
        return _checked(await self._wire.ask(self._requests[question]))

    def close(self) -> None:
        self._wire.close()

    def post(self, body: bytes, path: str = "/mcp", method: str = "POST", **headers: str) -> bytes:
        """A request as it goes out."""
        told = {
            "Host": f"127.0.0.1:{self._port}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **self._headers,
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body

    async def put(self, path: str, body: bytes) -> bytes:
        """One of the other routes."""
        return _checked(await self._wire.ask(self.post(body, path, "PUT" if body else "GET")))

    def _modern(self, number: int, call: Mapping[str, object]) -> bytes:
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        headers = {"Mcp-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": str(call["name"])}
        return self.post(_body(number, "tools/call", {**call, "_meta": meta}), **headers)


def _body(number: int, method: str, params: Mapping[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def _checked(answer: bytes) -> bytes:
    """One that another front gave, or one that is about to end, means: connect again."""
    status = answer[9:12]
    if status in {b"404", b"503"}:
        raise LostError(answer[:200].decode("latin-1"))
    if status not in {b"200", b"202"}:
        raise ValueError(answer[:400].decode("latin-1"))
    return answer
