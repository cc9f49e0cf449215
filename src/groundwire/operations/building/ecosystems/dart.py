"""Dart and Flutter: the analyzer's machine format, the test runner's JSON events.

Above: ``ecosystems``. Below: ``reports``, ``sources``.
"""

from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import (
    Unreadable,
    as_object,
    message_of,
    number_of,
    parsed_json,
    text_of,
)
from groundwire.operations.building.sources import Sources, Spot, problem_at

_INSTALL = "Install Dart (https://dart.dev/get-dart), and put it on the path."
_FIELDS = 8


def build(wanted: Wanted) -> Plan:
    """``dart analyze``: Dart has no other build that all projects share."""
    dart = wanted.project.programs.find("dart", install=_INSTALL)
    paths = tuple(wanted.relative(path) for path in wanted.paths)
    words = (str(dart), "analyze", "--format=machine", "--no-fatal-warnings", *paths)
    return Plan(
        steps=(Step(tool="dart analyze", words=words, directory=wanted.root, read=read_analysis, checks="types"),)
    )


def test(wanted: Wanted) -> Plan:
    """``flutter test`` where the project is one of Flutter's."""
    programs = wanted.project.programs
    is_flutter = "sdk: flutter" in (wanted.root / "pubspec.yaml").read_text("utf-8", "replace")
    name, report = ("flutter", "--machine") if is_flutter else ("dart", "--reporter=json")
    named = ("--plain-name", wanted.test) if wanted.test else ()
    paths = tuple(wanted.relative(path) for path in wanted.paths)
    words = (str(programs.find(name, install=_INSTALL)), "test", report, *named, *paths)
    step = Step(
        tool=f"{name} test",
        words=words,
        directory=wanted.root,
        read=read_dart_events,
        is_test=True,
        report="the events of the test runner",
        live=lambda line: "" if line.startswith(("{", "[")) else line,
    )
    return Plan(steps=(step,))


def read_analysis(ran: Ran, sources: Sources) -> Reading:
    """A line each: severity, type, code, file, line, column, length, message."""
    rows = [line.split("|", _FIELDS - 1) for line in ran.text.splitlines() if line.startswith("ERROR|")]
    problems = tuple(
        Problem(
            message=f"{row[7]} [{row[2].lower()}]",
            file=sources.shown(row[3]),
            line=number_of(row[4]),
            column=number_of(row[5]),
        )
        for row in rows
        if len(row) == _FIELDS
    )
    return Reading(problems=problems)


def read_dart_events(ran: Ran, sources: Sources) -> Reading:
    """Tests by their number, errors by the test that they belong to."""
    tests: dict[int, dict[str, object]] = {}
    errors: dict[int, dict[str, object]] = {}
    done: list[dict[str, object]] = []
    is_over = False
    for event in filter(None, map(_event, ran.stdout.splitlines())):
        kind = event.get("type")
        if kind == "testStart":
            test_told = as_object(event.get("test"))
            tests[number_of(test_told.get("id"))] = test_told
        elif kind == "error":
            errors.setdefault(number_of(event.get("testID")), event)
        elif kind == "testDone" and not (event.get("hidden") and event.get("result") == "success"):
            done.append(event)
        is_over = is_over or kind == "done"
    skipped = sum(event.get("skipped") is True for event in done)
    failed = [number_of(event.get("testID")) for event in done if event.get("result") in ("failure", "error")]
    problems = tuple(_failed(tests.get(number, {}), errors.get(number, {}), sources) for number in failed)
    counts = Counts(passed=len(done) - skipped - len(failed), failed=len(failed), skipped=skipped)
    doubt = "" if is_over else "it did not say that it was done"
    return Reading(problems=problems, counts=counts, doubt=doubt, text=_for_people(tests, errors))


def _event(line: str) -> dict[str, object]:
    if not line.startswith("{"):
        return {}
    try:
        return as_object(parsed_json(line))
    except Unreadable:  # a brace that a test has printed
        return {}


def _failed(told: dict[str, object], error: dict[str, object], sources: Sources) -> Problem:
    stack, message = text_of(error.get("stackTrace")), text_of(error.get("error"))
    url = text_of(told.get("root_url") or told.get("url")).removeprefix("file://")
    line = number_of(told.get("root_line") or told.get("line"))
    spot = sources.first(_with_colons(stack)) or (Spot(sources.own(url), line) if sources.own(url) else None)
    return problem_at(spot, message_of(message) or "it failed", text_of(told.get("name")))


def _with_colons(stack: str) -> str:
    """Frames are written ``test/a_test.dart 6:5  main.<fn>``."""
    return "\n".join(":".join(line.split()[:2]) for line in stack.splitlines() if line.split())


def _for_people(tests: dict[int, dict[str, object]], errors: dict[int, dict[str, object]]) -> str:
    return "\n".join(
        f"{text_of(tests.get(number, {}).get('name'))}: {text_of(error.get('error'))}"
        for number, error in errors.items()
    )


DART = Ecosystem(
    id="dart",
    languages=("dart",),
    markers=("pubspec.yaml",),
    suffixes=frozenset({".dart"}),
    build=build,
    test=test,
)
