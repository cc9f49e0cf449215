"""What is new in a file, told apart from what was there."""

import msgspec

from groundwire.operations.answer import FileFindings, Finding, Status
from groundwire.operations.diagnostics.baselines import Compared, Known, with_origins

TEXT = "one\ntwo\n"
ERROR = Finding(line=2, column=1, end_line=2, end_column=4, severity="error", message="", code="return")


def compared(before: str, after: str) -> Compared:
    old, new = (msgspec.structs.replace(ERROR, message=message) for message in (before, after))
    findings = FileFindings(file="a.py", status=Status.CONFIRMED, diagnostics=(new,))
    return with_origins(findings, Known(TEXT, (old,)), TEXT)


def test_an_error_that_is_only_explained_otherwise_was_there_before():
    found = compared("Group is no tuple\n\ninfo: Group is a class", "Group is no tuple\n\ninfo: Group is not known")
    assert [each.origin for each in found.findings.diagnostics] == ["existing"]
    assert found.resolved == ()


def test_an_error_that_says_something_else_in_its_first_line_is_new():
    found = compared("Group is no tuple\n\ninfo: see there", "Band is no tuple\n\ninfo: see there")
    assert [each.origin for each in found.findings.diagnostics] == ["introduced"]
    assert len(found.resolved) == 1


def test_an_error_that_names_a_union_in_another_order_was_there_before():
    found = compared(
        "Type 'string | Map<number, A | B>' is not assignable to type '\"x\" | 1'.",
        "Type 'Map<number, B | A> | string' is not assignable to type '1 | \"x\"'.",
    )
    assert [each.origin for each in found.findings.diagnostics] == ["existing"]
    assert found.resolved == ()


def test_an_error_that_names_another_union_or_gives_two_of_them_in_turn_is_new():
    for after in ("Type 'A | C' is no 'D | E'", "Type 'D | E' is no 'A | B'", "Type 'B' | 'A' is no 'D | E'"):
        found = compared("Type 'A | B' is no 'D | E'", after)
        assert [each.origin for each in found.findings.diagnostics] == ["introduced"], after
