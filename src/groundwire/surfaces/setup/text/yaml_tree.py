"""The mappings and lists of a YAML text, where they stand, and what they say.

Above: ``yaml``. Below: ``yaml_tokens``, ``layout``.
"""

import json
import re
from dataclasses import dataclass, field

from groundwire.surfaces.setup.text.layout import refusal
from groundwire.surfaces.setup.text.yaml_tokens import Token, tokens_of

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NAMED = {"true": True, "false": False, "null": None, "~": None}
_ESCAPE = re.compile(r'\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(["\\/ntrbfae0 ]))')
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "e": "\x1b", "0": "\0"}


@dataclass(frozen=True, slots=True)
class Node:
    """A mapping, a list (``is_list``), or a value that is one token."""

    column: int
    entries: tuple["Entry", ...] = ()
    is_list: bool = False
    value: Token | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A member or an element: its key or dash, and what it holds (None if nothing is written)."""

    token: Token
    node: Node | None
    end: int
    key: str = ""


@dataclass(slots=True)
class _Reader:
    text: str
    tokens: list[Token]
    at: int = field(default=0)

    def node(self) -> Node:
        first = self.tokens[self.at]
        if first.kind not in {"dash", "key"}:
            self.at += 1
            return Node(first.column, value=first)
        entries: list[Entry] = []
        while (token := self.current()) is not None and token.column >= first.column:
            if (first.kind, token.kind) == ("dash", "key") and token.column == first.column:
                break  # the list was written below a key of the same column, and this is the next key
            if token.column > first.column or token.kind != first.kind:
                raise refusal("the indentation does not fit", self.text, token.start)
            entries.append(self.entry(token))
        return Node(first.column, tuple(entries), first.kind == "dash")

    def entry(self, token: Token) -> Entry:
        self.at += 1
        below = self.current()
        holds = below is not None and (
            below.column > token.column
            or (token.kind == "key" and below.kind == "dash" and below.column == token.column)
        )
        node = self.node() if holds else None
        key = unquoted(token.name, self.text, token.start) if token.kind == "key" else ""
        return Entry(token, node, self.tokens[self.at - 1].end, key)

    def current(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None


def root_of(text: str) -> Node | None:
    """The outermost mapping or list; None for a text that says nothing. Raises InvalidArgument."""
    tokens = tokens_of(text)
    if not tokens:
        return None
    reader = _Reader(text, tokens)
    try:
        node = reader.node()
    except RecursionError as problem:
        raise refusal("nested too deeply", text) from problem
    left = reader.current()
    if left is not None:
        raise refusal("the indentation does not fit", text, left.start)
    return node


def data_of(text: str, node: Node | None) -> object:
    """What is not understood is its own text."""
    if node is None:
        return None
    if node.value is not None:
        return _scalar(text, node.value)
    if node.is_list:
        return [data_of(text, entry.node) for entry in node.entries]
    return {entry.key: data_of(text, entry.node) for entry in node.entries}


def unquoted(written: str, text: str, at: int) -> str:
    """A key or a value on one line without its quotation marks."""
    if written.startswith("'"):
        return written[1:-1].replace("''", "'")
    if not written.startswith('"'):
        return written
    inner = written[1:-1]
    if "\\" in _ESCAPE.sub("", inner):
        raise refusal("an escape that cannot be read", text, at)
    return _ESCAPE.sub(_unescaped, inner)


def _unescaped(found: re.Match[str]) -> str:
    code = found.group(1) or found.group(2) or found.group(3)
    return chr(int(code, 16)) if code else _LETTERS.get(found.group(4), found.group(4))


def _scalar(text: str, token: Token) -> object:
    written = text[token.start : token.end]
    if token.kind == "opaque" or "\n" in written:
        return written + _last_line_end(text, token)
    if token.kind == "quoted":
        return unquoted(written, text, token.start)
    if token.kind == "flow":
        return _flow(written)
    if written.lower() in _NAMED:
        return _NAMED[written.lower()]
    if _INTEGER.fullmatch(written):
        return int(written)
    return float(written) if _FLOAT.fullmatch(written) else written


def _last_line_end(text: str, token: Token) -> str:
    """The line end after a block scalar is part of what it says, and may be missing at the end of a file."""
    header = text[token.start : token.end].partition("\n")[0]
    return "\n" if header[0] in "|>" and "-" not in header and token.end < len(text) else ""


def _flow(written: str) -> object:
    try:
        return json.loads(written)
    except ValueError:
        return written
