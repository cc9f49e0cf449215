"""Our members put into the text of a configuration, and taken out again, whatever its format.

Above: ``planning``, ``undoing``. Below: ``text``, ``ours``.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.agent import Format, Member
from groundwire.surfaces.setup.ours import has_ours, is_ours, joined
from groundwire.surfaces.setup.text import jsonc, toml, yaml
from groundwire.surfaces.setup.text.data import as_list, as_mapping, depth_in, value_at


def read(form: Format, text: str) -> object:
    """What a text says. Raises InvalidArgument."""
    match form:
        case "json":
            return jsonc.read(text)
        case "toml":
            return toml.read(text)
        case "yaml":
            return yaml.read(text)
        case "text":
            return {}


def placed(form: Format, text: str, member: Member) -> Member:
    """The member at the place where this file has such things, joined with what the user made of an older one."""
    data = read(form, text)
    path = (*member.nested, member.path[-1]) if _is_table_of_tables(data, member.nested) else member.path
    value = member.value
    if member.kind == "member" and depth_in(data, path) == len(path):
        value = joined(value_at(data, path), value)
    return Member(path=path, value=value, kind=member.kind)


def put(form: Format, text: str, member: Member) -> str:
    """The text with the member. Raises InvalidArgument."""
    match member.kind:
        case "base" if depth_in(read(form, text), member.path):
            return text
        case "base" | "member":
            return _with_member(form, text, member.path, member.value)
        case "element":
            elements = _elements(read(form, text), member.path)
            if any(has_ours(element) and not is_ours(element) for element in elements):
                return text  # the user keeps our hook among others, and goes on doing so
            return _with_element(form, text, member.path, member.value)


def take(form: Format, text: str, member: Member, before: str) -> str:
    """The text with the member as it was in ``before``: the old value, or none and no more than there was around it."""
    old = read(form, before)
    depth = depth_in(old, member.path)
    match member.kind:
        case "base":
            return text
        case "member" if depth == len(member.path):
            return _with_member(form, text, member.path, value_at(old, member.path))
        case "member":
            return _without_member(form, text, member.path, depth)
        case "element":
            former = [element for element in _elements(old, member.path) if is_ours(element)]
            if former:
                return _with_element(form, text, member.path, former[0])
            return _without_element(form, text, member.path, depth)


def is_bare(form: Format, text: str, members: Sequence[Member]) -> bool:
    """Whether nothing is left in a text but what was needed to begin it."""
    data = read(form, text)
    for member in members:
        if member.kind == "base" and value_at(data, member.path) == member.value:
            text = _without_member(form, text, member.path, 0)
            data = read(form, text)
    return _is_empty(data)


def _elements(data: object, path: Sequence[str]) -> Sequence[object]:
    return as_list(value_at(data, path)) or ()


def _is_table_of_tables(data: object, path: Sequence[str]) -> bool:
    """As against a server that happens to be called so: that has values which are no tables."""
    found = as_mapping(value_at(data, path)) if path else None
    return found is not None and all(isinstance(value, Mapping) for value in found.values())


def _is_empty(data: object) -> bool:
    mapping = as_mapping(data)
    return data in (None, []) if mapping is None else all(_is_empty(value) for value in mapping.values())


def _with_member(form: Format, text: str, path: Sequence[str], value: object) -> str:
    match form:
        case "json":
            return jsonc.with_member(text, path, value)
        case "toml" if isinstance(value, Mapping):
            return toml.with_table(text, path, cast("Mapping[str, object]", value))
        case "yaml":
            return yaml.with_member(text, path, value)
        case _:
            raise _impossible(form)


def _without_member(form: Format, text: str, path: Sequence[str], depth: int) -> str:
    match form:
        case "json":
            return jsonc.without_member(text, path, prune_to=depth)
        case "toml":
            return toml.without_table(text, path)
        case "yaml":
            return yaml.without_member(text, path, prune_to=depth)
        case "text":
            raise _impossible(form)


def _with_element(form: Format, text: str, path: Sequence[str], value: object) -> str:
    match form:
        case "json":
            return jsonc.with_element(text, path, value, is_ours)
        case "yaml":
            return yaml.with_item(text, path, value, is_ours)
        case _:
            raise _impossible(form)


def _without_element(form: Format, text: str, path: Sequence[str], depth: int) -> str:
    match form:
        case "json":
            return jsonc.without_element(text, path, is_ours, prune_to=depth)
        case "yaml":
            return yaml.without_item(text, path, is_ours, prune_to=depth)
        case _:
            raise _impossible(form)


def _impossible(form: Format) -> InvalidArgument:
    return InvalidArgument(f"this cannot be put into a file of the kind {form!r}")
