"""Builds and tests as text: the verdict, what failed and where, and where that says too little the output itself.

Above: ``answers``. Below: ``page``, ``wording``.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TypeVar

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.building import BuildError, BuildOutcome, TestFailure, TestOutcome, ToolRun
from groundwire.render.page import Block, Page, Section, prose
from groundwire.render.verdict import noted
from groundwire.render.wording import counted

Run = TypeVar("Run", BuildOutcome, TestOutcome)
_MOST_LINES = 12
_REPORTS = re.compile(r"[/\\]groundwire-\w{8}[/\\]")
_WORDS = {
    "build": ("It builds", "It does not build", "Whether it builds is not known"),
    "types": ("The types are right", "The types are not right", "Whether the types are right is not known"),
    "lint": ("The linter finds no error", "The linter finds errors", "What the linter finds is not known"),
    "syntax": (
        "The syntax is right, and nothing more was checked",
        "The syntax is not right",
        "Whether the syntax is right is not known",
    ),
}


def build_page(answer: Answer[BuildOutcome]) -> Page:
    """The errors; where there are none to show though it failed, what was printed."""
    build = answer.value
    well, badly, unknown = _WORDS[build.checked]
    number = f": {counted(build.total, 'error')}" if build.total else ""
    words = unknown if build.success is None else well if build.success else f"{badly}{number}"
    errors = Section([_error(each) for each in build.errors], build.total)
    return Page(_head(answer, words), (*_about(build), errors, *_printed(build, is_needed=not build.success)))


def tests_page(answer: Answer[TestOutcome]) -> Page:
    """The failures; where there are none to show though they did not pass, what was printed."""
    tests = answer.value
    failures = Section([_failure(each) for each in tests.failures], tests.total)
    sections = (*_about(tests), *_affected(tests), failures, *_printed(tests, is_needed=not tests.passed))
    return Page(_head(answer, _words(tests)), sections)


def _words(tests: TestOutcome) -> str:
    counts = tests.counts
    errors = sum(not each.test_name for each in tests.failures)
    numbers = [
        f"{counts.failed:,} failed" if counts.failed else "",
        f"{counts.passed:,} passed" if counts.passed else "",
        f"{counts.skipped:,} skipped" if counts.skipped else "",
        f"{counted(errors, 'error')} outside of tests" if errors else "",
    ]
    seen = ", ".join(filter(None, numbers))
    verdict = {True: "Tests passed", False: "Tests failed", None: "Whether the tests pass is not known"}[tests.passed]
    return f"{verdict}: {seen}" if seen else verdict


def _head(answer: Answer[Run], words: str) -> str:
    tool = answer.value.tool
    if answer.status is Status.CONFIRMED:
        return f"{words} (confirmed by {tool}){noted(answer)}"
    return f"{words}; {answer.reason or answer.status.value}{noted(answer)}"


def _about(run: ToolRun) -> Iterator[Section]:
    if run.command:
        yield Section([(f"Ran: {shlex.join(_for_people(run.command))}",)], 1)
    if run.note:
        yield Section([(f"Note: {run.note}",)], 1)


def _for_people(command: Sequence[str]) -> list[str]:
    """By its name, and without where it was told to write its reports: they are gone."""
    words = [PurePath(command[0]).name]
    for word in command[1:]:
        if not _REPORTS.search(word):
            words.append(word)
        elif words[-1].startswith("-") and not word.startswith("-"):
            words.pop()
    return words


def _affected(tests: TestOutcome) -> Iterator[Section]:
    reached = tests.affected
    if reached is None:
        return
    changed = (
        f"{counted(reached.changed_symbols, 'changed symbol')} in {counted(len(reached.changed_files), 'changed file')}"
    )
    title = f"Reached by {changed} ({reached.how}; not seen: {reached.blind_to}):"
    yield Section([(title,)], 1)
    yield Section([(f"  {file}",) for file in reached.test_files], len(reached.test_files))


def _error(error: BuildError) -> Block:
    first, *rest = error.message.splitlines() or [""]
    return (f"  {_place(error)}  {first}", *_further(rest))


def _failure(failure: TestFailure) -> Block:
    first, *rest = failure.message.splitlines() or [""]
    name = f"{failure.test_name}: " if failure.test_name else ""
    return (f"  {_place(failure)}  {name}{first}", *_further(rest))


def _further(lines: list[str]) -> Iterator[str]:
    yield from (f"      {line}" for line in lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES:
        yield f"      … {len(lines) - _MOST_LINES:,} more lines"


def _place(problem: BuildError | TestFailure) -> str:
    if not problem.file:
        return "(no place)"
    numbers = [str(number) for number in (problem.line, problem.column) if number]
    return ":".join([problem.file, *numbers])


def _printed(run: BuildOutcome | TestOutcome, *, is_needed: bool) -> Iterator[Section]:
    """What was printed repeats what was found, where something was."""
    if is_needed and run.output and not run.total:
        yield prose(run.output, title="Output:")
