"""The body of a request, read whole before anybody works on it: not too large, not too slow, not too many at once.

Above: ``guard``. Below: ``settings``.
"""

import asyncio
from collections.abc import Mapping

from starlette.types import Message, Receive

from groundwire.surfaces.http.errors_shown import Refused
from groundwire.surfaces.http.settings import ServeSettings


class HungUp(Exception):  # noqa: N818  no error: it happens
    """The client went away before its request was whole."""


class Bodies:
    """``read`` each; between them they take a bounded amount of memory."""

    def __init__(self, settings: ServeSettings) -> None:
        self._most = settings.body_bytes
        self._most_together = settings.bodies_bytes
        self._within_s = settings.body_s
        self._held = 0

    async def read(self, headers: Mapping[bytes, bytes], receive: Receive) -> Receive:
        """From where an application can take it as if it came just now. Raises Refused, HungUp."""
        length = headers.get(b"content-length")
        if length is None and b"transfer-encoding" not in headers:
            return receive
        if length is not None and (not length.isdigit() or int(length[:20]) > self._most):
            raise self._too_large()
        try:
            async with asyncio.timeout(self._within_s):
                body = await self._collect(receive)
        except TimeoutError:
            raise Refused(408, f"the body did not come within {self._within_s:g} s", "Send it again, faster.") from None
        return _again(body, receive)

    async def _collect(self, receive: Receive) -> bytes:
        body = bytearray()
        try:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise HungUp
                self._take(body, message.get("body", b""))
                if not message.get("more_body", False):
                    return bytes(body)
        finally:
            self._held -= len(body)

    def _take(self, body: bytearray, piece: bytes) -> None:
        if len(body) + len(piece) > self._most:
            raise self._too_large()
        if self._held + len(piece) > self._most_together:
            raise Refused(
                503, "too many large requests at once", "Ask again in a moment.", headers={"Retry-After": "1"}
            )
        body += piece
        self._held += len(piece)

    def _too_large(self) -> Refused:
        return Refused(413, f"a request has at most {self._most:,} bytes", "Send less at once.")


def _again(body: bytes, receive: Receive) -> Receive:
    message: Message | None = {"type": "http.request", "body": body, "more_body": False}

    async def from_the_beginning() -> Message:
        nonlocal message
        if message is None:
            return await receive()
        first, message = message, None
        return first

    return from_the_beginning
