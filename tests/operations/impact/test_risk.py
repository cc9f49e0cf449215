"""Risks of changed symbols: high by proof alone, low never without it."""

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.impact.risk import Exposure, risk_of
from groundwire.operations.results.impact import Change, Risk

SAME, OTHER = "pkg/other.py", "app/main.py"

CASES: list[tuple[Change, bool, Status, list[str], int, Risk]] = [
    ("body", True, Status.CONFIRMED, [], 0, "low"),
    ("body", True, Status.CONFIRMED, [], 2, "medium"),
    ("body", True, Status.CONFIRMED, [SAME], 0, "medium"),
    ("body", True, Status.CONFIRMED, [SAME, OTHER], 0, "high"),
    ("body", False, Status.PARTIAL, [OTHER], 0, "high"),
    ("body", True, Status.PARTIAL, [SAME], 0, "unknown"),
    ("body", True, Status.UNKNOWN, [], 0, "unknown"),
    ("changed", True, Status.UNSUPPORTED, [], 0, "unknown"),
    ("signature", True, Status.CONFIRMED, [], 0, "high"),
    ("signature", False, Status.CONFIRMED, [SAME], 0, "medium"),
    ("signature", True, Status.UNKNOWN, [], 0, "high"),
    ("removed", True, Status.CONFIRMED, [], 0, "high"),
    ("removed", False, Status.CONFIRMED, [], 0, "low"),
    ("removed", False, Status.PARTIAL, [SAME], 0, "high"),
    ("added", True, Status.CONFIRMED, [], 0, "low"),
    ("added", True, Status.CONFIRMED, [OTHER], 0, "medium"),
    ("added", True, Status.UNKNOWN, [], 0, "unknown"),
]


@pytest.mark.parametrize(("change", "exported", "status", "files", "tests", "expected"), CASES)
def test_a_risk_has_reasons_and_is_no_lower_than_what_is_proven(
    change: Change, status: Status, files: list[str], tests: int, expected: Risk, *, exported: bool
) -> None:
    reason = "" if status is Status.CONFIRMED else "it is loading"
    exposure = Exposure(
        file="pkg/lib.py",
        change=change,
        exported=exported,
        status=status,
        reason=reason,
        using_files=files,
        test_uses=tests,
    )
    risk, reasons = risk_of(exposure)
    assert risk == expected
    assert all(reasons)
    assert reason in " ".join(reasons)
