"""A cache as one file that can be handed on: entries and nothing else, so no path of this machine is in it.

It is gzip over a line that says what it is, and one line with all entries and a check of their bytes. Above:
``operations.cache_files``. Below: ``store``.
"""

import gzip
import zlib
from collections.abc import Iterable
from hashlib import sha256
from io import BytesIO

import msgspec

from groundwire.cache.store import SCHEMA, unseal
from groundwire.errors import InvalidArgument

FORMAT = "groundwire reference cache"
LARGEST = 256 * 1024 * 1024
"""Bytes once unpacked."""

_ANOTHER = "Name a file that export_cache has written."
_DAMAGED = "The file is damaged: export it again."


class _Archive(msgspec.Struct, frozen=True):
    format: str
    schema: int
    check: str
    entries: msgspec.Raw


def pack(entries: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The file."""
    body = msgspec.json.encode(list(entries))
    archive = _Archive(FORMAT, SCHEMA, sha256(body).hexdigest(), msgspec.Raw(body))
    return gzip.compress(msgspec.json.encode(archive), mtime=0)


def unpack(data: bytes) -> list[tuple[bytes, bytes]]:
    """The entries. Raises InvalidArgument for what is no archive, not whole, of another version or too large."""
    try:
        with gzip.open(BytesIO(data)) as file:
            unpacked = file.read(LARGEST + 1)
        if len(unpacked) > LARGEST:
            raise InvalidArgument(f"the file holds more than {LARGEST:,} bytes", hint=_ANOTHER)
        archive = msgspec.json.decode(unpacked, type=_Archive)
        if archive.format != FORMAT:
            raise InvalidArgument("the file is no exported cache", hint=_ANOTHER)
        if archive.schema != SCHEMA:
            raise InvalidArgument("another version of groundwire wrote the file", hint="Export it again.")
        if sha256(bytes(archive.entries)).hexdigest() != archive.check:
            raise InvalidArgument("its entries are not those that were exported", hint=_DAMAGED)
        entries = msgspec.json.decode(bytes(archive.entries), type=list[tuple[bytes, bytes]])
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise InvalidArgument(
            f"the file is no exported cache, or not all of one: {problem}",
            hint=_ANOTHER,
        ) from problem
    if any(unseal(key, body) is None for key, body in entries):
        raise InvalidArgument("an entry of the file is not whole", hint=_DAMAGED)
    return entries
