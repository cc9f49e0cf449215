"""The documentation of a symbol as text.

Above: ``answers``. Below: ``page``, ``verdict``.
"""

from groundwire.operations.answer import Answer
from groundwire.operations.results.context import Documentation
from groundwire.render.page import Page, prose
from groundwire.render.verdict import shown


def documentation_page(answer: Answer[Documentation]) -> Page:
    """The signature, then what is said of it."""
    found = answer.value
    sections = [prose(text.strip("\n")) for text in (found.signature, found.doc) if text.strip()]
    return Page(shown(answer, f"Documentation of {found.symbol}"), tuple(sections))
