"""Clients of the protocol over HTTP: the library's own, and one that says just what a test wants said.

Below: ``front``.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, cast

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.daemon.agents import HELLO
from tests.surfaces.http.front import Front

ERAS = ("legacy", "2026-07-28")
MODERN = "2026-07-28"
BOTH = "application/json, text/event-stream"
WAIT_S = 30.0


@asynccontextmanager
async def sdk_client(
    front: Front, era: str, *, headers: dict[str, str] | None = None, **more: Any
) -> AsyncGenerator[Client]:
    """The library's client, connected; ``more`` are its own options."""
    async with (
        front.async_client(**(headers or {})) as http,
        Client(streamable_http_client(f"{front.url}/mcp", http_client=http), mode=era, **more) as client,
    ):
        yield client


class Session:
    """A client that greets, message by message."""

    def __init__(self, http: httpx2.AsyncClient, path: str = "/mcp", **headers: str) -> None:
        self.http = http
        self.path = path
        self.headers = {"Accept": BOTH, **headers}
        self._ids = count(1)

    async def greet(self, **params: Any) -> httpx2.Response:
        """As every client does first; the answer to it."""
        answer = await self.post("initialize", **{**HELLO, **params})
        if "mcp-session-id" in answer.headers:
            self.headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
        if answer.status_code == 200:
            told = await self.send({"method": "notifications/initialized"})
            assert told.status_code == 202, told.text
        return answer

    async def send(self, message: dict[str, Any], **headers: str) -> httpx2.Response:
        """One message as it is."""
        body = json.dumps({"jsonrpc": "2.0", **message})
        return await self.http.post(
            self.path, content=body, headers={"Content-Type": "application/json", **self.headers, **headers}
        )

    async def post(self, method: str, **params: Any) -> httpx2.Response:
        """One request."""
        return await self.send({"id": next(self._ids), "method": method, "params": params})

    async def call(self, tool: str, **arguments: Any) -> httpx2.Response:
        """One call of a tool."""
        return await self.post("tools/call", name=tool, arguments=arguments)

    async def use(self, tool: str, **arguments: Any) -> str:
        """All the text of the answer to a call."""
        answer = await self.call(tool, **arguments)
        assert answer.status_code == 200, answer.text
        return text_of(message_of(answer))

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator["Events"]:
        """The stream of what comes unasked."""
        headers = {**self.headers, "Accept": "text/event-stream"}
        async with self.http.stream("GET", self.path, headers=headers) as response:
            assert response.status_code == 200, await response.aread()
            yield Events(response)


@asynccontextmanager
async def session_of(front: Front, **headers: str) -> AsyncGenerator[Session]:
    """A client that has greeted."""
    async with front.async_client() as http:
        session = Session(http, **headers)
        assert (await session.greet()).status_code == 200
        yield session


class Events:
    """The messages of a stream."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def line(self) -> str:
        """The next line that says anything."""
        async with asyncio.timeout(WAIT_S):
            while True:
                line = await anext(self._lines)
                if line:
                    return line

    async def message(self) -> dict[str, Any]:
        """The next message."""
        while not (line := await self.line()).startswith("data: "):
            pass
        return cast("dict[str, Any]", json.loads(line.removeprefix("data: ")))


def message_of(response: httpx2.Response) -> Any:
    """The answer to a call: as it is or, where it took long, as the last event of a stream that said so meanwhile."""
    if not response.headers["Content-Type"].startswith("text/event-stream"):
        return response.json()
    return json.loads(
        [line for line in response.text.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
    )


def text_of(answer: Any) -> str:
    """All the text of a tool's answer."""
    return "\n".join(each["text"] for each in answer["result"]["content"])


def modern(method: str, request: int | str = 1, **params: Any) -> dict[str, Any]:
    """A message of the era without greetings."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
        **params.pop("_meta", {}),
    }
    return {"id": request, "method": method, "params": {**params, "_meta": meta}}


def modern_headers(message: dict[str, Any]) -> dict[str, str]:
    """What must agree with it."""
    headers = {"Mcp-Protocol-Version": MODERN, "Mcp-Method": message["method"], "Accept": BOTH}
    name = message["params"].get("name") or message["params"].get("uri")
    return {**headers, "Mcp-Name": name} if name else headers


async def ask_modern(http: httpx2.AsyncClient, message: dict[str, Any], **headers: str) -> httpx2.Response:
    """One request of the era without greetings, to its end."""
    told = {"Content-Type": "application/json", **modern_headers(message), **headers}
    return await http.post("/mcp", content=json.dumps({"jsonrpc": "2.0", **message}), headers=told)


async def until(is_so: Callable[[], object]) -> None:
    """Waits for what happens in another process, within limits."""
    async with asyncio.timeout(WAIT_S):
        while not is_so():  # noqa: ASYNC110  it cannot tell us
            await asyncio.sleep(0.01)
