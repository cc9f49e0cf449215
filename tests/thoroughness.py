"""How hard properties are tried: every example in the whole suite, a tenth of them in its quick part."""

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

IS_QUICK = os.environ.get("GROUNDWIRE_QUICK") == "1"


T = TypeVar("T")
_SHARE = 5


def load_profile() -> None:
    """For properties that do not say how many examples they want."""
    # How fast examples are made says more about the machine than about the test.
    unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("whole", unhurried)
    settings.register_profile("quick", unhurried, max_examples=10)
    settings.load_profile("quick" if IS_QUICK else "whole")


def examples(number: int) -> int:
    """``max_examples`` for a property that wants more, or fewer, than usual."""
    return max(number // 10, 5) if IS_QUICK else number


def share(rows: Sequence[T], turn: int) -> Sequence[T]:
    """Of rows that go through several surfaces: all, and in the quick part every fifth, from another one each turn."""
    return rows[turn % _SHARE :: _SHARE] if IS_QUICK else rows
