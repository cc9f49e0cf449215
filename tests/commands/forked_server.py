"""Runs ``groundwire`` for whoever asks, each time in a process of its own that is forked off this one, which has loaded
what commands need: most of what a command takes is to load it. ``python -P forked_server.py SOCKET``

It speaks for itself, and ends with its input. Above: ``forked``, ``forked_client``. Below: ``groundwire.__main__``.
"""

import gc
import io
import json
import os
import select
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import cast

import groundwire.__main__ as command

_LOADED = (
    *(
        f"groundwire.surfaces.cli.{name}"
        for name in ("main", "asking", "check", "explain", "in_process", "trust", "init")
    ),
    *(f"groundwire.surfaces.cli.{name}" for name in ("operation_command", "operation_parser", "status", "doctor")),
    "groundwire.operations.table",
    "groundwire.operations.command_questions",
    "groundwire.pool.opening",
    "groundwire.render.answers",
)
_LONGEST = 1_000_000
_STREAMS = 3


def main() -> int:
    """The exit status of a command in the process that was forked for it, and none of this one before its end."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(sys.argv[1])
        listening.listen(16)
        for name in _LOADED:
            import_module(name)
        gc.freeze()
        os.write(1, b"ready\n")
        while True:
            if 0 in select.select([listening, 0], [], [])[0]:
                return 0
            asked, _ = listening.accept()
            with asked:
                if os.fork() == 0:
                    listening.close()
                    return _serve(asked)
            _reap()


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _serve(asked: socket.socket) -> int:
    said, streams, _, _ = socket.recv_fds(asked, _LONGEST, _STREAMS)
    child = os.fork()
    if child == 0:
        asked.detach()
        return _run(said, streams)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    asked.sendall(str(status).encode())
    os._exit(0)


def _run(said: bytes, streams: list[int]) -> int:
    given = cast("dict[str, object]", json.loads(said))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(cast("str", given["directory"]))
    os.environ.clear()
    os.environ.update(cast("dict[str, str]", given["environment"]))
    _open_streams(is_hurried="PYTHONUNBUFFERED" in os.environ)
    sys.argv = [str(Path(command.__file__)), *cast("list[str]", given["words"])]
    return command.main()


def _open_streams(*, is_hurried: bool) -> None:
    """As Python opens them where texts are UTF-8: those that it has are about other files."""
    raw = [io.FileIO(number, mode, closefd=False) for number, mode in enumerate(("rb", "wb", "wb"))]
    said = cast("io.BufferedWriter", raw[1]) if is_hurried else io.BufferedWriter(raw[1])
    sys.stdin = io.TextIOWrapper(io.BufferedReader(raw[0]), "utf-8", "surrogateescape")
    sys.stdout = io.TextIOWrapper(said, "utf-8", "surrogateescape", write_through=is_hurried)
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(raw[2]), "utf-8", "backslashreplace", line_buffering=True)


if __name__ == "__main__":
    sys.exit(main())
