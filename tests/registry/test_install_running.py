"""Running a step: bounded in time, nobody to answer questions, and an end for all it started."""

from pathlib import Path

import pytest

from groundwire.errors import ServerUnavailable
from groundwire.registry.install.plans import Step
from groundwire.registry.install.running import run_step
from tests.registry.installers_at_hand import SHELL_TOOLS, silent
from tests.transport.children_at_hand import lives

pytestmark = pytest.mark.anyio

ENVIRONMENT = {"PATH": SHELL_TOOLS}


def step(script: str, seconds: float = 20) -> Step:
    return Step(doing="trying", command=("/bin/sh", "-c", script), seconds=seconds)


async def test_what_takes_too_long_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    script = "echo $$; sleep 1000 & echo $! ; trap '' TERM; wait; sleep 1000"
    with pytest.raises(ServerUnavailable) as raised:
        await run_step(step(script, seconds=2), tmp_path, ENVIRONMENT, silent)
    first, *said = raised.value.message.splitlines()
    assert first.endswith("was stopped after 2 s")
    pids = [int(line) for line in said]
    assert len(pids) == 2
    assert not any(lives(pid) for pid in pids)


async def test_a_question_finds_nobody_to_answer_it(tmp_path: Path) -> None:
    said = await run_step(step("read answer || echo nobody"), tmp_path, ENVIRONMENT, silent)
    assert said == "nobody"


async def test_what_it_leaves_running_is_ended(tmp_path: Path) -> None:
    said = await run_step(step("sleep 1000 >/dev/null 2>&1 & echo $!"), tmp_path, ENVIRONMENT, silent)
    assert not lives(int(said))


async def test_the_report_hears_what_it_said_last(tmp_path: Path) -> None:
    heard: list[tuple[str, str]] = []
    await run_step(step("echo one; echo two"), tmp_path, ENVIRONMENT, lambda doing, said: heard.append((doing, said)))
    assert heard[0] == ("trying", "")
    assert heard[-1] == ("trying", "two")


async def test_only_the_last_lines_of_much_output_are_shown(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable) as raised:
        await run_step(step("seq 1 5000; exit 1"), tmp_path, ENVIRONMENT, silent)
    assert raised.value.message.splitlines()[1:] == [f"    {number}" for number in range(4989, 5001)]


async def test_long_lines_are_cut_and_what_would_move_the_cursor_is_left_out(tmp_path: Path) -> None:
    script = r"printf '\033[31mred\033[0m\a\n'; printf '%0500d\n' 7; exit 1"
    with pytest.raises(ServerUnavailable) as raised:
        await run_step(step(script), tmp_path, ENVIRONMENT, silent)
    assert raised.value.message.splitlines()[1:] == ["     red", f"    {'0' * 199}…"]


async def test_a_program_that_is_not_there_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable, match="was not found"):
        await run_step(Step(doing="x", command=(str(tmp_path / "none"),), seconds=2), tmp_path, ENVIRONMENT, silent)


async def test_nothing_of_the_step_goes_through_a_shell(tmp_path: Path) -> None:
    command = ("/bin/echo", "$HOME; touch owned", "`id`")
    said = await run_step(Step(doing="x", command=command, seconds=20), tmp_path, ENVIRONMENT, silent)
    assert said == "$HOME; touch owned `id`"
    assert not (tmp_path / "owned").exists()
