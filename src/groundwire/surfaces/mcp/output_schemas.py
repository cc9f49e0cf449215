"""What a tool gives in JSON, as a schema: true to every answer, and as short as that can be said.

A model that is shown the list pays for every byte of it, so there is no prose, and what is used once stands where it is
used. Above: ``tools``. Below: ``operations.table``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import cast

from groundwire.operations.table import AnyOperation

_TEXT: Mapping[str, object] = {"type": "string"}
_ANSWER = ("status", "reason", "servers", "elapsed_ms", "result")
_WITHOUT_MEANING = frozenset({"description", "title", "default"})
"""To whoever reads what came out."""
_BY_NAME = frozenset({"properties", "$defs"})
"""Here names are those of members, whatever they are."""
_REFERENCE = "$ref"
_PLACE = "#/$defs/"


def output_schema(operations: tuple[AnyOperation, ...]) -> dict[str, object]:
    """The envelope of every answer round the result, or a failure: some clients check that as well."""
    own: dict[str, object] = {"type": "object"}
    shapes: dict[str, object] = {}
    if len(operations) == 1:
        own, shapes = _result(operations[0])
    schema: dict[str, object] = {
        "type": "object",
        "properties": {
            "status": {"enum": ["confirmed", "partial", "unknown", "unsupported"]},
            "reason": _TEXT,
            "servers": {"type": "array", "items": _TEXT},
            "elapsed_ms": {"type": "number"},
            "note": _TEXT,
            "result": own,
            "error": _TEXT,
        },
        "anyOf": [{"required": [*_ANSWER]}, {"required": ["error"]}],
    }
    return {**schema, "$defs": shapes} if shapes else schema


@cache  # every client that comes is shown the list, and it is always the same
def _result(operation: AnyOperation) -> tuple[dict[str, object], dict[str, object]]:
    return _compact(operation.result_schema())


def _compact(schema: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """The schema and the shapes that it refers to: those that are used more than once, or hold themselves."""
    bare = cast("dict[str, object]", _bare(schema))
    shapes = cast("dict[str, object]", bare.pop("$defs", {}))
    uses = Counter(_references([bare, shapes]))
    once = {name: shape for name, shape in shapes.items() if uses[name] == 1}
    kept = {name: _inlined(shape, once) for name, shape in shapes.items() if name not in once}
    return cast("dict[str, object]", _inlined(bare, once)), kept


def _bare(value: object) -> object:
    if isinstance(value, list):
        return [_bare(each) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, object]", value)
    return {
        name: {each: _bare(member) for each, member in cast("dict[str, object]", inner).items()}
        if name in _BY_NAME
        else _bare(inner)
        for name, inner in members.items()
        if name not in _WITHOUT_MEANING
    }


def _references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        if (name := _referred(members)) is not None:
            yield name
        for member in members.values():
            yield from _references(member)
    elif isinstance(value, list):
        for each in cast("list[object]", value):
            yield from _references(each)


def _inlined(value: object, once: Mapping[str, object]) -> object:
    if isinstance(value, list):
        return [_inlined(each, once) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, object]", value)
    name = _referred(members)
    if name is not None and name in once:
        return _inlined(once[name], once)
    return {each: _inlined(member, once) for each, member in members.items()}


def _referred(members: Mapping[str, object]) -> str | None:
    """The shape that is meant; a member of a result may itself be called ``$ref``, and is then no text."""
    place = members.get(_REFERENCE)
    return place.removeprefix(_PLACE) if isinstance(place, str) else None
