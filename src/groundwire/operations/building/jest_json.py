"""The JSON of Jest, which Vitest writes too; and that of Mocha.

Above: ``ecosystems.node``. Below: ``reports``, ``sources``.
"""

from groundwire.operations.building.model import Counts, Problem, Reading
from groundwire.operations.building.reports import (
    as_object,
    message_of,
    number_of,
    objects,
    text_of,
    without_stack,
)
from groundwire.operations.building.sources import Sources, problem_at


def jest_reading(report: dict[str, object], sources: Sources) -> Reading:
    """File by file: one that could not be loaded is a failure of its own."""
    problems: list[Problem] = []
    passed = skipped = 0
    for suite in objects(report.get("testResults")):
        file = sources.own(text_of(suite.get("name")))
        tests = objects(suite.get("assertionResults"))
        failed = [test for test in tests if test.get("status") == "failed"]
        passed += sum(test.get("status") == "passed" for test in tests)
        skipped += sum(test.get("status") not in ("passed", "failed") for test in tests)
        problems += [_failed_test(test, file, sources) for test in failed]
        if suite.get("status") == "failed" and not failed:
            problems.append(_failed_file(text_of(suite.get("message")), file, sources))
    unhandled = report.get("success") is False and not problems
    doubt = "its report says that it failed and names no failure" if unhandled else ""
    return Reading(
        problems=tuple(problems), counts=Counts(passed=passed, failed=len(problems), skipped=skipped), doubt=doubt
    )


def _failed_test(test: dict[str, object], file: str, sources: Sources) -> Problem:
    given = test.get("failureMessages")
    text = "\n".join(map(str, given)) if isinstance(given, list) else ""  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  whatever it holds is shown
    problem = problem_at(sources.first(text), without_stack(text) or "it failed", _full_name(test), file)
    line = number_of(as_object(test.get("location")).get("line"))
    if problem.line or not line:
        return problem
    return Problem(message=problem.message, file=file, line=line, test_name=problem.test_name)


def _full_name(test: dict[str, object]) -> str:
    above = test.get("ancestorTitles")
    titles = [str(each) for each in above] if isinstance(above, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  as above
    return " > ".join([*titles, text_of(test.get("title"))])


def _failed_file(message: str, file: str, sources: Sources) -> Problem:
    return problem_at(sources.first(message), message_of(message) or "it could not be loaded", fallback=file)


def mocha_reading(report: dict[str, object], sources: Sources) -> Reading:
    """Its three lists."""
    problems = [_failed_in_mocha(each, sources) for each in objects(report.get("failures"))]
    counts = Counts(
        passed=len(objects(report.get("passes"))), failed=len(problems), skipped=len(objects(report.get("pending")))
    )
    return Reading(problems=tuple(problems), counts=counts)


def _failed_in_mocha(test: dict[str, object], sources: Sources) -> Problem:
    error = as_object(test.get("err"))
    stack = text_of(error.get("stack"))
    message = message_of(text_of(error.get("message"))) or without_stack(stack) or "it failed"
    return problem_at(
        sources.first(stack), message, text_of(test.get("fullTitle")), sources.own(text_of(test.get("file")))
    )
