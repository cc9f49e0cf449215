"""Path ↔ file URI, and one canonical key per file whatever way a server spells it. Strings only; no file is looked at.

Names that are no valid UTF-8 pass through byte for byte, as the surrogates Python uses for them in paths.

Above: ``globs``, ``workspace``, ``client``. Below: ``errors``.
"""

import functools
import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

from groundwire import errors

_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")
_BARE_DRIVE = re.compile(r"[A-Za-z]:")
_DRIVE_PATH = re.compile(r"[A-Za-z]:(/|$)")
_QUERY_OR_FRAGMENT = re.compile(r"[?#]")


def path_to_uri(path: str, *, windows: bool = False) -> str:
    """The file URI of an absolute path."""
    authority, posix = _split_windows_path(path) if windows else ("", path)
    if not posix.startswith("/"):
        raise errors.InvalidArgument(f"{path!r} is not an absolute path", hint="Give the whole path, from the root.")
    drive = _DRIVE.match(posix) if windows else None
    # The colon of a drive stays readable; everywhere else it is escaped.
    kept = drive.group() if drive else ""
    on_invalid = _on_invalid(windows)
    return f"file://{_quote(authority, on_invalid)}{kept}{_quote(posix[len(kept) :], on_invalid)}"


def uri_to_path(uri: str, *, windows: bool = False) -> str:
    """The path a file URI names. A URI of another scheme, or of another machine on POSIX, has none and is refused."""
    if not is_file_uri(uri):
        raise errors.InvalidArgument(f"{uri!r} is not a file URI")
    authority, path = _split_uri(uri, _on_invalid(windows))
    if "\0" in path or not path.startswith("/"):
        raise errors.InvalidArgument(f"{uri!r} names no usable path")
    if windows:
        local = path[1:] if _DRIVE.match(path) else path
        return (f"//{authority}{path}" if authority else local).replace("/", "\\")
    if authority:
        raise errors.InvalidArgument(f"{uri!r} names a file on another machine ({authority})")
    return path


def is_file_uri(uri: str) -> bool:
    """Whether the scheme is ``file``."""
    return uri[:5].lower() == "file:"


@functools.lru_cache(maxsize=65_536)
def uri_key(uri: str) -> str:
    """The canonical spelling: file URIs with equal keys name the same file. Other schemes are returned as they are.

    The key is a URI, but compare it, do not send it: a directory on POSIX that looks like a drive (``/C:``) is taken
    for one.
    """
    if not is_file_uri(uri):
        return uri
    authority, path = _split_uri(uri, "surrogateescape")
    path = path.rstrip("/") or "/"
    drive = _DRIVE.match(path)
    kept = drive.group().lower() if drive else ""
    rest = _quote(path[len(kept) :], "surrogateescape")
    return f"file://{_quote(authority.lower(), 'surrogateescape')}{kept}{rest}"


def _split_uri(uri: str, on_invalid: str) -> tuple[str, str]:
    """Authority (empty for this machine) and decoded path. ``file:/path``, without an authority, is valid too."""
    authority, path = "", _QUERY_OR_FRAGMENT.split(uri[5:], maxsplit=1)[0]
    if path.startswith("//"):
        authority, slash, rest = path[2:].partition("/")
        authority, path = _unquote(authority, on_invalid), slash + rest
    path = _unquote(path, on_invalid)
    # Two slashes too few before a drive is a common slip.
    if _BARE_DRIVE.fullmatch(authority):
        return "", f"/{authority}{path}"
    return "" if authority.lower() == "localhost" else authority, path


def _split_windows_path(path: str) -> tuple[str, str]:
    """Server (empty for this machine) and the rest with forward slashes, a drive behind a leading one."""
    posix = path.replace("\\", "/")
    if posix.startswith("//?/UNC/"):
        posix = "//" + posix[len("//?/UNC/") :]
    elif posix.startswith("//?/"):
        posix = posix[len("//?/") :]
    if posix.startswith("//"):
        server, _, rest = posix[2:].partition("/")
        return server, f"/{rest}"
    return "", f"/{posix}" if _DRIVE_PATH.match(posix) else posix


def _on_invalid(windows: bool) -> str:
    """How names that are no Unicode text are kept: bytes in surrogates on POSIX, lone surrogates on Windows."""
    return "surrogatepass" if windows else "surrogateescape"


def _quote(text: str, on_invalid: str) -> str:
    try:
        return quote_from_bytes(text.encode("utf-8", on_invalid), safe="/")
    except UnicodeEncodeError as problem:
        raise errors.InvalidArgument(f"{text!r} cannot be the name of a file: {problem.reason}") from problem


def _unquote(text: str, on_invalid: str) -> str:
    try:
        return unquote_to_bytes(text.encode("utf-8", on_invalid)).decode("utf-8", on_invalid)
    except UnicodeError as problem:
        raise errors.InvalidArgument(f"{text!r} cannot be the name of a file") from problem
