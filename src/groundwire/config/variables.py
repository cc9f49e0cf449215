"""Settings from the environment and from flags.

``GROUNDWIRE_MODE`` sets ``mode``; a double underscore goes one table deeper (``GROUNDWIRE_TIMEOUTS__REQUEST``). A value
is written as in TOML, or plainly as text, or for a list as words with commas. Above: ``load``. Below: ``layers``.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Union, cast, get_args, get_origin

from groundwire.config.layers import Data, Layer, fields_at, overlaid
from groundwire.config.problems import KeyPath, Problem, did_you_mean
from groundwire.registry.catalog import Catalog

PREFIX = "GROUNDWIRE_"
CONFIG_FILE = "GROUNDWIRE_CONFIG"
AUDIT_LOG = "GROUNDWIRE_AUDIT_LOG"
_OTHERS = frozenset(
    {CONFIG_FILE, AUDIT_LOG, "GROUNDWIRE_DATA_DIR", "GROUNDWIRE_OUTPUT", "GROUNDWIRE_TOKEN", "GROUNDWIRE_LOG"}
    | {"GROUNDWIRE_NO_DAEMON", "GROUNDWIRE_HOOK_DEADLINE_S", "GROUNDWIRE_EXTENSIONS"}
)
_OF_TESTS = "GROUNDWIRE_TEST_"


def from_environment(environment: Mapping[str, str], catalog: Catalog) -> tuple[list[Layer], list[Problem]]:
    """One layer for each variable, so that each is named in a message."""
    layers: list[Layer] = []
    problems: list[Problem] = []
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name in _OTHERS or name.startswith(_OF_TESTS):
            continue
        key = _key_of(name, catalog)
        if key[0] in fields_at(()):
            layers.append(
                Layer(name="environment", where=name, data=_nested(key, _value(environment[name], _type_at(key))))
            )
        else:
            known = [PREFIX + field.upper() for field in fields_at(())]
            hint = did_you_mean(name, known)
            # Another program of the family may well use the prefix, so this alone stops nobody.
            problems.append(
                Problem(key=(), where=name, message="sets nothing that is known", hint=hint, is_error=False)
            )
    return layers, problems


def from_flags(flags: Mapping[str, object]) -> Layer:
    """Flags, by key; a dotted key goes into tables."""
    data: Data = {}
    for key, value in flags.items():
        data = overlaid(data, _nested(tuple(key.split(".")), value))
    return Layer(name="flags", where="the command line", data=data)


def _key_of(name: str, catalog: Catalog) -> KeyPath:
    parts = name.removeprefix(PREFIX).lower().split("__")
    if len(parts) > 1 and parts[0] == "servers":
        parts[1] = _spelled(parts[1], catalog.servers)
    elif len(parts) > 1 and parts[0] == "languages":
        parts[1] = _spelled(parts[1], catalog.languages)
    return tuple(parts)


def _spelled(written: str, known: Iterable[str]) -> str:
    """A variable has neither hyphens nor dots nor small letters; the name it means may."""
    folded = {name.lower().replace("-", "_").replace(".", "_"): name for name in known}
    return folded.get(written, written)


def _value(text: str, shape: object) -> object:
    if _is_list(shape) and not text.lstrip().startswith("["):
        return [word.strip() for word in text.split(",") if word.strip()]
    try:
        return cast("Data", tomllib.loads(f"value = {text}"))["value"]
    except tomllib.TOMLDecodeError:
        return text


def _type_at(key: KeyPath) -> object:
    return fields_at(key[:-1]).get(key[-1])


def _is_list(shape: object) -> bool:
    kinds = set(_kinds(shape))
    return tuple in kinds and str not in kinds


def _kinds(shape: object) -> Iterator[object]:
    """The plain types that a value may have."""
    kind = get_origin(shape)
    if kind is Annotated:
        yield from _kinds(get_args(shape)[0])
    elif kind in (Union, UnionType):
        for option in get_args(shape):
            yield from _kinds(option)
    else:
        yield kind or shape


def _nested(key: KeyPath, value: object) -> Data:
    data: object = value
    for part in reversed(key):
        data = {part: data}
    return cast("Data", data)
