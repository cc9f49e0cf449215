"""Members and elements of JSON texts, with comments and trailing commas or without.

Above: the writing and the undoing of an agent's configuration. Below: ``json_document``, ``json_changes``, ``data``.
"""

from collections.abc import Sequence

from groundwire.surfaces.setup.text import data as contents
from groundwire.surfaces.setup.text.brackets import SPACE, Container, Entry
from groundwire.surfaces.setup.text.data import Same
from groundwire.surfaces.setup.text.json_changes import addition, removal, replacement, whole_document
from groundwire.surfaces.setup.text.json_document import (
    Document,
    boxes_along,
    container_at,
    is_blank,
    member,
    read_document,
)
from groundwire.surfaces.setup.text.layout import changed, refusal


def read(text: str) -> object:
    """What the text says; a blank text says ``{}``. Raises InvalidArgument."""
    return {} if is_blank(text) else read_document(text).data


def depth(text: str, path: Sequence[str]) -> int:
    """How many keys of the path are there already: to be kept, and given back to ``prune_to`` by who takes it out."""
    return contents.depth_in(read(text), path)


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """The text with the value at the path; the objects on the way are made where they are missing."""
    contents.require_path(path)
    value = contents.plain(value)
    if is_blank(text):
        return _checked(text, whole_document(text, contents.nested(path, value)), contents.nested(path, value))
    document = read_document(text)
    if contents.depth_in(document.data, path) == len(path) and contents.equal(
        contents.value_at(document.data, path), value
    ):
        return text
    boxes = boxes_along(document, path)
    at = len(boxes) - 1
    entry = member(boxes[-1], path[at])
    if entry is None:
        changes = addition(document, boxes[-1], path[at], contents.nested(path[at + 1 :], value))
    else:
        changes = [replacement(document, entry, value)]
    return _checked(text, changed(text, changes), contents.with_value(document.data, path, value))


def without_member(text: str, path: Sequence[str], *, prune: bool = False, prune_to: int | None = None) -> str:
    """The text without what is at the path; as it is if there is nothing.

    ``prune`` takes out the objects that it leaves empty, too; ``prune_to`` only those deeper than so many keys.
    """
    contents.require_path(path)
    if is_blank(text):
        return text
    document = read_document(text)
    if contents.depth_in(document.data, path) < len(path):
        return text
    box = boxes_along(document, path)[-1]
    expected = contents.without_value(document.data, path)
    entries = [entry for entry in box.entries if entry.key == (path[-1],)]
    return _pruned(_without_entries(document, box, entries, expected), path[:-1], prune=prune, prune_to=prune_to)


def with_element(text: str, path: Sequence[str], value: object, same: Same) -> str:
    """The list at the path holds the value once: in the place of what is the same, else at its end."""
    elements = _elements(text, path)
    if elements is None:
        return with_member(text, path, [value])
    value = contents.plain(value)
    document, box = elements
    found = [entry for entry in box.entries if same(document.value(entry))]
    values = contents.list_with([document.value(entry) for entry in box.entries], value, same)
    expected = contents.with_value(document.data, path, values)
    if not found:
        return _checked(text, changed(text, addition(document, box, None, value)), expected)
    if contents.equal(expected, document.data):
        return text
    if len(found) > 1:
        fewer = contents.with_value(document.data, path, _kept(document, box, found[1:]))
        return with_element(_without_entries(document, box, found[1:], fewer), path, value, same)
    return _checked(text, changed(text, [replacement(document, found[0], value)]), expected)


def without_element(
    text: str, path: Sequence[str], same: Same, *, prune: bool = False, prune_to: int | None = None
) -> str:
    """The list at the path without what is the same. ``prune``: as for members, the list itself included."""
    elements = _elements(text, path)
    if elements is None:
        return text
    document, box = elements
    found = [entry for entry in box.entries if same(document.value(entry))]
    if not found:
        return text
    expected = contents.with_value(document.data, path, _kept(document, box, found))
    return _pruned(_without_entries(document, box, found, expected), path, prune=prune, prune_to=prune_to)


def _elements(text: str, path: Sequence[str]) -> tuple[Document, Container] | None:
    contents.require_path(path)
    if is_blank(text):
        return None
    document = read_document(text)
    if contents.depth_in(document.data, path) < len(path):
        return None
    entry = member(boxes_along(document, path)[-1], path[-1])
    if entry is None or document.plain[entry.value] != "[":
        raise refusal(f"a list was expected as {path[-1]!r}", text, document.root if entry is None else entry.start)
    return document, container_at(document, entry.value)


def _kept(document: Document, box: Container, gone: Sequence[Entry]) -> list[object]:
    return [document.value(entry) for entry in box.entries if entry not in gone]


def _without_entries(document: Document, box: Container, gone: Sequence[Entry], expected: object) -> str:
    """From the last to the first, so that the places of the others stay true."""
    text = document.text
    for entry in reversed(gone):
        now = read_document(text)
        here = container_at(now, box.opening)
        text = changed(text, removal(now, here, next(one for one in here.entries if one.start == entry.start)))
    return _checked(document.text, text, expected)


def _pruned(text: str, path: Sequence[str], *, prune: bool, prune_to: int | None) -> str:
    kept = prune_to if prune_to is not None else 0 if prune else len(path)
    if len(path) <= kept:
        return text
    document = read_document(text)
    entry = member(boxes_along(document, path)[-1], path[-1])
    if entry is None or document.text[entry.value + 1 : entry.end - 1].strip(SPACE):
        return text
    return without_member(text, path, prune_to=kept)


def _checked(before: str, after: str, expected: object) -> str:
    if not contents.equal(read_document(after).data, expected):
        raise refusal("this file is written in a way that cannot be edited safely", before)
    return after
