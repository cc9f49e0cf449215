"""The catalogue with servers that start in a fifth of the time, for questions that are not about their start.

rust-analyzer without the sources of the standard library, which it would read anew for every project: as where rust-src
is not installed. Cargo, which checks what is saved, has the whole library all the same. clangd without its index of the
standard library, which it would make anew as well, and which only completion needs. Above: tests of edits, of what they
reach, and of columns. Below: ``pool``, ``registry.catalog``.
"""

import atexit
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

import msgspec

from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog, load_catalog
from tests.real.conftest import server_environment

_RUST = "rust-analyzer"


def light_pool(root: Path, server: str) -> Pool:
    """With just this server."""
    only = frozenset({server})
    return Pool(root, only=only, catalog=lightened_catalog(), environment=light_environment(server))


def light_environment(server: str) -> dict[str, str]:
    """Where it is found, and how it is configured."""
    environment = server_environment(server)
    return {**environment, "XDG_CONFIG_HOME": str(_configuration())} if server == "clangd" else environment


@cache
def _configuration() -> Path:
    """Of a user of clangd."""
    directory = Path(tempfile.mkdtemp(prefix="groundwire-configuration-"))
    atexit.register(shutil.rmtree, directory)
    (directory / "clangd").mkdir()
    (directory / "clangd/config.yaml").write_text("Index:\n  StandardLibrary: false\n", "utf-8")
    return directory


def lightened_catalog() -> Catalog:
    """All servers, that one changed."""
    catalog = load_catalog()
    spec = catalog.servers[_RUST]
    settings = cast("Mapping[str, object]", spec.settings[_RUST])
    light = msgspec.structs.replace(
        spec,
        initialization_options=_without_library(spec.initialization_options),
        settings={**spec.settings, _RUST: _without_library(settings)},
    )
    return Catalog(catalog.languages, {**catalog.servers, _RUST: light})


def _without_library(options: Mapping[str, object]) -> dict[str, object]:
    cargo = cast("Mapping[str, object]", options["cargo"])
    return {**options, "cargo": {**cargo, "sysroot": None}}
