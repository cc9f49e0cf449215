"""How much text an answer may take.

Above: ``render.text`` and ``surfaces``. Below: ``pool.policy`` (what is configured).
"""

import msgspec

from groundwire.operations.answer import Severity
from groundwire.pool.policy import Showing

_RANKS: dict[Severity, int] = {"error": 0, "warning": 1, "information": 2, "hint": 3}
_NONE_OF: dict[Severity, str] = {
    "error": "errors",
    "warning": "errors or warnings",
    "information": "errors, warnings or information",
    "hint": "findings",
}


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader is shown at most. JSON knows no limits."""

    least: Severity = "error"
    """The least severe findings that are shown."""
    per_file: int = 20
    other_files: int = 5
    total_lines: int = 50
    """Findings over all files."""
    message_chars: int = 1000
    places: int = 200
    place_chars: int = 200
    """Of one line of source."""

    def shows(self, severity: Severity) -> bool:
        """Whether a finding is severe enough."""
        return _RANKS[severity] <= _RANKS[self.least]

    @property
    def kind(self) -> str:
        """What the findings that are shown are called."""
        return "errors" if self.least == "error" else "findings"

    @property
    def none_of(self) -> str:
        """What there is none of where nothing is shown: what is less severe may well be there."""
        return _NONE_OF[self.least]


def limits_of(showing: Showing, *, has_all: bool = False) -> Limits:
    """As configured; ``has_all``: of every severity."""
    least: Severity = "hint" if has_all else showing.severity
    return Limits(least=least, per_file=showing.per_file, other_files=showing.other_files, total_lines=showing.lines)
