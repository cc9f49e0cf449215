"""What builds and tests come to, as it is shown.

Above: the operations and ``render``. Below: ``results``.
"""

from typing import Literal

import msgspec

from groundwire.operations.operation import Result
from groundwire.operations.results.found import Item


class BuildError(Item, frozen=True):
    """``file`` is relative to the workspace; ``line`` and ``column`` are 1-based, absent where they are not known."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0


class TestFailure(Item, frozen=True):
    """A test that failed, at the line of the user's that says so; or what kept tests from being run."""

    __test__ = False

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    test_name: str = ""


class TestCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Of all that the tool reported."""

    __test__ = False

    passed: int = 0
    failed: int = 0
    skipped: int = 0


class AffectedTests(msgspec.Struct, frozen=True, kw_only=True):
    """The files of tests that a change reaches. ``blind_to``: what cannot be seen that way."""

    test_files: tuple[str, ...]
    changed_files: tuple[str, ...]
    changed_symbols: int
    how: str
    blind_to: str


class ToolRun(Result, frozen=True, kw_only=True):
    """What was run, and what it printed. ``output_cut``: so many characters of it are left out in the middle."""

    tool: str
    command: tuple[str, ...]
    directory: str
    exit_code: int | None
    """None: it was ended before it said how it went."""
    report: str
    """What the verdict was read from."""
    output: str
    output_cut: int = 0
    note: str = ""


class BuildOutcome(ToolRun, frozen=True, kw_only=True):
    """``success`` is null where it is not known."""

    success: bool | None
    checked: Literal["build", "types", "lint", "syntax"]
    """What success means: where there is nothing to build, something is checked instead."""
    errors: tuple[BuildError, ...] = ()
    total: int = 0


class TestOutcome(ToolRun, frozen=True, kw_only=True):
    """``passed`` is true only when the tool and its report both say so and tests were run; null: not known."""

    __test__ = False

    passed: bool | None
    failures: tuple[TestFailure, ...] = ()
    total: int = 0
    counts: TestCounts = TestCounts()
    affected: AffectedTests | None = None
