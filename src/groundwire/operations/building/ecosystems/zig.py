"""Zig: ``zig build`` and its test step where there is a ``build.zig``, ``zig test`` of a file.

Above: ``ecosystems``. Below: ``compiler_lines``, ``sources``.
"""

import re
from pathlib import PurePath

from groundwire.operations.building.compiler_lines import GNU, problems_in, read_lines
from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import message_of
from groundwire.operations.building.sources import FRAME, Sources, Spot, problem_at

_LIBRARY = "/lib/std/"
_INSTALL = "Install Zig (https://ziglang.org/download), and put it on the path."
_SUMMARY = re.compile(r"^(\d+) passed; (\d+) skipped; (\d+) failed\.", re.MULTILINE)
_ALL_PASSED = re.compile(r"^All (\d+) tests passed\.", re.MULTILINE)
_STEP_SUMMARY = re.compile(r"(\d+)/(\d+) tests passed(?:; (\d+) skipped)?(?:; (\d+) failed)?")
_DIRECT = re.compile(
    r"^\d+/\d+ (?P<name>.+?)\.\.\.(?!OK$|SKIP$)(?P<body>.*?)(?=^\d+/\d+ .+?\.\.\.|^\d+ passed; |\Z)",
    re.MULTILINE | re.DOTALL,
)
_IN_BUILD = re.compile(r"^error: '(?P<name>[^'\n]+)' failed:?(?P<body>.*?)(?=^error: |\Z)", re.MULTILINE | re.DOTALL)


def build(wanted: Wanted) -> Plan:
    """A file by itself is only compiled."""
    zig = wanted.project.programs.find("zig", install=_INSTALL)
    files = [path for path in wanted.paths if path.is_file() and path.name != "build.zig"]
    how = ("build-obj", "-fno-emit-bin", wanted.relative(files[0])) if files else ("build",)
    step = Step(tool="zig", words=(str(zig), *how), directory=wanted.root, read=read_lines(GNU))
    return Plan(steps=(step,))


def test(wanted: Wanted) -> Plan:
    """Of the project, or of one file."""
    zig = wanted.project.programs.find("zig", install=_INSTALL)
    file = next((path for path in wanted.paths if path.is_file() and path.name != "build.zig"), None)
    named = ("--test-filter", wanted.test) if wanted.test and file is not None else ()
    note = "zig build test cannot be limited to one test: all were run" if wanted.test and file is None else ""
    how = ("test", wanted.relative(file)) if file is not None else ("build", "test", "--summary", "all")
    step = Step(
        tool="zig test",
        words=(str(zig), *how, *named),
        directory=wanted.root,
        read=read_zig_test,
        is_test=True,
        report="what zig prints",
    )
    return Plan(steps=(step,), note=note)


def read_zig_test(ran: Ran, sources: Sources) -> Reading:
    """Failures in either of its two forms; else what could not be compiled."""
    failures = tuple(
        _failed(match, sources) for pattern in (_DIRECT, _IN_BUILD) for match in pattern.finditer(ran.text)
    )
    errors = () if failures else tuple(problems_in(ran.text, sources, GNU))
    counts = _counts(ran.text)
    if counts is None:
        return Reading(problems=errors, doubt="" if errors else "it did not say how many tests it ran")
    return Reading(problems=failures or errors, counts=counts)


def _counts(text: str) -> Counts | None:
    found = _SUMMARY.search(text)
    if found is not None:
        passed, skipped, failed = map(int, found.groups())
        return Counts(passed=passed, failed=failed, skipped=skipped)
    found = _ALL_PASSED.search(text)
    if found is not None:
        return Counts(passed=int(found[1]))
    steps = _STEP_SUMMARY.search(text)
    if steps is None:
        return None
    passed, total, skipped, failed = (int(number or 0) for number in steps.groups())
    return Counts(passed=passed, failed=failed or total - passed - skipped, skipped=skipped)


def _moved(body: str, sources: Sources) -> Spot | None:
    """Zig may run what it once built of the very same sources in another directory, and then names that one."""
    for frame in FRAME.finditer(body):
        parts = PurePath(frame["file"]).parts
        inner = ("/".join(parts[start:]) for start in range(1, len(parts)))
        file = next((name for each in inner if (name := sources.own(each))), "")
        if file and _LIBRARY not in frame["file"]:
            return Spot(file, int(frame["line"]), int(frame["column"] or 0))
    return None


def _failed(match: re.Match[str], sources: Sources) -> Problem:
    body = match["body"]
    said = [line for line in body.splitlines() if line.strip() and not FRAME.match(line)][:2]
    return problem_at(
        sources.first(body) or _moved(body, sources), message_of("\n".join(said)) or "it failed", match["name"]
    )


ZIG = Ecosystem(
    id="zig",
    languages=("zig",),
    markers=("build.zig",),
    suffixes=frozenset({".zig"}),
    build=build,
    test=test,
    needs_marker=False,
)
