"""Swift: ``swift build`` and ``swift test``, by what they print.

Above: ``ecosystems``. Below: ``compiler_lines``, ``sources``.
"""

import re

from groundwire.operations.building.compiler_lines import GNU, problems_in, read_lines
from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import message_of
from groundwire.operations.building.sources import Sources

_INSTALL = "Install Swift (https://swift.org/install), and put it on the path."
_FAILED = re.compile(
    r"^(?P<file>[^\n:]+\.swift):(?P<line>\d+): error: (?:-\[)?(?P<name>[\w.]+[. ][\w.]+)\]? : (?P<message>.*)$",
    re.MULTILINE,
)
_CASE = re.compile(r"^Test Case '(?:-\[)?(?P<name>.+?)\]?' (?P<end>passed|failed|skipped)", re.MULTILINE)
_TESTING = re.compile(
    r"Test (?P<name>.+?) recorded an issue at (?P<file>[\w./-]+\.swift)"
    r":(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$",
    re.MULTILINE,
)
_TESTING_RUN = re.compile(r"Test run with (?P<tests>\d+) tests? .*?(?P<end>passed|failed) after", re.MULTILINE)
_TESTING_END = re.compile(r"^\S+\s+Test (?!run|Suite|Case)(?P<name>.+?) (?P<end>failed|skipped)", re.MULTILINE)


def build(wanted: Wanted) -> Plan:
    """The package."""
    swift = wanted.project.programs.find("swift", install=_INSTALL)
    step = Step(tool="swift build", words=(str(swift), "build"), directory=wanted.root, read=read_lines(GNU))
    return Plan(steps=(step,))


def test(wanted: Wanted) -> Plan:
    """A file stands for the class of its name."""
    swift = wanted.project.programs.find("swift", install=_INSTALL)
    names = [wanted.test] if wanted.test else [path.stem for path in wanted.paths if path.suffix == ".swift"]
    chosen = ("--filter", "|".join(map(re.escape, names))) if names else ()
    words = (str(swift), "test", *chosen)
    step = Step(
        tool="swift test",
        words=words,
        directory=wanted.root,
        read=read_swift_test,
        is_test=True,
        report="what swift prints",
    )
    return Plan(steps=(step,))


def read_swift_test(ran: Ran, sources: Sources) -> Reading:
    """XCTest and Swift Testing, which run one after the other."""
    matches = [*_FAILED.finditer(ran.text), *_TESTING.finditer(ran.text)]
    ends = [match["end"] for match in _CASE.finditer(ran.text)]
    newer = [match["end"] for match in _TESTING_END.finditer(ran.text)]
    run = sum(int(match["tests"]) for match in _TESTING_RUN.finditer(ran.text))
    if not ends and not run:
        errors = tuple(problems_in(ran.text, sources, GNU))
        return Reading(problems=errors, doubt="" if errors else "it did not say how many tests it ran")
    failed = ends.count("failed") + newer.count("failed")
    skipped = ends.count("skipped") + newer.count("skipped")
    passed = ends.count("passed") + max(run - len(newer), 0)
    problems = tuple(_problem(match, sources) for match in matches)
    return Reading(problems=problems, counts=Counts(passed=passed, failed=failed, skipped=skipped))


def _problem(match: re.Match[str], sources: Sources) -> Problem:
    groups = match.groupdict()
    return Problem(
        message=message_of(groups["message"]) or "it failed",
        file=sources.own(groups["file"]) or groups["file"],
        line=int(groups["line"]),
        column=int(groups.get("column") or 0),
        test_name=groups["name"].strip('"'),
    )


SWIFT = Ecosystem(
    id="swift",
    languages=("swift",),
    markers=("Package.swift",),
    suffixes=frozenset({".swift"}),
    build=build,
    test=test,
)
