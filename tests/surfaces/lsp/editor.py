"""A small LSP client of the tests' own, connected to ``serve`` in the same process."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from groundwire.pool.pool import Pool
from groundwire.surfaces.lsp.serve import serve

WAIT_S = 60.0

RICH: Mapping[str, Any] = {
    "textDocument": {
        **{name: {"linkSupport": True} for name in ("definition", "declaration", "typeDefinition", "implementation")},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
        "diagnostics": {"refreshSupport": True},
    },
    "window": {"workDoneProgress": True},
}


class RefusedError(Exception):
    """The answer was an error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data: Any = error.get("data")


class Editor:
    """One client. What the server tells is kept in order; what it asks is answered by ``answers``."""

    def __init__(self, root: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.root = root
        self._reader = reader
        self._writer = writer
        self._last = 0
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self.told: list[tuple[str, Any]] = []
        self.asked: list[tuple[str, Any]] = []
        self.answers: dict[str, Callable[[Any], Any]] = {}
        self._arrived = asyncio.Event()
        self._versions: dict[str, int] = {}

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def send(self, message: Mapping[str, Any]) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body: bytes) -> None:
        self._writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def begin(self, method: str, **params: Any) -> tuple[int, "asyncio.Future[Any]"]:
        self._last += 1
        self._pending[self._last] = asyncio.get_running_loop().create_future()
        self.send({"id": self._last, "method": method, "params": params})
        return self._last, self._pending[self._last]

    async def ask(self, method: str, **params: Any) -> Any:
        return await asyncio.wait_for(self.begin(method, **params)[1], WAIT_S)

    async def ask_at(self, method: str, name: str, line: int, character: int, **more: Any) -> Any:
        position = {"line": line, "character": character}
        return await self.ask(method, textDocument={"uri": self.uri(name)}, position=position, **more)

    def tell(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    async def initialize(self, capabilities: Mapping[str, Any] = RICH, **more: Any) -> Any:
        answer = await self.ask("initialize", rootUri=self.root.as_uri(), capabilities=capabilities, **more)
        self.tell("initialized")
        return answer

    def open(self, name: str, text: str | None = None) -> None:
        held = (self.root / name).read_bytes().decode() if text is None else text
        self._versions[name] = 1
        item = {"uri": self.uri(name), "languageId": "toy", "version": 1, "text": held}
        self.tell("textDocument/didOpen", textDocument=item)

    def change(self, name: str, *changes: Any) -> int:
        """Whole texts, or changes with a range."""
        self._versions[name] += 1
        document = {"uri": self.uri(name), "version": self._versions[name]}
        listed = [{"text": change} if isinstance(change, str) else change for change in changes]
        self.tell("textDocument/didChange", textDocument=document, contentChanges=listed)
        return self._versions[name]

    def published(self, name: str) -> list[Any]:
        """All that was published for a file so far."""
        all_of_them = [params for method, params in self.told if method == "textDocument/publishDiagnostics"]
        return [params for params in all_of_them if params["uri"] == self.uri(name)]

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something that the server said makes it so."""
        async with asyncio.timeout(WAIT_S):
            while not is_so():
                self._arrived.clear()
                await self._arrived.wait()

    async def diagnostics(self, name: str, *, version: int | None, after: int = 0) -> list[Any]:
        """What is published for this version of a file, after so many publications of it."""

        def found() -> list[Any]:
            return [each for each in self.published(name)[after:] if each.get("version") == version]

        await self.until(lambda: bool(found()))
        return found()[-1]["diagnostics"]

    def logged(self) -> str:
        return "\n".join(params["message"] for method, params in self.told if method == "window/logMessage")

    async def read(self) -> None:
        while (message := await self._message()) is not None:
            if "method" not in message:
                self._settle(message)
            elif "id" in message:
                self.asked.append((message["method"], message.get("params")))
                answer = self.answers.get(message["method"], lambda _: None)(message.get("params"))
                self.send({"id": message["id"], "result": answer})
            else:
                self.told.append((message["method"], message["params"]))
            self._arrived.set()

    def _settle(self, message: Any) -> None:
        pending = self._pending.pop(message["id"], None) if message["id"] is not None else None
        if pending is None:
            self.told.append(("error", message["error"]))
        elif "error" in message:
            pending.set_exception(RefusedError(message["error"]))
        else:
            pending.set_result(message["result"])

    async def _message(self) -> Any:
        size = 0
        while line := (await self._reader.readline()).strip():
            name, _, value = line.decode().partition(":")
            size = int(value) if name.lower() == "content-length" else size
        return json.loads(await self._reader.readexactly(size)) if size else None


@asynccontextmanager
async def editor(pool: Pool) -> AsyncGenerator[Editor]:
    """A client that has not said anything yet. Leaving it ends the conversation, and that must succeed."""
    ours, theirs = socket.socketpair()
    serving = asyncio.ensure_future(serve(pool, *await asyncio.open_connection(sock=theirs)))
    reader, writer = await asyncio.open_connection(sock=ours)
    client = Editor(pool.workspace, reader, writer)
    reading = asyncio.ensure_future(client.read())
    try:
        yield client
    finally:
        writer.close()
        await asyncio.wait_for(serving, WAIT_S)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
