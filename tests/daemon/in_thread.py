"""A daemon in a thread of the test: the real socket, the real conversations, and a pool that the test can look at."""

import asyncio
import os
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from groundwire.daemon.calls import CallConversation
from groundwire.daemon.house import furnish, house_of
from groundwire.daemon.server import Conversation, Daemon
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool

_WAIT_S = 30.0


class ThreadDaemon:
    """``pool`` is there once it listens."""

    def __init__(
        self,
        root: Path,
        environment: Mapping[str, str],
        conversations: Mapping[str, Conversation] | None = None,
    ) -> None:
        self.root = root.resolve()
        self._environment = environment
        self._conversations = conversations
        self._listens = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self.pool: Pool | None = None
        self.daemon: Daemon | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Until it listens."""
        self._thread.start()
        assert self._listens.wait(_WAIT_S)

    def stop(self) -> None:
        """Until it has ended."""
        if self._loop is not None and self.daemon is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self.daemon.leave, "the test is over")
        self._thread.join(_WAIT_S)
        assert not self._thread.is_alive()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        house = house_of(str(self.root), self._environment)
        furnish(house)
        async with open_pool(self.root, environment=self._environment) as self.pool:
            spoken = self._conversations or {"call": CallConversation(self.pool).converse}
            self.daemon = Daemon(house, self._environment, conversations=spoken)
            await self.daemon.serve(self._listens.set)


@contextmanager
def serving(root: Path, conversations: Mapping[str, Conversation] | None = None) -> Generator[ThreadDaemon]:
    """One for the project, in the environment of the test."""
    made = ThreadDaemon(root, dict(os.environ), conversations)
    made.start()
    try:
        yield made
    finally:
        made.stop()
