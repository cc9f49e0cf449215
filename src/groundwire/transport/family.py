"""A child and whatever it started: who they are, how much memory they hold, how to signal them all.

On POSIX a child is the leader of its own session. What it starts stays in that session unless it asks for one of its
own, so there are two nets: the session, and the tree of descendants remembered while the child was alive to lead us
there.
Above: ``process``. Below: psutil, ``descendants``, ``windows_job``.
"""

import os
import signal
import sys
from contextlib import suppress

import psutil

from groundwire.transport import windows_job
from groundwire.transport.descendants import descendants


class Family:
    """The processes that exist because we started one."""

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self._is_ours = True
        # psutil compares creation times before it signals: a process id that now belongs to somebody else is safe.
        self._remembered: dict[int, psutil.Process] = {}
        if sys.platform == "win32":
            self._job = windows_job.Job(leader)

    def remember(self) -> None:
        """Note all descendants as of now. To be called while the leader lives: afterwards the tree is cut."""
        for process in self._descendants():
            self._remembered[process.pid] = process

    def let_go(self) -> None:
        """The leader was reaped: its id may soon belong to somebody else, so nothing is looked up by it any more."""
        self._is_ours = False
        if sys.platform == "win32":
            self._job.close()

    def others(self) -> list[psutil.Process]:
        """All but the leader that still run. A process that ended but was not reaped does not run."""
        found = {process.pid: process for process in self._session()} | self._remembered
        return [process for process in found.values() if _runs(process)]

    def terminate(self) -> None:
        """Ask all of them to end. One that was stopped is woken, or it could not hear."""
        if sys.platform == "win32":
            self.kill()
        else:
            self._signal(signal.SIGTERM)
            self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End all of them."""
        if sys.platform == "win32":
            self._job.terminate()
            for process in self.others():
                with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                    process.kill()
        else:
            self._signal(signal.SIGKILL)

    def memory_bytes(self) -> int:
        """Resident memory of all of them. Walks the process table: a few milliseconds."""
        total = 0
        for process in self._everyone():
            with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                total += int(process.memory_info().rss)
        return total

    def cpu_seconds(self) -> float:
        """Processor time of all of them. Walks the process table: a few milliseconds."""
        total = 0.0
        for process in self._everyone():
            with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                times = process.cpu_times()
                total += float(times.user) + float(times.system)
        return total

    def _everyone(self) -> list[psutil.Process]:
        members = {process.pid: process for process in [*self._session(), *self._descendants()]}
        with suppress(psutil.NoSuchProcess):
            if self._is_ours:
                members[self._leader] = psutil.Process(self._leader)
        return list(members.values())

    def _descendants(self) -> list[psutil.Process]:
        return descendants(self._leader) if self._is_ours else []

    def _session(self) -> list[psutil.Process]:
        if sys.platform == "win32" or not self._is_ours:
            return []
        members: list[psutil.Process] = []
        for pid in psutil.pids():
            with suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
                if pid != self._leader and os.getsid(pid) == self._leader:
                    members.append(psutil.Process(pid))
        return members

    if sys.platform != "win32":

        def _signal(self, number: signal.Signals) -> None:
            """The leader and its group in one call, so that nobody slips through by forking; then whoever left it."""
            others = self.others()
            if self._is_ours:
                # macOS answers "not permitted" for a group in which all have ended.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._leader, number)
            for process in others:
                with suppress(ProcessLookupError, psutil.NoSuchProcess, psutil.AccessDenied):
                    if not self._is_ours or os.getpgid(process.pid) != self._leader:
                        process.send_signal(number)


def _runs(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False
