"""What the configuration says of one server's life, and of reports.

Above: ``seat``, ``settings``, the operations. Below: nothing.
"""

from typing import Literal

import msgspec


class SeatPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Zero switches a limit off, except for restarts: then there are none."""

    max_restarts: int = 3
    idle_teardown_s: float = 600.0
    memory_limit_mb: float = 0.0


class Showing(msgspec.Struct, frozen=True, kw_only=True):
    """How much of what was found is put into words. As JSON it is all there."""

    severity: Literal["error", "warning", "information", "hint"] = "error"
    """The least severe that is shown."""
    per_file: int = 20
    other_files: int = 5
    """Besides those that were edited."""
    lines: int = 50
    """Over all files."""


class ReportPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What edits report, until somebody says otherwise."""

    mode: Literal["introduced", "errors", "all", "end_of_turn", "off"] = "errors"
    other_files: Literal["introduced", "write", "always", "never"] = "introduced"
    warm_wait_s: float = 3.0
    """How long a report may take when the servers run already."""
    first_wait_s: float = 10.0
    """The same when one has to be started."""
    showing: Showing = Showing()
