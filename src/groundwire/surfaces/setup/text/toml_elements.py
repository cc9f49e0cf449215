"""The elements of an array in a TOML text, written as ``[[sections]]`` or between brackets.

Each function makes one step; whoever calls it reads the result again. Above: ``toml``. Below: ``toml_changes``,
``toml_document``, ``toml_values``.
"""

from collections.abc import Mapping, Sequence

from groundwire.surfaces.setup.text import toml_changes as changes
from groundwire.surfaces.setup.text.brackets import Container
from groundwire.surfaces.setup.text.layout import Change, changed, newline_of, refusal
from groundwire.surfaces.setup.text.toml_document import Key, Section, container_at, sections_of
from groundwire.surfaces.setup.text.toml_values import value_text


def appended(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    """As the last one."""
    if _sections(text, tuple(path)):
        return changes.with_section(text, tuple(path), values, is_element=True)
    return changes.with_array_entry(text, _array(text, path), values)


def replaced(text: str, path: Sequence[str], at: int, values: Mapping[str, object]) -> str:
    """Another value in the same place."""
    groups = _sections(text, tuple(path))
    if not groups:
        entry = _array(text, path).entries[at]
        return changed(text, [Change(entry.value, entry.end, value_text(values))])
    for section in reversed(groups[at][1:]):
        text = changes.without_section(text, section)
    head = groups[at][0]
    written = changes.section_text(tuple(path), values, newline_of(text), is_element=True)
    return changed(text, [Change(head.start, head.end, written)])


def without(text: str, path: Sequence[str], at: int) -> str:
    """All but that one."""
    groups = _sections(text, tuple(path))
    if not groups:
        box = _array(text, path)
        return changes.without_array_entry(text, box, box.entries[at])
    for section in reversed(groups[at]):
        text = changes.without_section(text, section)
    return text


def _sections(text: str, path: Key) -> list[list[Section]]:
    """For each element its section, and the sections inside it."""
    groups: list[list[Section]] = []
    for section in sections_of(text):
        if section.path == path and section.is_element:
            groups.append([section])
        elif section.path[: len(path)] == path and groups:
            groups[-1].append(section)
    return groups


def _array(text: str, path: Sequence[str]) -> Container:
    at = changes.value_place(text, path)
    if at is None or text[at] != "[":
        raise refusal(f"the array {'.'.join(path)!r} was not found", text, at or 0)
    return container_at(text, at)
