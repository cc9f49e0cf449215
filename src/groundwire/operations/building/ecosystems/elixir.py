"""Elixir: ``mix compile`` and ``mix test``, by what they print.

Above: ``ecosystems``. Below: ``sources``.
"""

import re
from collections.abc import Iterator

from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import message_of
from groundwire.operations.building.same_second import has_unseen_change
from groundwire.operations.building.sources import FRAME, Sources, problem_at

_INSTALL = "Install Elixir, and put mix on the path."
_RAISED = re.compile(
    r"^\*\* \((?P<kind>\w*Error)\) (?P<file>[^\s:]+\.exs?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.*)$",
    re.MULTILINE,
)
_DRAWN = re.compile(
    r"^ *error: (?P<message>.*?)\n(?:.*\n)*? *└─ (?P<file>[^\s:]+\.exs?):(?P<line>\d+)(?::(?P<column>\d+))?",
    re.MULTILINE,
)
_BLOCK = re.compile(
    r"^ +\d+\) (?P<name>(?:test|property|doctest) .+?) \((?P<module>[\w.]+)\)\n"
    r" +(?P<file>\S+?):(?P<line>\d+)\n(?P<body>.*?)(?=^ +\d+\) |^Finished in )",
    re.MULTILINE | re.DOTALL,
)
_SUMMARY = re.compile(r"^(?:\d+ \w+, )*?(?P<tests>\d+) tests?, (?P<failures>\d+) failures?(?P<rest>.*)$", re.MULTILINE)
_NOT_RUN = re.compile(r"(\d+) (skipped|excluded|invalid)")
_STACK = "stacktrace:"


def build(wanted: Wanted) -> Plan:
    """What has to be, as mix decides."""
    mix = wanted.project.programs.find("mix", install=_INSTALL)
    step = Step(
        tool="mix compile", words=(str(mix), "compile", *_anew(wanted)), directory=wanted.root, read=_read_build
    )
    return Plan(steps=(step,))


def test(wanted: Wanted) -> Plan:
    """A name is that of the test, with or without its word ``test``."""
    mix = wanted.project.programs.find("mix", install=_INSTALL)
    plain = re.sub(r" \([\w.]+\)$", "", wanted.test)  # as it is shown, with its module
    name = plain if plain.startswith(("test ", "property ")) else f"test {plain}"
    named = ("--only", f"test:{name}") if wanted.test else ()
    words = (str(mix), "test", "--no-color", *_anew(wanted), *named, *(wanted.relative(path) for path in wanted.paths))
    step = Step(
        tool="mix test",
        words=words,
        directory=wanted.root,
        read=read_mix_test,
        is_test=True,
        report="what mix test prints",
    )
    return Plan(steps=(step,))


def _anew(wanted: Wanted) -> tuple[str, ...]:
    is_unseen = has_unseen_change(wanted.root, ELIXIR.suffixes, "_build/*/lib/*/.mix/compile.elixir")
    return ("--force",) if is_unseen else ()


def _read_build(ran: Ran, sources: Sources) -> Reading:
    return Reading(problems=tuple(compile_errors(ran.text, sources)))


def compile_errors(text: str, sources: Sources) -> Iterator[Problem]:
    """As they are raised, or drawn beside the code; where both are, drawn."""
    drawn = list(_DRAWN.finditer(text))
    for match in drawn or _RAISED.finditer(text):
        yield Problem(
            message=message_of(match["message"]) or "error",
            file=sources.shown(match["file"]),
            line=int(match["line"]),
            column=int(match["column"] or 0),
        )


def read_mix_test(ran: Ran, sources: Sources) -> Reading:
    """The numbered blocks and the last line; without that line, what could not be compiled."""
    summaries = list(_SUMMARY.finditer(ran.text))  # one for each application of an umbrella project
    if not summaries:
        errors = tuple(compile_errors(ran.text, sources))
        return Reading(problems=errors, doubt="" if errors else "it did not say how many tests it ran")
    not_run = [(name, int(number)) for each in summaries for number, name in _NOT_RUN.findall(each["rest"])]
    invalid = sum(number for name, number in not_run if name == "invalid")
    failed = sum(int(each["failures"]) for each in summaries) + invalid
    skipped = sum(number for _, number in not_run) - invalid
    tests = sum(int(each["tests"]) for each in summaries)
    counts = Counts(passed=tests - failed - skipped, failed=failed, skipped=skipped)
    return Reading(problems=tuple(_failed(each, sources) for each in _BLOCK.finditer(ran.text)), counts=counts)


def _failed(match: re.Match[str], sources: Sources) -> Problem:
    said, _, stack = match["body"].partition(_STACK)
    spot = sources.first(stack, (FRAME,)) or sources.first(f"{match['file']}:{match['line']}")
    message = "\n".join(line.strip() for line in said.splitlines())
    return problem_at(spot, message_of(message) or "it failed", f"{match['name']} ({match['module']})")


ELIXIR = Ecosystem(
    id="elixir",
    languages=("elixir",),
    markers=("mix.exs",),
    suffixes=frozenset({".ex", ".exs"}),
    build=build,
    test=test,
)
