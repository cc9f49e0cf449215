"""The folders that a client works in: the pool's own, and others where they may be added.

Above: ``server``. Below: ``operations.workspace_folders``.
"""

from pathlib import Path

from groundwire.client.sync import path_of
from groundwire.errors import GroundwireError
from groundwire.operations.runner import perform
from groundwire.operations.serving.workspace_folders import FolderArguments, add_workspace_folder
from groundwire.surfaces.lsp.notes import WARNING
from groundwire.surfaces.lsp.questions import Client


def note_root(client: Client, uri: str) -> None:
    """The client's own root. It is the workspace, or inside it, or what is asked about it is not answered."""
    try:
        if uri and client.pool.folders.holder(client.documents.file_of(uri)) is None:
            hint = "start it there, or with --root"
            client.notes.log(f"{uri} is outside the workspace {client.pool.workspace}: {hint}", WARNING)
    except GroundwireError as error:
        client.notes.log(f"{uri}: {error.message}", WARNING)


async def take_folder(client: Client, uri: str) -> None:
    """Work there too, where that is allowed, or say why not. Nobody's folder is taken away: others may work there."""
    if not uri:
        return
    try:
        folder = client.pool.folders.require_addable(Path(path_of(uri)))
        if client.pool.folders.holder(folder) is None:
            await perform(client.pool, add_workspace_folder, FolderArguments(path=str(folder)))
    except GroundwireError as error:
        client.notes.log(f"{uri} is not worked in: {error.message}. {error.hint}", WARNING)
