"""Names that a text still declares and that its server does not see any more: what does not parse takes what follows it
along, into a function or a text.

Pure. Above: ``dependents``. Below: ``carriers``.
"""

import re

from groundwire.operations.reporting.carriers import Source

_DECLARATION = re.compile(
    r"^(?:(?:abstract|async|declare|default|export|final|pub(?:\([^)\n]*\))?|public|static)[ \t]+)*"
    r"(?:class|const|def|enum|fn|func|function|interface|let|struct|trait|type|var)[ \t]+(\w+)",
    re.MULTILINE,
)
"""At the top of a text and beyond doubt: what only may be one would be looked for with every first edit of a file."""
_WORD = re.compile(r"\w+")


def unlisted_names(before: str, earlier: Source | None, now: Source) -> frozenset[str]:
    """Those at the top of the text before: by its symbols where the server was asked for them, else by the text."""
    text = now.lines.text
    if earlier is None or earlier.lines.text != before:
        missing = frozenset(_DECLARATION.findall(before)) - _names(now)
        return missing.intersection(_DECLARATION.findall(text)) if missing else missing
    missing = _names(earlier) - _names(now)
    return missing.intersection(_WORD.findall(text)) if missing else missing


def _names(source: Source) -> frozenset[str]:
    """Of what is in nothing else."""
    return frozenset(each.path[-1] if each.path else each.name for each in source.symbols)
