"""Errors that are due to the environment and not to the code: packages that are not installed, a build unknown.

Where they come in numbers, their cause is told once instead. Pure: the patterns are those of the servers' data files.
Above: ``render``. Below: ``answer``, ``registry.spec``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.operations.answer import Finding
from groundwire.registry.spec import EnvironmentProblem

_FEWEST = 5
"""Fewer may each be a mistake in a name."""


class Cause(NamedTuple):
    """Why some findings are there, what helps, and how many they are."""

    cause: str
    remedy: str
    number: int
    names: tuple[str, ...] = ()
    """What is missing, as far as the findings tell."""


class Collapsed(NamedTuple):
    """The causes, and the findings that have none of them, in their order."""

    causes: tuple[Cause, ...]
    others: list[Finding]


def collapse(findings: Sequence[Finding], problems: Sequence[EnvironmentProblem]) -> Collapsed:
    """The errors of one file, those that the environment causes told by their cause: if they are at least five, and at
    least half of all. A few that the last edit brought are shown all the same: it may have misspelled a name."""
    errors = [finding for finding in findings if finding.severity == "error"]
    found = _problems_by_finding(errors, problems)
    new = [each for each in errors if id(each) in found and each.origin == "introduced"]
    if len(new) < _FEWEST:
        found = {key: problem for key, problem in found.items() if key not in {id(each) for each in new}}
    if len(found) < _FEWEST or 2 * len(found) < len(errors):
        return Collapsed((), list(findings))
    explained = [(each, found[id(each)]) for each in errors if id(each) in found]
    causes = dict.fromkeys((problem.cause, problem.remedy) for _, problem in explained)
    told = tuple(_cause([each for each in explained if (each[1].cause, each[1].remedy) == key]) for key in causes)
    return Collapsed(told, [each for each in findings if id(each) not in found])


def _problems_by_finding(
    errors: Sequence[Finding], problems: Sequence[EnvironmentProblem]
) -> dict[int, EnvironmentProblem]:
    """By the identity of the finding; what such a one brings about counts as well."""
    found = {id(each): problem for each in errors if (problem := _problem_of(each, problems)) is not None}
    follow_ups = {code: problem for problem in found.values() for code in problem.follow_ups}
    brought = {id(each): follow_ups[each.code] for each in errors if each.code in follow_ups}
    return {**brought, **found}


def _cause(explained: Sequence[tuple[Finding, EnvironmentProblem]]) -> Cause:
    problem = explained[0][1]
    names = dict.fromkeys(name for finding, each in explained if (name := _name(finding, each)))
    return Cause(problem.cause, problem.remedy, len(explained), tuple(names))


def _name(finding: Finding, problem: EnvironmentProblem) -> str:
    match = _compiled(problem.message).search(finding.message)
    return match[1] or "" if match is not None and match.re.groups else ""


def _problem_of(finding: Finding, problems: Sequence[EnvironmentProblem]) -> EnvironmentProblem | None:
    return next((problem for problem in problems if _fits(finding, problem)), None)


def _fits(finding: Finding, problem: EnvironmentProblem) -> bool:
    if problem.codes and finding.code not in problem.codes:
        return False
    return not problem.message or _compiled(problem.message).search(finding.message) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
