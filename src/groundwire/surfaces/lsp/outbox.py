"""What goes to the client beside answers: notifications, requests, and work that goes on for it meanwhile.

Above: ``server``. Below: ``client.connection``.
"""

import asyncio
import contextlib
from collections.abc import Coroutine

from msgspec import Raw

from groundwire.client.connection import Connection, Limits
from groundwire.client.dispatch import Peer
from groundwire.errors import GroundwireError, SessionDead
from groundwire.protocol.jsonrpc import NO_PARAMS
from groundwire.surfaces.lsp.stream import StreamTransport

_CLIENT_S = 30.0
"""How long the client may take to answer what it is asked."""


class Outbox:
    """Of one client."""

    def __init__(self, transport: StreamTransport, peer: Peer, limits: Limits) -> None:
        self._connection = Connection(transport, peer, limits)
        self._tasks: set[asyncio.Task[None]] = set()

    def notify(self, method: str, params: object) -> None:
        """Tell the client."""
        with contextlib.suppress(SessionDead):  # it is gone, which ends the conversation
            self._connection.notify(method, params)

    async def request(self, method: str, params: object = NO_PARAMS) -> Raw:
        """Ask the client. Raises as ``Connection.request`` does."""
        return await self._connection.request(method, params, timeout=_CLIENT_S)

    def begin(self, work: Coroutine[object, object, None]) -> None:
        """Do it meanwhile, and no longer than the client is there."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def create_progress(self, token: str) -> None:
        """Ask the client to show progress under that name."""
        self.begin(self._ask_quietly("window/workDoneProgress/create", {"token": token}))

    def ask_to_pull(self) -> None:
        """Diagnostics have changed."""
        self.begin(self._ask_quietly("workspace/diagnostic/refresh", NO_PARAMS))

    async def close(self) -> None:
        """End what goes on, and the conversation."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._connection.close()

    async def _ask_quietly(self, method: str, params: object) -> None:
        with contextlib.suppress(GroundwireError):  # it refuses or is gone: then it shows nothing, and needs nothing
            await self.request(method, params)
