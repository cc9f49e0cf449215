"""The findings of a file without those that are due to its environment, for which one line tells the cause.

Above: ``findings``, ``diagnostics_page``. Below: ``operations.environment_problems``, the catalogue.
"""

from collections.abc import Sequence

from groundwire.operations.answer import Finding
from groundwire.operations.diagnostics.environment_problems import Cause, collapse
from groundwire.registry.catalog import load_catalog
from groundwire.registry.spec import EnvironmentProblem
from groundwire.render.layout import some
from groundwire.render.wording import counted, escaped


def without_environment(findings: Sequence[Finding], servers: Sequence[str]) -> tuple[list[str], list[Finding]]:
    """A line for each cause, and the findings that have none."""
    found = collapse(findings, _problems_of(servers))
    return [_line(cause) for cause in found.causes], found.others


def _line(cause: Cause) -> str:
    verb = "is" if cause.number == 1 else "are"
    names = f" ({some(cause.names)})" if cause.names else ""
    told = f"{counted(cause.number, 'error')} {verb} not shown one by one: {cause.cause}{names}. {cause.remedy}"
    return escaped(f"({told})")


def _problems_of(servers: Sequence[str]) -> tuple[EnvironmentProblem, ...]:
    known = load_catalog().servers
    return tuple(problem for server in servers if server in known for problem in known[server].environment_problems)
