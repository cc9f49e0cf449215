"""Errors that tsserver has about names in comments: ``{@link Config#delay}``, ``@see Config.delay``.

Reason: its check passes such names over, as the compiler does; but whoever asks it for uses makes it resolve them, and
what cannot be found is among the next findings of the file, some of it at the declaration below the comment.
Pure. Above: ``diagnose``. Below: ``protocol``.
"""

import re
from collections.abc import Sequence

from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.positions import Lines

_LINK = re.compile(r"(?:\{@link(?:code|plain)?|@see)\s+([\w$.#~]+)")
_LINK_SO_FAR = re.compile(r"(?:\{@link(?:code|plain)?|@see)\s+[\w$.#~]*\Z")
_MISSING = re.compile(r"Cannot find name(?:space)? '([\w$]+)'")
_DECLARES = re.compile(r"[\w\s]*")
"""All that may stand between a comment and the name of what it is about."""


def without_doc_links(diagnostics: Sequence[Diagnostic], lines: Lines) -> list[Diagnostic]:
    """The others."""
    if _LINK.search(lines.text) is None:
        return list(diagnostics)
    return [each for each in diagnostics if not _is_about_a_link(each, lines)]


def _is_about_a_link(diagnostic: Diagnostic, lines: Lines) -> bool:
    start = lines.offset(diagnostic.range.start, "utf-16")
    before = lines.text[:start]
    if before.rfind("/*") > before.rfind("*/") and _LINK_SO_FAR.search(before, max(before.rfind("@") - 1, 0)):
        return True
    missing = _MISSING.match(diagnostic.message_text)
    if missing is None or lines.text.startswith(missing[1], start):
        return False
    comment, _, between = before.rpartition("*/")
    links = _LINK.findall(comment, comment.rfind("/**") + 1) if comment else []
    return _DECLARES.fullmatch(between) is not None and any(re.split(r"[.#~]", name)[0] == missing[1] for name in links)
