"""Reading source files: the text a language server is told, or a typed reason why there is none.

Above: ``sync``. Below: the file system.
"""

from pathlib import Path

from groundwire.errors import FileNotFound, FileTooLarge, NotAFile, PermissionDenied

_BOM = b"\xef\xbb\xbf"
_BINARY_PROBE = 8192


def read_source(path: Path, max_size: int) -> str:
    """The file's text without a byte order mark. Line endings are kept: columns and edits depend on them."""
    try:
        with path.open("rb") as file:
            data = file.read(max_size + 1)
    except FileNotFoundError:
        raise FileNotFound(f"{path} does not exist") from None
    except (IsADirectoryError, NotADirectoryError):
        raise NotAFile(f"{path} is not a file") from None
    except PermissionError:
        raise PermissionDenied(f"{path} cannot be read", hint="Check the file's permissions.") from None
    if len(data) > max_size:
        raise FileTooLarge(f"{path} is larger than {max_size:,} bytes")
    if b"\0" in data[:_BINARY_PROBE]:
        raise NotAFile(f"{path} is a binary file")
    return _decode(data.removeprefix(_BOM))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Old sources in a one-byte encoding: every byte becomes one character, so columns stay right.
        return data.decode("latin-1")
