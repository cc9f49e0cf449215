"""``groundwire status --watch``: a workspace as it changes, until q or Ctrl-C. It starts no daemon, it waits for one.

On a terminal the screen is drawn over itself; elsewhere each change is written once, with ``--json`` as it was told.
Above: ``status``. Below: ``daemon.watch_client``, ``watch_screen``, ``terminal``.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import msgspec

from groundwire.daemon.watch_client import folded, understood, watching
from groundwire.daemon.watch_messages import Snapshot
from groundwire.errors import DaemonUnavailable
from groundwire.render.layout import Page
from groundwire.surfaces.cli.page import page_of
from groundwire.surfaces.cli.terminal import Terminal, is_terminal
from groundwire.surfaces.cli.watch_screen import as_text, screen

_PAUSE_S = 0.5
_REDRAW_S = 1.0
_FASTEST_S = 0.1
_LONGEST_LINE = 1000


class _View:
    """What is known now, and whether that has been shown."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.snapshot: Snapshot | None = None
        self.problem = ""
        self.heard = time.monotonic()
        self.news = asyncio.Event()

    def hear(self, line: bytes | str) -> None:
        """A line of the daemon; as text: there is none, and why."""
        if isinstance(line, str):
            self.snapshot, self.problem = None, line
            self.news.set()
            return
        told = understood(line)
        if isinstance(told, Snapshot):
            self.snapshot = told
        elif told is not None and self.snapshot is not None:
            self.snapshot = folded(self.snapshot, told)
        self.heard = time.monotonic()
        self.news.set()

    def lines(self, page: Page, height: int = 0) -> list[str]:
        """As it is now."""
        passed = time.monotonic() - self.heard if height else 0.0
        return screen(self.root, self.snapshot, page, height, passed=passed, problem=self.problem)


def watch(workspace: Path, *, as_json: bool) -> int:
    """Until it is told to end; gives 0."""
    root = os.path.realpath(workspace)
    try:
        asyncio.run(_watch(root, as_json=as_json))
    except KeyboardInterrupt:  # the way to end it
        return 0
    return 0


async def _watch(root: str, *, as_json: bool) -> None:
    if as_json:
        await _write_json(root)
        return
    view = _View(root)
    following = asyncio.create_task(_follow(root, view.hear))
    try:
        await (_show(view) if is_terminal() else _write(view))
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def _follow(root: str, hear: Callable[[bytes | str], None]) -> None:
    async for line in _lines(root):
        hear(line)


async def _lines(root: str) -> AsyncGenerator[bytes | str]:
    """Of every daemon that runs there, one after the other; text, why there is none, whenever that has changed."""
    said: str | None = None
    while True:
        why = ""
        try:
            async with watching(root, os.environ, client="status --watch") as lines:
                if lines is not None:
                    said = None
                    async for line in lines:
                        yield line
        except DaemonUnavailable as problem:
            why = problem.message
        if why != said:
            said = why
            yield why
        await asyncio.sleep(_PAUSE_S)


async def _show(view: _View) -> None:
    """On a terminal."""
    with Terminal() as terminal:
        await _first_of(view.news, terminal.is_done)
        while not terminal.is_done.is_set():
            view.news.clear()
            terminal.draw(view.lines(page_of(sys.stdout), terminal.height))
            await _first_of(view.news, terminal.is_done, terminal.has_resized)
            await asyncio.sleep(_FASTEST_S)


async def _first_of(*events: asyncio.Event) -> None:
    """Until one is set, or it is time to show how time goes by."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(waiting, timeout=_REDRAW_S, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()


async def _write(view: _View) -> None:
    """Into a file or a pipe, whose lines may be as long as they like."""
    page = msgspec.structs.replace(page_of(sys.stdout), width=_LONGEST_LINE)
    before = ""
    while True:
        await view.news.wait()
        view.news.clear()
        text = as_text(view.lines(page))
        if text != before:
            sys.stdout.write(text)
            sys.stdout.flush()
            before = text


async def _write_json(root: str) -> None:
    async for line in _lines(root):
        stopped = {"kind": "stopped", "problem": line}
        sys.stdout.write(json.dumps(stopped) + "\n" if isinstance(line, str) else line.decode())
        sys.stdout.flush()
