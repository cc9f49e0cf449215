"""Which values of a project need the user's trust: all that can lead to a command, and all that loosens a policy.

What is harmless is listed, so that a new key needs trust until somebody has thought about it.
Above: ``load``. Below: ``layers``.
"""

from collections.abc import Iterable, Iterator
from typing import cast

import msgspec

from groundwire.config.layers import Data, Layer, overlaid, value_at
from groundwire.config.problems import KeyPath, Origin

_HARMLESS = frozenset(
    {
        "enabled",
        "extensions",
        "languages",
        "role",
        "root_markers",
        "timeout",
        "max_restarts",
        "idle_teardown_secs",
        "memory_mb",
        "needs_config",
        "configured_by",
        "restart_on",
    }
)
_STRICTNESS = {"allow": 0, "ask": 1, "trusted": 1, "deny": 2, "never": 2}


class GuardedValue(msgspec.Struct, frozen=True):
    """A value that takes effect only when the project is trusted."""

    key: KeyPath
    value: object
    origin: Origin

    @property
    def server(self) -> str:
        """The server that it is for, if any."""
        return self.key[1] if self.key[0] == "servers" else ""


def split(layers: Iterable[Layer]) -> tuple[list[Data], list[GuardedValue]]:
    """The data of all layers without what needs trust, and what was taken out."""
    kept: list[Data] = []
    guarded: list[GuardedValue] = []
    below: Data = {}
    """What the user says, below the layer in hand."""
    for layer in layers:
        data = layer.data
        if layer.is_project:
            taken = [(key, value_at(data, key)) for key in _guarded_keys(data, below)]
            guarded += [GuardedValue(key, value, layer.origin(key)) for key, value in taken]
            data = _without(data, {key for key, _ in taken}, ())
        else:
            below = overlaid(below, data)
        kept.append(data)
    return kept, guarded


def _guarded_keys(data: Data, below: Data) -> Iterator[KeyPath]:
    servers = data.get("servers")
    if isinstance(servers, dict):
        for server, table in cast("dict[str, Data]", servers).items():
            yield from (("servers", server, key) for key in table if key not in _HARMLESS)
    yield from (key for key in _policies(data) if _is_looser(value_at(data, key), value_at(below, key)))
    if isinstance(data.get("audit"), dict):  # where records of the user are written, and whether they are
        yield from (("audit", key) for key in cast("Data", data["audit"]))
    if _widens(data, below):
        yield ("enabled_languages",)


def _policies(data: Data) -> Iterator[KeyPath]:
    for key in ("enabled", "project_code"):
        if key in data:
            yield (key,)
    for group, key in (("servers", "enabled"), ("languages", "enabled")):
        for name, table in _tables(data, group):
            if key in table:
                yield (group, name, key)
    permissions = data.get("permissions")
    if isinstance(permissions, dict):
        yield from (("permissions", tool) for tool in cast("Data", permissions))


def _tables(data: Data, group: str) -> Iterator[tuple[str, Data]]:
    tables = data.get(group)
    if isinstance(tables, dict):
        yield from cast("dict[str, Data]", tables).items()


def _is_looser(value: object, below: object) -> bool:
    """Nothing said below means the default, which a project may tighten and not loosen."""
    if isinstance(value, bool):
        return value and below is False
    if below is None:
        return value == "allow"
    return _STRICTNESS.get(str(value), 0) < _STRICTNESS.get(str(below), 0)


def _widens(data: Data, below: Data) -> bool:
    wanted, allowed = data.get("enabled_languages"), below.get("enabled_languages")
    if not isinstance(wanted, list) or not isinstance(allowed, list) or not allowed:
        return False
    return not wanted or not set(cast("list[str]", wanted)) <= set(cast("list[str]", allowed))


def _without(data: Data, keys: set[KeyPath], here: KeyPath) -> Data:
    result: Data = {}
    for key, value in data.items():
        path = (*here, key)
        if path in keys:
            continue
        is_on_the_way = isinstance(value, dict) and any(key[: len(path)] == path for key in keys)
        result[key] = _without(cast("Data", value), keys, path) if is_on_the_way else value
    return result
