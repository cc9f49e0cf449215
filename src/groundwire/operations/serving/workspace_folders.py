"""Folders of the workspace: more than one may be worked in at once, each with its own configuration and trust.

Above: ``table``. Below: ``pool.workspace_folders``, ``survey``, ``wanted``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.client.sync import uri_of
from groundwire.errors import FileNotFound, GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer, Status, T
from groundwire.operations.files.paths import shortened, shown_path
from groundwire.operations.files.survey import LanguageFound, survey
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.workspace import (
    AddedFolder,
    FolderList,
    FolderServer,
    RemovedFolder,
    WorkspaceFolder,
)
from groundwire.operations.serving.wanted import Needed, needed_servers
from groundwire.pool.joining import can_share
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen


class FolderArguments(Arguments, frozen=True):
    """One directory."""

    path: Annotated[str, Meta(min_length=1, description="Directory, absolute or relative to the workspace.")]


class ListFolders(Arguments, frozen=True):
    """Nothing more to say."""


@operation(
    "Work in another directory too: its files can be asked about, and changes there are noticed.",
    effect="manages",
    command="add-folder",
)
async def add_workspace_folder(call: Call, arguments: FolderArguments) -> Answer[AddedFolder]:
    """Add it; servers that take several folders are told, others get a process of their own when they are needed."""
    pool = call.pool
    folder = pool.folders.require_addable(Path(arguments.path))
    known = pool.folders.holder(folder)
    if known is not None:
        return _confirmed(_added(pool, known, is_new=False))
    pool.add_folder(folder)
    languages = await _look(pool, folder)
    needed = needed_servers(pool, languages)
    servers = await asyncio.gather(*(_serve(call, each.chosen) for each in needed.servers))
    return _confirmed(_added(pool, folder, is_new=True, servers=[*servers, *_failed(needed)]))


@operation("Stop working in a directory that add_workspace_folder added.", effect="manages", command="remove-folder")
async def remove_workspace_folder(call: Call, arguments: FolderArguments) -> Answer[RemovedFolder]:
    """Remove it, with the servers that run there."""
    pool = call.pool
    folder = _named(arguments.path, pool)
    if folder == pool.workspace:
        hint = "Start groundwire in another directory to work there alone."
        raise InvalidArgument(f"{arguments.path} is the workspace itself", hint=hint)
    is_known = folder in pool.folders
    if is_known:
        await pool.remove_folder(folder)
    shown = shown_path(folder, pool.workspace)
    return _confirmed(RemovedFolder(removed=shown if is_known else "", path=shown, workspace_folders=_listed(pool)))


@operation("The directories that are worked in.", command="folders")
async def list_workspace_folders(call: Call, _: ListFolders) -> Answer[FolderList]:
    """All of them, the first one first."""
    return _confirmed(FolderList(workspace_folders=_listed(call.pool)))


async def _look(pool: Pool, folder: Path) -> tuple[LanguageFound, ...]:
    """What the folder is written in. That is noted, and of the workspace too: it decides who may miss uses where."""
    found: tuple[LanguageFound, ...] = ()
    for each in (pool.workspace, folder):
        seen = await asyncio.to_thread(survey, each, pool.folders.terms_at(each).catalog)
        if not seen.note and each in pool.folders:  # where not all was seen, anything may be there
            pool.folders.hold_languages(each, (language.language for language in seen.languages))
        found = seen.languages
    return found


async def _serve(call: Call, chosen: Chosen) -> FolderServer:
    """Have a process that runs already take the folder in, where one can; nothing else is started before it is
    needed."""
    root = shown_path(chosen.root, call.pool.workspace)
    runs = any(instance.chosen.spec.id == chosen.spec.id for instance in call.pool.instances())
    if not runs or not can_share(chosen.spec):
        return FolderServer(server=chosen.spec.id, root=root, state="separate")
    try:
        instance = call.pool.instance(chosen)
        await instance.ready(call.deadline)
    except TimeoutError:
        return FolderServer(server=chosen.spec.id, root=root, state="separate", reason="it is still loading the folder")
    except GroundwireError as error:
        return FolderServer(server=chosen.spec.id, root=root, state="separate", reason=error.message)
    return FolderServer(server=chosen.spec.id, root=root, state="joined" if instance.process_of else "separate")


def _failed(needed: Needed) -> list[FolderServer]:
    reasons = [f"{language}: {why.message}" for language, why in needed.missed.items()]
    return [FolderServer(server="", root="", state="failed", reason=reason) for reason in reasons]


def _added(pool: Pool, folder: Path, *, is_new: bool, servers: Sequence[FolderServer] = ()) -> AddedFolder:
    shown = shown_path(folder, pool.workspace)
    return AddedFolder(
        added=shown if is_new else "",
        path=shown,
        servers=tuple(servers),
        withheld=pool.folders.terms_at(folder).withheld if is_new else (),
        workspace_folders=_listed(pool),
    )


def _listed(pool: Pool) -> tuple[WorkspaceFolder, ...]:
    return tuple(
        WorkspaceFolder(uri=uri_of(folder), name=folder.name or "root", path=shown_path(folder, pool.workspace))
        for folder in pool.folders
    )


def _named(path: str, pool: Pool) -> Path:
    """As it was added, be it there still or not."""
    try:
        return (pool.workspace / path).resolve()
    except (OSError, ValueError, RuntimeError) as problem:  # too long, a zero byte, links in a circle
        raise FileNotFound(f"{shortened(path)!a} can be no directory: {type(problem).__name__}") from None


def _confirmed(value: T) -> Answer[T]:
    """What groundwire holds it knows for certain, and asks nobody."""
    return Answer(value=value, status=Status.CONFIRMED)
