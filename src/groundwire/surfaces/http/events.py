"""``/events``: everything that happens, as server-sent events, beginning with how everything is.

Above: ``status_routes``. Below: ``workspaces``.
"""

import asyncio
from collections.abc import AsyncGenerator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from groundwire.surfaces.http.errors_shown import Refused
from groundwire.surfaces.http.guard import IS_ENDLESS
from groundwire.surfaces.http.workspace_feeds import Event
from groundwire.surfaces.http.workspaces import Workspaces

_MOST_SUBSCRIBERS = 500
_RETRY = b"retry: 2000\n\n"
_COMMENT = b": still here\n\n"


def routes(workspaces: Workspaces, keep_alive_s: float) -> list[BaseRoute]:
    """The one route."""

    async def events(request: Request) -> Response:
        """Until the client hangs up."""
        root = request.query_params.get("workspace", "")
        if root and workspaces.view(root) is None:
            raise Refused(404, f"there is no workspace {root[:200]!r}", "GET /status tells which there are.")
        if workspaces.subscribers >= _MOST_SUBSCRIBERS:
            raise Refused(503, "too many listen already", "Try again later.", headers={"Retry-After": "10"})
        request.scope[IS_ENDLESS] = True
        # A proxy that collects what it passes on would hold all of it back.
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(
            _lines(workspaces, root, keep_alive_s), headers=headers, media_type="text/event-stream"
        )

    return [Route("/events", events, methods=["GET"])]


async def _lines(workspaces: Workspaces, root: str, keep_alive_s: float) -> AsyncGenerator[bytes]:
    yield _RETRY
    events = workspaces.subscribe(root)
    coming = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            await asyncio.wait([coming], timeout=keep_alive_s)
            if not coming.done():
                yield _COMMENT
                continue
            event = coming.result()
            if event is None:
                return
            coming = asyncio.ensure_future(anext(events, None))
            yield _line(event)
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
        await events.aclose()


def _line(event: Event) -> bytes:
    """JSON has no line breaks of its own, so what a file is called cannot begin another event."""
    return b"event: %b\nid: %d\ndata: %b\n\n" % (event.kind.encode(), event.id, event.data)
