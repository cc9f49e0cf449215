"""Lines added to, replaced in and taken out of a YAML text.

Each function makes one step; whoever calls it reads the result again. Above: ``yaml``. Below: ``yaml_tree``,
``yaml_values``, ``layout``.
"""

from collections.abc import Sequence

from groundwire.surfaces.setup.text.layout import BOM, Change, changed, line_start, newline_of, refusal
from groundwire.surfaces.setup.text.yaml_tokens import line_end
from groundwire.surfaces.setup.text.yaml_tree import Entry, Node, root_of
from groundwire.surfaces.setup.text.yaml_values import value_lines

_DEFAULT_UNIT = "  "


def replaced(text: str, entry: Entry, value: object, unit: str) -> str:
    """Another value behind the key. A comment on the line of a key without a value stays there."""
    refuse_anchors(text, entry)
    lines = value_lines(value, " " * entry.token.column + unit, unit)
    if entry.node is None and len(lines) > 1:
        return with_lines(text, entry.token.end, lines[1:])
    if entry.node is not None and is_empty(text, entry, "{}", "[]") and len(lines) > 1:
        shorter = changed(text, [Change(entry.token.end, entry.end, "")])
        return with_lines(shorter, entry.token.end, lines[1:])
    return changed(text, [Change(entry.token.end, entry.end, newline_of(text).join(lines))])


def with_lines(text: str, after: int, lines: Sequence[str]) -> str:
    """Lines of their own below the line of ``after``; the text ends in a line end afterwards if it did before."""
    newline = newline_of(text)
    at = line_end(text, after)
    written = newline.join(lines)
    is_new = not text.removeprefix(BOM)
    if is_new or text.endswith("\n", 0, at):
        return changed(text, [Change(at, at, written + newline)])
    return changed(text, [Change(at, at, newline + written)])


def cut(text: str, entry: Entry, parent: Entry | None, empty: str) -> str:
    """Without the lines of an entry. A parent that has no other says ``empty`` afterwards."""
    refuse_anchors(text, entry)
    start, end = line_start(text, entry.token.start), line_end(text, entry.end)
    head, tail = text[:start], text[end:]
    if not tail and not text.endswith("\n"):
        head = head.removesuffix("\n").removesuffix("\r")
    if parent is not None and parent.node is not None and len(parent.node.entries) == 1:
        head = f"{head[: parent.token.end]} {empty}{head[parent.token.end :]}"
    return head + tail


def unit_of(text: str) -> str:
    """What one level of indentation is made of: as deep as the first mapping inside another one."""
    root = root_of(text)
    for entry in () if root is None else root.entries:
        node: Node | None = entry.node
        if node is not None and node.entries and not node.is_list:
            return " " * (node.column - entry.token.column)
    return _DEFAULT_UNIT


def is_empty(text: str, entry: Entry, *empty: str) -> bool:
    """Nothing is written behind the key, or one of these."""
    node = entry.node
    return node is None or (node.value is not None and text[node.value.start : node.value.end] in empty)


def refuse_anchors(text: str, entry: Entry) -> None:
    """What others refer to, or what refers to others, is not ours to change."""
    node = entry.node
    for inner in () if node is None else node.entries:
        refuse_anchors(text, inner)
    if node is not None and node.value is not None and text[node.value.start] in "&*!":
        raise refusal("an anchor, an alias or a tag where the edit would be", text, node.value.start)
