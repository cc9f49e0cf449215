"""What the shim remembers of a conversation: enough to begin it again with another daemon, and to answer for one that
cannot be reached. Pure; nothing but the standard library.

Above: ``shim``. Below: ``greetings.json``, made from what the server itself answers.
"""

import json
import os
import re
from collections.abc import Mapping
from typing import cast

from groundwire.errors import GroundwireError, SessionDead

Id = str | int

_ANSWER = re.compile(rb'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,\s*"(?:result|error)"')
_OURS = "groundwire again "
"""Begins the ids of what the shim asks for itself."""

_ID_WITHIN = 400
"""How far into a line its id is looked for; ours come with requests of a few members."""
_INTERNAL_ERROR = -32603
_MOST_DAEMONS = 3
_FATAL = f"{_MOST_DAEMONS} background processes ended while they worked on this"


class Memory:
    """Lines are without their ends. ``greetings``: what ``initialize`` is answered with, by profile."""

    def __init__(self, profile: str, greetings: Mapping[str, object] | None = None) -> None:
        self.talk = os.urandom(8).hex()
        """By which the next daemon knows that it is the same conversation."""
        self._profile = profile
        self._greetings = greetings
        self._opening: list[bytes] = []
        """``initialize`` and ``initialized``."""
        self._subscriptions: dict[str, bytes] = {}
        self._level: bytes | None = None
        self._waiting: dict[Id, bytes] = {}
        """Requests without an answer, in their order."""
        self._unsent: list[bytes] = []
        """What came while nobody listened, notifications among it."""
        self._swallowed: set[Id] = set()
        """Requests whose answers the client must not see."""
        self._was_told: dict[Id, int] = {}
        """Requests that daemons have seen, and how many."""
        self._is_connected = False

    @property
    def is_waiting(self) -> bool:
        """Whether the client waits for anything."""
        return bool(self._waiting)

    def heard(self, line: bytes) -> bytes:
        """A line of the client; our own answer to it, if we have one."""
        message = _object(line)
        method, request = message.get("method"), _id(message)
        if method == "initialize" and request is not None and not self._opening:
            self._opening = [line]
            self._swallowed.add(request)
            return self._welcome(request, message)
        if method == "notifications/initialized":
            self._opening.append(line)
            return b""
        self._note(str(method), message, line)
        if request is not None and method is not None:
            self._waiting[request] = line
            if self._is_connected:
                self._was_told[request] = 1
            return b""
        if method == "notifications/cancelled":
            self._cancelled(message)
        if not self._is_connected:
            self._unsent.append(line)
        return b""

    def answered(self, line: bytes) -> bool:
        """A line of the daemon; whether it is for the client."""
        found = _ANSWER.match(line)
        request = cast("Id", json.loads(found[1])) if found is not None else _id_of_answer(line)
        if request is None:
            return True
        self._forget(request)
        if request in self._swallowed:
            self._swallowed.discard(request)
            return False
        return not (isinstance(request, str) and request.startswith(_OURS))

    def begin_again(self) -> list[Id]:
        """There is no daemon: the requests that the last one has seen, which the next one will see again."""
        self._is_connected = False
        return list(self._was_told)

    def to_be_told(self) -> list[bytes]:
        """All that a new daemon must hear first; from now on it hears everything."""
        self._is_connected = True
        self._swallowed.update(request for line in self._opening if (request := _id(_object(line))) is not None)
        again = [self._level] if self._level is not None else []
        again += self._subscriptions.values()
        # In a conversation that never was with another daemon, these are among what waits.
        renewed = [_renamed(line, f"{_OURS}{number}") for number, line in enumerate(again) if self._was_heard(line)]
        lines = [*self._opening, *renewed, *self._waiting.values(), *self._unsent]
        self._unsent.clear()
        for request in self._waiting:
            self._was_told[request] = self._was_told.get(request, 0) + 1
        return lines

    def fatal(self) -> list[bytes]:
        """Answers to calls that so many daemons did not survive: they may be the reason, and are not tried again."""
        found = [request for request, daemons in self._was_told.items() if daemons >= _MOST_DAEMONS]
        calls = [(request, self._waiting[request]) for request in found if _is_call(self._waiting[request])]
        for request, _ in calls:
            self._forget(request)
        return [_failure(request, line, SessionDead(_FATAL)) for request, line in calls]

    def given_up(self, error: GroundwireError) -> list[bytes]:
        """Answers to everything that waits: why there is none, and what to do about it."""
        answers = [_failure(request, line, error) for request, line in self._waiting.items()]
        self._waiting.clear()
        self._was_told.clear()
        self._unsent.clear()
        return answers

    def _forget(self, request: Id) -> None:
        self._waiting.pop(request, None)
        self._was_told.pop(request, None)

    def _was_heard(self, line: bytes) -> bool:
        return line not in self._waiting.values()

    def _note(self, method: str, message: Mapping[str, object], line: bytes) -> None:
        """What holds until it is taken back."""
        uri = _member(message, "uri")
        if method == "resources/subscribe":
            self._subscriptions[uri] = line
        elif method == "resources/unsubscribe":
            self._subscriptions.pop(uri, None)
        elif method == "logging/setLevel":
            self._level = line

    def _cancelled(self, message: Mapping[str, object]) -> None:
        params = message.get("params")
        request = cast("dict[str, object]", params).get("requestId") if isinstance(params, dict) else None
        if isinstance(request, str | int):
            self._forget(request)

    def _welcome(self, request: Id, message: Mapping[str, object]) -> bytes:
        known = self._greetings if self._greetings is not None else read_greetings()
        versions = cast("list[str]", known["versions"])
        wanted = _member(message, "protocolVersion")
        result = dict(cast("dict[str, dict[str, object]]", known["results"])[self._profile])
        result["protocolVersion"] = wanted if wanted in versions else versions[-1]
        return json.dumps({"jsonrpc": "2.0", "id": request, "result": result}, separators=(",", ":")).encode()


def is_renewal(line: bytes) -> bool:
    """Whether it is about what is asked again of another daemon, be it the request or the answer."""
    return b'"%b' % _OURS.encode() in line[:_ID_WITHIN]


def read_greetings() -> Mapping[str, object]:
    """What ``initialize`` is answered with."""
    with open(os.path.join(os.path.dirname(__file__), "greetings.json"), encoding="utf-8") as file:
        return cast("Mapping[str, object]", json.load(file))


def _failure(request: Id, line: bytes, error: GroundwireError) -> bytes:
    text = f"{error.message}. {error.hint}".strip()
    if _is_call(line):
        shown = {"content": [{"type": "text", "text": text}], "structuredContent": error.as_dict(), "isError": True}
        return json.dumps({"jsonrpc": "2.0", "id": request, "result": shown}).encode()
    told = {"code": _INTERNAL_ERROR, "message": text, "data": error.as_dict()}
    return json.dumps({"jsonrpc": "2.0", "id": request, "error": told}).encode()


def _is_call(line: bytes) -> bool:
    return _object(line).get("method") == "tools/call"


def _renamed(line: bytes, request: str) -> bytes:
    return json.dumps({**_object(line), "id": request}).encode()


def _object(line: bytes) -> dict[str, object]:
    """The message; an empty one for what is none, which the daemon will say something about."""
    try:
        found = cast("object", json.loads(line))
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _id(message: Mapping[str, object]) -> Id | None:
    found = message.get("id")
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def _id_of_answer(line: bytes) -> Id | None:
    message = _object(line)
    return _id(message) if "result" in message or "error" in message else None


def _member(message: Mapping[str, object], name: str) -> str:
    params = message.get("params")
    found = cast("dict[str, object]", params).get(name) if isinstance(params, dict) else None
    return found if isinstance(found, str) else ""
