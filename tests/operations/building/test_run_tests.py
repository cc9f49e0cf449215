"""Tests are run by a tool, and what it says is not believed beyond what it proves."""

import asyncio
import time
from pathlib import Path

import psutil
import pytest

from groundwire.errors import CapabilityMissing, FileNotFound, InvalidArgument, OutsideWorkspace
from groundwire.operations.answer import Status
from groundwire.operations.building.run_tests import run_tests
from groundwire.operations.runner import perform
from groundwire.render.answers import render_answer
from tests.operations.building.fake_tools import FAILED, PASSED, project, reporting
from tests.operations.toy_project import ask

pytestmark = pytest.mark.anyio
STOPPED_WITHIN_S = 2.0


@pytest.mark.parametrize(
    ("report", "code", "passed", "status"),
    [
        (PASSED, 0, True, Status.CONFIRMED),
        (FAILED, 1, False, Status.CONFIRMED),
        (FAILED, 0, False, Status.PARTIAL),
        (PASSED, 1, False, Status.PARTIAL),
        ("<testsuite/>", 5, None, Status.UNKNOWN),
        ("<testsuite/>", 0, None, Status.UNKNOWN),
        ("<testsuite", 0, None, Status.PARTIAL),
        ("<testsuite", 1, False, Status.PARTIAL),
    ],
)
async def test_passed_is_said_only_when_exit_and_report_agree(
    report: str, code: int, passed: bool | None, status: Status, tmp_path: Path
) -> None:
    async with project(tmp_path, reporting(report, code)) as pool:
        answer = await ask(pool, run_tests)
    assert (answer.value.passed, answer.status, answer.value.exit_code) == (passed, status, code)
    assert bool(answer.reason) == (status is not Status.CONFIRMED)


async def test_a_tool_that_writes_no_report_is_shown_by_its_output(tmp_path: Path) -> None:
    async with project(tmp_path, "print('cannot import plugin')\nsys.exit(3)\n") as pool:
        answer = await ask(pool, run_tests)
        text = render_answer(run_tests, answer)
    assert (answer.value.passed, answer.status) == (False, Status.PARTIAL)
    assert text.startswith("Tests failed; pytest exited with code 3, and it wrote no report")
    assert "Output:\ncannot import plugin" in text


async def test_a_tool_that_is_killed_proves_nothing(tmp_path: Path) -> None:
    body = f"open(report, 'w').write({PASSED!r})\nos.kill(os.getpid(), 9)\n"
    async with project(tmp_path, body) as pool:
        answer = await ask(pool, run_tests)
    assert (answer.value.passed, answer.status) == (None, Status.UNKNOWN)
    assert answer.reason == "pytest was ended by SIGKILL"


async def test_what_is_printed_without_end_is_cut_in_the_middle(tmp_path: Path) -> None:
    body = "print('first')\nfor n in range(20000): print('line', n)\nprint('last', file=sys.stderr)\n"
    async with project(tmp_path, body + reporting(FAILED, 1)) as pool:
        answer = await ask(pool, run_tests)
    output = answer.value.output
    assert output.startswith("first\nline 0\n")
    assert "last" in output[-100:]
    assert answer.value.output_cut > 100_000
    assert len(output) < 13_000


async def test_the_tool_has_nothing_to_read_and_knows_that_nobody_watches(tmp_path: Path) -> None:
    body = "print(repr(sys.stdin.read()), os.environ['CI'], os.environ['NO_COLOR'], 'FORCE_COLOR' in os.environ)\n"
    async with project(tmp_path, body + reporting(FAILED, 1)) as pool:
        answer = await ask(pool, run_tests)
    assert answer.value.output == "'' 1 1 False"


async def test_nothing_is_left_in_the_workspace_or_in_the_directory_of_reports(tmp_path: Path) -> None:
    async with project(tmp_path, reporting(PASSED, 0)) as pool:
        before = sorted(pool.workspace.rglob("*"))
        answer = await ask(pool, run_tests)
        assert sorted(pool.workspace.rglob("*")) == before
    report = Path(answer.value.command[answer.value.command.index("--junit-xml") + 1])
    assert not report.is_relative_to(tmp_path / "project")
    assert not report.parent.exists()


async def test_who_waits_is_told_the_last_line(tmp_path: Path) -> None:
    said: list[str] = []
    body = "print('collecting 3 items', flush=True)\ntime.sleep(2.5)\n"
    async with project(tmp_path, body + reporting(PASSED, 0)) as pool:
        await perform(pool, run_tests, run_tests.parse({}), progress=said.append)
    assert "pytest: collecting 3 items" in said


async def test_a_time_that_is_over_ends_the_tool_and_its_children(tmp_path: Path) -> None:
    body = (
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
        f"open({str(tmp_path / 'pids')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\ntime.sleep(1000)\n"
    )
    async with project(tmp_path, body) as pool:
        answer = await ask(pool, run_tests, timeout_s=2)
    assert (answer.value.passed, answer.status, answer.value.exit_code) == (None, Status.UNKNOWN, None)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text("utf-8").split()]
    assert not any(running(pid) for pid in pids)


async def test_a_run_that_is_cancelled_ends_at_once_with_its_children_even_when_they_do_not_listen(
    tmp_path: Path,
) -> None:
    pids = tmp_path / "pids"
    body = (
        "import signal, subprocess\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "deaf = 'import signal, time; signal.signal(15, 1); time.sleep(1000)'\n"
        "child = subprocess.Popen([sys.executable, '-c', deaf])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}\\n')\ntime.sleep(1000)\n"
    )
    async with project(tmp_path, body) as pool:
        task = asyncio.ensure_future(ask(pool, run_tests))
        async with asyncio.timeout(20):
            while not pids.exists() or not pids.read_text("utf-8").endswith("\n"):  # noqa: ASYNC110  another process writes it
                await asyncio.sleep(0.02)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - began < STOPPED_WITHIN_S
        assert not any(running(int(pid)) for pid in pids.read_text("utf-8").split())


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_arguments_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    async with project(tmp_path, reporting(PASSED, 0)) as pool:
        with pytest.raises(InvalidArgument, match="cannot both be meant"):
            await ask(pool, run_tests, test="a", affected=True)
        with pytest.raises(InvalidArgument, match="no name of a test"):
            await ask(pool, run_tests, test="--rootdir=/")
        with pytest.raises(FileNotFound):
            await ask(pool, run_tests, path="gone.py")
        with pytest.raises(OutsideWorkspace):
            await ask(pool, run_tests, path="/etc")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, ()),
        ({"path": "test_a.py"}, ("test_a.py",)),
        ({"test": "test_a.py::test_a"}, ("test_a.py::test_a",)),
        ({"test": "test_a", "path": "test_a.py"}, ("test_a.py::test_a",)),
        ({"test": "test_a"}, ("-k", "test_a")),
        ({"test": "TestIt.test_a"}, ("-k", "TestIt and test_a")),
    ],
)
async def test_paths_and_names_become_words_of_the_command(
    given: dict[str, object], words: tuple[str, ...], tmp_path: Path
) -> None:
    async with project(tmp_path, reporting(PASSED, 0)) as pool:
        answer = await ask(pool, run_tests, **given)
    command = answer.value.command
    assert command[next(n for n, word in enumerate(command) if word.startswith("cache_dir=")) + 1 :] == words


async def test_a_file_that_looks_like_an_option_is_none(tmp_path: Path) -> None:
    async with project(tmp_path, reporting(PASSED, 0), {"pytest.ini": "", "-x.py": ""}) as pool:
        answer = await ask(pool, run_tests, path="-x.py")
    assert answer.value.command[-1] == "./-x.py"


async def test_a_tool_that_is_missing_is_named_with_how_to_get_it(tmp_path: Path) -> None:
    async with project(tmp_path, "") as pool:
        (tmp_path / "bin/pytest").unlink()
        with pytest.raises(CapabilityMissing, match="pytest is not installed") as refusal:
            await ask(pool, run_tests)
    assert refusal.value.hint == "Install it: python -m pip install pytest"
