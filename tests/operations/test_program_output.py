"""A program's words are bounded in time and size, and nothing of it is left behind."""

import asyncio
import sys
from pathlib import Path

import pytest

from groundwire.operations.program_output import Ran, run_program
from tests.transport.children_at_hand import lives

pytestmark = pytest.mark.anyio


async def run(script: str, directory: Path, seconds: float = 20.0) -> Ran:
    deadline = asyncio.get_running_loop().time() + seconds
    return await run_program((sys.executable, "-I", "-S", "-c", script), directory, {}, deadline)


async def test_what_it_prints_is_given_without_what_a_terminal_obeys(tmp_path: Path):
    ran = await run("print('\\x1b[1mbold\\x1b[0m \\x1b]0;title\\x07and\\x08 plain\\n\\tindented')", tmp_path)
    assert ran == Ran("bold and plain\n\tindented\n", 0)


async def test_its_errors_are_not_taken_for_its_answer(tmp_path: Path):
    assert await run("import sys; sys.stderr.write('oops'); sys.exit(3)", tmp_path) == Ran("", 3)


async def test_it_runs_in_the_directory_with_the_environment_and_nothing_to_read(tmp_path: Path):
    ran = await run("import os, sys; print(os.getcwd(), 'HOME' in os.environ, repr(sys.stdin.read()))", tmp_path)
    assert ran.text.endswith(f"{tmp_path.name} False ''\n")


async def test_one_that_does_not_end_is_ended_with_all_that_it_started(tmp_path: Path):
    child = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-I', '-S', '-c', {child!r}])"
    ran = await run(script, tmp_path, 3.0)
    assert ran.doubt.endswith("did not end within 3 s")
    assert not lives(int((tmp_path / "pid").read_text()))


async def test_one_that_says_too_much_is_cut_short_and_ended(tmp_path: Path):
    async with asyncio.timeout(9):
        ran = await run("while True: print('x' * 1000)", tmp_path)
    assert len(ran.text) == 256 * 1024
    assert "said more than" in ran.doubt


async def test_one_that_cannot_be_started_is_a_doubt(tmp_path: Path):
    ran = await run_program((str(tmp_path / "nothing"),), tmp_path, {}, asyncio.get_running_loop().time() + 5)
    assert (ran.text, bool(ran.doubt)) == ("", True)
