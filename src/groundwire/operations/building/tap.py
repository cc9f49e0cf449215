"""The Test Anything Protocol, as scripts print it.

Above: ``ecosystems.node``. Below: ``sources``.
"""

import re

from groundwire.operations.building.model import Counts, Problem, Reading
from groundwire.operations.building.reports import message_of
from groundwire.operations.building.sources import Sources, problem_at

_POINT = re.compile(r"^(?P<indent> *)(?P<no>not )?ok \d+(?: -)? ?(?P<name>[^#\n]*)(?P<directive>#.*)?$", re.MULTILINE)
_PLAN = re.compile(r"^1\.\.(\d+)", re.MULTILINE)
_BAIL = re.compile(r"^Bail out!\s*(.*)", re.MULTILINE)


def tap_reading(text: str, sources: Sources) -> Reading | None:
    """None where it is none: there is no plan."""
    if not _PLAN.search(text):
        return None
    points = [match for match in _POINT.finditer(text) if not match["indent"]]
    ends = [*(match.start() for match in points[1:]), len(text)][: len(points)]
    problems: list[Problem] = []
    passed = skipped = 0
    for match, end in zip(points, ends, strict=True):
        directive = (match["directive"] or "").lower()
        if "skip" in directive or "todo" in directive:
            skipped += 1
        elif match["no"]:
            body = text[match.end() : end]
            problems.append(problem_at(sources.first(body), message_of(body) or "it failed", match["name"].strip()))
        else:
            passed += 1
    counts = Counts(passed=passed, failed=len(problems), skipped=skipped)
    return Reading(problems=tuple(problems), counts=counts, doubt=_doubt(text, len(points)))


def _doubt(text: str, reported: int) -> str:
    """Who stops half way may well exit with 0: only the plan tells. Several programs may have printed, each its own."""
    bail = _BAIL.search(text)
    if bail is not None:
        return f"it gave up: {bail[1].strip() or 'it does not say why'}"
    planned = sum(map(int, _PLAN.findall(text)))
    if planned == reported:
        return ""
    return f"{planned:,} {'test was' if planned == 1 else 'tests were'} planned and {reported:,} reported"
