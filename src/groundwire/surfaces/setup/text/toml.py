"""Tables and elements of TOML texts.

Above: the writing and the undoing of an agent's configuration. Below: ``toml_elements``, ``toml_changes``,
``toml_document``, ``data``.
"""

from collections.abc import Mapping, Sequence

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text import data as contents
from groundwire.surfaces.setup.text import toml_changes as changes
from groundwire.surfaces.setup.text import toml_elements as elements
from groundwire.surfaces.setup.text.data import Same
from groundwire.surfaces.setup.text.layout import Change, changed, refusal
from groundwire.surfaces.setup.text.toml_document import Key, read_data, sections_of, value_end
from groundwire.surfaces.setup.text.toml_values import value_text


def read(text: str) -> dict[str, object]:
    """What the text says. Raises InvalidArgument."""
    return read_data(text)


def depth(text: str, path: Sequence[str]) -> int:
    """How many keys of the path are there already: to be kept, and given back to ``prune_to`` by who takes it out."""
    return contents.depth_in(read_data(text), path)


def with_table(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    """The text with these values, and no others, in the table at the path. Pairs that say so already stay."""
    contents.require_path(path)
    wanted = _plain_table(values)
    data = read_data(text)
    old = _table_at(text, data, path)
    if old is None:
        new = _with_new(text, tuple(path), wanted)
        return _checked(text, new, contents.with_value(data, path, wanted))
    new = text
    for key, value in wanted.items():
        if key not in old or not contents.equal(old[key], value):
            new = _with_key(new, (*path, key), value)
    for key in old:
        if key not in wanted:
            new = _without_all(new, (*path, key))
    return _checked(text, new, contents.with_value(data, path, wanted))


def without_table(text: str, path: Sequence[str], *, prune: bool = False, prune_to: int | None = None) -> str:
    """The text without what is at the path, sub-tables included; as it is if there is nothing.

    ``prune`` takes out the tables that it leaves empty, too; ``prune_to`` only those deeper than so many keys. A table
    that only a longer header had made is gone with that in any case.
    """
    contents.require_path(path)
    data = read_data(text)
    if contents.depth_in(data, path) < len(path):
        return text
    new = _checked(text, _without_all(text, tuple(path)), contents.without_value(data, path), path)
    return _pruned(new, path[:-1], prune=prune, prune_to=prune_to)


def with_element(text: str, path: Sequence[str], value: Mapping[str, object], same: Same) -> str:
    """The array at the path holds the value once: in the place of what is the same, else at its end."""
    contents.require_path(path)
    wanted = _plain_table(value)
    data = read_data(text)
    old = _list_at(text, data, path)
    if old is None:
        new = _with_new(text, tuple(path), wanted, is_element=True)
        return _checked(text, new, contents.with_value(data, path, [wanted]))
    values = contents.list_with(old, wanted, same)
    if contents.equal(values, old):
        return text
    places = [at for at, element in enumerate(old) if same(element)]
    new = text
    for at in reversed(places[1:]):
        new = elements.without(new, path, at)
    new = elements.replaced(new, path, places[0], wanted) if places else elements.appended(new, path, wanted)
    return _checked(text, new, contents.with_value(data, path, values))


def without_element(
    text: str, path: Sequence[str], same: Same, *, prune: bool = False, prune_to: int | None = None
) -> str:
    """The array at the path without what is the same. An array made of sections is gone with its last one.

    ``prune``: as for tables, the array itself included.
    """
    contents.require_path(path)
    data = read_data(text)
    old = _list_at(text, data, path) or ()
    new = text
    for at in reversed(range(len(old))):
        if same(old[at]):
            new = elements.without(new, path, at)
    if new == text:
        return text
    kept = [element for element in old if not same(element)]
    if not kept and contents.depth_in(read_data(new), path) < len(path):
        new = _checked(text, new, contents.without_value(data, path), path)
    else:
        new = _checked(text, new, contents.with_value(data, path, kept))
    return _pruned(new, path, prune=prune, prune_to=prune_to)


def _plain_table(values: Mapping[str, object]) -> Mapping[str, object]:
    table = contents.as_mapping(contents.plain(values))
    if table is None:
        raise InvalidArgument("the value is not a table")
    return table


def _table_at(text: str, data: object, path: Sequence[str]) -> Mapping[str, object] | None:
    """Raises InvalidArgument if something else is there, or on the way."""
    for depth in range(1, len(path) + 1):
        if contents.depth_in(data, path[:depth]) < depth:
            return None
        if contents.as_mapping(contents.value_at(data, path[:depth])) is None:
            at = changes.value_place(text, path[:depth])
            raise refusal(f"a table was expected as {'.'.join(path[:depth])!r}", text, at or 0)
    return contents.as_mapping(contents.value_at(data, path))


def _list_at(text: str, data: object, path: Sequence[str]) -> Sequence[object] | None:
    if len(path) > 1 and _table_at(text, data, path[:-1]) is None:
        return None
    if contents.depth_in(data, path) < len(path):
        return None
    old = contents.as_list(contents.value_at(data, path))
    if old is None:
        at = changes.value_place(text, path)
        raise refusal(f"an array was expected as {'.'.join(path)!r}", text, at or 0)
    return old


def _with_new(text: str, path: Key, values: Mapping[str, object], *, is_element: bool = False) -> str:
    home = changes.inline_home(text, path)
    if home is None:
        return changes.with_section(text, path, values, is_element=is_element)
    new = changes.set_inline(text, home[0].value, home[1], [values] if is_element else values)
    return text if new is None else new


def _with_key(text: str, key: Key, value: object) -> str:
    """One key of a table that is there."""
    at = changes.value_place(text, key)
    if at is not None:
        return changed(text, [Change(at, value_end(text, at), value_text(value))])
    if contents.depth_in(read_data(text), key) == len(key):
        return _with_key(_without_all(text, key), key, value)
    home = changes.inline_home(text, key)
    if home is not None:
        return changes.set_inline(text, home[0].value, home[1], value) or text
    table = key[:-1]
    sections = sections_of(text)
    for section in sections:
        if section.path == table:
            return changes.with_pair_after(text, section, section.pairs[-1] if section.pairs else None, key[-1:], value)
    for section in sections:
        for pair in reversed(section.pairs):
            if len(section.path) < len(table) and (section.path + pair.key)[: len(table)] == table:
                return changes.with_pair_after(text, section, pair, key[len(section.path) :], value)
    return changes.with_section(text, table, {key[-1]: value})


def _without_all(text: str, path: Key) -> str:
    while contents.depth_in(read_data(text), path) == len(path):
        shorter = _without_one(text, path)
        if shorter is None:
            raise refusal(f"the definition of {'.'.join(path)!r} was not found", text)
        text = shorter
    return text


def _without_one(text: str, path: Key) -> str | None:
    for section in reversed(sections_of(text)):
        if section.path[: len(path)] == path:
            return changes.without_section(text, section)
        for pair in reversed(section.pairs):
            if (section.path + pair.key)[: len(path)] == path:
                return changes.without_pair(text, pair)
    home = changes.inline_home(text, path)
    return None if home is None else changes.without_inline(text, home[0].value, home[1])


def _pruned(text: str, path: Sequence[str], *, prune: bool, prune_to: int | None) -> str:
    kept = prune_to if prune_to is not None else 0 if prune else len(path)
    for length in range(len(path), kept, -1):
        if contents.value_at(read_data(text), path[:length]) in ({}, []):
            text = without_table(text, path[:length])
    return text


def _checked(before: str, after: str, expected: object, gone: Sequence[str] = ()) -> str:
    """Tables that nothing but ``gone`` had made are gone with it."""
    if not contents.equal(_trimmed(read_data(after), gone), _trimmed(expected, gone)):
        raise refusal("this file is written in a way that cannot be edited safely", before)
    return after


def _trimmed(data: object, gone: Sequence[str]) -> object:
    for depth in range(len(gone) - 1, 0, -1):
        if contents.equal(contents.value_at(data, gone[:depth]), {}):
            data = contents.without_value(data, gone[:depth])
    return data
