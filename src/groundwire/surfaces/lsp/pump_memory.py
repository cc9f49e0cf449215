"""What the pump remembers of a conversation: enough to begin it again with another daemon. Pure; standard library only.

Above: ``pump``. Below: nothing.
"""

import json
from collections.abc import Iterator
from typing import cast

Id = str | int

_MOST_REMEMBERED = 64 * 1024 * 1024
"""Bytes of all open documents with their changes."""
_REQUEST_FAILED = -32803
_DONE_ONCE = frozenset({"workspace/executeCommand"})
"""What may have been done already, and is not done twice."""


class Memory:
    """Of one conversation; bodies are messages without their headers."""

    def __init__(self) -> None:
        self._opening: dict[str, bytes] = {}
        self._initialize: Id | None = None
        self._documents: dict[str, list[bytes]] = {}
        self._size = 0
        self._waiting: dict[Id, tuple[str, bytes]] = {}
        self._is_greeted = False
        """Whether the client has its answer to ``initialize``."""
        self.is_over = False
        """Whether the client has said ``exit``."""

    @property
    def is_waiting(self) -> bool:
        """Whether the client waits for anything."""
        return bool(self._waiting)

    @property
    def is_complete(self) -> bool:
        """Whether all that matters is remembered."""
        return self._size <= _MOST_REMEMBERED

    def heard(self, body: bytes) -> None:
        """The client said something."""
        message = _object(body)
        method, request = message.get("method"), message.get("id")
        if not isinstance(method, str):
            return  # an answer to what a daemon asked
        if isinstance(request, str | int):
            self._waiting[request] = (method, body)
            if method == "initialize":
                self._initialize = request
                self._opening[method] = body
        elif method == "initialized":
            self._opening[method] = body
        elif method == "exit":
            self.is_over = True
        elif method == "$/cancelRequest":
            self._waiting.pop(cast("Id", _inside(message, "params", "id")), None)
        else:
            self._note_document(method, message, body)

    def answered(self, body: bytes) -> bool:
        """The daemon said something; whether it is for the client."""
        message = _object(body)
        request = message.get("id")
        if "method" in message or not isinstance(request, str | int):
            return True
        self._waiting.pop(request, None)
        if request != self._initialize:
            return True
        is_first, self._is_greeted = not self._is_greeted, True
        return is_first

    def to_be_told(self) -> list[bytes]:
        """All that a new daemon must hear first."""
        waiting = [body for method, body in self._waiting.values() if method != "initialize"]
        return [*self._opening.values(), *(body for told in self._documents.values() for body in told), *waiting]

    def given_up(self, reason: str, *, is_all: bool) -> Iterator[bytes]:
        """Failures for what waits: for all of it, or for what must not be asked a second time."""
        for request, (method, _) in list(self._waiting.items()):
            if is_all or method in _DONE_ONCE:
                del self._waiting[request]
                error = {"code": _REQUEST_FAILED, "message": reason}
                yield json.dumps({"jsonrpc": "2.0", "id": request, "error": error}).encode()

    def _note_document(self, method: str, message: dict[str, object], body: bytes) -> None:
        uri = _inside(message, "params", "textDocument", "uri")
        if not isinstance(uri, str):
            return
        if method in ("textDocument/didOpen", "textDocument/didClose"):
            self._size -= sum(map(len, self._documents.pop(uri, ())))
        if method == "textDocument/didOpen" or (method == "textDocument/didChange" and uri in self._documents):
            self._documents.setdefault(uri, []).append(body)
            self._size += len(body)


def _object(body: bytes) -> dict[str, object]:
    try:
        found = cast("object", json.loads(body))
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _inside(value: object, *names: str) -> object:
    for name in names:
        value = cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
    return value
