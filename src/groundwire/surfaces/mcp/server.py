"""The server: which handler answers which request of the protocol.

Above: ``stdio`` and whatever else has a pair of streams. Below: ``calls``, ``resource_handlers``, ``presence``.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

from groundwire import __version__
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.calls import Caller
from groundwire.surfaces.mcp.instructions import instructions_of
from groundwire.surfaces.mcp.profiles import Profile, find_profile
from groundwire.surfaces.mcp.progress import Report
from groundwire.surfaces.mcp.resource_handlers import Client, ResourceHandlers
from groundwire.surfaces.mcp.shown import Output, find_output
from groundwire.surfaces.mcp.tools import listed

Context = ServerRequestContext[Client, Any]
"""The transport's own part of it does not matter here."""


def build_server(pool: Pool, *, profile: str = "core", output: str = "text") -> Server[Client]:
    """A server for any number of connections. Raises InvalidArgument for an unknown profile or output."""
    tools = _Tools(pool, find_profile(profile), find_output(output))
    resources = ResourceHandlers(pool)

    @asynccontextmanager
    async def connection(_: Server[Client]) -> AsyncGenerator[Client]:
        client = Client()
        try:
            yield client
        finally:
            resources.forget(client)

    return Server(
        "groundwire",
        version=__version__,
        title="groundwire",
        instructions=instructions_of(tools.profile),
        lifespan=connection,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_subscribe_resource=resources.subscribe,
        on_unsubscribe_resource=resources.unsubscribe,
        on_subscriptions_listen=resources.listen,
        on_completion=resources.complete,
    )


class _Tools:
    def __init__(self, pool: Pool, profile: Profile, output: Output) -> None:
        self.profile = profile
        self._with_output = output == "json"
        self._caller = Caller(pool, profile, output)

    async def list(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[listed(tool, with_output=self._with_output) for tool in self.profile.tools])

    async def call(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await self._caller.call(params.name, params.arguments or {}, _report_to(context))


def _report_to(context: Context) -> Report | None:
    if context.meta is None or "progress_token" not in context.meta:
        return None

    async def report(seconds: float, message: str) -> None:
        await context.session.report_progress(seconds, message=message)

    return report
