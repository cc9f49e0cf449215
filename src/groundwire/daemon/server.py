"""The daemon itself: listens, greets, hands each connection to its conversation, and ends when nobody needs it.

One client's failure is nobody else's: a conversation that fails ends alone, and the log has why.
Above: ``background``. Below: ``house``, ``greeting``, ``clients``, ``life``, ``peer``, ``record``.
"""

import asyncio
import contextlib
import hmac
import logging
import os
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from groundwire.daemon.clients import ONLOOKERS, Clients
from groundwire.daemon.greeting import LONGEST_LINE, PROTOCOL, Greeting, Welcome, dump, read_greeting, relevant
from groundwire.daemon.house import House
from groundwire.daemon.life import Circumstances, makes_room, reason_to_leave
from groundwire.daemon.meeting import HAS_UNIX_SOCKETS
from groundwire.daemon.peer import is_own
from groundwire.daemon.record import Record, write_record
from groundwire.errors import GroundwireError, Wire
from groundwire.version import VERSION

log = logging.getLogger(__name__)

Conversation = Callable[[Greeting, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""What is done with a connection once both sides have greeted. The connection is closed after it."""

_GREETING_S = 10.0
_LEAVING_S = 5.0
_LOOK_EVERY_S = 5.0
_BACKLOG = 128
_MOST_CONNECTIONS = 512


@dataclass
class Daemon:
    """``serve`` until ``leave`` is called, or it finds a reason of its own."""

    house: House
    environment: Mapping[str, str]
    conversations: Mapping[str, Conversation]
    idle_exit_s: float = 1800.0
    is_outdated: Callable[[], bool] = lambda: False
    look_every_s: float = _LOOK_EVERY_S
    started: float = field(default_factory=time.time)
    clients: Clients = field(init=False)
    leaving_because: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.clients = Clients(time.monotonic)
        self._leaving = asyncio.Event()
        self._talks: set[asyncio.Task[None]] = set()
        self._token = ""
        self._inode = 0

    async def serve(self, on_listening: Callable[[], None]) -> None:
        """Listens, says so, and serves to the end."""
        server = await self._listen()
        log.info("serves %s as process %s", self.house.root, os.getpid())
        on_listening()
        try:
            while not self._leaving.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._leaving.wait(), self.look_every_s)
                self._look_round()
        finally:
            log.info("leaves: %s", self.leaving_because)
            self._unlink()
            server.close()
            await self._end_talks()

    def leave(self, why: str) -> None:
        """End soon."""
        self.leaving_because = self.leaving_because or why
        self._leaving.set()

    async def _listen(self) -> asyncio.Server:
        record = Record(os.getpid(), self.house.root, started=self.started)
        if not HAS_UNIX_SOCKETS:
            self._token = secrets.token_hex(32)
            server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=LONGEST_LINE, backlog=_BACKLOG)
            port = server.sockets[0].getsockname()[1]
            write_record(self.house, record._replace(port=port, token=self._token))
            return server
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.house.socket)  # of one that was killed: whoever holds the lock may clear it away
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            listening.bind(self.house.socket)
        finally:
            os.umask(mask)
        self._inode = os.stat(self.house.socket).st_ino
        write_record(self.house, record)
        return await asyncio.start_unix_server(self._connected, sock=listening, limit=LONGEST_LINE, backlog=_BACKLOG)

    def _look_round(self) -> None:
        seen = Circumstances(
            clients=len(self.clients),
            idle_s=self.clients.idle_s,
            has_workspace=os.path.isdir(self.house.root),
            has_socket=self._has_socket(),
            is_outdated=self.is_outdated(),
        )
        why = reason_to_leave(seen, self.idle_exit_s)
        if why:
            self.leave(why)

    def _has_socket(self) -> bool:
        if not HAS_UNIX_SOCKETS:
            return True
        try:
            return os.stat(self.house.socket).st_ino == self._inode
        except OSError:
            return False

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  asyncio runs this in one
        self._talks.add(task)
        try:
            await self._talk(reader, writer)
        except (ConnectionError, TimeoutError, Wire) as problem:
            log.info("a connection ended: %s", problem or type(problem).__name__)
        except asyncio.CancelledError:
            if not self._leaving.is_set():  # else it was us, and asyncio would take a cancelled task for a defect
                raise
        except Exception:  # the daemon's connection loop: one failure must not end what others use
            log.exception("a conversation failed")
        finally:
            self._talks.discard(task)
            await _close(writer)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = writer.get_extra_info("socket")
        if len(self._talks) > _MOST_CONNECTIONS or not is_own(connection):
            return  # somebody else's process, and nothing to be said to it
        try:
            async with asyncio.timeout(_GREETING_S):
                line = await reader.readline()
        except ValueError:
            raise Wire("the first line does not end") from None
        if not line:
            return  # whoever came only wanted to know whether anybody is here
        greeting = read_greeting(line)
        welcome = self._welcome(greeting)
        writer.write(dump(welcome))
        await writer.drain()
        if welcome.is_leaving:
            self.leave(welcome.error)
            self._unlink()
            await self._leaving.wait()
        if not welcome.is_welcome:
            return
        with self.clients.present(greeting):
            heard = greeting._replace(notes=welcome.notes)
            await self.conversations[greeting.conversation](heard, reader, writer)

    def _welcome(self, greeting: Greeting) -> Welcome:
        """Whether a client is served, and what it should know."""
        me = Welcome(is_welcome=False, pid=os.getpid())
        if self._token and not hmac.compare_digest(self._token.encode(), greeting.token.encode(errors="replace")):
            return me._replace(error="the token is wrong")
        if greeting.root != self.house.root:
            return me._replace(error=f"this is the background process of {self.house.root}")
        if self._leaving.is_set():
            return me._replace(is_leaving=True, error="it is leaving")
        others = len(self.clients)
        if makes_room(VERSION, greeting.version, other_clients=others):
            return me._replace(is_leaving=True, error=f"makes room for version {greeting.version}")
        if self.is_outdated() and not others and greeting.conversation not in ONLOOKERS:
            return me._replace(is_leaving=True, error="the configuration has changed")
        if greeting.protocol != PROTOCOL:
            hint = "End what uses it, then: groundwire daemon restart"
            return me._replace(error=f"the background process is of version {VERSION} and in use", hint=hint)
        if greeting.conversation not in self.conversations:
            return me._replace(error=f"nobody here speaks {greeting.conversation!r}")
        return me._replace(is_welcome=True, notes=tuple(self._notes(greeting)))

    def _notes(self, greeting: Greeting) -> list[str]:
        notes: list[str] = []
        theirs, ours = greeting.environment, relevant(self.environment)
        differing = sorted(name for name in theirs.keys() | ours.keys() if theirs.get(name) != ours.get(name))
        if theirs and differing:
            shown = ", ".join(differing[:5])
            notes.append(f"language servers run with another {shown}; `groundwire daemon restart` takes over yours")
        if self.is_outdated():
            notes.append("the configuration has changed since; `groundwire daemon restart` takes it over")
        if greeting.version != VERSION:
            notes.append(f"version {VERSION} answers; `groundwire daemon restart` takes over {greeting.version}")
        return notes

    async def _end_talks(self) -> None:
        current = [task for task in self._talks if task is not asyncio.current_task()]
        for task in current:
            task.cancel()
        if current:
            await asyncio.wait(current, timeout=_LEAVING_S)

    def _unlink(self) -> None:
        """So that nobody comes any more, unless the socket is another's by now."""
        if HAS_UNIX_SOCKETS and self._has_socket():
            with contextlib.suppress(OSError):
                os.unlink(self.house.socket)


async def _close(writer: asyncio.StreamWriter) -> None:
    """What was said is said to its end, but not for ever to somebody who does not listen."""
    writer.close()
    try:
        async with asyncio.timeout(_LEAVING_S / 2):
            await writer.wait_closed()
    except TimeoutError:
        writer.transport.abort()
    except OSError:  # it was gone before
        return


def refusal_of(error: GroundwireError) -> dict[str, str]:
    """Why a daemon cannot start, as whoever started it reads it."""
    return {"error": error.message, "hint": error.hint}
