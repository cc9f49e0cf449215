"""What the configuration says of one server's life.

Above: ``seat`` and ``settings``. Below: nothing.
"""

import msgspec


class SeatPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Zero switches a limit off, except for restarts: then there are none."""

    max_restarts: int = 3
    idle_teardown_s: float = 600.0
    memory_limit_mb: float = 0.0
