"""A child process lives as told and dies in bounded time, with everything it started."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from groundwire.transport.process import ChildProcess, ProcessSpec, spawn
from groundwire.transport.stdio import StdioTransport, open_stdio
from tests.transport.children_at_hand import Received, child, environment, eventually, lives

pytestmark = pytest.mark.anyio


async def started(script: str, *arguments: str) -> tuple[StdioTransport, str]:
    """A child that has said its first line, and that line."""
    transport = await open_stdio(child(script, *arguments))
    return transport, await Received(transport).line()


async def seconds_to_stop(process: ChildProcess, grace: float, term_grace: float) -> float:
    """Stop it; how long that took."""
    began = asyncio.get_running_loop().time()
    await process.stop(grace=grace, term_grace=term_grace)
    return asyncio.get_running_loop().time() - began


async def test_a_child_that_heeds_end_of_file_ends_by_itself():
    process = await spawn(child("echo.py"))
    assert await seconds_to_stop(process, grace=10, term_grace=10) < 5
    assert process.returncode == 0
    assert not psutil.pid_exists(process.pid)


async def test_wait_gives_the_exit_code_and_leaves_no_zombie():
    process = await spawn(child("fails_at_once.py"))
    assert await process.wait() == 3
    assert not psutil.pid_exists(process.pid)
    assert process.ending() == "exited with code 3"
    await process.stop()


async def test_without_a_reader_of_its_own_the_output_is_kept_with_standard_error():
    process = await spawn(child("fails_at_once.py"))
    await process.wait()
    await process.stop()
    assert "half an answ" in process.stderr_tail()
    assert "cannot find the project file" in process.stderr_tail()


async def test_a_flood_on_standard_error_is_drained_and_only_its_end_is_kept():
    transport, _ = await started("floods_stderr.py")
    await transport.close()
    tail = transport.process.stderr_tail(lines=1_000_000)
    assert len(tail) <= 64 * 1024
    assert tail.splitlines()[-1].startswith("line 049999")
    assert transport.process.stderr_tail(lines=2).count("line") == 2


async def test_a_child_that_ignores_end_of_file_is_terminated():
    transport, _ = await started("never_reads.py")
    assert await seconds_to_stop(transport.process, grace=0.05, term_grace=10) < 5
    assert transport.process.returncode == -signal.SIGTERM


async def test_a_child_that_ignores_termination_is_killed():
    transport, _ = await started("ignores_term.py")
    assert await seconds_to_stop(transport.process, grace=0.05, term_grace=0.05) < 5
    assert transport.process.returncode == -signal.SIGKILL
    assert not psutil.pid_exists(transport.process.pid)


async def test_a_stopped_child_that_ignores_termination_is_killed():
    transport, _ = await started("ignores_term.py")
    os.kill(transport.process.pid, signal.SIGSTOP)
    assert await seconds_to_stop(transport.process, grace=0.05, term_grace=0.05) < 5
    assert transport.process.returncode == -signal.SIGKILL


async def test_a_stopped_child_is_woken_to_hear_that_it_shall_end():
    transport, _ = await started("never_reads.py")
    os.kill(transport.process.pid, signal.SIGSTOP)
    assert await seconds_to_stop(transport.process, grace=0.05, term_grace=10) < 5
    assert transport.process.returncode == -signal.SIGTERM


@pytest.mark.parametrize("where", ["same", "group", "session"])
async def test_a_grandchild_that_ignores_termination_dies_with_the_child(where: str):
    transport, line = await started("has_a_child.py", where)
    grandchild = int(line)
    assert lives(grandchild)
    await transport.process.stop(grace=1, term_grace=0.05)
    assert not lives(grandchild)
    assert transport.process.returncode == 0


@pytest.mark.parametrize("where", ["same", "group"])
async def test_what_a_child_left_behind_dies_when_it_is_stopped_after_its_end(where: str):
    transport, line = await started("has_a_child.py", where, "exit")
    assert await transport.process.wait() == 0
    assert lives(int(line))
    await transport.process.stop(term_grace=0.05)
    assert not lives(int(line))
    assert not psutil.pid_exists(transport.process.pid)


async def test_stop_can_be_called_again_and_by_several_at_once():
    transport, _ = await started("ignores_term.py")
    stops = (transport.process.stop(grace=0.05, term_grace=0.05) for _ in range(3))
    await asyncio.gather(*stops)
    await transport.process.stop()
    assert transport.process.returncode == -signal.SIGKILL


async def test_whoever_stops_waiting_for_stop_does_not_keep_the_child_alive():
    transport, _ = await started("ignores_term.py")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(transport.process.stop(grace=0.05, term_grace=0.05), 0.01)
    assert await transport.process.wait() == -signal.SIGKILL
    await transport.process.stop()


async def test_kill_cuts_a_long_grace_short():
    transport, _ = await started("ignores_term.py")
    stopping = asyncio.ensure_future(seconds_to_stop(transport.process, grace=60, term_grace=60))
    await asyncio.sleep(0)
    transport.process.kill()
    assert await stopping < 5


async def test_who_asks_to_be_told_of_the_exit_is_told_before_and_after_it():
    told: list[str] = []
    process = await spawn(child("fails_at_once.py"))
    process.on_exit(lambda: told.append("then"))
    await process.wait()
    await process.stop()
    process.on_exit(lambda: told.append("afterwards"))
    assert told == ["then"]
    assert await eventually(lambda: told == ["then", "afterwards"])


def test_a_loop_that_ends_in_the_middle_of_stop_leaves_no_process_behind():
    async def leave_in_the_middle() -> tuple[int, asyncio.Task[None]]:
        transport, _ = await started("ignores_term.py")
        stopping = asyncio.create_task(transport.process.stop(grace=60))
        await asyncio.sleep(0)
        return transport.process.pid, stopping

    pid, stopping = asyncio.run(leave_in_the_middle())
    assert stopping.cancelled()
    assert not psutil.pid_exists(pid)


async def test_a_spawn_that_is_cancelled_leaves_no_process_behind():
    before = {process.pid for process in psutil.Process().children()}
    spawning = asyncio.ensure_future(spawn(child("ignores_term.py")))
    await asyncio.sleep(0)
    spawning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await spawning
    names = [process.cmdline() for process in psutil.Process().children() if process.pid not in before]
    assert not [name for name in names if "ignores_term" in " ".join(name)]


async def test_the_exit_is_noticed_on_systems_without_process_descriptors(monkeypatch: pytest.MonkeyPatch):
    def refuse(pid: int) -> int:
        raise OSError("not on this kernel")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    process = await spawn(child("fails_at_once.py"))
    assert await process.wait() == 3
    await process.stop()
    assert not psutil.pid_exists(process.pid)


async def test_memory_counts_the_child_and_what_it_started():
    transport, line = await started("has_a_child.py", "session")
    grandchild_memory = int(psutil.Process(int(line)).memory_info().rss)
    child_memory = int(psutil.Process(transport.process.pid).memory_info().rss)
    assert transport.process.memory_bytes() >= (grandchild_memory + child_memory) * 0.9
    await transport.process.stop(term_grace=0.05)
    assert transport.process.memory_bytes() == 0


async def test_a_child_gets_the_directory_and_exactly_the_environment_it_was_given(tmp_path: Path):
    script = "import os; print(os.getcwd(), os.environ.get('COLOUR'), os.environ.get('HOME'))"
    spec = ProcessSpec((sys.executable, "-I", "-S", "-c", script), str(tmp_path), {"COLOUR": "green"})
    process = await spawn(spec)
    await process.wait()
    await process.stop()
    assert process.stderr_tail() == f"{tmp_path} green None"


async def test_a_child_is_given_three_descriptors_and_no_other():
    spec = child("lists_descriptors.py")
    first = await spawn(child("echo.py"))
    second = await spawn(spec)
    await second.wait()
    await second.stop()
    await first.stop()
    assert second.stderr_tail() == "0 1 2"


async def test_a_child_leads_a_session_of_its_own():
    transport, _ = await started("never_reads.py")
    assert os.getsid(transport.process.pid) == transport.process.pid
    await transport.process.stop(grace=0)


async def test_many_children_come_and_go_without_leaving_anything_open():
    descriptors = psutil.Process().num_fds()
    for _ in range(5):
        processes = [await spawn(ProcessSpec(("/bin/cat",), "/", environment())) for _ in range(4)]
        await asyncio.gather(*(process.stop() for process in processes))
    assert await eventually(lambda: psutil.Process().num_fds() <= descriptors + 1)
