"""Calls of tools that are taken from the line and answered on the line: they are nearly all that agents ask, and the
way through the library costs as much as the answer.

Only within a conversation that a handshake has opened, and only calls of the plainest form: whatever else is said goes
to the library, which knows the rest of the protocol. Above: ``lines``. Below: ``tool_handlers``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, Protocol

import msgspec
from mcp_types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest

from groundwire.surfaces.mcp.progress import Report
from groundwire.surfaces.mcp.shown import Shown

_LIST_CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
_LONGEST = 1024 * 1024


class _Meta(msgspec.Struct, forbid_unknown_fields=True, rename={"progress_token": "progressToken"}):
    progress_token: str | int | None = None


class _Params(msgspec.Struct, forbid_unknown_fields=True, rename={"meta": "_meta"}):
    name: str
    arguments: dict[str, object] | None = None
    meta: _Meta | None = None


class _Call(msgspec.Struct, forbid_unknown_fields=True):
    jsonrpc: Literal["2.0"]
    id: int | str
    method: Literal["tools/call"]
    params: _Params


class _Request(msgspec.Struct, rename={"request": "requestId"}):
    request: int | str


class _Cancelled(msgspec.Struct):
    method: Literal["notifications/cancelled"]
    params: _Request


_read_call = msgspec.json.Decoder(_Call).decode
_read_cancelled = msgspec.json.Decoder(_Cancelled).decode
_dump = msgspec.json.Encoder().encode


class Tools(Protocol):
    """Who answers."""

    async def call_directly(
        self, name: str, given: dict[str, object], report: Report | None, request: str | int
    ) -> Shown:
        """One call. Raises nothing."""
        ...

    def must_ask(self, name: str, given: Mapping[str, object] | None) -> bool:
        """Whether a person has to agree first, which only the library can bring about."""
        ...

    def has_news(self) -> bool:
        """Whether the client must be told that there are other tools now; it is not said twice."""
        ...


class DirectCalls:
    """Of one connection."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._running: dict[str | int, asyncio.Task[None]] = {}
        self._is_greeted = self._is_open = False

    def heard(self, message: JSONRPCMessage) -> None:
        """A message that goes to the library."""
        if isinstance(message, JSONRPCRequest) and message.method == "initialize":
            self._is_greeted = True
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/initialized":
            self._is_open = self._is_greeted

    def take(self, line: bytes, write: Callable[[bytes], Awaitable[None]]) -> bool:
        """Whether this line needs nobody else: a call, which is begun, or the wish to end one that was begun here."""
        if not self._is_open or len(line) > _LONGEST:
            return False
        if b'"tools/call"' in line:
            return self._begin(line, write)
        return bool(self._running) and b'"notifications/cancelled"' in line and self._end(line)

    @property
    def is_busy(self) -> bool:
        """Whether a call is under way."""
        return bool(self._running)

    def stop(self) -> None:
        """The client is gone: nobody wants to know."""
        for task in self._running.values():
            task.cancel()

    def _begin(self, line: bytes, write: Callable[[bytes], Awaitable[None]]) -> bool:
        try:
            call = _read_call(line)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return False
        if call.id in self._running or self._tools.must_ask(call.params.name, call.params.arguments):
            return False
        task = self._running[call.id] = asyncio.create_task(self._run(call, write))
        task.add_done_callback(lambda _: self._running.pop(call.id, None))
        return True

    def _end(self, line: bytes) -> bool:
        try:
            task = self._running.get(_read_cancelled(line).params.request)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return False
        if task is None:
            return False
        task.cancel()
        return True

    async def _run(self, call: _Call, write: Callable[[bytes], Awaitable[None]]) -> None:
        shown = await self._tools.call_directly(
            call.params.name, call.params.arguments or {}, _report_to(call, write), call.id
        )
        news = _LIST_CHANGED if self._tools.has_news() else b""
        await write(b'%b{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (news, _dump(call.id), shown.as_json()))


def _report_to(call: _Call, write: Callable[[bytes], Awaitable[None]]) -> Report | None:
    token = call.params.meta.progress_token if call.params.meta is not None else None
    if token is None:
        return None

    async def report(seconds: float, message: str) -> None:
        params = {"progressToken": token, "progress": seconds, "message": message}
        await write(_dump({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}) + b"\n")

    return report
