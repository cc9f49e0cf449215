"""The tests of a Python project: pytest with its JUnit report, or unittest by what it prints.

Above: ``python``. Below: ``junit``, ``programs``.
"""

import re
from collections.abc import Callable
from pathlib import Path

from groundwire.errors import CapabilityMissing
from groundwire.operations.building.junit import Case, JUnit, last_python_frame
from groundwire.operations.building.model import Counts, Plan, Problem, Project, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import message_of
from groundwire.operations.building.same_second import has_stale_bytecode
from groundwire.operations.building.sources import PYTHON_FRAMES, Sources, problem_at
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.text.test_files import is_test_file
from groundwire.registry.markers import directories_up, first_marker

_PYTEST_MARKERS = ("pytest.ini", ".pytest.ini", "pyproject.toml:tool.pytest", "conftest.py", "tests/conftest.py")
_SECTIONS = (("setup.cfg", "[tool:pytest]"), ("tox.ini", "[pytest]"))
_PYTEST_STYLE = re.compile(
    r"^(?:import pytest|from pytest|(?:async )?def test_|class Test\w*(?!.*TestCase))", re.MULTILINE
)
_MOST_READ = 50
_NO_TESTS = 5
_BLOCK = re.compile(
    r"^=+\n(?P<kind>FAIL|ERROR): (?P<name>.+?)\n(?P<rest>.*?)(?=^=+\n(?:FAIL|ERROR): |^-+\nRan )",
    re.MULTILINE | re.DOTALL,
)
_CRASH = re.compile(r"Fatal Python error: .*")
_IN_FUNCTION = re.compile(r"line \d+ in (\S+)")
_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
_NUMBERS = re.compile(r"(failures|errors|skipped|expected failures|unexpected successes)=(\d+)")
_LAST = re.compile(r"^(?:OK|FAILED|NO TESTS RAN)(?: \((?P<numbers>[^)]*)\))?\s*$", re.MULTILINE)


def test(wanted: Wanted) -> Plan:
    """pytest where the project uses it."""
    return _pytest(wanted) if uses_pytest(wanted.project) else _unittest(wanted)


def uses_pytest(project: Project) -> bool:
    """Whether it is configured, installed in the project's environment, or what its tests are written for."""
    for directory in directories_up(project.root, project.workspace):
        if first_marker(directory, _PYTEST_MARKERS) or any(_holds(directory / name, text) for name, text in _SECTIONS):
            return True
    environment = project.programs.python_environment
    # The one that happens to be active may be anybody's.
    is_own = environment is not None and environment.directory.is_relative_to(project.workspace)
    if environment is not None and is_own and (environment.scripts / "pytest").exists():
        return True
    return any(_PYTEST_STYLE.search(file.read_text("utf-8", "replace")) for file in _test_files(project))


def _test_files(project: Project) -> list[Path]:
    files = (file for file in WorkspaceFiles(project.root) if file.suffix == ".py" and is_test_file(file.name))
    return [file for file, _ in zip(files, range(_MOST_READ), strict=False)]


def _holds(file: Path, text: str) -> bool:
    return file.is_file() and text in file.read_text("utf-8", "replace")


def _pytest(wanted: Wanted) -> Plan:
    report = wanted.reports / "pytest.xml"
    options = ("--junit-xml", str(report), "-o", "junit_family=xunit1", "--tb=short", "--color=no")
    # What pytest remembers of a run is of use to nobody here, and would be written into the workspace.
    own_cache = ("-o", f"cache_dir={wanted.reports / 'cache'}")
    step = Step(
        tool="pytest",
        words=(*_pytest_command(wanted.project), *options, *own_cache, *_pytest_selection(wanted)),
        directory=wanted.root,
        read=read_pytest(report),
        is_test=True,
        report="JUnit XML of pytest",
        environment=_own_bytecode(wanted),
        none_ran=frozenset({_NO_TESTS}),
    )
    return Plan(steps=(step,))


def _own_bytecode(wanted: Wanted) -> dict[str, str]:
    """What was compiled before is not looked at, where it may be of another content."""
    is_stale = has_stale_bytecode(wanted.root)
    return {"PYTHONPYCACHEPREFIX": str(wanted.reports / "bytecode")} if is_stale else {}


def _pytest_command(project: Project) -> tuple[str, ...]:
    script = project.programs.python_tool("pytest")
    if script is not None:
        return (str(script),)
    environment = project.programs.python_environment
    if environment is not None:
        hint = f"Install it there: {environment.python} -m pip install pytest"
        raise CapabilityMissing(f"the project's environment ({environment.directory.name}) has no pytest", hint=hint)
    raise CapabilityMissing("pytest is not installed", hint="Install it: python -m pip install pytest")


def _pytest_selection(wanted: Wanted) -> tuple[str, ...]:
    """Node ids as they are; other names by the file that they are in, else wherever they are."""
    paths = tuple(wanted.relative(path) for path in wanted.paths)
    name = wanted.test
    if not name:
        return paths
    if "::" in name:
        return (name,)
    if len(paths) == 1 and wanted.paths[0].is_file():
        return ("::".join([paths[0], *name.split(".")]),)
    words = re.split(r"[.\[]", name)
    return ("-k", " and ".join(filter(None, words[:-1] if "[" in name else words)), *paths)


def read_pytest(report: Path) -> Callable[[Ran, Sources], Reading]:
    """The report; of an interpreter that crashed, there is only what it said itself."""
    read_report = JUnit(last_python_frame, _node_id, _reason).of_file(report)

    def read(ran: Ran, sources: Sources) -> Reading:
        reading = read_report(ran, sources)
        crash = _CRASH.search(ran.text) if reading.doubt else None
        if crash is None:
            return reading
        stack = ran.text[crash.end() :]
        spot = sources.first(stack, PYTHON_FRAMES)
        name = _IN_FUNCTION.search(stack, stack.find(f"line {spot.line} in ")) if spot else None
        problem = problem_at(spot, message_of(crash[0]), name[1] if name else "")
        return Reading(problems=(problem,), counts=reading.counts, doubt=reading.doubt)

    return read


def _reason(case: Case) -> str:
    """What kept a file from being collected is only in the text."""
    if case.message != "collection failure":
        return case.message
    return "\n".join(re.sub(r"^E {1,3}", "", line) for line in case.text.splitlines() if line.startswith("E "))


def _node_id(case: Case) -> str:
    if not case.file:
        return case.name
    module = re.sub(r"\.py$", "", case.file).replace("/", ".").replace("\\", ".")
    classes = case.class_name.removeprefix(module).strip(".")
    return "::".join(filter(None, [case.file, *classes.split("."), case.name]))


def _unittest(wanted: Wanted) -> Plan:
    words = (str(wanted.project.programs.python()), "-B", "-m", "unittest", *_unittest_selection(wanted))
    step = Step(
        tool="unittest",
        words=words,
        directory=wanted.root,
        read=read_unittest,
        is_test=True,
        report="what unittest prints",
        environment=_own_bytecode(wanted),
        none_ran=frozenset({_NO_TESTS}),
    )
    return Plan(steps=(step,))


def _unittest_selection(wanted: Wanted) -> tuple[str, ...]:
    chosen = ("-k", wanted.test.rpartition("::")[2]) if wanted.test else ()
    files = tuple(wanted.relative(path) for path in wanted.paths if path.is_file())
    if files:
        return ("-v", *chosen, *files)
    directory = next((path for path in wanted.paths if path.is_dir()), wanted.root)
    start = ("-s", wanted.relative(directory)) if directory != wanted.root else _start_of(wanted.root)
    return ("discover", "-v", *chosen, *start)


def _start_of(root: Path) -> tuple[str, ...]:
    """Discovery looks only into packages: of a directory of tests that is none, it must be told."""
    for name in ("tests", "test"):
        directory = root / name
        if directory.is_dir() and not (directory / "__init__.py").exists() and any(directory.glob("test*.py")):
            return ("-s", name)
    return ()


def read_unittest(ran: Ran, sources: Sources) -> Reading:
    """The blocks of failures and the last lines."""
    # A test may run others and print what came of them: its own is what comes last.
    number = next(reversed(list(_RAN.finditer(ran.text))), None)
    last = _LAST.search(ran.text, number.end()) if number else None
    if number is None or last is None:
        return Reading(doubt="it did not say how many tests it ran")
    numbers = {name: int(count) for name, count in _NUMBERS.findall(last["numbers"] or "")}
    failed = sum(numbers.get(name, 0) for name in ("failures", "errors", "unexpected successes"))
    skipped = numbers.get("skipped", 0) + numbers.get("expected failures", 0)
    problems = tuple(_failed(match, sources) for match in _BLOCK.finditer(ran.text))
    passed = max(int(number[1]) - failed - skipped, 0)
    return Reading(problems=problems, counts=Counts(passed=passed, failed=failed, skipped=skipped))


def _failed(match: re.Match[str], sources: Sources) -> Problem:
    rest = match["rest"]
    message = rest.rpartition("\n  File ")[2].partition("\n")[2] or rest
    spoken = [line for line in message.splitlines() if line and not line.startswith((" ", "-"))]
    name = re.sub(r"^(\w+) \((\S+?)(?:\.\1)?\)$", r"\2.\1", match["name"])
    return problem_at(sources.last(rest), message_of("\n".join(spoken)) or "it failed", name)
