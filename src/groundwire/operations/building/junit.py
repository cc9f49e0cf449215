"""JUnit XML, which nearly every test tool can write, each in its own way.

Above: the ecosystems. Below: ``reports``, ``sources``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from groundwire.operations.building.model import Counts, Problem, Ran, Reading
from groundwire.operations.building.reports import Unreadable, marks_of, message_of, read_xml, unread, without_stack
from groundwire.operations.building.sources import FRAME, Sources, Spot, problem_at

Locate = Callable[[Sources, "Case"], Spot | None]
Said = Callable[["Case"], str]


class Case(NamedTuple):
    """A test that failed, as the report has it."""

    name: str
    class_name: str
    suites: tuple[str, ...]
    file: str
    message: str
    text: str
    """Of the failure, then what the test printed."""


def first_frame(sources: Sources, case: Case) -> Spot | None:
    """Where stacks begin with the latest call."""
    return sources.first(case.text)


def last_python_frame(sources: Sources, case: Case) -> Spot | None:
    """Where stacks end with the latest call."""
    return sources.last(case.text)


class JUnit:
    """A reader. ``locate`` finds the place of a failure in its text, ``named`` how the test is called, ``said`` why."""

    def __init__(
        self, locate: Locate = first_frame, named: Callable[[Case], str] | None = None, said: Said | None = None
    ) -> None:
        self._locate = locate
        self._named = named or _name
        self._message = said or _message

    def of_file(self, file: Path) -> Callable[[Ran, Sources], Reading]:
        """Reads one file."""
        return lambda _, sources: self._reading([file], sources)

    def of_fresh(self, directory: Path, pattern: str) -> Callable[[Ran, Sources], Reading]:
        """Reads the files below a directory that are written from now on: what lies there is of another run."""

        before = marks_of(directory.glob(pattern))

        def read(_: Ran, sources: Sources) -> Reading:
            marks = marks_of(directory.glob(pattern))
            found = sorted(file for file, mark in marks.items() if mark != before.get(file))
            return self._reading(found, sources) if found else unread("it wrote no report")

        return read

    def _reading(self, files: Iterable[Path], sources: Sources) -> Reading:
        try:
            return self.read([read_xml(file) for file in files], sources)
        except Unreadable as why:
            return unread(why)

    def read(self, roots: Iterable[Element], sources: Sources) -> Reading:
        """All of the reports as one."""
        passed = skipped = 0
        problems: list[Problem] = []
        for suites, element in (each for root in roots for each in _cases(root, ())):
            failure = _failure(element)
            if failure is not None:
                problems.append(self._problem(_case(element, failure, suites), sources))
            elif element.find("skipped") is not None or element.get("status") in ("notrun", "disabled", "skipped"):
                skipped += 1
            else:
                passed += 1
        counts = Counts(passed=passed, failed=len(problems), skipped=skipped)
        return Reading(problems=tuple(problems), counts=counts)

    def _problem(self, case: Case, sources: Sources) -> Problem:
        message = message_of(self._message(case)) or _said(case) or "it failed"
        return problem_at(self._locate(sources, case), message, self._named(case), sources.own(case.file))


def _cases(element: Element, suites: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Element]]:
    for child in element if element.tag != "testcase" else ():
        if child.tag == "testcase":
            yield suites, child
        elif child.tag in ("testsuite", "testsuites"):
            yield from _cases(child, (*suites, child.get("name", "")))


def _failure(element: Element) -> Element | None:
    found = element.find("failure")
    return found if found is not None else element.find("error")


def _case(element: Element, failure: Element, suites: tuple[str, ...]) -> Case:
    printed = (each.text or "" for tag in ("system-out", "system-err") for each in element.findall(tag))
    return Case(
        name=element.get("name", ""),
        class_name=element.get("classname", ""),
        suites=suites,
        file=element.get("file", ""),
        message=failure.get("message", ""),
        text="\n".join([failure.text or "", *printed]),
    )


def _said(case: Case) -> str:
    """The text without the name of the test and the frames, which are told apart."""
    lines = [line for line in case.text.splitlines() if not FRAME.fullmatch(line.strip())]
    if lines and lines[0].strip().endswith(f"::{case.name}"):
        lines = lines[1:]
    return without_stack("\n".join(lines))


def _message(case: Case) -> str:
    return case.message


def _name(case: Case) -> str:
    if not case.class_name or case.class_name == case.name:
        return case.name
    return f"{case.class_name}.{case.name}"


JAVA_FRAME = re.compile(r"at (?:[\w.$/@-]+/)?(?P<symbol>[\w.$]+)\((?P<file>[\w$]+\.\w+):(?P<line>\d+)\)")
