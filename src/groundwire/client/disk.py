"""Reading source files: the text a language server is told, or a typed reason why there is none.

Above: ``sync``. Below: the file system.
"""

import os
import stat
from pathlib import Path

from groundwire.errors import FileNotFound, FileTooLarge, NotAFile, PermissionDenied

_BOM = b"\xef\xbb\xbf"
_BINARY_PROBE = 8192
_PIECE = 64 * 1024
# A pipe that nobody writes to would hold up its reader for ever.
OPEN_FOR_READING = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_source(path: Path | str, max_size: int) -> str:
    """The file's text without a byte order mark. Line endings are kept: columns and edits depend on them."""
    try:
        data = _read(path, max_size + 1)
    except FileNotFoundError:
        raise FileNotFound(f"{path} does not exist") from None
    except (IsADirectoryError, NotADirectoryError):
        raise NotAFile(f"{path} is not a file") from None
    except PermissionError:
        raise PermissionDenied(f"{path} cannot be read", hint="Check the file's permissions.") from None
    except OSError as error:  # a link that leads to itself, a name too long, a disk that fails
        raise NotAFile(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > max_size:
        raise FileTooLarge(f"{path} is larger than {max_size:,} bytes")
    if data.find(b"\0", 0, _BINARY_PROBE) >= 0:
        raise NotAFile(f"{path} is a binary file")
    return _decode(data.removeprefix(_BOM))


def _read(path: Path | str, limit: int) -> bytes:
    """At most ``limit`` bytes. In pieces, for every read sets aside as much memory as it asks for.

    Without a file object: every question reads its file, and that would triple the price.
    """
    descriptor = os.open(path, OPEN_FOR_READING)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise NotAFile(f"{path} is not a file")
        piece = os.read(descriptor, min(limit, _PIECE))
        if len(piece) == found.st_size < _PIECE:  # the end, seen without another read
            return piece
        pieces = [piece]
        while piece and (limit := limit - len(piece)) > 0:
            piece = os.read(descriptor, min(limit, _PIECE))
            pieces.append(piece)
    finally:
        os.close(descriptor)
    return b"".join(pieces)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Old sources in a one-byte encoding: every byte becomes one character, so columns stay right.
        return data.decode("latin-1")
