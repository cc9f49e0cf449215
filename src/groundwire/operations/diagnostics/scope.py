"""Which files a question about findings is about: those named, those open, those changed, or all of the workspace.

Above: ``get_diagnostics``, ``check_paths``. Below: ``changed_files``, ``workspace_files``, ``pool``.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.errors import InvalidArgument, NotAFile
from groundwire.operations.files.changed_files import find_changes
from groundwire.operations.files.paths import is_directory
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.operation import Call
from groundwire.pool.pool import Pool
from groundwire.registry.detect import detect_language

Scope = Literal["file", "directory", "open", "changed", "workspace"]

MOST_FILES = 2000
_MOST_SCRIPTS = 200
"""A file without an ending is looked into for its interpreter; no more of them than this."""


class ScopeFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files to check, those that were named themselves among them. ``beyond``: how many more there are.
    ``doubt``: why there may be others still.
    """

    scope: Scope
    files: tuple[Path, ...]
    named: tuple[Path, ...] = ()
    beyond: int = 0
    doubt: str = ""
    note: str = ""


async def find_files(call: Call, named: tuple[Path, ...], scope: Scope | Literal[""]) -> ScopeFiles:
    """The files. Raises InvalidArgument when the arguments contradict one another, or name nothing."""
    if named:
        if scope not in ("", "file"):
            hint = "Leave out the files, or the scope."
            raise InvalidArgument(f"files are named, and scope={scope} means others", hint=hint)
        return await _named(call.pool, tuple(dict.fromkeys(named)))
    if scope == "file":
        raise InvalidArgument("no file is named", hint="Give file_path or file_paths.")
    if scope == "open":
        return _open(call.pool)
    if scope == "workspace":
        return await asyncio.to_thread(_workspace, call.pool)
    if scope == "changed":
        return await _changed(call)
    return await _whatever_is_worked_on(call)


async def _named(pool: Pool, paths: tuple[Path, ...]) -> ScopeFiles:
    """Files, and all that is in directories."""
    directories = [path for path in paths if is_directory(pool.workspace / path)]
    files = tuple(path for path in paths if path not in directories)
    if not directories:
        return ScopeFiles(scope="file", files=files, named=files)
    places = [(pool.workspace / each).resolve() for each in directories]
    for place in places:
        if pool.folders.holder(place) is None:
            raise NotAFile(f"{place} is a directory outside the workspace", hint="Name the files in it.")
    below = await asyncio.to_thread(_below, pool, places)
    own = {(pool.workspace / file).resolve() for file in files}
    found = (*files, *(file for file in below.files if file not in own))
    return msgspec.structs.replace(below, scope="directory", files=found, named=files)


async def _whatever_is_worked_on(call: Call) -> ScopeFiles:
    """Changed files tell that best; without git, those that were asked about before."""
    try:
        return await _changed(call)
    except InvalidArgument as no_git:
        found = _open(call.pool)
        if not found.files:
            raise InvalidArgument(f"no file is named, none is open, and {no_git.message}", hint=no_git.hint) from None
        return found


async def _changed(call: Call) -> ScopeFiles:
    left = max(call.deadline - asyncio.get_running_loop().time(), 0.001)
    changes = await asyncio.to_thread(find_changes, call.pool.workspace, dict(os.environ), left)
    notes = [changes.note] if changes.note else []
    if changes.deleted:
        which = "1 deleted file is" if changes.deleted == 1 else f"{changes.deleted:,} deleted files are"
        notes.append(f"whether {which} still used is only told by scope=workspace")
    if len(call.pool.folders) > 1:
        notes.append(f"only changes of {call.pool.workspace.name} are looked for, not of the folders that were added")
    return _bounded("changed", list(changes.files), note="; ".join(notes))


def _open(pool: Pool) -> ScopeFiles:
    opened = {Path(file) for instance in pool.instances() for file in instance.open_files()}
    inside = sorted(file for file in opened if pool.folders.holder(file) is not None and file.is_file())
    return _bounded("open", inside)


def _below(pool: Pool, directories: Sequence[Path]) -> ScopeFiles:
    """What is in directories of the workspace; what version control ignores is ignored there too."""
    return _workspace(pool, lambda file: any(map(file.is_relative_to, directories)))


def _workspace(pool: Pool, is_wanted: Callable[[Path], bool] = lambda _: True) -> ScopeFiles:
    walks = [WorkspaceFiles(folder) for folder in pool.folders]
    scripts_left = _MOST_SCRIPTS
    files: list[Path] = []
    for file in filter(is_wanted, chain.from_iterable(walks)):
        catalog = pool.folders.terms_at(file).catalog
        language = catalog.language_of(file)
        if language is None and not file.suffix and scripts_left:
            scripts_left -= 1
            language = detect_language(catalog, file)[0]
        if language is not None:
            files.append(file)
    return _bounded("workspace", files, doubt=next((walk.note for walk in walks if walk.note), ""))


def _bounded(scope: Scope, files: list[Path], *, doubt: str = "", note: str = "") -> ScopeFiles:
    beyond = max(len(files) - MOST_FILES, 0)
    return ScopeFiles(scope=scope, files=tuple(files[:MOST_FILES]), beyond=beyond, doubt=doubt, note=note)
