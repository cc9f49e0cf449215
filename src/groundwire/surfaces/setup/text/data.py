"""What a configuration says, apart from how it is written: the value an edit has to lead to.

Above: ``jsonc``, ``toml``, ``yaml``. Below: ``errors``.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from groundwire.errors import InvalidArgument

Same = Callable[[object], bool]


def plain(value: object) -> object:
    """A copy made of dictionaries, lists and scalars only. Raises InvalidArgument for what JSON has no word for."""
    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
        written.encode()
        return cast("object", json.loads(written))
    except (TypeError, ValueError, RecursionError) as problem:  # a UnicodeEncodeError is a ValueError
        raise InvalidArgument(f"the value cannot be written into a configuration: {problem}") from problem


def equal(one: object, other: object) -> bool:
    """The same value and the same types: ``true`` is not ``1``. The order of keys does not count."""
    return one is other or _canonical(one) == _canonical(other)


def nested(path: Sequence[str], value: object) -> object:
    """The value inside a mapping for each key."""
    for key in reversed(path):
        value = {key: value}
    return value


def with_value(data: object, path: Sequence[str], value: object) -> object:
    """The data with the value at the path. What is on the way is a mapping or missing."""
    if not path:
        return value
    mapping = as_mapping(data) or {}
    return {**mapping, path[0]: with_value(mapping.get(path[0], {}), path[1:], value)}


def without_value(data: object, path: Sequence[str]) -> object:
    """The data without what is at the path."""
    mapping = as_mapping(data)
    if mapping is None or path[0] not in mapping:
        return data
    if len(path) == 1:
        return {key: value for key, value in mapping.items() if key != path[0]}
    return {**mapping, path[0]: without_value(mapping[path[0]], path[1:])}


def value_at(data: object, path: Sequence[str]) -> object:
    """What is at the path; None if there is nothing."""
    for key in path:
        data = (as_mapping(data) or {}).get(key)
    return data


def depth_in(data: object, path: Sequence[str]) -> int:
    """How many keys of the path are there."""
    for depth, key in enumerate(path):
        mapping = as_mapping(data)
        if mapping is None or key not in mapping:
            return depth
        data = mapping[key]
    return len(path)


def list_with(elements: Sequence[object], value: object, same: Same) -> list[object]:
    """The first element that is the same is replaced, others go; appended if none is."""
    places = [at for at, element in enumerate(elements) if same(element)]
    if not places:
        return [*elements, value]
    kept = [value if at == places[0] else element for at, element in enumerate(elements)]
    return [element for at, element in enumerate(kept) if at not in places[1:]]


def as_mapping(data: object) -> Mapping[str, object] | None:
    """The data if it is a mapping."""
    return cast("Mapping[str, object]", data) if isinstance(data, Mapping) else None


def as_list(data: object) -> Sequence[object] | None:
    """The data if it is a list."""
    return cast("list[object]", data) if isinstance(data, list) else None


def require_path(path: Sequence[str]) -> None:
    """An edit is of something inside the document."""
    if not path or isinstance(path, str):
        raise InvalidArgument("the path of a member is a list of one key or more")


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True, default=repr)
