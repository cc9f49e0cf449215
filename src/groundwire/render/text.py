"""Answers as text, within a budget: what surfaces call.

Above: ``surfaces``. Below: ``findings`` and ``places``.
"""

from groundwire.render.findings import render_findings
from groundwire.render.limits import Limits
from groundwire.render.places import render_places

__all__ = ["Limits", "render_findings", "render_places"]
