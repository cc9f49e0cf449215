"""Of how a program ended and what it reported, the worse is believed."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.building.model import Counts, Problem, Ran, Reading, Step
from groundwire.operations.building.verdict import judge

PROBLEM = Problem(message="wrong")
GOOD = Reading(counts=Counts(passed=2))
BAD = Reading(problems=(PROBLEM,), counts=Counts(passed=1, failed=1))


def step(*, is_test: bool = True) -> Step:
    return Step(
        tool="tool",
        words=("tool",),
        directory=Path("/"),
        read=lambda _, __: Reading(),
        is_test=is_test,
        none_ran=frozenset({5}),
    )


def ran(code: int, *, is_late: bool = False) -> Ran:
    return Ran(exit_code=code, stdout="", text="", is_late=is_late)


@pytest.mark.parametrize(
    ("code", "reading", "passed", "status", "reason"),
    [
        (0, GOOD, True, Status.CONFIRMED, ""),
        (1, BAD, False, Status.CONFIRMED, ""),
        (0, BAD, False, Status.PARTIAL, "tool exited with code 0, though its report has 1 failed"),
        (1, GOOD, False, Status.PARTIAL, "tool exited with code 1, though its report has no failure: see its output"),
        (0, Reading(counts=Counts()), None, Status.UNKNOWN, "no test was run"),
        (5, Reading(counts=Counts()), None, Status.UNKNOWN, "no test was run"),
        (0, Reading(), None, Status.UNKNOWN, "no test was run"),
        (0, Reading(counts=Counts(skipped=3)), None, Status.UNKNOWN, "no test was run: all 3 were skipped"),
        (0, Reading(doubt="lost"), None, Status.PARTIAL, "tool exited with code 0, and lost"),
        (1, Reading(doubt="lost"), False, Status.PARTIAL, "tool exited with code 1, and lost"),
        (0, Reading(doubt="lost", problems=(PROBLEM,)), False, Status.PARTIAL, "tool exited with code 0, and lost"),
        (-9, GOOD, None, Status.UNKNOWN, "tool was ended by SIGKILL"),
        (-9, BAD, None, Status.UNKNOWN, "tool was ended by SIGKILL"),
        (
            5,
            GOOD,
            False,
            Status.PARTIAL,
            "tool exited with code 5, which says that no test was run, though its report has some",
        ),
    ],
)
def test_tests_passed_only_when_the_exit_and_the_report_say_so_and_some_were_run(
    code: int, reading: Reading, passed: bool | None, status: Status, reason: str
) -> None:
    assert judge(step(), ran(code), reading, 9, is_test=True) == (passed, status, reason)


@pytest.mark.parametrize(
    ("code", "reading", "success", "status", "reason"),
    [
        (0, Reading(), True, Status.CONFIRMED, ""),
        (2, Reading(problems=(PROBLEM,)), False, Status.CONFIRMED, ""),
        (2, Reading(), False, Status.PARTIAL, "tool exited with code 2 and names no place: see its output"),
        (0, Reading(problems=(PROBLEM,)), False, Status.PARTIAL, "tool exited with code 0, though it reports errors"),
        (0, Reading(doubt="lost"), None, Status.PARTIAL, "tool exited with code 0, and lost"),
        (-15, Reading(), None, Status.UNKNOWN, "tool was ended by SIGTERM"),
    ],
)
def test_it_builds_only_when_the_exit_and_the_report_say_so(
    code: int, reading: Reading, success: bool | None, status: Status, reason: str
) -> None:
    assert judge(step(is_test=False), ran(code), reading, 9, is_test=False) == (success, status, reason)


@pytest.mark.parametrize("reading", [GOOD, BAD, Reading()])
def test_what_was_stopped_is_not_known_whatever_it_had_reported(reading: Reading) -> None:
    found = judge(step(), ran(0, is_late=True), reading, 9, is_test=True)
    assert found == (None, Status.UNKNOWN, "tool did not end within 9 s and was stopped")


def test_tests_that_could_not_be_built_did_not_pass() -> None:
    broken = Reading(problems=(PROBLEM,))
    assert judge(step(is_test=False), ran(1), broken, 9, is_test=True) == (False, Status.CONFIRMED, "")
