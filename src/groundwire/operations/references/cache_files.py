"""The reference cache as a file: to be committed, or handed to a machine that is set up alike.

Above: ``table``. Below: ``reference_cache``, ``cache.archive``, ``edits.boundary``.
"""

import asyncio
import contextlib
import secrets
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.cache.archive import LARGEST, pack, unpack
from groundwire.edits.boundary import Boundary
from groundwire.edits.files import Disk
from groundwire.edits.staging import TEMPORARY_PREFIX
from groundwire.errors import FileNotFound, FileTooLarge, InvalidArgument, NotAFile, WriteFailed
from groundwire.operations.answer import Answer, Status
from groundwire.operations.files.paths import existing_file, shown_path
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.references.reference_cache import ReferenceCache, reference_cache
from groundwire.operations.results.cache import ExportedCache, ImportedCache

_ENDING = ".gz"


class ExportCache(Arguments, frozen=True):
    """Where to."""

    dest_path: Annotated[str, Meta(min_length=1, description="File to write, in the workspace, ending in .gz.")]


class ImportCache(Arguments, frozen=True):
    """Where from."""

    src_path: Annotated[str, Meta(min_length=1, description="File that export_cache has written, in the workspace.")]


@operation(
    "Write the reference cache to a file that another machine or checkout can import.",
    effect="writes",
    command="export-cache",
)
async def export_cache(call: Call, arguments: ExportCache) -> Answer[ExportedCache]:
    """All that is kept, the file at once or not at all."""
    cache, file = reference_cache(call.pool), _inside(call, arguments.dest_path)
    if file.suffix.lower() != _ENDING:  # any other file of the workspace is one that answers may depend on
        raise InvalidArgument(f"{arguments.dest_path} does not end in {_ENDING}", hint="Name it cache.gz, for one.")
    if cache is None:
        off = ExportedCache(file=shown_path(file, call.pool.workspace), enabled=False)
        return Answer(value=off, status=Status.CONFIRMED)
    await cache.written()
    entries, size = await asyncio.to_thread(_export, cache, file)
    value = ExportedCache(file=shown_path(file, call.pool.workspace), entries=entries, size_bytes=size)
    return Answer(value=value, status=Status.CONFIRMED)


@operation(
    "Replace the reference cache by an exported one. Its answers are trusted where nothing they depend on differs.",
    effect="manages",
    command="import-cache",
)
async def import_cache(call: Call, arguments: ImportCache) -> Answer[ImportedCache]:
    """A file that is not whole changes nothing."""
    cache, workspace = reference_cache(call.pool), call.pool.workspace
    file = _inside(call, arguments.src_path)
    if cache is None:
        off = ImportedCache(file=shown_path(file, workspace), enabled=False)
        return Answer(value=off, status=Status.CONFIRMED)
    file = existing_file(file, workspace)
    await cache.written()
    count = await asyncio.to_thread(_import, cache, file)
    return Answer(value=ImportedCache(file=shown_path(file, workspace), entries=count), status=Status.CONFIRMED)


def _inside(call: Call, path: str) -> Path:
    return Boundary(tuple(call.pool.folders), Disk()).target(call.pool.workspace / path)


def _export(cache: ReferenceCache, file: Path) -> tuple[int, int]:
    entries = cache.vault.store.sealed()
    data = pack(entries)
    if file.is_dir():
        raise NotAFile(f"{file} is a directory", hint="Name a file.")
    temporary = file.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise WriteFailed(f"{file} cannot be written: {error.strerror}") from error
    return len(entries), len(data)


def _import(cache: ReferenceCache, file: Path) -> int:
    try:
        if file.stat().st_size > LARGEST:
            raise FileTooLarge(f"{file} is larger than {LARGEST:,} bytes")
        data = file.read_bytes()
    except OSError as error:
        raise FileNotFound(f"{file} cannot be read: {error.strerror}") from error
    entries = unpack(data)
    if not cache.vault.replace(entries):
        raise WriteFailed(f"the cache {cache.vault.store.path} cannot be written")
    return len(entries)
