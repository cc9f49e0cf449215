"""What is known of each workspace, live: whether its daemon runs, and everything it has told.

Daemons are watched and never started. Above: ``status_routes``, ``events``, ``metrics``, ``conversation_routes``.
Below: ``workspace_feeds`` (who listens), ``daemon.watch_client``.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from groundwire.daemon.house import house_of
from groundwire.daemon.meeting import HAS_UNIX_SOCKETS
from groundwire.daemon.watch_client import folded, understood, watching
from groundwire.daemon.watch_messages import CallEnded, Snapshot
from groundwire.errors import DaemonUnavailable
from groundwire.surfaces.http.workspace_feeds import Event, Feeds

_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 2.0
_MOST = 500
"""Workspaces; beyond that the one that was wanted longest ago and has no daemon is watched no more."""


class WorkspaceView(msgspec.Struct, frozen=True, kw_only=True):
    """One workspace. ``since``, in seconds since the epoch: when its daemon was seen to begin, or to have ended."""

    root: str
    is_running: bool
    since: float
    problem: str = ""
    """Why a daemon that is there cannot be watched."""
    snapshot: Snapshot | None = None
    """What it told, brought up to date; nothing while none runs."""


@dataclass(eq=False)
class _Watched:
    root: str
    since: float = field(default_factory=time.time)
    snapshot: Snapshot | None = None
    problem: str = ""
    heard: float = 0.0
    """Of ``time.monotonic``: when it last told how long things have lasted."""
    is_wanted: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Workspaces:
    """Use it as an async context manager."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._watched: dict[str, _Watched] = {}
        self._feeds = Feeds(self._beginnings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Watch nothing any more; whoever listens has heard all."""
        self._feeds.close()
        tasks = [each.task for each in self._watched.values() if each.task is not None]
        self._watched.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def want(self, root: Path) -> None:
        """Watch a workspace from now on, and look at once whether its daemon runs by now."""
        key = str(root) if str(root) in self._watched else os.path.realpath(root)
        watched = self._watched.pop(key, None) or _Watched(key)
        self._watched[key] = watched  # the last in the row
        watched.is_wanted.set()
        if watched.task is None:
            self._make_room()
            watched.task = asyncio.create_task(self._watch(watched))

    def snapshot(self) -> tuple[WorkspaceView, ...]:
        """All that is known now, by root."""
        return tuple(map(_view, sorted(self._watched.values(), key=lambda each: each.root)))

    def view(self, root: str) -> WorkspaceView | None:
        """Of one workspace."""
        watched = self._watched.get(root)
        return _view(watched) if watched is not None else None

    @property
    def subscribers(self) -> int:
        """How many listen."""
        return len(self._feeds)

    def subscribe(self, root: str = "") -> AsyncGenerator[Event]:
        """First how everything is, then each change; of one workspace where it is named."""
        return self._feeds.listen(root)

    def _make_room(self) -> None:
        for root, watched in tuple(self._watched.items()):
            if len(self._watched) <= _MOST:
                return
            if watched.snapshot is None and watched.task is not None:
                watched.task.cancel()
                del self._watched[root]

    def _beginnings(self) -> list[tuple[str, str, bytes]]:
        return [_beginning(view) for view in self.snapshot()]

    async def _watch(self, watched: _Watched) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            watched.is_wanted.clear()
            if await self._follow(watched):
                pause = _FIRST_PAUSE_S
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(watched.is_wanted.wait(), pause)
            pause = min(pause * 2, _LONGEST_PAUSE_S)

    async def _follow(self, watched: _Watched) -> bool:
        """Until the daemon ends; whether there was one."""
        try:
            if not self._has_socket(watched.root):
                self._set_problem(watched, "")
                return False
            async with watching(watched.root, self._environment, client="http") as lines:
                self._set_problem(watched, "")
                if lines is None:
                    return False
                async for line in lines:
                    self._hear(watched, line)
        except DaemonUnavailable as problem:
            self._set_problem(watched, problem.message)
            return False
        except OSError as problem:  # a directory that may not be looked into, no file left to open: it may pass
            self._set_problem(watched, str(problem))
            return False
        finally:
            self._ended(watched)
        return True

    def _has_socket(self, root: str) -> bool:
        """Asked often, so it should cost nothing where nobody lives."""
        return not HAS_UNIX_SOCKETS or Path(house_of(root, self._environment).socket).exists()

    def _hear(self, watched: _Watched, line: bytes) -> None:
        news = understood(line)
        if news is None or (watched.snapshot is None and not isinstance(news, Snapshot)):
            return
        if watched.snapshot is None:
            watched.since = time.time()
        before = watched.snapshot if watched.snapshot is not None else news
        assert isinstance(before, Snapshot)  # noqa: S101  the first news is one
        if isinstance(news, CallEnded):  # the most by far, and nothing in it lasts
            watched.snapshot = folded(before, news)
        else:
            now = time.monotonic()
            watched.snapshot, watched.heard = folded(_aged(before, now - watched.heard), news), now
        self._feeds.tell(watched.root, str(news.__struct_config__.tag), _addressed(watched.root, line))

    def _set_problem(self, watched: _Watched, problem: str) -> None:
        if problem != watched.problem:
            watched.problem = problem
            self._feeds.tell(*_beginning(_view(watched)))

    def _ended(self, watched: _Watched) -> None:
        if watched.snapshot is not None:
            watched.snapshot, watched.since = None, time.time()
            self._feeds.tell(*_beginning(_view(watched)))


def _view(watched: _Watched) -> WorkspaceView:
    passed = time.monotonic() - watched.heard
    snapshot = _aged(watched.snapshot, passed, digits=1) if watched.snapshot is not None else None
    return WorkspaceView(
        root=watched.root,
        is_running=snapshot is not None,
        since=round(watched.since, 3),
        problem=watched.problem,
        snapshot=snapshot,
    )


def _aged(snapshot: Snapshot, passed: float, digits: int = 6) -> Snapshot:
    """As it is now: what has lasted goes on."""
    replace = msgspec.structs.replace
    servers = tuple(replace(each, since_s=round(each.since_s + passed, digits)) for each in snapshot.servers)
    clients = tuple(replace(each, since_s=round(each.since_s + passed, digits)) for each in snapshot.clients)
    uptime_s = round(snapshot.uptime_s + passed, digits)
    return replace(snapshot, servers=servers, clients=clients, uptime_s=uptime_s)


def _beginning(view: WorkspaceView) -> tuple[str, str, bytes]:
    """By which whoever listens learns of a workspace: everything, or that no daemon runs."""
    if view.snapshot is not None:
        return view.root, "snapshot", _addressed(view.root, msgspec.json.encode(view.snapshot))
    told = {"workspace": view.root, "kind": "stopped", "since": view.since, "problem": view.problem}
    return view.root, "stopped", msgspec.json.encode(told)


def _addressed(root: str, line: bytes) -> bytes:
    """The news as it came, with the workspace it is about."""
    return b'{"workspace":' + msgspec.json.encode(root) + b"," + line.strip()[1:]
