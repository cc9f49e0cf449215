"""What stands before everything else: who may ask, by which name, how much and how fast; and what every answer says.

``scope["groundwire.is_authenticated"]`` tells those behind it whether the token was given, and they set
``scope["groundwire.is_endless"]`` for an answer that would not end by itself: it is ended when the front is about to
end, as a GET of events is anyway. Pure ASGI: it costs little.
Above: ``app``. Below: ``guard_hosts``, ``guard_tokens``, ``guard_bodies``.
"""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.surfaces.http.errors_shown import FAILED, Refused, refusal
from groundwire.surfaces.http.guard_bodies import Bodies, HungUp
from groundwire.surfaces.http.guard_hosts import Hosts
from groundwire.surfaces.http.guard_tokens import Tokens
from groundwire.surfaces.http.settings import ServeSettings

IS_AUTHENTICATED = "groundwire.is_authenticated"
IS_ENDLESS = "groundwire.is_endless"

_ON_EVERYTHING = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
_SAID_ONCE = frozenset({b"host", b"origin", b"authorization", b"content-length", b"transfer-encoding", b"content-type"})
PLAIN_HEADERS = b"".join(name + b": " + value + b"\r\n" for name, value in _ON_EVERYTHING)
"""For answers that are written before there is a request to speak of."""


class Guard:
    """``is_public`` says which requests need no token."""

    def __init__(self, app: ASGIApp, settings: ServeSettings, is_public: Callable[[Scope], bool]) -> None:
        self._app = app
        self._hosts = Hosts(settings)
        self._tokens = Tokens(settings)
        self._bodies = Bodies(settings)
        self._is_public = is_public
        self._running: set[_Answer] = set()
        self._is_ending = False

    def begin_to_end(self) -> None:
        """Answers that would never end do so now; the others have until they are cancelled."""
        self._is_ending = True
        for answer in list(self._running):
            if answer.is_endless and answer.task is not None:
                answer.task.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A request; what is none (the beginning and the end of the front) goes through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, send)
        self._running.add(answer)
        try:
            await self._answer(scope, receive, answer)
        except asyncio.CancelledError:
            if not self._is_ending:
                raise
            await answer.end_early(receive, Refused(503, "the service is ending", "Ask again when it is back."))
        except BaseException:
            await answer.end_early(receive, FAILED)
            raise
        finally:
            self._running.discard(answer)

    async def _answer(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        try:
            self._admit(scope, headers)
            whole = await self._bodies.read(headers, receive)
        except Refused as refused:
            if b"expect" in headers:  # whether the body comes all the same is anybody's guess
                refused.headers["Connection"] = "close"
            await refusal(refused)(scope, receive, answer.send)
        except HungUp:
            return
        else:
            await self._app(scope, whole, answer.send)

    def _admit(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Raises Refused."""
        if len(headers) != len(scope["headers"]):
            _check_said_once(scope["headers"])
        origin = headers.get(b"origin")
        is_public = self._is_public(scope)
        fetch_site = "" if is_public else headers.get(b"sec-fetch-site", b"").decode("latin-1")
        self._hosts.check(
            headers.get(b"host", b"").decode("latin-1"),
            None if origin is None else origin.decode("latin-1"),
            fetch_site,
        )
        scope[IS_AUTHENTICATED] = False
        if not is_public:
            client = scope.get("client")
            address = client[0] if client else ""
            scope[IS_AUTHENTICATED] = self._tokens.check(headers.get(b"authorization"), scope["query_string"], address)


class _Answer:
    """Puts on every answer what every answer has, unless the application says it itself."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.task = asyncio.current_task()
        self._scope = scope
        self._send = send
        self._has_begun = self._has_ended = self._is_events = False

    @property
    def is_endless(self) -> bool:
        return self._is_events or bool(self._scope.get(IS_ENDLESS))

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._has_begun = True
            headers: list[tuple[bytes, bytes]] = list(message.get("headers", ()))
            named = {name.lower(): value for name, value in headers}
            self._is_events = self._scope["method"] == "GET" and _is_events(named.get(b"content-type", b""))
            headers.extend(each for each in _ON_EVERYTHING if each[0] not in named)
            message = {**message, "headers": headers}
        elif message["type"] == "http.response.body":
            self._has_ended = not message.get("more_body", False)
        await self._send(message)

    async def end_early(self, receive: Receive, refused: Refused) -> None:
        """What has not begun is refused; a stream of events may end anywhere; the rest is cut by who serves it."""
        if not self._has_begun:
            await refusal(refused)(self._scope, receive, self.send)
        elif self.is_endless and not self._has_ended:
            await self.send({"type": "http.response.body", "body": b"", "more_body": False})


def _is_events(content_type: bytes) -> bool:
    return content_type.startswith(b"text/event-stream")


def _check_said_once(headers: list[tuple[bytes, bytes]]) -> None:
    """Two that differ would be read one way here and another way behind or before us."""
    names = [name for name, _ in headers if name in _SAID_ONCE]
    if len(names) != len(set(names)):
        raise Refused(400, "a header was given twice that may be there once", "Send it once.")
