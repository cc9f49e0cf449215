"""What ends the servers when groundwire itself is killed and cannot: a tiny shell that waits for our end.

The shell holds the reading end of a pipe whose writing end is ours alone. However we end, the kernel closes it; the
shell then kills every session that is still registered. Where the system has ``/proc``, it also finds the members of
those sessions that moved to a process group of their own. A session is registered only while something of it may live,
so that an id which later belongs to somebody else is never touched.

Above: ``process``. Below: ``/bin/sh``, its builtins only.
"""

import atexit
import logging
import os
import subprocess
import sys
import threading

SHELL = "/bin/sh"
END_TIMEOUT = 2.0

SCRIPT = r"""
trap '' TERM INT HUP QUIT TSTP PIPE
registered=' '
while read -r verb id; do
  case $id in ''|0|1|*[!0-9]*) continue ;; esac
  case $verb in
    add) registered="$registered$id " ;;
    drop) case $registered in *" $id "*) registered="${registered%%" $id "*} ${registered#*" $id "}" ;; esac ;;
  esac
done
[ "$registered" != ' ' ] || exit 0
for id in $registered; do kill -s KILL -- "-$id"; done
pass=0
found=yes
while [ -n "$found" ] && [ $pass -lt 20 ]; do
  pass=$((pass + 1))
  found=
  for stat in /proc/[0-9]*/stat; do
    read -r line < "$stat" || continue
    set -f
    set -- ${line##*) }
    set +f
    case $1 in Z|X) continue ;; esac
    case $registered in *" $4 "*) kill -s KILL "${line%% *}" && found=yes ;; esac
  done
done
"""

logger = logging.getLogger(__name__)


class Guardian:
    """Our side of the pipe. One per process; starts its shell with the first session it is given."""

    def __init__(self, shell: str = SHELL) -> None:
        self._shell = shell
        self._lock = threading.Lock()
        self._sessions: set[int] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._unavailable = sys.platform == "win32"

    @property
    def pid(self) -> int | None:
        """The shell's process id while it runs."""
        return self._process.pid if self._process else None

    def prepare(self) -> None:
        """Start the shell, so that it is there before the first child is."""
        with self._lock:
            if self._process is None and not self._unavailable:
                self._begin()

    def add(self, session: int) -> None:
        """From now on this session dies with us."""
        if session <= 1:
            raise ValueError(f"{session} is not a session of ours")
        with self._lock:
            if session not in self._sessions:
                self._sessions.add(session)
                self._tell(f"add {session}\n")

    def drop(self, session: int) -> None:
        """Nothing of this session is left."""
        with self._lock:
            if session in self._sessions:
                self._sessions.remove(session)
                self._tell(f"drop {session}\n")

    def close(self) -> None:
        """Let the shell do its work now, and wait for it, bounded."""
        with self._lock:
            process, self._process = self._process, None
            self._sessions.clear()
        if process and process.stdin:
            process.stdin.close()
            try:
                process.wait(END_TIMEOUT)
            except subprocess.TimeoutExpired:
                logger.warning("the guardian process %d has not ended yet", process.pid)

    def forget(self) -> None:
        """In a forked copy of ourselves: the shell belongs to the original, and so does the pipe."""
        process, self._process = self._process, None
        self._lock = threading.Lock()
        self._sessions.clear()
        if process and process.stdin:
            process.stdin.close()
            # Not our child here: nothing to wait for, nothing to warn about.
            process.returncode = 0

    def _tell(self, line: str) -> None:
        if self._unavailable:
            return
        if self._process is None:
            self._begin()
        elif not self._write(line):
            self._replace()

    def _begin(self) -> None:
        try:
            self._process = subprocess.Popen(
                (self._shell, "-c", SCRIPT, "groundwire-guardian"),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                env={},
                start_new_session=True,
            )
        except OSError as error:
            self._unavailable = True
            logger.warning("no guardian (%s): if groundwire is killed, what its servers started may live on", error)
            return
        if sys.platform != "win32" and self._process.stdin:
            os.set_blocking(self._process.stdin.fileno(), False)
        for session in sorted(self._sessions):
            self._write(f"add {session}\n")

    def _write(self, line: str) -> bool:
        if not self._process or not self._process.stdin:
            return False
        try:
            os.write(self._process.stdin.fileno(), line.encode())
        except (BrokenPipeError, BlockingIOError):
            return False
        return True

    def _replace(self) -> None:
        """The shell was killed, or hangs. It must be dead before its pipe closes, or it would kill what still lives."""
        if self._process and self._process.stdin:
            self._process.kill()
            self._process.wait(END_TIMEOUT)
            self._process.stdin.close()
        logger.warning("the guardian process was lost; starting another")
        self._begin()


guardian = Guardian()
atexit.register(guardian.close)
if sys.platform != "win32":
    os.register_at_fork(after_in_child=guardian.forget)
