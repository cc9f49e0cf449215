"""``/metrics``: what the service did, and what every daemon tells, for Prometheus.

Above: ``status_routes`` and ``app`` (which has its requests measured). Below: ``metric_families``, ``workspaces``.
"""

import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.surfaces.http.metric_families import SnapshotCollector
from groundwire.surfaces.http.shapes import FrontStatus
from groundwire.surfaces.http.workspaces import Workspaces

_METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"})
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_CUT = 499
"""The status of an answer that did not come to be, as logs of servers have it."""


class FrontMetrics:
    """The requests of one service. ``app`` is what is measured: ``metrics.measured(app)``."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter(
            "groundwire_http_requests", "Requests that were answered.", labels, registry=self.registry
        )
        self._seconds = Histogram(
            "groundwire_http_request_seconds",
            "From a request to the beginning of its answer.",
            ("route",),
            registry=self.registry,
            buckets=_BUCKETS,
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request. ``route`` is one of few, not the path that was asked for."""
        self._requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def measured(self, app: ASGIApp) -> ASGIApp:
        """The application, each request noted when its answer begins."""

        async def run(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            began, status = time.perf_counter(), 0

            async def noted(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                    self.observe(scope["method"], _route_of(scope), status, time.perf_counter() - began)
                await send(message)

            try:
                await app(scope, receive, noted)
            finally:
                if not status:
                    self.observe(scope["method"], _route_of(scope), _CUT, time.perf_counter() - began)

        return run


def routes(metrics: FrontMetrics, workspaces: Workspaces, front: Callable[[], FrontStatus]) -> list[BaseRoute]:
    """The one route."""
    metrics.registry.register(SnapshotCollector(workspaces.snapshot, front))

    async def show(request: Request) -> Response:
        """In the form that the reader likes best."""
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(metrics.registry), headers={"Content-Type": content_type})

    return [Route("/metrics", show, methods=["GET"])]


def _route_of(scope: Scope) -> str:
    """As it is declared, so that nobody can make up names."""
    route = scope.get("route")
    if isinstance(route, Route):
        return "/page" if route.path.startswith("/page/") else route.path
    return "/mcp" if scope["path"] in {"/mcp", "/"} else "other"
