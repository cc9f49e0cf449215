"""``/status``, ``/health``, ``/ready`` and ``/symbols``; with them the routes of events, metrics, actions and OpenAPI.

Above: ``app``. Below: ``workspaces``, ``events``, ``metrics``, ``actions``, ``openapi``.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import psutil
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from groundwire.surfaces.http import actions, events, metrics, openapi
from groundwire.surfaces.http.metrics import FrontMetrics
from groundwire.surfaces.http.settings import ServeSettings
from groundwire.surfaces.http.shapes import FrontStatus, Health, ServiceStatus
from groundwire.surfaces.http.workspaces import Workspaces
from groundwire.version import VERSION

_MEGABYTE = 1e6


@dataclass(frozen=True)
class Service:
    """What the routes are about. ``sessions`` counts those of MCP; ``is_ready`` is false once the front is ending."""

    settings: ServeSettings
    workspaces: Workspaces
    metrics: FrontMetrics = field(default_factory=FrontMetrics)
    sessions: Callable[[], int] = lambda: 0
    is_ready: Callable[[], bool] = lambda: True
    started: float = field(default_factory=time.monotonic)

    def front(self) -> FrontStatus:
        """The service itself."""
        return FrontStatus(
            version=VERSION,
            pid=os.getpid(),
            uptime_s=round(time.monotonic() - self.started, 1),
            memory_mb=round(psutil.Process().memory_info().rss / _MEGABYTE, 1),
            sessions=self.sessions(),
            subscribers=self.workspaces.subscribers,
            is_open=self.settings.is_open,
        )


def routes(service: Service) -> list[BaseRoute]:
    """All of them."""

    async def status(_: Request) -> Response:
        """Everything at this moment."""
        return _json(ServiceStatus(front=service.front(), workspaces=service.workspaces.snapshot()))

    async def ready(_: Request) -> Response:
        """Whether requests are taken: 503 once it is ending, or when a root is not there."""
        is_ready = service.is_ready() and all(root.is_dir() for root in service.settings.roots)
        return _json(Health(status="ready" if is_ready else "not ready"), 200 if is_ready else 503)

    return [
        Route("/health", _health, methods=["GET"]),
        Route("/ready", ready, methods=["GET"]),
        Route("/status", status, methods=["GET"]),
        *events.routes(service.workspaces, service.settings.keep_alive_s),
        *metrics.routes(service.metrics, service.workspaces, service.front),
        *actions.routes(service.workspaces, service.settings),
        *openapi.routes(),
    ]


async def _health(_: Request) -> Response:
    """That it lives."""
    return _json(Health(status="ok"))


def _json(shown: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(shown), status, media_type="application/json")
