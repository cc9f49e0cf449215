"""Requests about resources, and the watches of each client, in both ways the protocol has for them.

Above: ``server``. Below: ``resources``, ``watching``, ``completion``, ``edge``.
"""

from collections.abc import Awaitable
from typing import TypeVar

from mcp.server.subscriptions import ListenHandler, ResourceUpdated, SubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    EmptyResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    TextResourceContents,
    UnsubscribeRequestParams,
)

from groundwire.errors import FileNotFound, GroundwireError, InvalidArgument, NoSuchSymbol, OutsideWorkspace
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.completion import complete
from groundwire.surfaces.mcp.connection import Client, Context
from groundwire.surfaces.mcp.edge import typed
from groundwire.surfaces.mcp.resources import RESOURCES, TEMPLATES, read_resource
from groundwire.surfaces.mcp.shown import error_dict
from groundwire.surfaces.mcp.watching import Watch, Watching

_NOT_FOUND = -32002
"""The protocol's own code for a resource that is not there."""

T = TypeVar("T")


class ResourceHandlers:
    """One for all connections of a server."""

    def __init__(self, pool: Pool, bus: SubscriptionBus) -> None:
        self._pool = pool
        self._watching = Watching(pool)
        self._bus = bus
        self._listen = ListenHandler(bus)

    async def list(self, _: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        """What there is without further arguments."""
        return ListResourcesResult(resources=[*RESOURCES])

    async def list_templates(self, _: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """What takes arguments."""
        return ListResourceTemplatesResult(resource_templates=[*TEMPLATES])

    async def read(self, _: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """One resource."""
        content = await _answered(params.uri, read_resource(self._pool, params.uri))
        shown = TextResourceContents(uri=params.uri, mime_type=content.mime_type, text=content.text)
        return ReadResourceResult(contents=[shown])

    async def complete(self, _: Context, params: CompleteRequestParams) -> CompleteResult:
        """Endings of an argument."""
        argument = params.argument
        found = await _answered("completion", complete(self._pool, argument.name, argument.value))
        has_more = found.total > len(found.values)
        return CompleteResult(completion=Completion(values=[*found.values], total=found.total, has_more=has_more))

    async def subscribe(self, context: Context, params: SubscribeRequestParams) -> EmptyResult:
        """Watch a resource for this connection."""
        watches = context.lifespan_context.watches
        if params.uri not in watches:
            adding = self._watching.add(params.uri, context.session.send_resource_updated)
            watches[params.uri] = await _answered(params.uri, adding)
        return EmptyResult()

    async def unsubscribe(self, context: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        """Watch it no more."""
        watch = context.lifespan_context.watches.pop(params.uri, None)
        if watch is not None:
            self._watching.remove(watch)
        return EmptyResult()

    async def listen(self, context: Context, params: SubscriptionsListenRequestParams) -> SubscriptionsListenResult:
        """Watch resources as long as the client listens."""
        watches: list[Watch] = []
        try:
            for uri in params.notifications.resource_subscriptions or ():
                watches.append(await _answered(uri, self._watching.add(uri, self._publish)))  # noqa: PERF401  those before a failure must be known
            return await self._listen(context, params)
        finally:
            for watch in watches:
                self._watching.remove(watch)

    async def _publish(self, uri: str) -> None:
        await self._bus.publish(ResourceUpdated(uri=uri))

    def forget(self, client: Client) -> None:
        """The connection has ended."""
        for watch in client.watches.values():
            self._watching.remove(watch)
        client.watches.clear()


async def _answered(doing: str, work: Awaitable[T]) -> T:
    try:
        return await typed(doing, work)
    except GroundwireError as error:
        raise MCPError(_code(error), error.message[:1000], error_dict(error)) from error


def _code(error: GroundwireError) -> int:
    if isinstance(error, FileNotFound | NoSuchSymbol):
        return _NOT_FOUND
    return INVALID_PARAMS if isinstance(error, InvalidArgument | OutsideWorkspace) else INTERNAL_ERROR
