"""Errors as compilers print them, a line each: ``file:line:column: error: message`` and its relatives.

Above: the ecosystems. Below: ``sources``.
"""

import re
from collections.abc import Callable, Iterator

from groundwire.operations.building.model import Problem, Ran, Reading
from groundwire.operations.building.reports import message_of
from groundwire.operations.building.sources import Sources

GNU = re.compile(
    r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]*?):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: ?(?P<message>.*)$"
)
"""GCC, Clang, Swift, Zig, mypy, javac under Gradle."""
ANY = re.compile(
    r"^(?:vet: )?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]*?\.\w+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.+)$"
)
"""Where whatever is printed so is an error: Go."""
MSVC = re.compile(
    r"^\s*(?P<file>[^\n(]+?)\((?P<line>\d+)(?:,(?P<column>\d+))?(?:,\d+,\d+)?\): (?:fatal )?error (?P<message>\S+: .*)$"
)
"""``tsc``, MSVC, MSBuild."""
LINKER = re.compile(r"(?P<message>(?:undefined reference to|multiple definition of|cannot find -l|ld: ).*)$")
_ENTERING = re.compile(r"(?:g?make|ninja).*: Entering directory [`'\"](?P<directory>.+?)['\"]")
_LEAVING = re.compile(r"(?:g?make|ninja).*: Leaving directory ")
_PROJECT = re.compile(r" \[[^\]]+proj\]$")


def read_lines(*patterns: re.Pattern[str]) -> Callable[[Ran, Sources], Reading]:
    """A reader of everything that a tool prints."""

    def read(ran: Ran, sources: Sources) -> Reading:
        return Reading(problems=tuple(problems_in(ran.text, sources, *patterns)))

    return read


def problems_in(text: str, sources: Sources, *patterns: re.Pattern[str]) -> Iterator[Problem]:
    """Each error once."""
    seen: set[Problem] = set()
    entered: list[str] = []
    for line in text.splitlines():
        _note_directory(line, entered)
        match = next((found for pattern in patterns if (found := pattern.search(line))), None)
        problem = _problem(match.groupdict(), sources, entered) if match is not None else None
        if problem is not None and problem not in seen:
            seen.add(problem)
            yield problem


def _note_directory(line: str, entered: list[str]) -> None:
    """Names are relative to where ``make`` is just now."""
    match = _ENTERING.match(line)
    if match is not None:
        entered.append(match["directory"])
    elif entered and _LEAVING.match(line):
        entered.pop()


def _problem(groups: dict[str, str | None], sources: Sources, entered: list[str]) -> Problem:
    raw = groups.get("file") or ""
    inner = f"{entered[-1]}/{raw}" if entered and raw and not raw.startswith("/") else raw
    return Problem(
        message=message_of(_PROJECT.sub("", groups["message"] or "")) or "error",
        file=(sources.own(inner) or sources.shown(raw)) if raw else "",
        line=int(groups.get("line") or 0),
        column=int(groups.get("column") or 0),
    )
