"""JSON with comments and trailing commas, as editors and agents write their settings.

What is not JSON is replaced by spaces before it is parsed, so that every place in a message is that of the file.
Above: ``sources``. Below: nothing.
"""

import json
import re
from functools import lru_cache

# Strings first: what looks like a comment inside one is text.
_COMMENTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|/\*', re.DOTALL)
_TRAILING = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
_NOT_A_LINE_END = re.compile(r"[^\r\n]")
_OPENING = frozenset("{[,")


class JsonSyntaxError(ValueError):
    """Not JSON, even so. Lines and columns count from one."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{message} (line {line}, column {column})")
        self.line = line
        self.column = column


def parse(text: str) -> object:
    """The value. Raises JsonSyntaxError."""
    plain = to_json(text)
    try:
        return json.loads(plain, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise JsonSyntaxError(error.msg, error.lineno, error.colno) from error
    except (ValueError, RecursionError) as error:
        raise JsonSyntaxError(str(error), 1, 1) from error


@lru_cache(maxsize=8)  # whoever edits a file asks for the same text again and again
def to_json(text: str) -> str:
    """The same text, as long as before, with spaces for comments and for commas before a closing bracket."""
    text = text.removeprefix("\ufeff").rjust(len(text))
    return _TRAILING.sub(_blank_comma, _COMMENTS.sub(_blank_comment, text))


def _blank_comment(found: re.Match[str]) -> str:
    piece = found.group()
    if piece.startswith('"') or piece == "/*":  # an unclosed comment is left for the parser to complain about
        return piece
    return _NOT_A_LINE_END.sub(" ", piece)


def _blank_comma(found: re.Match[str]) -> str:
    piece = found.group()
    if piece.startswith('"'):
        return piece
    at = found.start() - 1
    while at >= 0 and found.string[at].isspace():
        at -= 1
    # `[,]` is a mistake, not a trailing comma.
    return piece if at < 0 or found.string[at] in _OPENING else " "


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON value")
