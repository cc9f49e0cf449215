"""How much text an answer may take.

Above: ``render.text`` and ``surfaces``. Below: nothing.
"""

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader is shown at most. JSON knows no limits."""

    include_warnings: bool = False
    """Warnings, information and hints too; else errors only."""
    per_file: int = 20
    other_files: int = 5
    total_lines: int = 50
    """Findings over all files."""
    message_chars: int = 1000
    places: int = 200
    place_chars: int = 200
    """Of one line of source."""
