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
    if 0 in data[:_BINARY_PROBE]:
        raise NotAFile(f"{path} is a binary file")
    data = data.removeprefix(_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Old sources in a one-byte encoding: every byte becomes one character, so columns stay right.
        return data.decode("latin-1")


def _read(path: Path | str, limit: int) -> bytes:
    """At most ``limit`` bytes, without a file object: every question reads its file, and that would triple the price.

    Where a small file ends is asked for first: in the first moment after a rest that takes a fifth of the time in which
    the system and the interpreter put together all else that is known of a file.
    """
    descriptor = os.open(path, OPEN_FOR_READING)
    try:
        try:
            size = os.lseek(descriptor, 0, os.SEEK_END)
        except OSError:  # a pipe, of which not a byte may be taken
            size = 0
        if 0 < size < _PIECE:  # no device: those have no end, or a far one
            os.lseek(descriptor, 0, os.SEEK_SET)
            data = os.read(descriptor, min(limit, _PIECE))
            if len(data) == size:
                return data
        return _read_in_pieces(descriptor, path, limit)
    finally:
        os.close(descriptor)


def _read_in_pieces(descriptor: int, path: Path | str, limit: int) -> bytes:
    """Up to the end of a regular file. In pieces, for every read sets aside as much memory as it asks for."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise NotAFile(f"{path} is not a file")
    os.lseek(descriptor, 0, os.SEEK_SET)
    pieces: list[bytes] = []
    while limit > 0 and (piece := os.read(descriptor, min(limit, _PIECE))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)
