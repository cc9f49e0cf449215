"""Who answers a command: the daemon of the workspace where one runs, else this process. The answer is the same.

The command line starts no daemon: a question asked once must not leave a process behind.
Above: the commands. Below: ``daemon.remote`` and, loaded only when it is needed, ``in_process``.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, cast

from groundwire.daemon.greeting import Greeting, relevant
from groundwire.daemon.meeting import Link, meet
from groundwire.daemon.remote import RemoteRunner
from groundwire.errors import DaemonUnavailable
from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Operation, R
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.progress import progress

NO_DAEMON = "GROUNDWIRE_NO_DAEMON"
_GREETING_S = 10.0
_HARMLESS = ("reads", "simulates")


class Heard(NamedTuple, Generic[R]):
    """An answer. ``is_kept``: whoever gave it is still there to be asked about it, and to undo it."""

    answer: Answer[R]
    is_kept: bool


class InProcess(Protocol):
    """What the module of that name holds."""

    async def run_here(
        self,
        operation: Operation[A, R],
        given: A,
        workspace: Path,
        only: frozenset[str],
        wait_s: float,
        tell: Callable[[str], None],
    ) -> Answer[R]:
        """The answer of servers of our own."""
        ...


async def ask(operation: Operation[A, R], given: A, workspace: Path, arguments: Arguments, doing: str) -> Heard[R]:
    """The answer, by whomever. Raises what the operation raises, and DaemonUnavailable where it may have written."""
    asking = Asking(workspace, arguments)
    async with asking, progress(doing, sys.stderr) as tell:
        answer = await asking.daemon(operation, given, tell)
        if answer is not None:
            return Heard(answer, is_kept=True)
        here = cast("InProcess", import_module("groundwire.surfaces.cli.in_process"))
        only = frozenset(arguments.server)
        return Heard(await here.run_here(operation, given, workspace, only, arguments.wait, tell), is_kept=False)


class Asking:
    """While it is entered, what the reader should know is kept; it is told in the end, beside the answer."""

    def __init__(self, workspace: Path, arguments: Arguments) -> None:
        self._workspace = workspace
        self._arguments = arguments
        self._notes: list[str] = []

    async def __aenter__(self) -> None:
        """Nothing yet."""

    async def __aexit__(self, *raised: object) -> None:
        for note in self._notes:
            sys.stderr.write(f"note: {note}\n")

    async def daemon(self, operation: Operation[A, R], given: A, tell: Callable[[str], None]) -> Answer[R] | None:
        """What the daemon answers; None when it is to be answered here. Raises as ``ask`` does."""
        if not is_shared(self._arguments):
            return None
        was_asked = False
        try:
            link = await asyncio.to_thread(_greet, self._workspace)
            if link is None:
                return None
            self._notes += link.welcome.notes
            async with RemoteRunner.over(link, self._workspace) as runner:
                was_asked = True
                return await runner.run(operation, given, wait_s=self._arguments.wait, progress=tell)
        except DaemonUnavailable as problem:
            if operation.effect not in _HARMLESS:
                raise _in_doubt(problem, was_asked=was_asked) from None
            self._notes.append(f"{problem.message}; answered without it")
            return None


def is_shared(arguments: Arguments) -> bool:
    """Whether a daemon may answer: nobody chose otherwise, nor servers by hand."""
    is_off = os.environ.get(NO_DAEMON, "") not in ("", "0", "false", "no")
    return not (arguments.server or arguments.no_daemon or is_off)


def _greet(workspace: Path) -> Link | None:
    root = os.path.realpath(workspace)
    greeting = Greeting("call", root, client="cli", environment=relevant(os.environ))
    return meet(greeting, os.environ, time.monotonic() + _GREETING_S, starts=False)


def _in_doubt(problem: DaemonUnavailable, *, was_asked: bool) -> DaemonUnavailable:
    if not was_asked:
        return DaemonUnavailable(f"{problem.message}; nothing was changed", hint=problem.hint)
    return DaemonUnavailable(
        f"{problem.message}; whether anything was changed is not known",
        hint="Look at the files (with git diff, for instance) before you ask again.",
    )
