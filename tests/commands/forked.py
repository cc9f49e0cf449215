"""``groundwire`` as a command where its own start is not what is tested: in a process of its own, with an environment
of its own, but forked off one that has everything loaded. What it starts itself, it starts as ever.

Above: ``documents.terminal``, ``surfaces.hostile_repository``. Below: ``forked_server``.
"""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from groundwire import __file__ as package

HERE = Path(__file__).parent
CLIENT = HERE / "forked_client.py"
_START_S = 60.0


@cache
def server() -> Path:
    """The socket of the one server of this process; it is started with the first command, and ends with us."""
    directory = Path(tempfile.mkdtemp(prefix="gw-forked-"))
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    process = subprocess.Popen(
        [sys.executable, "-P", str(HERE / "forked_server.py"), str(directory / "socket")],
        env={**kept, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(Path(package).parents[1])},
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    atexit.register(_end, process, directory)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return directory / "socket"


def run(
    words: Sequence[str], *, cwd: Path, env: Mapping[str, str], timeout_s: float
) -> "subprocess.CompletedProcess[bytes]":
    """``groundwire WORDS`` to its end, without any input."""
    said = {"words": list(words), "directory": str(cwd), "environment": dict(env)}
    with (
        Path(os.devnull).open("rb") as nothing,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as errors,
        socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked,
    ):
        asked.settimeout(timeout_s)
        asked.connect(str(server()))
        socket.send_fds(asked, [json.dumps(said).encode()], [nothing.fileno(), out.fileno(), errors.fileno()])
        status = asked.recv(100)
        assert status, "it ended without a status"
        for each in (out, errors):
            each.seek(0)
        return subprocess.CompletedProcess(list(words), int(status), out.read(), errors.read())


def _end(process: "subprocess.Popen[bytes]", directory: Path) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    process.stdout.close()
    try:
        process.wait(_START_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    shutil.rmtree(directory, ignore_errors=True)
