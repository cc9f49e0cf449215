"""How risky a change of a symbol is, with the reasons. Nothing is called harmless that is not proven to be.

Pure. Above: ``detect_changes``. Below: ``results_impact``.
"""

from collections.abc import Collection
from pathlib import PurePosixPath

import msgspec

from groundwire.operations.answer import Status
from groundwire.operations.results.impact import Change, Risk

RANKS: dict[Risk, int] = {"high": 0, "unknown": 1, "medium": 2, "low": 3}
"""The order in which they are shown."""
_MOST_NAMED = 3
_BREAKING = {"removed": "it was exported", "signature": "exported, and its signature changed"}


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a changed symbol. ``using_files``: those that use it, tests apart; of what is gone, name it."""

    file: str
    change: Change
    exported: bool
    status: Status
    reason: str
    using_files: Collection[str]
    test_uses: int


def risk_of(exposure: Exposure) -> tuple[Risk, tuple[str, ...]]:
    """The risk, and why."""
    reasons = tuple(_grave(exposure))
    is_known = exposure.status is Status.CONFIRMED
    if reasons:
        return "high", reasons if is_known else (*reasons, exposure.reason)
    if not is_known:
        return "unknown", (f"who uses it is not known: {exposure.reason}",)
    if exposure.using_files:
        where = "new, and used already" if exposure.change == "added" else "used in its own directory only"
        return "medium", (where,)
    if exposure.test_uses:
        return "medium", ("used by tests only",)
    return "low", ("nothing uses it",)


def _grave(exposure: Exposure) -> list[str]:
    """Why it is likely to break others; nothing could depend on what is new."""
    reasons: list[str] = []
    if exposure.change == "added":
        return reasons
    own = PurePosixPath(exposure.file).parent
    elsewhere = sorted({str(PurePosixPath(file).parent) for file in exposure.using_files} - {str(own)})
    if exposure.change in _BREAKING and exposure.exported:
        reasons.append(_BREAKING[exposure.change])
    if exposure.change == "removed" and exposure.using_files:
        reasons.append(f"its name still stands in {_some(sorted(exposure.using_files))}")
    elif elsewhere:
        reasons.append(f"used in other directories: {_some(elsewhere)}")
    return reasons


def _some(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
