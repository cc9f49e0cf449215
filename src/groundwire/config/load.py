"""The configuration of a workspace: every layer read, checked and merged, with the origin of each value.

Defaults < user < project < named file < environment < flags.
Above: ``pool`` and ``surfaces``. Below: ``sources``, ``variables``, ``guarded``, ``names``.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from groundwire.config.guarded import GuardedValue, split
from groundwire.config.layers import Layer, checked, has_key, merged, to_settings
from groundwire.config.models import Settings
from groundwire.config.names import unknown_names
from groundwire.config.problems import KeyPath, Origin, Problem, refuse
from groundwire.config.sources import Reading
from groundwire.config.variables import CONFIG_FILE, from_environment, from_flags
from groundwire.registry.catalog import Catalog, load_catalog


class LoadedConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What is set, and where each value comes from."""

    workspace: Path
    settings: Settings
    """Without what the project may not decide before it is trusted."""
    settings_when_trusted: Settings
    """With it: only for a workspace whose ``guarded`` values the user has trusted."""
    guarded: tuple[GuardedValue, ...]
    """What needs trust, in the order of the files."""
    problems: tuple[Problem, ...]
    layers: tuple[Layer, ...]
    """In rising order."""
    files: tuple[Path, ...] = ()
    """All that were looked for, whether or not they are there."""

    def origin(self, key: str | KeyPath) -> Origin:
        """Which layer has the last word on a key."""
        path = tuple(key.split(".")) if isinstance(key, str) else key
        return _origin(self.layers, path)

    def require_valid(self) -> None:
        """Raises InvalidArgument that lists every error; warnings are let through."""
        refuse(self.problems)


def load_config(
    workspace: Path,
    *,
    environment: Mapping[str, str],
    flags: Mapping[str, object] | None = None,
    config_file: Path | None = None,
    catalog: Catalog | None = None,
) -> LoadedConfig:
    """Reads everything. What is wrong is left out and told in ``problems``; nothing is raised."""
    workspace = workspace.resolve()
    catalog = catalog or load_catalog()
    named = config_file or (Path(environment[CONFIG_FILE]) if environment.get(CONFIG_FILE) else None)
    reading = Reading(catalog)
    reading.read_user(environment)
    reading.read_project(workspace)
    if named is not None:
        reading.read_named(named if named.is_absolute() else workspace / named, workspace)
    variables, problems = from_environment(environment, catalog)
    layers, wrong = _checked([*reading.layers, *variables, from_flags(flags or {})])
    problems += [_only_of_users(layer) for layer in layers if layer.is_project and "extensions" in layer.data]
    kept, guarded = split(layers)
    when_trusted = to_settings(merged(layer.data for layer in layers))
    strange = [_at_origin(layers, *found) for found in unknown_names(when_trusted, catalog)]
    return LoadedConfig(
        workspace=workspace,
        settings=to_settings(merged(kept)),
        settings_when_trusted=when_trusted,
        guarded=tuple(guarded),
        problems=(*reading.problems, *problems, *wrong, *strange),
        layers=tuple(layers),
        files=tuple(reading.files),
    )


def _checked(layers: list[Layer]) -> tuple[list[Layer], list[Problem]]:
    good: list[Layer] = []
    problems: list[Problem] = []
    for layer in layers:
        clean, wrong = checked(layer)
        good.append(clean)
        problems += wrong
    return good, problems


def _only_of_users(layer: Layer) -> Problem:
    problem = layer.problem(("extensions",), "has no effect in a project", "Set it in your own configuration.")
    return msgspec.structs.replace(problem, is_error=False)


def _at_origin(layers: list[Layer], key: KeyPath, message: str, hint: str) -> Problem:
    return (_last_with(layers, key) or layers[-1]).problem(key, message, hint)


def _origin(layers: tuple[Layer, ...], key: KeyPath) -> Origin:
    layer = _last_with(layers, key)
    return Origin("defaults") if layer is None else layer.origin(key)


def _last_with(layers: tuple[Layer, ...] | list[Layer], key: KeyPath) -> Layer | None:
    having = (layer for layer in reversed(layers) if has_key(layer.data, key))
    return next(having, None)
