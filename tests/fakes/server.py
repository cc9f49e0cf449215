"""A scripted language server in our own process, built from our own connection, so that it speaks the real wire.

It records all it hears, keeps its documents as a real server would (from ``didOpen`` and the ranges of ``didChange``),
and answers from a table: method → a value, or a function of the parameters that returns a value or an awaitable.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import Raw

from groundwire.client.connection import Connection
from groundwire.client.options import SessionOptions
from groundwire.client.session import Session
from groundwire.errors import ServerError
from groundwire.protocol import jsonrpc
from groundwire.protocol.edits import apply_text_edits
from groundwire.protocol.lsp import Range
from groundwire.protocol.lsp_edits import TextEdit
from groundwire.protocol.positions import PositionEncoding
from groundwire.transport.base import Transport
from groundwire.transport.memory import MemoryTransport, memory_pair
from groundwire.workspace.rules import SettleRule

Json: TypeAlias = Any
"""Any JSON: tests index into it, and a wrong shape fails the test at once."""

Handler: TypeAlias = Callable[[Json], object] | object
"""A value to answer with, or a function of the parameters."""

PATIENCE = 5.0
SYNC = {"openClose": True, "change": 2, "save": True}
PULL: Mapping[str, object] = {"diagnosticProvider": {"interFileDependencies": True, "workspaceDiagnostics": False}}


class Heard(NamedTuple):
    """One message of the client."""

    kind: Literal["request", "notification"]
    method: str
    params: Json


class Opened(msgspec.Struct):
    """A document as the server believes it to be."""

    text: str
    version: int
    language: str


def finding(message: str, line: int = 0, **members: object) -> dict[str, object]:
    """A diagnostic that covers the first character of a line."""
    place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}
    return {"range": place, "message": message, "severity": 1, **members}


def full_report(*messages: str, **members: object) -> dict[str, object]:
    """The answer to a pull."""
    return {"kind": "full", "items": [finding(message) for message in messages], **members}


class FakeServer:
    """The other end of a session. ``handlers`` may be changed at any time, also for notifications."""

    def __init__(self, transport: MemoryTransport, handlers: Mapping[str, Handler], capabilities: Json) -> None:
        self._transport = transport
        self.capabilities: Json = {"textDocumentSync": SYNC, **capabilities}
        self.handlers: dict[str, Handler] = {
            "initialize": lambda _: {"capabilities": self.capabilities, "serverInfo": {"name": "fake", "version": "1"}},
            "shutdown": None,
            **handlers,
        }
        self.heard: list[Heard] = []
        self.cancelled: list[str] = []
        """Methods of requests that the client cancelled while they were worked on."""
        self.documents: dict[str, Opened] = {}
        self.closed_because = ""
        self._news = asyncio.Event()
        self.connection = Connection(transport, self)

    @property
    def methods(self) -> list[str]:
        """Everything heard, in order."""
        return [heard.method for heard in self.heard]

    def all(self, method: str) -> list[Json]:
        """The parameters of every message of that method."""
        return [heard.params for heard in self.heard if heard.method == method]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait, bounded, until the condition holds; looked at again after every message."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def until_heard(self, method: str, times: int = 1) -> Json:
        """The parameters of the message, once it has come so many times."""
        await self.until(lambda: len(self.all(method)) >= times)
        return self.all(method)[times - 1]

    def tell(self, method: str, params: object = jsonrpc.NO_PARAMS) -> None:
        """Send a notification."""
        self.connection.notify(method, params)

    async def ask(self, method: str, params: object = jsonrpc.NO_PARAMS) -> Json:
        """Ask the client. Raises ServerError when it refuses."""
        return msgspec.json.decode(await self.connection.request(method, params, timeout=PATIENCE))

    async def caught_up(self) -> None:
        """Wait until the client has read everything sent so far."""
        await self.ask("fake/caughtUp")

    def publish(self, uri: str, *messages: str, version: int | None = None) -> None:
        """Push findings, one per message."""
        params: dict[str, object] = {"uri": uri, "diagnostics": [finding(message) for message in messages]}
        if version is not None:
            params["version"] = version
        self.tell("textDocument/publishDiagnostics", params)

    def begin(self, token: str, title: str = "", percentage: int | None = None) -> None:
        """Begin work-done progress."""
        self._progress(token, {"kind": "begin", "title": title, "percentage": percentage})

    def report(self, token: str, percentage: int, message: str = "") -> None:
        """Tell how far the work has come."""
        self._progress(token, {"kind": "report", "percentage": percentage, "message": message})

    def end(self, token: str) -> None:
        """End work-done progress."""
        self._progress(token, {"kind": "end"})

    def _progress(self, token: str, value: dict[str, object]) -> None:
        self.tell("$/progress", {"token": token, "value": value})

    async def register(self, method: str, options: Json = None, *, id: str = "1") -> None:  # noqa: A002 - LSP's name
        """Register a capability and wait for the client's word."""
        registration: Json = {"id": id, "method": method, "registerOptions": options or {}}
        await self.ask("client/registerCapability", {"registrations": [registration]})

    def crash(self, reason: str = "the server crashed") -> None:
        """End at once, in the middle of everything."""
        self._transport.break_off(reason)

    def stall(self) -> None:
        """Stop reading."""
        self._transport.stall()

    def asked(self, method: str, params: Raw) -> object:
        """Peer: a request of the client."""
        self._note("request", method, params)
        if method not in self.handlers:
            raise ServerError(jsonrpc.METHOD_NOT_FOUND, f"the fake has no {method}")
        answer = self._react(method, params)
        return self._watched(method, cast("Awaitable[object]", answer)) if isinstance(answer, Awaitable) else answer

    def told(self, method: str, params: Raw) -> None:
        """Peer: a notification of the client."""
        self._keep_documents(method, _plain(params))
        self._note("notification", method, params)
        if method in self.handlers:
            self._react(method, params)

    def heard_noise(self, reason: str, sample: str) -> None:
        """Peer: the client never sends anything that is no message."""
        raise AssertionError(f"{reason}: {sample}")

    def closed(self, reason: str) -> None:
        """Peer: the client went away."""
        self.closed_because = reason
        self._news.set()

    def _note(self, kind: Literal["request", "notification"], method: str, params: Raw) -> None:
        self.heard.append(Heard(kind, method, _plain(params)))
        self._news.set()

    def _react(self, method: str, params: Raw) -> object:
        handler = self.handlers[method]
        return cast("Callable[[Json], object]", handler)(_plain(params)) if callable(handler) else handler

    def _watched(self, method: str, answer: Awaitable[object]) -> asyncio.Future[object]:
        work = asyncio.ensure_future(answer)
        work.add_done_callback(lambda done: self._note_cancelled(method) if done.cancelled() else None)
        return work

    def _note_cancelled(self, method: str) -> None:
        self.cancelled.append(method)
        self._news.set()

    def _keep_documents(self, method: str, params: Json) -> None:
        if method == "textDocument/didOpen":
            item = params["textDocument"]
            assert item["uri"] not in self.documents, "opened twice"
            self.documents[item["uri"]] = Opened(item["text"], item["version"], item["languageId"])
        elif method == "textDocument/didClose":
            del self.documents[params["textDocument"]["uri"]]
        elif method == "textDocument/didChange":
            self._change(self.documents[params["textDocument"]["uri"]], params)

    def _change(self, document: Opened, params: Json) -> None:
        assert params["textDocument"]["version"] > document.version, "versions must grow"
        document.version = params["textDocument"]["version"]
        encoding: PositionEncoding = self.capabilities.get("positionEncoding", "utf-16")
        for change in params["contentChanges"]:
            if "range" not in change:
                document.text = change["text"]
                continue
            place = msgspec.convert(change["range"], Range)
            document.text = apply_text_edits(document.text, [TextEdit(place, change["text"])], encoding)


def session_and_server(
    options: SessionOptions, handlers: Mapping[str, Handler] | None = None, capabilities: Json = None
) -> tuple[Session, FakeServer]:
    """A session that has not been started, and the server that waits for it."""
    ours, theirs = memory_pair()
    server = FakeServer(theirs, handlers or {}, capabilities or {})

    async def connect() -> Transport:
        return ours

    return Session(options, connect), server


@asynccontextmanager
async def running_session(
    options: SessionOptions, handlers: Mapping[str, Handler] | None = None, capabilities: Json = None
) -> AsyncGenerator[tuple[Session, FakeServer]]:
    """A started session and its server; both are ended afterwards."""
    session, server = session_and_server(options, handlers, capabilities)
    await session.start()
    await server.until_heard("initialized")
    try:
        yield session, server
    finally:
        await session.stop()
        await server.connection.close()


def toy_options(root: Path, **changes: object) -> SessionOptions:
    """Options of a fake at a root, with those changes. Its habits count as measured: what it does is what it says."""
    options = SessionOptions(server="fake", root=root, settle=SettleRule(measured=True))
    return msgspec.structs.replace(options, **changes)


def _plain(params: Raw) -> Json:
    return msgspec.json.decode(params) if bytes(params) else None
