"""On Windows, a job object holds a child and whatever it starts: when our last handle goes, the system ends them all.

That covers every way we can end, so Windows needs no guardian. Above: ``process``. Below: kernel32.
"""

import ctypes
import logging
import subprocess
import sys
from collections.abc import Mapping

LIMIT_KILL_ON_JOB_CLOSE = 0x2000
EXTENDED_LIMIT_INFORMATION = 9
PROCESS_SET_QUOTA = 0x0100
PROCESS_TERMINATE = 0x0001

logger = logging.getLogger(__name__)


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class IoCounters(ctypes.Structure):
    """IO_COUNTERS."""

    _fields_ = tuple((f"Counter{number}", ctypes.c_uint64) for number in range(6))


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("BasicLimitInformation", BasicLimits),
        ("IoInfo", IoCounters),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


def kill_on_close_limits() -> ExtendedLimits:
    """The one limit we set: nobody outlives the job."""
    return ExtendedLimits(BasicLimitInformation=BasicLimits(LimitFlags=LIMIT_KILL_ON_JOB_CLOSE))


if sys.platform == "win32":
    from asyncio import windows_utils
    from ctypes import wintypes

    CREATION_FLAGS = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW

    def start(command: tuple[str, ...], cwd: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start a process with pipes the event loop can wait on, out of reach of our console's Ctrl-C."""
        pipe = subprocess.PIPE
        return windows_utils.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, cwd=cwd, env=env, creationflags=CREATION_FLAGS
        )

    def _kernel() -> ctypes.WinDLL:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = (wintypes.LPVOID, wintypes.LPCWSTR)
        kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID, wintypes.DWORD)
        kernel.OpenProcess.restype = wintypes.HANDLE
        kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        kernel.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
        kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
        return kernel

    class Job:
        """One job, holding one child and its descendants."""

        def __init__(self, pid: int) -> None:
            self._kernel = _kernel()
            self._handle: int | None = self._kernel.CreateJobObjectW(None, None)
            if not self._handle or not self._restrict() or not self._assign(pid):
                logger.warning("no job object for process %d: what it starts may outlive groundwire", pid)

        def terminate(self) -> None:
            """End everybody in it."""
            if self._handle:
                self._kernel.TerminateJobObject(self._handle, 1)

        def close(self) -> None:
            """Give the handle back, which ends whoever is left."""
            handle, self._handle = self._handle, None
            if handle:
                self._kernel.CloseHandle(handle)

        def _restrict(self) -> bool:
            limits = kill_on_close_limits()
            size = ctypes.sizeof(limits)
            address = ctypes.byref(limits)
            return bool(self._kernel.SetInformationJobObject(self._handle, EXTENDED_LIMIT_INFORMATION, address, size))

        def _assign(self, pid: int) -> bool:
            process = self._kernel.OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE, False, pid)
            if not process:
                return False
            try:
                return bool(self._kernel.AssignProcessToJobObject(self._handle, process))
            finally:
                self._kernel.CloseHandle(process)
