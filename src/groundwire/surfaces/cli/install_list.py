"""``groundwire install --list``: what is installed, and what else can be.

Above: ``install``. Below: ``registry`` and ``install_screen``.
"""

import json
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TextIO

import msgspec

from groundwire.registry.catalog import Catalog
from groundwire.registry.install.choice import bundled_program
from groundwire.registry.install.installing import present_installation
from groundwire.registry.install.pins import version_of_pin
from groundwire.registry.install.plans import INSTALLERS
from groundwire.registry.install.programs import by_hand, find_installer
from groundwire.registry.managed import InstalledServer, installed, managed_directory
from groundwire.registry.spec import ServerSpec
from groundwire.surfaces.cli.install_screen import short, table


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One server: what is there of it, and what could be."""

    id: str
    state: str
    """installed, outdated, broken, retired (no longer in the catalogue), bundled, available or by-hand."""
    version: str = ""
    pinned: str = ""
    languages: tuple[str, ...] = ()
    path: str = ""
    when: str = ""
    note: str = ""


def render_list(catalog: Catalog, environment: Mapping[str, str], only: AbstractSet[str], stream: TextIO) -> str:
    """The list as a table."""
    rows = [
        (each.id, each.version or each.pinned, each.state, _some(each.languages), each.note)
        for each in _entries(catalog, environment, only)
    ]
    where = f"Installed servers are in {short(managed_directory(environment))}."
    return f"{table(('SERVER', 'VERSION', 'STATE', 'LANGUAGES', ''), rows, stream)}\n\n{where}"


def render_list_json(catalog: Catalog, environment: Mapping[str, str], only: AbstractSet[str], stream: TextIO) -> str:
    """The list as JSON."""
    del stream  # JSON has no colours
    entries = msgspec.to_builtins(list(_entries(catalog, environment, only)))
    return json.dumps({"ok": True, "directory": str(managed_directory(environment)), "servers": entries})


def _entries(catalog: Catalog, environment: Mapping[str, str], only: AbstractSet[str]) -> Iterator[Entry]:
    there = {server.id: server for server in installed(environment)}
    yield from (
        _of_installed(there[each], catalog.servers.get(each), environment) for each in there if _is_in(each, only)
    )
    for each, spec in sorted(catalog.servers.items()):
        if each not in there and _is_in(each, only):
            yield _of_other(spec, environment)


def _some(languages: tuple[str, ...]) -> str:
    more = f" +{len(languages) - 2}" if len(languages) > 3 else ""
    return ", ".join(languages[: 2 if more else 3]) + more


def _is_in(server: str, only: AbstractSet[str]) -> bool:
    return not only or server in only


def _of_installed(server: InstalledServer, spec: ServerSpec | None, environment: Mapping[str, str]) -> Entry:
    pinned = version_of_pin(spec.managed) if spec and spec.managed else ""
    state, note = _state(server, spec, environment, pinned)
    return Entry(
        id=server.id,
        state=state,
        version=server.version,
        pinned=pinned,
        languages=spec.languages if spec else (),
        path=str(server.path),
        when=server.when.isoformat(timespec="seconds"),
        note=note,
    )


def _state(
    server: InstalledServer, spec: ServerSpec | None, environment: Mapping[str, str], pinned: str
) -> tuple[str, str]:
    if spec is None or spec.managed is None:
        return "retired", f"no longer offered; `groundwire install --remove {server.id}` deletes it"
    if present_installation(spec, environment):
        return "installed", f"{server.when:%Y-%m-%d}"
    if server.version == pinned:
        return "broken", f"`groundwire install {server.id}` mends it"
    return "outdated", f"`groundwire install {server.id}` gets {pinned}"


def _of_other(spec: ServerSpec, environment: Mapping[str, str]) -> Entry:
    if spec.managed is None:
        return Entry(id=spec.id, state="by-hand", languages=spec.languages, note=by_hand(spec))
    pinned = version_of_pin(spec.managed)
    if bundled_program(spec):
        return Entry(id=spec.id, state="bundled", languages=spec.languages, note="comes with groundwire")
    installer = INSTALLERS[spec.managed.method]
    is_usable = find_installer(spec.managed.method, environment) is not None
    note = f"from {installer.source}" if is_usable else f"needs {installer.program}, which is not on the path"
    return Entry(id=spec.id, state="available", pinned=pinned, languages=spec.languages, note=note)
