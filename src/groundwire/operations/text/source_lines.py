"""Which lines belong to a symbol: its own, and the comments and decorators that stand directly above it.

Pure. Line numbers are 0-based here. Above: ``symbols``. Below: ``protocol.positions``.
"""

from groundwire.protocol.positions import Lines

_ABOVE = ("//", "--", ";", "@", "#[", "[[", "/*", "%")
"""Beginnings of comments, decorators and attributes, in one language or another."""

_HASH_IS_NO_COMMENT = frozenset({"c", "cpp", "objective-c", "objective-cpp", "cuda-cpp", "csharp", "fsharp", "css"})
_BRACKETS_ARE_ATTRIBUTES = frozenset({"csharp", "fsharp", "vb", "powershell"})
_MOST_LINES = 200


def first_line(lines: Lines, start: int, language: str) -> int:
    """The line with which all that belongs to a symbol begins, which itself begins at ``start``."""
    first = start
    while first > 0 and start - first < _MOST_LINES:
        above = _begin_of_what_ends_at(lines, first - 1, language)
        if above is None:
            break
        first = above
    return first


def _begin_of_what_ends_at(lines: Lines, number: int, language: str) -> int | None:
    """Where the comment or decorator begins whose last line this is; None when it is none."""
    text = lines.line(number).strip()
    if not text:
        return None
    if text.endswith("*/"):
        return _line_with("/*", lines, number)
    if text.startswith("#") and not text.startswith("#["):
        return None if language in _HASH_IS_NO_COMMENT else number
    if text.startswith(_ABOVE) or (text[0] == "[" and language in _BRACKETS_ARE_ATTRIBUTES):
        return number
    if text[0] in ")]}":
        return _begin_of_brackets(lines, number)
    return None


def _line_with(mark: str, lines: Lines, last: int) -> int | None:
    for number in range(last, max(last - _MOST_LINES, -1), -1):
        if mark in lines.line(number):
            return number if lines.line(number).strip().startswith(mark) else None
    return None


def _begin_of_brackets(lines: Lines, last: int) -> int | None:
    """Where a decorator over several lines begins, if that is what ends in a closing bracket."""
    depth = 0
    for number in range(last, max(last - _MOST_LINES, -1), -1):
        text = lines.line(number)
        depth += sum(text.count(mark) for mark in ")]}") - sum(text.count(mark) for mark in "([{")
        if depth <= 0:
            return number if text.strip().startswith(("@", "#[", "[[")) else None
    return None
