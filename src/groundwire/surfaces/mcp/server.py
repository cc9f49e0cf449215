"""The server: which handler answers which request of the protocol.

Above: ``stdio`` and whatever else has a pair of streams. Below: the handlers of tools, resources, prompts.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp_types import SetLevelRequestParams

from groundwire import __version__
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.connection import Client, Peer
from groundwire.surfaces.mcp.instructions import instructions_of
from groundwire.surfaces.mcp.notices_handlers import NoticeHandlers
from groundwire.surfaces.mcp.profiles import Profile, find_profile
from groundwire.surfaces.mcp.prompt_handlers import PromptHandlers
from groundwire.surfaces.mcp.resource_handlers import ResourceHandlers
from groundwire.surfaces.mcp.shown import find_output
from groundwire.surfaces.mcp.tool_handlers import ToolHandlers


class ToolServer(Server[Client]):
    """Says of itself, whoever connects it, that its tools may change."""

    tools: ToolHandlers
    """For whoever has but one connection, and can call them directly."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        told = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(told, experimental_capabilities, extensions)


def _offered(pool: Pool, profile: str) -> Profile:
    chosen = find_profile(profile)
    return chosen if pool.settings.offers_navigation else chosen.without_navigation()


def build_server(pool: Pool, *, profile: str = "core", output: str = "text", peer: Peer | None = None) -> ToolServer:
    """A server for any number of connections of one peer. Raises InvalidArgument for an unknown profile or output."""
    chosen, bus = _offered(pool, profile), InMemorySubscriptionBus()
    peer = peer or Peer()
    tools = ToolHandlers(pool, chosen, find_output(output), bus, peer)
    resources, notices = ResourceHandlers(pool, bus), NoticeHandlers(pool)
    prompts = PromptHandlers(pool, chosen, resources)

    @asynccontextmanager
    async def connection(_: Server[Client]) -> AsyncGenerator[Client]:
        client = peer.client = Client()
        try:
            yield client
        finally:
            resources.forget(client)
            notices.forget(client)
            tools.forget(client)

    server = ToolServer(
        "groundwire",
        version=__version__,
        title="groundwire",
        instructions=instructions_of(chosen),
        lifespan=connection,
        on_list_tools=tools.list,
        on_call_tool=notices.during(tools.call),
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_subscribe_resource=resources.subscribe,
        on_unsubscribe_resource=resources.unsubscribe,
        on_subscriptions_listen=notices.while_listening(resources.listen),
        on_list_prompts=prompts.list,
        on_get_prompt=prompts.get,
        on_completion=prompts.complete,
    )
    # Not among the others: there the library warns that the newer era has another way, and that of the older is wanted.
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, notices.set_level)
    server.tools = tools
    return server
