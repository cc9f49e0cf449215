"""The tables of the configuration as models of pydantic, which names every mistake at once and writes a JSON Schema.

Loaded only where there is a mistake: pydantic takes as long to load as all else that a configuration needs.
Above: ``layers``. Below: ``models``.
"""

import ast
import inspect
import json
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from types import GenericAlias, UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import ErrorDetails

from groundwire.config.models import Settings
from groundwire.config.server_settings import Check, Instead, Table


def mistakes_in(data: Mapping[str, object]) -> list[ErrorDetails]:
    """All there are."""
    try:
        _model_of(Settings).model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def settings_schema() -> dict[str, Any]:
    """The JSON Schema of the configuration."""
    return _model_of(Settings).model_json_schema(mode="validation")


@cache
def _model_of(table: type[Table]) -> type[BaseModel]:
    types, told = get_type_hints(table, include_extras=True), _told(table)
    fields = {
        each.name: (_type(types[each.name]), _default(each, told.get(each.name)))
        for each in msgspec.structs.fields(table)
    }
    config = ConfigDict(extra="forbid", frozen=True)
    return create_model(table.__name__, __config__=config, __doc__=table.__doc__, **cast("dict[str, Any]", fields))


def _told(table: type[Table]) -> dict[str, str]:
    """What stands below each field."""
    (tree,) = ast.parse(inspect.getsource(table)).body
    lines = cast("ast.ClassDef", tree).body
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(lines)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }


def _default(field: msgspec.structs.FieldInfo, description: str | None) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return Field(default_factory=field.default_factory, description=description)
    default = cast("object", field.default)
    made = _model_of(type(default))() if isinstance(default, Table) else default
    return Field(default=made, description=description)


def _type(shape: object) -> Any:  # noqa: ANN401  it is a type, of whatever kind
    """As pydantic has it."""
    kind, parts = get_origin(shape), get_args(shape)
    if kind is Annotated:
        return _checked(*parts)
    if kind in (Union, UnionType):
        return Union[tuple(_type(part) for part in parts)]  # noqa: UP007  there are as many as there are
    if parts and kind in (dict, tuple):
        inner = tuple(part if part is Ellipsis else _type(part) for part in parts)
        return GenericAlias(kind, inner)
    return _model_of(shape) if isinstance(shape, type) and issubclass(shape, Table) else cast("Any", shape)


def _checked(shape: object, *more: object) -> object:
    checked = _type(shape)
    for each in more:
        if isinstance(each, Instead):
            checked = _type(each.shape)
        elif isinstance(each, Check):
            checked = Annotated[checked, AfterValidator(each.of)]
        elif isinstance(each, msgspec.Meta):
            checked = Annotated[checked, _bounds(each, is_float=shape is float)]
    return checked


def _bounds(meta: msgspec.Meta, *, is_float: bool) -> Any:  # noqa: ANN401  pydantic says so, too
    given = {name: getattr(meta, name) for name in ("gt", "ge", "min_length", "pattern")}
    bounds = {name: value for name, value in given.items() if value is not None}
    return Field(**bounds, allow_inf_nan=False) if is_float else Field(**bounds)
