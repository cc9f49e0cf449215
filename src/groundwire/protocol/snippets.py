"""Snippets reduced to plain text: what a person would have after accepting every default.

Above: ``edits``. Below: nothing.
"""

import re

_ESCAPE = re.compile(r"\\([$}\\,|])")
_STOP = re.compile(r"\$(\d+|[A-Za-z_]\w*)|\$\{(\d+|[A-Za-z_]\w*)([:}|/])", re.ASCII)
_CHOICES_END = re.compile(r"(?<!\\)((?:\\\\)*)\|\}")
_CHOICE_END = re.compile(r"(?<!\\)((?:\\\\)*),")


def plain_text(snippet: str) -> str:
    """Tab stops and variables vanish, placeholders leave their default, choices their first option."""
    return _read(snippet, 0, nested=False)[0]


def _read(snippet: str, at: int, *, nested: bool) -> tuple[str, int]:
    """The text from ``at`` to the end, or (nested) to the brace that ends a placeholder; and where reading stopped."""
    parts: list[str] = []
    while at < len(snippet):
        if nested and snippet[at] == "}":
            return "".join(parts), at + 1
        if escape := _ESCAPE.match(snippet, at):
            part, at = escape[1], escape.end()
        elif stop := _STOP.match(snippet, at):
            part, at = _read_stop(snippet, stop)
        else:
            part, at = snippet[at], at + 1
        parts.append(part)
    return "".join(parts), at


def _read_stop(snippet: str, stop: re.Match[str]) -> tuple[str, int]:
    opener = str(stop[3] or "}")
    if opener == ":":
        return _read(snippet, stop.end(), nested=True)
    if opener == "|" and (end := _CHOICES_END.search(snippet, stop.end())):
        options = snippet[stop.end() : end.end() - len("|}")]
        first = _CHOICE_END.search(options)
        return _ESCAPE.sub(r"\1", options[: first.end() - 1] if first else options), end.end()
    if opener == "/":
        # A transformation: its own text has no value without what it would transform.
        return "", _read(snippet, stop.end(), nested=True)[1]
    return "", stop.end()
