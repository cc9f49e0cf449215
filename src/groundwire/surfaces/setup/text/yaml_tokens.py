"""The dashes, keys and values of a YAML text in block style, each with its place.

Only what agents' configurations are made of is understood; the rest is refused, or, as the value of a key that nobody
edits, taken whole. Above: ``yaml_tree``. Below: ``layout``.
"""

import re
from dataclasses import dataclass
from typing import Literal

from groundwire.surfaces.setup.text.layout import BOM, line_start, refusal, refuse_lone_returns

Kind = Literal["dash", "key", "plain", "quoted", "flow", "opaque"]

_PLAIN_START = r"""(?:[^\s\-?:,\[\]{}#&*!|>'"%@`]|[-?:](?=[^\s]))"""
_KEY = re.compile(
    r'("(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\n]|'')*'"
    rf"|{_PLAIN_START}(?:[^:#\r\n]|:(?=\S)|(?<=\S)#)*?)"
    r"[ \t]*:(?=[ \t\r\n]|\Z)"
)
_DASH = re.compile(r"-(?=[ \t\r\n]|\Z)")
_MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)|%")
_REST_OF_MARKER = re.compile(r"---[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'', re.DOTALL)
_FLOW_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'|(?<=[ \t\n])#[^\n]*|[^"\']', re.DOTALL)
_PLAIN = re.compile(rf"{_PLAIN_START}(?:[^#\r\n]|(?<=\S)#)*")
_MEANS_MAPPING = re.compile(r":(?=[ \t\r\n]|\Z)")
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*[ \t]*(?:#[^\r\n]*)?(?=\r?\n|\Z)")
_LINE_REST = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\n]*|\r?(?=\n|\Z))")
_BLANKS = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Token:
    """``name`` is a key's text, as written. ``end`` of a key is after its colon."""

    kind: Kind
    column: int
    start: int
    end: int
    name: str = ""


def tokens_of(text: str) -> list[Token]:
    """In the order of the text. Raises InvalidArgument, with the line."""
    refuse_lone_returns(text)
    tokens: list[Token] = []
    at = len(BOM) if text.startswith(BOM) else 0
    started = False
    while at < len(text):
        if _MARKER.match(text, at):
            opened = _REST_OF_MARKER.match(text, at)
            if opened is None or started or tokens:
                raise refusal("several documents, or directives, in one file", text, at)
            started, at = True, opened.end()
            continue
        if not is_empty_line(text, at):
            at = _read_line(text, at, tokens)
        at = line_end(text, at)
    return tokens


def is_empty_line(text: str, at: int) -> bool:
    """Nothing on the line that begins at ``at``, or a comment."""
    start = _after_blanks(text, at)
    return text.startswith(("\n", "\r\n", "#"), start) or start >= len(text)


def line_end(text: str, at: int) -> int:
    """After the line of ``at``, its line end included."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _read_line(text: str, start: int, tokens: list[Token]) -> int:
    """Adds what the line holds, and returns a place on the last line that belongs to it."""
    at = _after_blanks(text, start)
    if "\t" in text[start:at]:
        raise refusal("a tab in the indentation", text, start)
    while _DASH.match(text, at):
        tokens.append(Token("dash", at - start, at, at + 1))
        at = _next_on_line(text, at + 1)
    if _ends(text, at):
        return at
    key = _KEY.match(text, at)
    if key is not None:
        tokens.append(Token("key", at - start, at, key.end(), key.group(1)))
        at = _after_blanks(text, key.end())
        if _ends(text, at):
            return at
    if not tokens:
        raise refusal("this is not a mapping in block style", text, at)
    holder = next((one for one in reversed(tokens) if one.column < at - start), None)
    tokens.append(_value(text, at, at - start, holder))
    return tokens[-1].end


def _value(text: str, at: int, column: int, holder: Token | None) -> Token:
    parent = -1 if holder is None else holder.column
    if text[at] in "|>":
        return Token("opaque", column, at, _block_scalar_end(text, at, parent))
    if text[at] in "&*!":
        return Token("opaque", column, at, _tagged_end(text, at, parent, holder))
    if text[at] in "\"'":
        return Token("quoted", column, at, _closed(text, at, _matched(_QUOTED, text, at)))
    if text[at] in "[{":
        return Token("flow", column, at, _closed(text, at, _flow_end(text, at)))
    return Token("plain", column, at, _plain_end(text, at, parent))


def _tagged_end(text: str, at: int, parent: int, holder: Token | None) -> int:
    """Below a key, a list may begin in the column of that key."""
    end = at + len(text[at : line_end(text, at)].rstrip())
    return _indented_end(text, end, parent, and_dashes=holder is not None and holder.kind == "key")


def _plain_end(text: str, at: int, parent: int) -> int:
    found = _PLAIN.match(text, at)
    if found is None:
        raise refusal("a value that cannot be read", text, at)
    end = at + len(found.group().rstrip(" \t"))
    whole = _indented_end(text, end, parent)
    if _MEANS_MAPPING.search(text[at:whole]):
        raise refusal("a key where a value is written", text, at)
    return end if line_start(text, whole) == line_start(text, end) else whole


def _block_scalar_end(text: str, at: int, parent: int) -> int:
    header = _BLOCK_HEADER.match(text, at)
    if header is None:
        raise refusal("a block scalar that cannot be read", text, at)
    end, at = header.end(), line_end(text, at)
    keeps_blank_lines = "+" in header.group().partition("#")[0]
    while at < len(text):
        first = _after_blanks(text, at)
        blank = text.startswith(("\n", "\r\n"), first) or first >= len(text)
        if not blank and first - at <= parent:
            break
        following = line_end(text, at)
        if not blank or keeps_blank_lines or first - at > parent:  # blanks deep enough may be text
            end = at + len(text[at:following].rstrip("\r\n"))
        at = following
    return end


def _indented_end(text: str, at: int, parent: int, *, and_dashes: bool = False) -> int:
    """After the last line below that is indented deeper than the parent; ``at`` if none is."""
    end, at = at, line_end(text, at)
    while at < len(text):
        first = _after_blanks(text, at)
        if not is_empty_line(text, at):
            if first - at < parent or (first - at == parent and not (and_dashes and _DASH.match(text, first))):
                break
            end = at + len(text[at : line_end(text, at)].rstrip())
        at = line_end(text, at)
    return end


def _flow_end(text: str, at: int) -> int:
    depth, start = 0, at
    while at < len(text):
        piece = _matched(_FLOW_PIECE, text, at)
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[at:piece], 0)
        at = piece
        if depth == 0:
            return at
    raise refusal("a bracket that is not closed", text, start)


def _closed(text: str, start: int, end: int) -> int:
    if _LINE_REST.match(text, end) is None:
        raise refusal("something after the end of a value", text, start)
    return end


def _matched(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    if found is None:
        raise refusal("a quotation mark that is not closed", text, at)
    return found.end()


def _next_on_line(text: str, at: int) -> int:
    after = _after_blanks(text, at)
    if "\t" in text[at:after]:
        raise refusal("a tab after a dash", text, at)
    return after


def _ends(text: str, at: int) -> bool:
    return at >= len(text) or text.startswith(("\n", "\r\n", "#"), at)


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()
