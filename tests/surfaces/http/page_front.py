"""A front that says what a test wants said: the real page behind the real guard, over workspaces that are made up.

Some states are easiest shown so. What it serves has the shapes of the real one. Below: ``page_stage``.
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import cast

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from groundwire.surfaces.http.errors_shown import Refused, show_error
from groundwire.surfaces.http.guard import IS_AUTHENTICATED, Guard
from groundwire.surfaces.http.page_routes import is_page, routes
from groundwire.surfaces.http.settings import ServeSettings
from tests.daemon.homes import within
from tests.surfaces.http.page_stage import Stage

TOKEN = "a-token-that-only-tests-have"
_WAIT_S = 20.0
_Listener = tuple[asyncio.AbstractEventLoop, asyncio.Queue[bytes]]


class FakeFront:
    """``stage`` is what it shows; ``tell`` says an event to everybody who listens; ``orders`` are what it was told."""

    def __init__(self, stage: Stage, *, is_open: bool = False, port: int = 0, token: str = TOKEN) -> None:
        self.stage = stage
        self.orders: list[tuple[str, dict[str, str]]] = []
        self.refuses_orders = ""
        self.is_silent = False
        self.answer: dict[str, object] = {"status": "confirmed", "reason": "", "servers": []}
        self._listeners: list[_Listener] = []
        self._listening = _listening(port)
        self.port = cast("int", self._listening.getsockname()[1])
        settings = ServeSettings(
            roots=(Path("/"),), port=self.port, token="" if is_open else token, is_open=is_open, failures=5
        )
        self._guard = self._guarded(settings)
        self._server = uvicorn.Server(
            uvicorn.Config(self._guard, log_config=None, access_log=False, ws="none", lifespan="off")
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def tell(self, *events: dict[str, object]) -> None:
        """Also those that come later are told, by the stage."""
        said = b"".join(_event(each) for each in events)
        for loop, queue in list(self._listeners):
            loop.call_soon_threadsafe(queue.put_nowait, said)

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    def start(self) -> None:
        self._thread.start()
        assert within(lambda: self._server.started), "the front did not start"

    def stop(self) -> None:
        """Whoever listens hears no more."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._guard.begin_to_end)
        self._server.should_exit = True
        self._thread.join(_WAIT_S)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[self._listening])

    def _guarded(self, settings: ServeSettings) -> Guard:
        own = [
            Route("/status", self._status),
            Route("/events", self._events),
            Route("/symbols", self._symbols),
            Route("/servers/{action}", self._order, methods=["POST"]),
        ]
        app = Starlette(routes=[*routes(settings), *own], exception_handlers={Refused: show_error})
        return Guard(app, settings, lambda scope: is_page(scope["path"]))

    async def _status(self, _: Request) -> Response:
        if self.is_silent:
            raise Refused(503, "not now")
        return _json(self.stage.status())

    async def _events(self, _: Request) -> Response:
        # Whoever sees the answer begin is listening: what is told from then on reaches it.
        place = (asyncio.get_running_loop(), asyncio.Queue[bytes]())
        self._listeners.append(place)
        return StreamingResponse(self._news(place), media_type="text/event-stream")

    async def _news(self, place: _Listener) -> AsyncGenerator[bytes]:
        try:
            yield b"retry: 2000\n\n"
            for told in [] if self.is_silent else self.stage.beginnings():
                yield _event(told)
            while True:
                yield await place[1].get()
        finally:
            self._listeners.remove(place)

    async def _symbols(self, request: Request) -> Response:
        return _json(self.stage.symbols(request.query_params["workspace"], request.query_params["q"]))

    async def _order(self, request: Request) -> Response:
        if not request.scope[IS_AUTHENTICATED]:
            raise Refused(403, "that needs a token")
        if self.refuses_orders:
            raise Refused(503, self.refuses_orders)
        self.orders.append((request.path_params["action"], await request.json()))
        return JSONResponse(self.answer)


@contextlib.contextmanager
def fake_front(stage: Stage, *, is_open: bool = False) -> Generator[FakeFront]:
    """It runs within."""
    front = FakeFront(stage, is_open=is_open)
    front.start()
    try:
        yield front
    finally:
        front.stop()


def _listening(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    return listening


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")


def _event(event: dict[str, object]) -> bytes:
    return f"event: {event['kind']}\n".encode() + b"data: " + msgspec.json.encode(event) + b"\n\n"
