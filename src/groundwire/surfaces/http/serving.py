"""Listening until told to end: stop listening, let what runs finish for a while, then end.

Above: ``command``. Below: ``app``, ``limits``.
"""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import threading
from collections.abc import Callable, Generator
from dataclasses import replace

from uvicorn import Server

from groundwire.errors import InvalidArgument
from groundwire.surfaces.http.app import Front, build_app
from groundwire.surfaces.http.limits import Connection, Connections, LimitedConfig
from groundwire.surfaces.http.limits_open_files import room_for
from groundwire.surfaces.http.settings import ServeSettings, address_of

log = logging.getLogger(__name__)

_BACKLOG = 2048
_VERSION_6 = 6


def serve(settings: ServeSettings, on_ready: Callable[[str], None]) -> None:
    """Serves until a signal. ``on_ready`` gets the address. Raises InvalidArgument when it cannot listen there."""
    with contextlib.closing(_listen(settings)) as listening:
        actual = replace(settings, port=listening.getsockname()[1])
        settings = replace(actual, connections=room_for(actual.connections, actual.sessions))
        server = _FrontServer(build_app(settings), settings, lambda: on_ready(_address(settings)))
        asyncio.run(server.serve(sockets=[listening]))


def _listen(settings: ServeSettings) -> socket.socket:
    address = address_of(settings.listen)
    family = socket.AF_INET6 if address.version == _VERSION_6 else socket.AF_INET
    # The protocol is named so that asyncio knows it: else it lets the system hold answers back for 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if hasattr(signal, "SIGHUP"):  # elsewhere this would let two listen at once
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if address.version == _VERSION_6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, not address.is_unspecified)
        listening.bind((str(address), settings.port))
    except (OSError, OverflowError) as problem:
        listening.close()
        hint = "Another process may have this port: --port 0 picks a free one."
        raise InvalidArgument(f"{_address(settings)} cannot be listened on: {problem}", hint=hint) from None
    return listening


def _address(settings: ServeSettings) -> str:
    address = address_of(settings.listen)
    host = f"[{address}]" if address.version == _VERSION_6 else str(address)
    return f"http://{host}:{settings.port}"


class _FrontServer(Server):
    """The library's, with our signals, our limits, and a word when it is ready."""

    def __init__(self, front: Front, settings: ServeSettings, on_ready: Callable[[], None]) -> None:
        config = LimitedConfig(
            front,
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=_BACKLOG,
        )
        config.together = Connections(settings)
        config.timeout_graceful_shutdown = settings.drain_s  # pyright: ignore[reportAttributeAccessIssue]  a float does
        super().__init__(config)
        self._front = front
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            gc.freeze()  # modules and routes stay: looking through them for garbage would hold up requests
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._front.begin_to_end()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Ends with status 0: being told to end is no failure. A second signal does not wait for what runs."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._told_to_end) for number in _signals()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _told_to_end(self, *_: object) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


def _signals() -> list[signal.Signals]:
    return [signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGBREAK") if name in signal.Signals.__members__]
