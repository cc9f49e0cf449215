"""The texts of ``go doc``, of ``pydoc`` and of a hover, taken apart into signature and documentation.

Pure. The first line of a toolchain's documentation says where it is from. Above: ``toolchain_docs``, ``documentation``.
Below: nothing.
"""

import re

_FENCED = re.compile(r"\s*```[^\n]*\n(?P<code>.*?)\n?```[ \t]*(?:\n|$)(?P<rest>.*)", re.DOTALL)
_INDENT = "    "
_ALIAS = re.compile(r"\A[\w.]+ = ")
"""Before what is known under another name, too."""

Parts = tuple[str, str]
"""Signature and documentation."""


def parse_go_doc(text: str) -> Parts:
    """The package, an empty line, the declaration, then its comment, indented."""
    head, _, body = text.strip("\n").partition("\n\n")
    if not head.startswith("package "):
        head, body = "", text.strip("\n")
    if head and not _is_declaration(body):
        return head, body  # of all of a package
    lines = body.split("\n")
    count, depth = 0, 0
    for line in lines:
        if depth <= 0 and (not line.strip() or line.startswith(_INDENT)):
            break
        depth += sum(map(line.count, "({[")) - sum(map(line.count, ")}]"))
        count += 1
    return "\n".join(lines[:count]), _joined(head, lines[count:])


def _is_declaration(body: str) -> bool:
    return body.startswith(("func ", "type ", "var ", "const ", "method "))


def parse_pydoc(text: str) -> Parts:
    """What it is and of which module, an empty line, the signature, then its documentation, indented."""
    head, _, body = text.strip("\n").partition("\n\n")
    if re.match(r"(?:module|package) |built-in module ", head):
        return head, body
    signature, _, rest = body.partition("\n")
    return _ALIAS.sub("", signature), _joined(head, rest.split("\n"))


def parse_hover(text: str) -> Parts:
    """The first block of code, and what is outside it; without one, the first line and the rest."""
    found = _FENCED.match(text)
    if found is None:
        first, _, rest = text.strip("\n").partition("\n")
        return first, rest.strip("\n")
    return found["code"], re.sub(r"\A\s*(?:---+|\*\*\*+)\s*\n", "", found["rest"]).strip("\n")


def _joined(head: str, lines: list[str]) -> str:
    doc = "\n".join(line.removeprefix(_INDENT).rstrip() for line in lines).strip("\n")
    return "\n\n".join(filter(None, (head, doc)))
