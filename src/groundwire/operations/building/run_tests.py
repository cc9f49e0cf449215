"""Whether the tests of a project pass: all, those of a path, one by name, or those that a change reaches.

Above: ``table``. Below: ``building``.
"""

import asyncio
import dataclasses
from pathlib import Path
from typing import Annotated, Any, cast

from msgspec import Meta, structs

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.building.affected import Reached, reached_by_changes
from groundwire.operations.building.arguments import RunTool, deadline_of, paths_of
from groundwire.operations.building.model import Problem
from groundwire.operations.building.projects import find_project, left_out
from groundwire.operations.building.running import MOST_PROBLEMS, Outcome, carry_out
from groundwire.operations.operation import Call, operation
from groundwire.operations.results.building import AffectedTests, TestCounts, TestFailure, TestOutcome


class RunTests(RunTool, frozen=True):
    """Which tests."""

    test: Annotated[str, Meta(description="One test, by the name that the tool gives it.")] = ""
    affected: Annotated[
        bool, Meta(description="Only tests that use what changed since HEAD, directly or through callers.")
    ] = False


@operation(
    "Run a project's tests with its own tools: all, of a path, one by name, or those affected; failures with file and "
    "line.",
    effect="executes",
    command="test",
)
async def run_tests(call: Call, arguments: RunTests) -> Answer[TestOutcome]:
    """One run of one tool."""
    deadline = deadline_of(arguments)
    _require_sense(arguments)
    paths, directory = await asyncio.to_thread(paths_of, call, arguments)
    reached = None
    if arguments.affected:
        reached = await reached_by_changes(dataclasses.replace(call, deadline=deadline), paths or (directory,))
        if not reached.files:
            return _nothing_reached(call, reached)
        paths = reached.files
    found = await asyncio.to_thread(find_project, call, "test", paths, arguments.language, directory)
    own = tuple(path for path in paths if path.is_relative_to(found[1].root))
    left = [path for path in paths if path not in own]
    is_all = not paths and not arguments.language and not arguments.test
    note = await asyncio.to_thread(left_out, call, "test", found) if is_all else ""
    outcome = await carry_out(call, "test", found, own, arguments.test, deadline, note)
    return _answer(call, outcome, reached, left)


def _require_sense(arguments: RunTests) -> None:
    if arguments.test and arguments.affected:
        raise InvalidArgument("one test and all that are affected cannot both be meant", hint="Leave out one of them.")
    if arguments.test.startswith("-") or "\0" in arguments.test:
        raise InvalidArgument(f"{arguments.test!a} can be no name of a test")


def _answer(call: Call, outcome: Outcome, reached: Reached | None, left: list[Path]) -> Answer[TestOutcome]:
    reading, verdict = outcome.reading, outcome.verdict
    shared = cast("dict[str, Any]", outcome.shared(call.pool.workspace))  # they are its fields, whatever their types
    counts = TestCounts(**structs.asdict(reading.counts)) if reading.counts else TestCounts()
    result = TestOutcome(
        **shared,
        passed=verdict.went_well,
        failures=tuple(map(_failure, reading.problems[:MOST_PROBLEMS])),
        total=max(len(reading.problems), counts.failed),
        counts=counts,
        affected=reached.told if reached else None,
    )
    doubts = [verdict.reason, reached.doubt if reached else ""]
    if left:
        doubts.append(f"{len(left):,} affected files of tests are of another project, and were not run")
    status = verdict.status
    if status is Status.CONFIRMED and any(doubts):
        status = Status.PARTIAL
    return Answer(value=result, status=status, reason="; ".join(filter(None, doubts)))


def _nothing_reached(call: Call, reached: Reached) -> Answer[TestOutcome]:
    told: AffectedTests = reached.told
    result = TestOutcome(
        tool="",
        command=(),
        directory=".",
        exit_code=None,
        report="",
        output="",
        passed=None,
        affected=told,
        note=f"nothing was run in {call.pool.workspace.name}",
    )
    why = "no file of tests is reached by what changed" if told.changed_files else "nothing changed since HEAD"
    return Answer(value=result, status=Status.UNKNOWN, reason="; ".join(filter(None, (why, reached.doubt))))


def _failure(problem: Problem) -> TestFailure:
    return TestFailure(
        message=problem.message,
        file=problem.file,
        line=problem.line,
        column=problem.column,
        test_name=problem.test_name,
    )
