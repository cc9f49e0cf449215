"""One layer of the configuration as plain data, checked against the models; and layers laid over one another.

Above: ``load``, ``guarded``. Below: ``models``, ``problems``.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from groundwire.config.models import Settings
from groundwire.config.positions import Lines, line_of
from groundwire.config.problems import KeyPath, LayerName, Origin, Problem, did_you_mean
from groundwire.config.server_settings import Table

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Data = dict[str, object]

_DEEPEST = 60


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """What one source says, before or after it was checked."""

    name: LayerName
    data: Data
    file: Path | None = None
    where: str = ""
    lines: Lines = {}
    is_project: bool = False
    """Whether a project supplies it, and not this user."""
    is_foreign: bool = False
    """Whether it is the settings file of another program: what it says and we do not know is no error of the user."""

    def origin(self, key: KeyPath) -> Origin:
        """Where a key of this layer stands."""
        return Origin(self.name, self.file, line_of(key, self.lines), self.where)

    def problem(self, key: KeyPath, message: str, hint: str = "") -> Problem:
        """A problem with a key of this layer."""
        return Problem(
            key=key,
            message=message,
            hint=hint,
            file=self.file,
            line=line_of(key, self.lines),
            where=self.where,
            is_error=not self.is_foreign,
        )


def checked(layer: Layer) -> tuple[Layer, list[Problem]]:
    """The layer without what is wrong in it, and everything that is wrong."""
    plain, problems = _plain(layer, layer.data, ())
    layer = _normal(layer, cast("Data", plain))
    while True:
        try:
            to_settings(layer.data)
            return layer, problems
        except msgspec.ValidationError as error:
            found = _problems(layer, _mistakes_in(layer.data))
            if not found:
                whole = layer.problem((), str(error))
                return msgspec.structs.replace(layer, data={}), [*problems, whole]
        known = {problem.key for problem in problems}
        problems += [problem for problem in found if problem.key not in known]
        for problem in found:
            _remove(layer.data, problem.key)


def merged(layers: Iterable[Data]) -> Data:
    """Later ones over earlier ones: tables key by key, everything else as a whole."""
    result: Data = {}
    for data in layers:
        result = overlaid(_without_superseded(result, data), data)
    return result


def overlaid(below: Mapping[str, object], above: Mapping[str, object]) -> Data:
    """One table over another."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = overlaid(cast("Data", old), cast("Data", value))
        else:
            result[key] = value
    return result


def _without_superseded(below: Data, above: Data) -> Data:
    """Arguments belong to the command they were written for: a new command does not inherit them."""
    renewed = {name for name, table in _tables(above.get("servers")) if "command" in table}
    if not renewed:
        return below
    servers = {
        name: {key: value for key, value in table.items() if name not in renewed or key != "args"}
        for name, table in _tables(below.get("servers"))
    }
    return {**below, "servers": servers}


def to_settings(data: Data) -> Settings:
    """Checked data as settings."""
    return msgspec.convert(data, Settings)


def _mistakes_in(data: Data) -> "list[ErrorDetails]":
    from groundwire.config.mistakes import mistakes_in  # noqa: PLC0415  it takes long to load

    return mistakes_in(data)


def value_at(data: object, key: KeyPath) -> object | None:
    """The value at a key path, or none."""
    for part in key:
        if not isinstance(data, dict) or part not in data:
            return None
        data = cast("Data", data)[part]
    return data


def has_key(data: Data, key: KeyPath) -> bool:
    """Whether there is anything at a key path."""
    table = value_at(data, key[:-1])
    return isinstance(table, dict) and key[-1] in table


def fields_at(key: KeyPath) -> dict[str, object]:
    """The keys that a table may have, with their types; none where it may have any."""
    shape: object = Settings
    for part in key:
        if isinstance(shape, type) and issubclass(shape, Table):
            shape = _table_of(get_type_hints(shape).get(part))
        elif get_origin(shape) is dict:
            shape = _table_of(get_args(shape)[1])
        else:
            return {}
    return get_type_hints(shape) if isinstance(shape, type) and issubclass(shape, Table) else {}


def _table_of(annotation: object) -> object:
    options = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    is_table = (
        option
        for option in options
        if get_origin(option) is dict or (isinstance(option, type) and issubclass(option, Table))
    )
    return next(is_table, None)


def _plain(layer: Layer, value: object, key: KeyPath) -> tuple[object, list[Problem]]:
    """As JSON would have it: what JSON cannot say is a problem, or text (a TOML date)."""
    problems: list[Problem] = []
    if len(key) > _DEEPEST:
        return None, [layer.problem(key[:4], "is nested too deeply")]
    if isinstance(value, Mapping):
        table: Data = {}
        for name, inner in cast("Mapping[str, object]", value).items():
            table[name], more = _plain(layer, inner, (*key, name))
            problems += more
        return table, problems
    if isinstance(value, list | tuple):
        items: list[object] = []
        for number, inner in enumerate(cast("Iterable[object]", value)):
            item, more = _plain(layer, inner, (*key, str(number)))
            items.append(item)
            problems += more
        return items, problems
    if isinstance(value, float) and not math.isfinite(value):
        return None, [layer.problem(key, f"{value} is not a finite number")]
    text = value if isinstance(value, int | float | None) else str(value)
    if isinstance(text, str) and not text.isascii() and text != text.encode("utf-8", "replace").decode("utf-8"):
        return None, [layer.problem(key, "holds half a character (a lone surrogate)")]
    return text, problems


def _normal(layer: Layer, data: Data) -> Layer:
    """One spelling for what has several."""
    lines = layer.lines
    if isinstance(data.get("languages"), list):
        data["enabled_languages"] = data.pop("languages")
        lines = {("enabled_languages",): line_of(("languages",), lines) or 1, **lines}
    for group in ("languages", "servers"):
        for _, table in _tables(data.get(group)):
            endings = table.get("extensions")
            if isinstance(endings, list):
                table["extensions"] = [_with_dot(ending) for ending in cast("list[object]", endings)]
    return msgspec.structs.replace(layer, data=data, lines=lines)


def _tables(value: object) -> Iterator[tuple[str, Data]]:
    if isinstance(value, dict):
        for name, inner in cast("Data", value).items():
            if isinstance(inner, dict):
                yield name, cast("Data", inner)


def _with_dot(ending: object) -> object:
    if not isinstance(ending, str) or not ending:
        return ending
    return ending if ending.startswith(".") else f".{ending}"


def _problems(layer: Layer, details: "Iterable[ErrorDetails]") -> list[Problem]:
    """One for each key, however many shapes were tried for it."""
    found: dict[KeyPath, Problem] = {}
    for detail in details:
        key = _existing(layer.data, tuple(str(part) for part in detail["loc"]))
        problem = _problem(layer, key, detail)
        other = found.get(key)
        if other is not None and problem.message not in other.message:
            problem = msgspec.structs.replace(problem, message=f"{other.message}, or {problem.message}")
        found[key] = problem
    return list(found.values())


def _problem(layer: Layer, key: KeyPath, detail: "ErrorDetails") -> Problem:
    if detail["type"] == "extra_forbidden":
        known = fields_at(key[:-1])
        where = f"in [{'.'.join(key[:-1])}]" if key[:-1] else "at the top"
        hint = did_you_mean(key[-1], known) or f"Known {where} are {', '.join(sorted(known))}."
        return layer.problem(key, "there is no such key", hint)
    message = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return layer.problem(key, f"{message[:1].lower()}{message[1:]}")


def _existing(data: Data, location: KeyPath) -> KeyPath:
    """The part of a place that is in the data: the rest tells which of several shapes was tried."""
    lengths = range(len(location), 0, -1)
    return next((location[:length] for length in lengths if has_key(data, location[:length])), ())


def _remove(data: Data, key: KeyPath) -> None:
    table = value_at(data, key[:-1])
    if isinstance(table, dict):
        cast("Data", table).pop(key[-1], None)
