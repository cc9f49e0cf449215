"""Turns at a server that many clients ask at once: each client has its share, however much another one asks for.

A server gets so many questions at a time; who comes later waits in the queue of its own client, and the queues are
served in turn. Some places are never one client's alone. Above: ``runner``. Below: nothing.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Generator, Hashable
from contextlib import asynccontextmanager, contextmanager

AT_A_TIME = 16
OF_ONE_CLIENT = 12


class Turns:
    """By server."""

    def __init__(self, at_a_time: int = AT_A_TIME, of_one_client: int = OF_ONE_CLIENT) -> None:
        self._limits = at_a_time, of_one_client
        self._servers: dict[Hashable, _Places] = {}
        self._unasked = 0

    @contextmanager
    def take_unasked(self) -> Generator[bool]:
        """Whether there is no need to take a turn: so little is going on that nobody can stand in another's way."""
        if self._servers or self._unasked >= self._limits[1]:
            yield False
            return
        self._unasked += 1
        try:
            yield True
        finally:
            self._unasked -= 1

    @asynccontextmanager
    async def take(self, server: Hashable, client: Hashable) -> AsyncGenerator[None]:
        """Have a place at a server, as long as it lasts."""
        places = self._servers.get(server)
        if places is None:
            places = self._servers[server] = _Places(*self._limits)
        try:
            await places.take(client)
            try:
                yield
            finally:
                places.leave(client)
        finally:
            if places.is_empty and self._servers.get(server) is places:
                del self._servers[server]


class _Places:
    """Of one server."""

    def __init__(self, at_a_time: int, of_one_client: int) -> None:
        self._at_a_time = at_a_time
        self._of_one_client = of_one_client
        self._held: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        """The client that is next comes first."""

    @property
    def is_empty(self) -> bool:
        return not self._held and not self._waiting

    async def take(self, client: Hashable) -> None:
        if not self._waiting and self._has_room(client):
            self._hold(client)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            self._give_up(client, turn)
            raise

    def leave(self, client: Hashable) -> None:
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        self._serve()

    def _give_up(self, client: Hashable, turn: asyncio.Future[None]) -> None:
        if turn.done() and not turn.cancelled():  # it was given a place at the very moment
            self.leave(client)
            return
        queue = self._waiting.get(client)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[client]

    def _serve(self) -> None:
        """Give free places to whoever is next."""
        for client in list(self._waiting):
            if not self._has_room(client):
                continue
            queue = self._waiting.pop(client)
            turn = _first_that_waits(queue)
            if turn is None:
                continue
            turn.set_result(None)
            self._hold(client)
            if queue:
                self._waiting[client] = queue  # behind the others

    def _has_room(self, client: Hashable) -> bool:
        held = self._held.get(client, 0)
        return sum(self._held.values()) < self._at_a_time and held < self._of_one_client

    def _hold(self, client: Hashable) -> None:
        self._held[client] = self._held.get(client, 0) + 1


def _first_that_waits(queue: "deque[asyncio.Future[None]]") -> "asyncio.Future[None] | None":
    """One that was cancelled a moment ago is still in the queue, and wants nothing any more."""
    while queue:
        turn = queue.popleft()
        if not turn.done():
            return turn
    return None
