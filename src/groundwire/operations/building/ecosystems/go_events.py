"""The events of ``go test -json``: tests that failed, with the line of the test file that says so, or of the panic.

Above: ``go``. Below: ``compiler_lines``, ``sources``.
"""

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from groundwire.operations.building.compiler_lines import ANY, problems_in
from groundwire.operations.building.model import Counts, Problem, Ran, Reading
from groundwire.operations.building.reports import message_of, text_of
from groundwire.operations.building.sources import FRAME, Sources, problem_at

_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_SAID = re.compile(r"^\s+(?P<file>[^\s:]+\.go):(?P<line>\d+): (?P<message>.*)", re.DOTALL)
_PATTERN = re.compile(r"^(?P<message>pattern \S+: .+)$")
_NOISE = ("=== ", "--- ", "FAIL", "exit status", "ok  \t", "PASS")
_DECIDED = ("pass", "fail", "skip")

Event = Mapping[str, object]


def read_events(root: Path, directories: Iterable[str]) -> Callable[[Ran, Sources], Reading]:
    """A reader of the stream; lines between the events are what could not even be built."""

    def read(ran: Ran, sources: Sources) -> Reading:
        modules = {_module_of(root / name): posixpath.normpath(name) for name in directories}
        return Events(ran.stdout, ran.text, modules).reading(sources, is_cut=ran.is_cut)

    return read


def live_event(line: str) -> str:
    """What is told of an event to who waits."""
    if not line.startswith("{"):
        return line
    event = _event(line)
    test, action = text_of(event.get("Test")), text_of(event.get("Action"))
    return f"{test} {action}" if test and action in ("run", *_DECIDED) else ""


class Events:
    """All of one run. ``modules``: their names, and their directories."""

    def __init__(self, stdout: str, text: str, modules: Mapping[str, str]) -> None:
        self._modules = modules
        self._events = [_event(line) for line in stdout.splitlines() if line.startswith("{")]
        self._other = "\n".join(line for line in text.splitlines() if not line.startswith("{"))
        self._said: dict[tuple[str, str], list[str]] = {}
        self._ends: dict[tuple[str, str], str] = {}
        for event in self._events:
            self._note(event)

    def _note(self, event: Event) -> None:
        key = text_of(event.get("Package")), text_of(event.get("Test"))
        action = text_of(event.get("Action"))
        if action == "output":
            self._said.setdefault(key, []).append(text_of(event.get("Output")))
        elif action in _DECIDED:
            self._ends[key] = action

    def reading(self, sources: Sources, *, is_cut: bool = False) -> Reading:
        """Tests by how they ended, packages that could not be built or ended by themselves."""
        tests = {key: end for key, end in self._ends.items() if key[1]}
        failed = [key for key, end in tests.items() if end == "fail" and not _has_failed_inner(key, tests)]
        errors = list(self._build_errors(sources))
        errors += self._failed_packages(errors, sources)
        passed = sum(end == "pass" for end in tests.values())
        skipped = sum(end == "skip" for end in tests.values())
        return Reading(
            problems=(*errors, *(self._failed(key, sources) for key in failed)),
            counts=Counts(passed=passed, failed=len(failed), skipped=skipped),
            doubt="it printed more than can be kept" if is_cut else "",
            text=self._for_people(),
        )

    def _for_people(self) -> str:
        spoken = "".join(text_of(event.get("Output")) for event in self._events)
        return "\n".join(filter(None, (self._other, spoken)))

    def _build_errors(self, sources: Sources) -> Iterator[Problem]:
        outputs = (text_of(each.get("Output")) for each in self._events if each.get("Action") == "build-output")
        yield from problems_in("".join(outputs) + self._other, sources, ANY, _PATTERN)

    def _failed(self, key: tuple[str, str], sources: Sources) -> Problem:
        package, test = key
        lines = self._said.get(key, [])
        own = next((match for line in lines if (match := _SAID.match(line))), None)
        if own is not None and "panic: " not in "".join(lines):
            file = sources.own(f"{self._directory(package)}{own['file']}") or own["file"]
            message = own["message"] + _continued(lines, own.string)
            return Problem(message=message_of(message), file=file, line=int(own["line"]), test_name=test)
        text = "".join(line for line in lines if not line.lstrip().startswith(_NOISE))
        message = text.partition("\ngoroutine ")[0]
        return problem_at(sources.first(text, (FRAME,)), message_of(message) or "it failed", test)

    def _failed_packages(self, errors: list[Problem], sources: Sources) -> list[Problem]:
        """Those that failed although no test of theirs did: ``TestMain``, ``init``, what could not be built."""
        explained = {package for (package, test), end in self._ends.items() if test and end == "fail"}
        alone = [package for (package, test), end in self._ends.items() if not test and end == "fail"]
        unexplained = [each for each in alone if each not in explained and not (errors and self._is_unbuilt(each))]
        return [self._failed((package, ""), sources) for package in unexplained]

    def _is_unbuilt(self, package: str) -> bool:
        return any("[build failed]" in line or "[setup failed]" in line for line in self._said.get((package, ""), ()))

    def _directory(self, package: str) -> str:
        own = [name for name in self._modules if name and (package == name or package.startswith(f"{name}/"))]
        if not own:
            return ""
        module = max(own, key=len)
        inner = package.removeprefix(module).strip("/").removesuffix(".test")
        path = posixpath.join(self._modules[module], inner) if inner else self._modules[module]
        return "" if path == "." else f"{path}/"


def _continued(lines: list[str], first: str) -> str:
    """Further lines of a message are indented deeper than its first."""
    rest = lines[lines.index(first) + 1 :]
    more: list[str] = []
    for line in rest:
        if not line.startswith("        "):
            break
        more.append(line)
    return "".join(more)


def _has_failed_inner(key: tuple[str, str], tests: Mapping[tuple[str, str], str]) -> bool:
    """A test fails with its subtests: they are what failed."""
    return any(
        end == "fail" and package == key[0] and test.startswith(f"{key[1]}/") for (package, test), end in tests.items()
    )


def _event(line: str) -> Event:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):  # half a line, or a brace that the program itself has printed
        return {}
    return cast("Event", value) if isinstance(value, dict) else {}


def _module_of(root: Path) -> str:
    try:
        found = _MODULE.search((root / "go.mod").read_text("utf-8", "replace"))
    except OSError:
        return ""
    return found[1] if found else ""
