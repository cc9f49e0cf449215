"""Real servers that somebody else runs: connected to while we work, asked like our own, and alive when we are gone."""

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.runner import perform
from groundwire.operations.serving.starting import start_lsp
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment, servers_directory
from tests.real.shapes import SAMPLES
from tests.transport.children_at_hand import eventually_blocking

WAIT_S = 120.0
STILL_ALIVE_S = 4.0
"""Longer than it takes the usual library for servers to notice that the process it was told to watch has ended."""

BRIDGED = {"pyright": ["pyright-langserver", "--stdio"], "ty": ["ty", "server"], "clangd": ["clangd"]}
SERVERS = ["gopls", *BRIDGED]

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


class Elsewhere(NamedTuple):
    """Where it listens, and the processes that must outlive us."""

    address: str
    pids: tuple[int, ...]

    def are_alive(self) -> bool:
        return all(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE for pid in self.pids)


@contextmanager
def running(command: list[str], server: str, root: Path) -> Generator["subprocess.Popen[str]"]:
    """The process, which is ended by whoever started it, with all that came of it."""
    process = subprocess.Popen(
        command, cwd=root, env=server_environment(server), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        family = psutil.Process(process.pid).children(recursive=True)
        for member in family:
            with contextlib.suppress(psutil.NoSuchProcess):  # it had a short task, and has ended meanwhile
                member.kill()
        process.kill()
        process.communicate()
        psutil.wait_procs(family, timeout=10)


@pytest.fixture
def elsewhere(server: str, tmp_path: Path) -> Iterator[Elsewhere]:
    """The server, run by somebody else over the project."""
    for name, text in SAMPLES[server].files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text.replace("{root}", str(tmp_path)), encoding="utf-8")
    if server in BRIDGED:
        program = str(servers_directory() / "bin" / BRIDGED[server][0])
        bridge = [sys.executable, str(Path(__file__).parent / "bridge.py"), program, *BRIDGED[server][1:]]
        with running(bridge, server, tmp_path) as process:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            yield Elsewhere(f"127.0.0.1:{told['port']}", (process.pid, told["pid"]))
        return
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with running([str(servers_directory() / "bin/gopls"), "serve", f"-listen={address}"], server, tmp_path) as process:
        assert eventually_blocking(lambda: is_listening(address), 60)
        yield Elsewhere(address, (process.pid,))


def is_listening(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("server", SERVERS, indirect=True)
async def test_a_real_server_is_connected_to_asked_and_left_running(
    server: str, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    sample = SAMPLES[server]
    async with Pool(tmp_path, environment=server_environment(server)) as pool:
        given = start_lsp.parse({"connect": elsewhere.address, "server_id": server})
        started = await perform(pool, start_lsp, given, wait_s=WAIT_S)
        assert started.status is Status.CONFIRMED, started.reason
        assert (started.servers, started.value.servers[0].address) == ((server,), elsewhere.address)
        asked = find_references.parse({"symbol": f"{sample.library}::{sample.double}"})
        found = await perform(pool, find_references, asked, wait_s=WAIT_S)
        assert (found.status, found.servers) == (Status.CONFIRMED, (server,)), found.reason
        assert {place.file for place in found.value.locations} >= {sample.user}
        checked = await check_files(pool, [Path(sample.user)], wait_s=WAIT_S)
        assert (checked.status, checked.servers[0]) == (Status.CONFIRMED, server), checked.reason
        assert [status.pid for status in pool.status() if status.server == server] == [None]
    assert not eventually_blocking(lambda: not elsewhere.are_alive(), 0.5)


@pytest.mark.parametrize("server", ["pyright"], indirect=True)
def test_a_server_that_ends_with_its_client_outlives_the_process_that_connected(
    server: str, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "groundwire", "start", "--connect", elsewhere.address, "--server-id", server]
    done = subprocess.run(
        [*command, "--root", str(tmp_path), "--wait", "60"],
        env=server_environment(server),
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"1 server is ready (confirmed by {server})\n  ready  {server}")
    assert not eventually_blocking(lambda: not elsewhere.are_alive(), STILL_ALIVE_S)


@pytest.mark.parametrize("server", ["gopls"], indirect=True)
async def test_a_server_of_many_clients_serves_the_next_one_as_well(
    server: str, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    for _ in range(2):
        async with Pool(tmp_path, environment=server_environment(server)) as pool:
            given = start_lsp.parse({"connect": elsewhere.address, "language_id": "go"})
            started = await perform(pool, start_lsp, given, wait_s=WAIT_S)
            assert (started.status, started.servers) == (Status.CONFIRMED, (server,)), started.reason
    assert elsewhere.are_alive()
