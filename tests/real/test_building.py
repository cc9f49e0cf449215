"""Real small projects, built and tested with the real tools of their ecosystems."""

import asyncio
import os
import subprocess
import time
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.building.run_build import run_build
from groundwire.operations.building.run_tests import run_tests
from groundwire.operations.results.building import BuildOutcome, TestOutcome
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.building_projects import PROJECTS, Built, Change
from tests.real.toolchains import require, tool_environment, toolchains_directory

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]
MARK = "GROUNDWIRE_TEST_MARK"
STOPPED_WITHIN_S = 2.0
STARTED_WITHIN_S = 90.0

each_project = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "maven")) for name in PROJECTS]
)


def write(built: Built, root: Path) -> Path:
    for name, text in built.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    for name, target in built.links.items():
        (root / name).symlink_to(toolchains_directory() / target, target_is_directory=True)
    if built.toolchain == "cmake":
        subprocess.run(["cmake", "-S", root, "-B", root / "build"], check=True, capture_output=True, timeout=60)
    return root


def change(root: Path, what: Change) -> None:
    text = (root / what.file).read_text("utf-8")
    assert what.old in text
    (root / what.file).write_text(text.replace(what.old, what.new, 1), "utf-8")


async def outcome_of(pool: Pool, **given: object) -> Answer[TestOutcome]:
    return await perform(pool, run_tests, run_tests.parse(given))


async def built_by(pool: Pool, **given: object) -> Answer[BuildOutcome]:
    return await perform(pool, run_build, run_build.parse(given))


def at(file: str, line: int, column: int, like: str) -> str:
    """A place in as much detail as the other one has."""
    return ":".join([file, str(line), str(column)][: like.count(":") + 1])


@each_project
async def test_a_planted_failure_is_found_at_its_line_and_gone_when_mended_and_so_is_an_error(
    name: str, tmp_path: Path
) -> None:
    built = PROJECTS[name]
    require(built.toolchain)
    root = write(built, tmp_path / "project")
    given = {"path": built.path} if built.path else {}
    async with Pool(root, environment=tool_environment()) as pool:
        failed = await outcome_of(pool, **given)
        assert (failed.value.passed, failed.status, failed.reason) == (False, Status.CONFIRMED, ""), failed
        assert failed.value.tool == built.tool
        (failure,) = failed.value.failures
        assert at(failure.file, failure.line, failure.column, built.failure) == built.failure, failed.value.output
        assert failure.test_name == built.test_name
        assert failed.value.counts.failed == 1

        change(root, built.mend)
        passed = await outcome_of(pool, **given, test=failure.test_name)
        assert (passed.value.passed, passed.status, passed.value.exit_code) == (True, Status.CONFIRMED, 0), passed
        assert (passed.value.counts.passed, passed.value.failures) == (built.passed, ())
        sound = await built_by(pool, **given)
        assert (sound.value.success, sound.status, sound.value.tool) == (True, Status.CONFIRMED, built.build_tool), (
            sound
        )

        change(root, Change(built.mend.file, built.mend.new, built.mend.old))
        change(root, built.break_)
        broken = await built_by(pool, **given)
        assert (broken.value.success, broken.status, broken.reason) == (False, Status.CONFIRMED, ""), broken
        first = broken.value.errors[0]
        assert at(first.file, first.line, first.column, built.error) == built.error, broken.value.errors


@each_project
async def test_a_run_that_is_cancelled_ends_within_two_seconds_and_leaves_no_process(name: str, tmp_path: Path) -> None:
    built = PROJECTS[name]
    require(built.toolchain)
    root = write(built, tmp_path / "project")
    change(root, built.hang)
    mark = uuid4().hex
    async with Pool(root, environment={**tool_environment(), MARK: mark}) as pool:
        running = asyncio.ensure_future(outcome_of(pool, **({"path": built.path} if built.path else {})))
        await begun(root, mark, running)
        cancelled_at = time.monotonic()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert time.monotonic() - cancelled_at < STOPPED_WITHIN_S
        assert marked(mark) == []


async def begun(root: Path, mark: str, running: "asyncio.Future[Answer[TestOutcome]]") -> None:
    """The test that hangs has been reached: it says so by a file, or, where it cannot, by the name of its process."""
    deadline = time.monotonic() + STARTED_WITHIN_S
    while not (root / "started").exists() and not any(name == "test" for name in marked(mark)):
        assert not running.done(), await running
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


def marked(mark: str) -> list[str]:
    """The processes that were started for us and still run."""
    found: list[str] = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.name())
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize("name", ["go", "pytest", "vitest"])
async def test_one_test_by_name_or_one_file_is_all_that_runs(name: str, tmp_path: Path) -> None:
    built = PROJECTS[name]
    require(built.toolchain)
    root = write(built, tmp_path / "project")
    change(root, built.mend)
    file = built.failure.split(":")[0]
    other = file.replace("calc", "other")
    text = (root / file).read_text("utf-8").replace("wait()", "unused()").replace("_ = wait", "_ = unused")
    changed = text.replace("TestAdd", "TestOther").replace("test_adds", "test_other").replace("'adds'", "'other'")
    (root / other).write_text(changed, "utf-8")
    single = {"go": "TestOther", "pytest": "test_other", "vitest": "other"}[name]
    async with Pool(root, environment=tool_environment()) as pool:
        assert (await outcome_of(pool)).value.counts.passed == 2
        assert (await outcome_of(pool, test=single)).value.counts.passed == 1
        assert (await outcome_of(pool, path=file)).value.counts.passed == 1
        none = await outcome_of(pool, test="no_such_test")
        assert (none.value.passed, none.status) == (None, Status.UNKNOWN), none
        assert "no test was run" in none.reason


async def test_what_takes_too_long_is_stopped_and_not_known(tmp_path: Path) -> None:
    require("python")
    root = write(PROJECTS["pytest"], tmp_path / "project")
    change(root, PROJECTS["pytest"].hang)
    async with Pool(root, environment=tool_environment()) as pool:
        answer = await outcome_of(pool, timeout_s=2)
    assert (answer.value.passed, answer.value.exit_code, answer.status) == (None, None, Status.UNKNOWN)
    assert answer.reason == "pytest did not end within 2 s and was stopped"


@pytest.mark.parametrize("name", ["mix", "pytest"])
async def test_an_edit_in_the_second_of_the_last_run_and_of_the_same_size_is_not_overlooked(
    name: str, tmp_path: Path
) -> None:
    built = PROJECTS[name]
    require(built.toolchain)
    root = write(built, tmp_path / "project")
    async with Pool(root, environment=tool_environment()) as pool:
        assert (await outcome_of(pool)).value.passed is False
        (compiled,) = [*root.glob("_build/test/lib/calc/.mix/compile.elixir"), *root.glob("src/__pycache__/calc*.pyc")]
        # As if all of it had happened within one second: the bytecode keeps the time of its source.
        second = compiled.stat().st_mtime_ns // 10**9 * 10**9
        source = root / built.mend.file
        if name == "pytest":
            compiled.unlink()
            os.utime(source, ns=(second, second))
            assert (await outcome_of(pool)).value.passed is False
            os.utime(compiled, ns=(second, second + 1))
        change(root, built.mend)
        os.utime(source, ns=(second, second + 2))
        assert (await outcome_of(pool)).value.passed is True
