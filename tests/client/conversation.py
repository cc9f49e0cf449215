"""A conversation between our side and a fake server, and who answers for our side."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

from msgspec import Raw

from groundwire.client.connection import Connection, Limits
from groundwire.transport.memory import memory_pair
from tests.fakes.server import FakeServer, Handler


class Client:
    """Hears and answers for our side."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.noise: list[str] = []
        self.reasons: list[str] = []
        self.answers: dict[str, Callable[[], object]] = {"double": lambda: 42}

    def asked(self, method: str, params: Raw) -> object:
        return self.answers[method]()

    def told(self, method: str, params: Raw) -> None:
        if method == "bad":
            raise ValueError("cannot take it")
        self.heard.append(method)

    def heard_noise(self, reason: str, sample: str) -> None:
        self.noise.append(sample)

    def closed(self, reason: str) -> None:
        self.reasons.append(reason)


@asynccontextmanager
async def conversation(
    handlers: Mapping[str, Handler] | None = None, limits: Limits | None = None
) -> AsyncGenerator[tuple[Connection, FakeServer, Client]]:
    ours, theirs = memory_pair()
    client = Client()
    server = FakeServer(theirs, handlers or {}, {})
    connection = Connection(ours, client, limits)
    try:
        yield connection, server, client
    finally:
        await connection.close()
        await server.connection.close()


async def never(_: object) -> None:
    await asyncio.get_running_loop().create_future()
