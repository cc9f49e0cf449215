"""Who wants to be told what, in both ways the protocol has for it: by a level for the whole connection, or by one that
a request carries, for as long as it is served.

Above: ``server``. Below: ``notices``.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar, cast, get_args

from mcp.server.session import ServerSession
from mcp.server.subscriptions import SUBSCRIPTION_ID_META_KEY
from mcp_types import (
    LOG_LEVEL_META_KEY,
    EmptyResult,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    RequestId,
    ServerNotification,
    SetLevelRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from groundwire.pool.pool import Pool
from groundwire.protocol.names import shown_within
from groundwire.surfaces.mcp.connection import Client, Context
from groundwire.surfaces.mcp.notices import Notices, Send
from groundwire.surfaces.mcp.notices_health import Level, Notice

_NAME = "groundwire"

P = TypeVar("P")
R = TypeVar("R")
Handler = Callable[[Context, P], Awaitable[R]]


class NoticeHandlers:
    """One for all connections of a server."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def set_level(self, context: Context, params: SetLevelRequestParams) -> EmptyResult:
        """From now on this connection is told what matters at least this much."""
        client, notices = context.lifespan_context, Notices.of(self._pool)
        if client.listener is None:
            added = await notices.add(params.level, _sender(context))
            if client.listener is None:
                client.listener = added
            else:  # two came at once
                notices.remove(added)
        client.listener.level = params.level
        return EmptyResult()

    def during(self, handler: Handler[P, R]) -> Handler[P, R]:
        """The handler, and while it is at work notices for a request that carries a level."""

        async def handle(context: Context, params: P) -> R:
            level = _level_of(context)
            if level is None:
                return await handler(context, params)
            async with self._listening(context, level):
                return await handler(context, params)

        return handle

    def while_listening(self, handler: Handler[P, R]) -> Handler[P, R]:
        """The same for a stream whose first word must be that it is one: notices wait for it."""

        async def handle(context: Context, params: P) -> R:
            level = _level_of(context)
            if level is None:
                return await handler(context, params)
            session = _Acknowledging(context.session)
            async with self._listening(context, level, session.acknowledged):
                return await handler(replace(context, session=cast("ServerSession", session)), params)

        return handle

    @asynccontextmanager
    async def _listening(
        self, context: Context, level: Level, begun: asyncio.Event | None = None
    ) -> AsyncGenerator[None]:
        notices = Notices.of(self._pool)
        listener = await notices.add(level, _sender(context, is_of_request=True, begun=begun))
        try:
            yield
            await listener.finish()
        finally:
            notices.remove(listener)

    def forget(self, client: Client) -> None:
        """The connection has ended."""
        if client.listener is not None:
            Notices.of(self._pool).remove(client.listener)
            client.listener = None


class _Acknowledging:
    """A session that notes that something was said."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self.acknowledged = asyncio.Event()

    async def send_notification(
        self, notification: ServerNotification, related_request_id: RequestId | None = None
    ) -> None:
        await self._session.send_notification(notification, related_request_id)
        self.acknowledged.set()


def _level_of(context: Context) -> Level | None:
    """What the request itself asks for; before that era a connection says it once."""
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return None
    level: object = (context.meta or {}).get(LOG_LEVEL_META_KEY)
    return cast("Level", level) if level in get_args(Level) else None


def _sender(context: Context, *, is_of_request: bool = False, begun: asyncio.Event | None = None) -> Send:
    related = context.request_id if is_of_request else None
    # Whoever carries several requests over one line knows by it whose this is.
    meta = {SUBSCRIPTION_ID_META_KEY: related} if related is not None else None

    async def send(notice: Notice) -> None:
        if begun is not None:
            await begun.wait()
        data = shown_within(notice.data)
        params = LoggingMessageNotificationParams(level=notice.level, logger=_NAME, data=data, _meta=meta)
        await context.session.send_notification(LoggingMessageNotification(params=params), related_request_id=related)

    return send
