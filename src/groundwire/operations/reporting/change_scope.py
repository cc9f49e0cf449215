"""Which other files a change set may have broken: those that use what it touched, or all, where only that tells.

Above: ``check_changes``. Below: ``served_changes``, ``dependents``, ``diagnostics_scope``.
"""

import asyncio
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

import msgspec

from groundwire.operations.diagnostics.scope import find_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting.change_set import ChangeSet
from groundwire.operations.reporting.dependents import Dependents, Edited, find_dependents
from groundwire.operations.reporting.served_changes import ServedChanges
from groundwire.registry.catalog import Catalog
from groundwire.workspace.difference import LineShifts


class OtherFiles(msgspec.Struct, frozen=True):
    """``doubt``: why there may be more. ``note``: why it is all of them."""

    files: tuple[Path, ...]
    doubt: str = ""
    note: str = ""


async def find_other_files(call: Call, change_set: ChangeSet, served: ServedChanges) -> OtherFiles:
    """Those to be checked beside the changed ones."""
    edited = {edit.file for edit in change_set.edits}
    concerns_all = project_settings(call.pool.catalog, change_set)
    why_all = f"{served.shown(concerns_all[0])} has changed" if concerns_all else _why_uses_are_unknown(served)
    found = Dependents(()) if why_all else await _dependents(call, served)
    if not why_all and not found.doubt:
        return OtherFiles(tuple(file for file in found.files if served.is_served(file)))
    scope = await find_files(call, (), "workspace")
    servers = None if concerns_all else {server for edit in served.edits for server in _servers(served, edit.file)}
    files = (
        file
        for file in dict.fromkeys([*found.files, *scope.files])
        if file not in edited
        and not _is_marker(file, _markers(call.pool.catalog))
        and (own := _servers(served, file))
        and (servers is None or own & servers)
    )
    beyond = f"{scope.beyond:,} files of the workspace were not checked" if scope.beyond else ""
    note = f"all files of the workspace were checked, for {why_all or found.doubt}"
    return OtherFiles(tuple(files), scope.doubt or beyond, note)


def project_settings(catalog: Catalog, change_set: ChangeSet) -> list[Path]:
    """Changed files that tell servers how to look at all others."""
    changed = [*(edit.file for edit in change_set.edits), *change_set.unread]
    markers = _markers(catalog) if changed else frozenset[str]()
    return [file for file in changed if _is_marker(file, markers)]


def _markers(catalog: Catalog) -> frozenset[str]:
    names: set[str] = set()
    for spec in catalog.servers.values():
        markers = [*spec.configured_by, *spec.restart_on, *spec.settle.reconfigures_on]
        markers += [*spec.readiness.reloads_on_change, *(name for tier in spec.roots for name in tier)]
        names.update(marker.partition(":")[0].rpartition("/")[2] for marker in markers)
    return frozenset(names)


def _is_marker(file: Path, markers: frozenset[str]) -> bool:
    return file.name in markers or any("*" in marker and fnmatch(file.name, marker) for marker in markers)


async def _dependents(call: Call, served: ServedChanges) -> Dependents:
    past = {edit.file: edit.before for edit in served.edits}
    # Servers are asked about the content on disk, which may touch other things than what is staged.
    on_disk = [Edited(each.file, past[each.file], each.before) for each in served.hidden if each.file in past]
    try:
        async with asyncio.timeout_at(call.deadline):
            return await find_dependents(call, [*served.edits, *on_disk])
    except TimeoutError:
        return Dependents((), "there was no time left to find out who uses what has changed")


def _servers(served: ServedChanges, file: Path) -> set[str]:
    route = served.route(file)
    return {each.spec.id for each in route.chosen} if route is not None else set()


def _why_uses_are_unknown(served: ServedChanges) -> str:
    """Whether something is staged that the disk does not have: servers cannot be asked who uses it."""
    past = {edit.file: edit for edit in served.edits}
    uncovered = [
        each.file for each in served.hidden if each.file in past and not _is_covered(past[each.file], each.before)
    ]
    return f"{served.shown(uncovered[0])} is staged otherwise than the disk has it" if uncovered else ""


def _is_covered(edit: Edited, on_disk: str | None) -> bool:
    """Whether whatever the edit touched is touched on disk as well."""
    if edit.before is None or edit.after is None or on_disk is None:
        return False
    gaps: Sequence[tuple[int, int, int, int]] = list(LineShifts(edit.before, on_disk).gaps())
    own = LineShifts(edit.before, edit.after).gaps()
    return all(any(first <= start and end <= last for first, last, _, _ in gaps) for start, end, _, _ in own)
