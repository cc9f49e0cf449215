"""Where answers are kept between the lives of servers, and how much of them.

Above: ``settings``, ``opening``, ``cache``. Below: nothing.
"""

from pathlib import Path

import msgspec


class CacheSettings(msgspec.Struct, frozen=True):
    """The file of one workspace."""

    path: Path
    max_bytes: int
