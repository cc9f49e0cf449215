"""Why there is no answer, as text.

Above: ``surfaces``. Below: ``errors``.
"""

from groundwire.errors import GroundwireError


def render_failure(error: GroundwireError) -> str:
    """What happened, under its stable name, and what can be done about it."""
    return f"{error.kind}: {error.message}\nHint: {error.hint}" if error.hint else f"{error.kind}: {error.message}"
