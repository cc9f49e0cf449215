"""Errors that the environment causes are told by their cause, in numbers only, and never a mistake in the code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.operations.answer import Finding, Severity
from groundwire.operations.diagnostics.environment_problems import collapse
from groundwire.registry.spec import EnvironmentProblem

MISSING = EnvironmentProblem(cause="packages are missing", remedy="Install them.", codes=("import",))
TYPES = EnvironmentProblem(cause="types are missing", remedy="Install the types.", message=r"^no types for \w+$")


def finding(line: int, code: str = "import", message: str = "not found", **more: object) -> Finding:
    severity: Severity = "warning" if more.get("is_warning") else "error"
    origin = "introduced" if more.get("is_new") else ""
    return Finding(
        severity=severity, line=line, column=1, end_line=line, end_column=2, message=message, code=code, origin=origin
    )


def test_five_of_one_cause_become_one():
    found = collapse([finding(line) for line in range(5)], [MISSING])
    assert [(cause.cause, cause.number) for cause in found.causes] == [("packages are missing", 5)]
    assert found.others == []


def test_four_are_shown_one_by_one():
    findings = [finding(line) for line in range(4)]
    assert collapse(findings, [MISSING]) == ((), findings)


def test_fewer_than_half_of_all_are_shown_one_by_one():
    findings = [finding(line) for line in range(5)] + [finding(line, "type") for line in range(6)]
    assert collapse(findings, [MISSING]) == ((), findings)


def test_other_errors_and_warnings_stay():
    kept = [finding(7, "type"), finding(8, "import", is_warning=True)]
    assert collapse([*(finding(line) for line in range(5)), *kept], [MISSING]).others == kept


def test_each_cause_is_told_with_its_number():
    findings = [finding(1), finding(2), *(finding(line, "x", "no types for a") for line in range(3, 6))]
    found = collapse(findings, [MISSING, TYPES])
    assert [(cause.cause, cause.number) for cause in found.causes] == [
        ("packages are missing", 2),
        ("types are missing", 3),
    ]


def test_one_that_the_edit_brought_is_shown_all_the_same():
    new = finding(9, is_new=True)
    found = collapse([*(finding(line) for line in range(6)), new], [MISSING])
    assert (found.causes[0].number, found.others) == (6, [new])


def test_a_new_file_full_of_them_is_told_by_the_cause():
    assert collapse([finding(line, is_new=True) for line in range(6)], [MISSING]).causes[0].number == 6


@given(st.lists(st.tuples(st.sampled_from(["import", "type"]), st.booleans(), st.booleans()), max_size=30))
def test_nothing_is_lost(kinds: list[tuple[str, bool, bool]]):
    findings = [
        finding(line, code, is_warning=is_warning, is_new=is_new)
        for line, (code, is_warning, is_new) in enumerate(kinds)
    ]
    found = collapse(findings, [MISSING])
    assert sum(cause.number for cause in found.causes) + len(found.others) == len(findings)
    assert found.others == [each for each in findings if each in found.others]


@pytest.mark.parametrize(("pattern", "said"), [("", "every finding"), ("(", "message")])
def test_a_pattern_that_fits_everything_or_cannot_be_read_is_refused(pattern: str, said: str):
    with pytest.raises(ValueError, match=said):
        EnvironmentProblem(cause="c", remedy="r", message=pattern)
