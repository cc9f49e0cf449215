"""What the configuration says of one server's life.

Above: ``seat`` and ``settings``. Below: nothing.
"""

from typing import Literal

import msgspec


class SeatPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Zero switches a limit off, except for restarts: then there are none."""

    max_restarts: int = 3
    idle_teardown_s: float = 600.0
    memory_limit_mb: float = 0.0


class ReportPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What edits report, until somebody says otherwise."""

    mode: Literal["introduced", "errors", "all", "end_of_turn", "off"] = "errors"
    other_files: Literal["introduced", "write", "always", "never"] = "introduced"
    warm_wait_s: float = 3.0
    """How long a report may take when the servers run already."""
    first_wait_s: float = 10.0
    """The same when one has to be started."""
