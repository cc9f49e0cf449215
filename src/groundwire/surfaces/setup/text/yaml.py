"""Members and list items of YAML texts in block style.

Above: the writing and the undoing of an agent's configuration. Below: ``yaml_changes``, ``yaml_tree``,
``yaml_values``, ``data``.
"""

from collections.abc import Sequence

from groundwire.surfaces.setup.text import data as contents
from groundwire.surfaces.setup.text.data import Same
from groundwire.surfaces.setup.text.layout import BOM, Change, changed, newline_of, refusal
from groundwire.surfaces.setup.text.yaml_changes import cut, is_empty, refuse_anchors, replaced, unit_of, with_lines
from groundwire.surfaces.setup.text.yaml_tree import Entry, data_of, root_of
from groundwire.surfaces.setup.text.yaml_values import item_lines, member_lines


def read(text: str) -> object:
    """What the text says, as far as it is understood: the rest is its own text. A blank one says ``{}``."""
    root = root_of(text)
    return {} if root is None else data_of(text, root)


def depth(text: str, path: Sequence[str]) -> int:
    """How many keys of the path are there already: to be kept, and given back to ``prune_to`` by who takes it out."""
    return contents.depth_in(read(text), path)


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """The text with the value at the path; the mappings on the way are made where they are missing."""
    contents.require_path(path)
    value = contents.plain(value)
    before = read(text)
    if contents.depth_in(before, path) == len(path) and contents.equal(contents.value_at(before, path), value):
        return text
    return _checked(text, _set(text, path, value), contents.with_value(before, path, value))


def without_member(text: str, path: Sequence[str], *, prune: bool = False, prune_to: int | None = None) -> str:
    """The text without what is at the path; as it is if there is nothing. A mapping that is left empty is ``{}``.

    ``prune`` takes out the mappings that it leaves empty, too; ``prune_to`` only those deeper than so many keys.
    """
    contents.require_path(path)
    before = read(text)
    if contents.depth_in(before, path) < len(path):
        return text
    expected = contents.without_value(before, path)
    kept = prune_to if prune_to is not None else 0 if prune else len(path)
    while len(path) - 1 > kept and contents.equal(contents.value_at(expected, path[:-1]), {}):
        path = path[:-1]
        expected = contents.without_value(before, path)
    found = _entries_along(text, path)
    return _checked(text, cut(text, found[-1], found[-2] if len(found) > 1 else None, "{}"), expected)


def with_item(text: str, path: Sequence[str], value: object, same: Same) -> str:
    """The list at the path holds the value once: in the place of what is the same, else at its end."""
    contents.require_path(path)
    value = contents.plain(value)
    before = read(text)
    old = _list_at(text, before, path)
    if not old:
        return with_member(text, path, [value])
    values = contents.list_with(old, value, same)
    if contents.equal(values, old):
        return text
    places = [at for at, item in enumerate(old) if same(item)]
    new = text
    for at in reversed(places[1:]):
        new = _without_item_at(new, path, at)
    items = _items(new, path)
    indent, unit = " " * items[0].token.column, unit_of(new)
    lines = item_lines(value, indent, unit)
    if places:
        item = items[places[0]]
        refuse_anchors(new, item)
        written = newline_of(new).join(lines).lstrip(" ")
        new = changed(new, [Change(item.token.start, item.end, written)])
    else:
        new = with_lines(new, items[-1].end, lines)
    return _checked(text, new, contents.with_value(before, path, values))


def without_item(
    text: str, path: Sequence[str], same: Same, *, prune: bool = False, prune_to: int | None = None
) -> str:
    """The list at the path without what is the same. ``prune``: as for members, the list itself included."""
    contents.require_path(path)
    before = read(text)
    old = _list_at(text, before, path) or ()
    places = [at for at, item in enumerate(old) if same(item)]
    if not places:
        return text
    keep = prune_to if prune_to is not None else 0 if prune else len(path)
    if len(places) == len(old) and keep < len(path):
        return without_member(text, path, prune_to=keep)
    new = text
    for at in reversed(places):
        new = _without_item_at(new, path, at)
    kept = [item for at, item in enumerate(old) if at not in places]
    return _checked(text, new, contents.with_value(before, path, kept))


def _set(text: str, path: Sequence[str], value: object) -> str:
    root = root_of(text)
    if root is None:
        start = text if text.removeprefix(BOM).strip() else text[: text.startswith(BOM)]
        return with_lines(start, len(start), member_lines(path[0], contents.nested(path[1:], value), "", "  "))
    found = _entries_along(text, path)
    unit = unit_of(text)
    if len(found) == len(path):
        return replaced(text, found[-1], value, unit)
    rest, missing = path[len(found)], contents.nested(path[len(found) + 1 :], value)
    parent = found[-1] if found else None
    node = parent.node if parent is not None else root
    if node is not None and node.entries and not node.is_list:
        return with_lines(text, node.entries[-1].end, member_lines(rest, missing, " " * node.column, unit))
    if parent is None or not is_empty(text, parent, "{}"):
        raise refusal(
            f"a mapping in block style was expected, to hold {rest!r}", text, parent.token.start if parent else 0
        )
    return replaced(text, parent, {rest: missing}, unit)


def _entries_along(text: str, path: Sequence[str]) -> list[Entry]:
    """The entries of the keys of the path, as many as are there. Raises InvalidArgument for a key written twice."""
    found: list[Entry] = []
    node = root_of(text)
    for key in path:
        if node is None or node.is_list:
            break
        entries = [entry for entry in node.entries if entry.key == key]
        if len(entries) > 1:
            raise refusal(f"the key {key!r} is there twice", text, entries[1].token.start)
        if not entries:
            break
        found.append(entries[0])
        node = entries[0].node
    return found


def _list_at(text: str, before: object, path: Sequence[str]) -> Sequence[object] | None:
    """None if nothing is written there."""
    if contents.depth_in(before, path) < len(path) or contents.value_at(before, path) is None:
        return None
    old = contents.as_list(contents.value_at(before, path))
    entry = _entries_along(text, path)[-1]
    if old is None or (old and (entry.node is None or not entry.node.is_list)):
        raise refusal(f"a list in block style was expected as {path[-1]!r}", text, entry.token.start)
    return old


def _items(text: str, path: Sequence[str]) -> Sequence[Entry]:
    node = _entries_along(text, path)[-1].node
    return () if node is None else node.entries


def _without_item_at(text: str, path: Sequence[str], at: int) -> str:
    parent = _entries_along(text, path)[-1]
    return cut(text, _items(text, path)[at], parent, "[]")


def _checked(before: str, after: str, expected: object) -> str:
    if not contents.equal(read(after), expected):
        raise refusal("this file is written in a way that cannot be edited safely", before)
    return after
