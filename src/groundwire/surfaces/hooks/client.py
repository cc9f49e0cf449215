"""``groundwire hook``: hands what a host agent says to the daemon of its workspace, and prints what comes back.

Nothing but the standard library, and little of that: the host waits. Whatever happens, it ends in time with status 0
and with something that the host understands; an edit never fails, nor waits for long, because of us.
Above: ``__main__``. Below: ``daemon.meeting``, ``places``.
"""

import contextlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NoReturn, cast

from groundwire.daemon.greeting import Greeting, relevant
from groundwire.daemon.meeting import meet
from groundwire.errors import DaemonUnavailable
from groundwire.places import is_too_wide, repository_of, workspace_round

DEADLINE_S = 8.0
"""For everything; below the shortest time that any host gives a hook."""
LARGEST_PAYLOAD = 16 * 1024 * 1024
PRINTED = b"\n"
"""What the daemon is told once its answer is printed."""
SILENCE: Mapping[str, bytes] = {
    "codex": b"",
    "cline": b'{"cancel":false,"contextModification":"","errorMessage":""}',
}
"""Where it is not an empty object."""

_LONGEST_DEADLINE_S = 600.0
_MARGIN_S = 0.5
"""Of the deadline, for what comes after the daemon has found its answer."""
_SHORTEST_WAIT_S = 0.001
_PAUSE_S = 0.05
_PATIENCE_S = 2.0
"""How long a host that has not ended its input may say nothing."""
_CHUNK = 65536
_LARGEST_ANSWER = 1024 * 1024
_FOLDERS = ("cwd", "workspace_roots", "workspaceRoots", "working_dir", "directory")
_PROJECTS = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "CRUSH_PROJECT_DIR")
_SIGNS = ("GEMINI_SESSION_ID",)
_SIGN_OF_LLXPRT = "LLXPRT_"


def main(words: Sequence[str]) -> int | None:
    """Does not return, but for whoever wants help: then None."""
    if "--help" in words or "-h" in words:
        return None
    answer_host(words, os.environ)


def answer_host(words: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Ends the process: at once, with status 0, whatever is still open."""
    printer = _Printer()
    try:
        printer.agent = agent_in(words)
        seconds = _deadline_s(environment)
        _set_alarm(printer, seconds)
        _ask(printer, printer.agent, environment, time.monotonic() + seconds)
    finally:
        # No exception may pass here, of whatever kind: hosts take a failure of ours for one of the edit.
        printer.end(sys.exc_info()[1])


def agent_in(words: Sequence[str]) -> str:
    """``--agent X``, ``--agent=X``, or just ``X``. What is not understood is passed over."""
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == "--agent":
            return value if equals else "".join(words[number + 1 : number + 2])
    return next((word for word in words if not word.startswith("-")), "")


def root_of(payload: Mapping[str, object], environment: Mapping[str, str], here: str) -> str:
    """The workspace that an event is about; empty where it would be far more than a project."""
    named = [_folder(payload.get(name)) for name in _FOLDERS]
    projects = [environment.get(name, "") for name in _PROJECTS]
    folder = next((each for each in (*named, *projects) if os.path.isabs(each) and os.path.isdir(each)), here)
    if repository_of(os.path.realpath(folder)) is None:
        # A shell may have gone anywhere below; what the host calls the project says more.
        folder = next((each for each in projects if os.path.isabs(each) and _is_below(folder, each)), folder)
    root = workspace_round(folder)
    return "" if is_too_wide(root) else root


def read_input(source: int) -> bytes:
    """All of it; where the host does not end it, what is there as soon as that is whole. Empty when it is too much."""
    pieces: list[bytes] = []
    size, last = 0, time.monotonic()
    while size <= LARGEST_PAYLOAD:
        if not _has_more(source):
            if time.monotonic() - last > _PATIENCE_S or _is_whole(b"".join(pieces)):
                return b"".join(pieces)
            continue
        piece = os.read(source, _CHUNK)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size, last = size + len(piece), time.monotonic()
    return b""


class _Printer:
    """Prints one answer, and ends the process."""

    def __init__(self) -> None:
        self.agent = ""
        self.is_done = False

    def print(self, answer: bytes) -> None:
        """Once; what the host would not understand is left out."""
        if self.is_done:
            return
        self.is_done = True
        left = memoryview(answer if _is_object(answer) else SILENCE.get(self.agent, b"{}"))
        with contextlib.suppress(OSError):  # nobody reads it
            while left:
                left = left[os.write(1, left) :]

    def end(self, problem: BaseException | None) -> NoReturn:
        """With whatever is to be said if nothing was yet; people find the reason where the host keeps its log."""
        self.print(b"")
        with contextlib.suppress(OSError):
            if problem is not None:
                os.write(2, f"groundwire hook: {problem or type(problem).__name__}\n".encode("utf-8", "replace"))
        os._exit(0)


def _ask(printer: _Printer, agent: str, environment: Mapping[str, str], deadline: float) -> None:
    raw = read_input(0)
    payload = _payload(raw)
    if "turn_id" in payload and not agent:
        printer.agent = "codex"
    root = root_of(payload, environment, os.getcwd()) if payload else ""
    if not root:
        return
    options = {"agent": agent, "size": str(len(raw))}
    greeting = Greeting("hook", root, f"hook {agent}".strip(), options, _shown(environment))
    link = meet(greeting, environment, deadline)
    assert link is not None  # noqa: S101  only who does not start one gets none
    # Only now is it known how much of the time a start of the daemon has left.
    wait_s = max(deadline - time.monotonic() - _MARGIN_S, _SHORTEST_WAIT_S)
    link.socket.sendall(b"%.3f\n%b" % (wait_s, raw))
    answer = b""
    while len(answer) <= _LARGEST_ANSWER and (piece := link.socket.recv(_CHUNK)):
        answer += piece
    printer.print(answer)
    link.socket.sendall(PRINTED)


def _set_alarm(printer: _Printer, seconds: float) -> None:
    """Whatever is waited for then, it is over."""

    def ring(*_: object) -> NoReturn:
        printer.end(DaemonUnavailable("there was no answer in time"))

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return
    from threading import Timer  # noqa: PLC0415  where there are no such signals, and only there

    timer = Timer(seconds, ring)
    timer.daemon = True
    timer.start()


def _deadline_s(environment: Mapping[str, str]) -> float:
    try:
        said = float(environment.get("GROUNDWIRE_HOOK_DEADLINE_S", ""))
    except ValueError:
        return DEADLINE_S
    return said if 0 < said <= _LONGEST_DEADLINE_S else DEADLINE_S


def _shown(environment: Mapping[str, str]) -> dict[str, str]:
    """What of it the daemon needs: which servers run, and by what the host can be told. Nothing else, for hosts keep
    secrets there.
    """
    projects = {name: environment[name] for name in _PROJECTS if name in environment}
    signs = {name: "1" for name in environment if name in _SIGNS or name.startswith(_SIGN_OF_LLXPRT)}
    return {**relevant(environment), **projects, **signs}


def _folder(named: object) -> str:
    if isinstance(named, list):
        named = next(iter(cast("list[object]", named)), "")
    return named if isinstance(named, str) and "\0" not in named else ""


def _is_below(folder: str, project: str) -> bool:
    return f"{os.path.realpath(folder)}{os.sep}".startswith(f"{os.path.realpath(project)}{os.sep}")


def _has_more(source: int) -> bool:
    if os.name == "nt":  # only sockets can be waited for there; the alarm ends what takes too long
        return True
    return bool(select.select([source], [], [], _PAUSE_S)[0])


def _payload(raw: bytes) -> Mapping[str, object]:
    try:
        found = cast("object", json.loads(raw.decode("utf-8-sig", "replace")))
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _is_whole(raw: bytes) -> bool:
    return raw.rstrip().endswith(b"}") and bool(_payload(raw))


def _is_object(answer: bytes) -> bool:
    return answer.startswith(b"{") and bool(_payload(answer))
