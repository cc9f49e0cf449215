"""Requests about tools, and the word to a client that there are others now.

Above: ``server``. Below: ``calls``, ``consent``, ``presence``, ``profiles``.
"""

from collections.abc import Mapping

from mcp.server.subscriptions import SubscriptionBus, ToolsListChanged
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from groundwire.errors import PermissionDenied
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.calls import Caller
from groundwire.surfaces.mcp.connection import Client, Context, Peer
from groundwire.surfaces.mcp.consent import require_consent
from groundwire.surfaces.mcp.presence import Presence
from groundwire.surfaces.mcp.profiles import Profile
from groundwire.surfaces.mcp.progress import Report
from groundwire.surfaces.mcp.shown import Output, Shown, show_error
from groundwire.surfaces.mcp.tools import SurfaceTool, listed


class ToolHandlers:
    """One for all connections of a server."""

    def __init__(self, pool: Pool, profile: Profile, output: Output, bus: SubscriptionBus, peer: Peer) -> None:
        self._profile = profile
        self._with_output = output == "json"
        self._caller = Caller(pool, profile, output, peer)
        self._peer = peer
        self._presence = Presence(pool)
        self._bus = bus
        self._last: tuple[tuple[object, ...], tuple[SurfaceTool, ...]] | None = None

    async def list(self, context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        """The tools that can be served, as far as that is known."""
        tools = self._shown()
        context.lifespan_context.shown = tools
        return ListToolsResult(tools=[listed(tool, with_output=self._with_output) for tool in tools])

    async def call(self, context: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        """One call; it may have started a server, and then other tools can be served than before."""
        try:
            question = await require_consent(context, params) if self.must_ask(params.name, params.arguments) else None
        except PermissionDenied as error:
            return show_error(error).as_result()
        if question is not None:
            return question
        result = await self._caller.call(
            params.name, params.arguments or {}, _report_to(context), request=context.request_id
        )
        if self._has_news(context.lifespan_context):
            await context.session.send_tool_list_changed()
            await self._bus.publish(ToolsListChanged())
        return result.as_result()

    def must_ask(self, name: str, given: Mapping[str, object] | None) -> bool:
        """Whether a person has to agree first, which only the library can bring about."""
        return self._caller.must_ask(name, given or {})

    async def call_directly(
        self, name: str, given: Mapping[str, object], report: Report | None, request: str | int
    ) -> Shown:
        """As ``call``, of a client that the library does not stand in front of; what it is told is up to the caller."""
        return await self._caller.call(name, given, report, request=request)

    def has_news(self) -> bool:
        """Whether the one client must be told that there are other tools now; it is not said twice."""
        return self._peer.client is not None and self._has_news(self._peer.client)

    def _has_news(self, client: Client) -> bool:
        if client.shown is None:  # it has not been shown any
            return False
        tools = self._shown()
        is_news = client.shown is not tools and _essence(client.shown) != _essence(tools)
        if is_news:
            client.shown = tools
        return is_news

    def forget(self, _: Client) -> None:
        """The connection has ended."""
        self._presence.stop()

    def _shown(self) -> tuple[SurfaceTool, ...]:
        if not self._profile.hides:
            return self._profile.tools
        self._presence.look()
        version = self._presence.version
        if self._last is None or self._last[0] != version:  # every call asks, and hardly ever is there news
            self._last = version, self._profile.shown(self._presence.is_served)
        return self._last[1]


def _essence(tools: tuple[SurfaceTool, ...]) -> tuple[str, ...]:
    return tuple(f"{tool.name}: {tool.summary}" for tool in tools)


def _report_to(context: Context) -> Report | None:
    if context.meta is None or "progress_token" not in context.meta:
        return None

    async def report(seconds: float, message: str) -> None:
        await context.session.report_progress(seconds, message=message)

    return report
