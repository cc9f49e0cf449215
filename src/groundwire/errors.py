"""The one exception tree. Everything that can go wrong has a place in it; nothing else is ever shown to a user.

    GroundwireError
    ├── ServerUnavailable      no usable language server: binary missing, start failed
    │   └── DaemonUnavailable  the background process that owns the servers cannot be reached
    ├── ServerStarting         the server is not ready yet
    ├── LanguageNotEnabled     switched off by configuration
    ├── NoServerForExtension   no server is known for this kind of file
    ├── FileNotFound
    ├── NotAFile
    ├── FileTooLarge
    ├── OutsideWorkspace
    ├── NoSuchSymbol
    ├── AmbiguousSymbol
    ├── InvalidArgument
    ├── RequestTimeout         the server did not answer in time
    ├── SessionDead            the server ended, or its connection did
    ├── CapabilityMissing      this server cannot do that
    ├── EditConflict           the edit does not fit the content as it is now
    ├── PermissionDenied
    │   ├── WriteFailed        the file system refused to write; everything is as it was before
    │   └── PartlyWritten      as before, but not everything could be put back
    ├── PhaseViolation
    ├── Untrusted
    ├── Wire                   the peer broke the protocol, or reported a failure
    │   ├── MessageTooLarge    refused by the configured limit
    │   └── ServerError        a JSON-RPC failure; keeps the server's code and message
    └── Internal               our own mistake

Each carries a stable ``kind`` (the class name, or that of its stable ancestor), a message, and a hint: what the reader
can do about it. Above: every package. Below: nothing.
"""

from collections.abc import Sequence
from typing import ClassVar


class GroundwireError(Exception):
    """Base of all. ``kind`` is part of the public contract; ``hint`` is one helpful sentence or empty."""

    kind: ClassVar[str] = "Internal"
    default_hint: ClassVar[str] = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = self.default_hint if hint is None else hint

    def as_dict(self) -> dict[str, object]:
        """The JSON shape every surface shows."""
        shown: dict[str, object] = {"ok": False, "error": self.message, "kind": self.kind}
        if self.hint:
            shown["hint"] = self.hint
        return shown

    def __str__(self) -> str:
        return self.message


class ServerUnavailable(GroundwireError):
    """No usable language server."""

    kind = "ServerUnavailable"
    default_hint = "Install the server, or search the text instead (for instance with rg)."


class DaemonUnavailable(ServerUnavailable):
    """The background process that owns the servers cannot be started or reached."""

    default_hint = "Ask again; --no-daemon does without it."


class ServerStarting(GroundwireError):
    """The server is not ready yet."""

    kind = "ServerStarting"
    default_hint = "Ask again in a moment; the server keeps loading in the background."


class LanguageNotEnabled(GroundwireError):
    """The language is switched off by configuration."""

    kind = "LanguageNotEnabled"
    default_hint = "Enable the language in the configuration."


class NoServerForExtension(GroundwireError):
    """No server is known for this kind of file."""

    kind = "NoServerForExtension"
    default_hint = "No language server is known for this kind of file; search the text instead."


class FileNotFound(GroundwireError):
    """The file does not exist."""

    kind = "FileNotFound"
    default_hint = "Check the path; relative paths are taken from the workspace."


class NotAFile(GroundwireError):
    """The path is a directory or something else that holds no text."""

    kind = "NotAFile"
    default_hint = "Name a text file."


class FileTooLarge(GroundwireError):
    """The file is over the size limit."""

    kind = "FileTooLarge"
    default_hint = "Raise the limit in the configuration if this file must be checked."


class OutsideWorkspace(GroundwireError):
    """The path leads outside the workspace."""

    kind = "OutsideWorkspace"
    default_hint = "Only files inside the workspace can be changed."


class NoSuchSymbol(GroundwireError):
    """The named symbol was not found. ``doubt`` says why it may be there all the same; empty when that is proven."""

    kind = "NoSuchSymbol"

    def __init__(self, message: str, *, hint: str | None = None, doubt: str = "") -> None:
        super().__init__(f"{message}; that is not certain: {doubt}" if doubt else message, hint=hint)
        self.doubt = doubt


class AmbiguousSymbol(GroundwireError):
    """The name fits several symbols."""

    kind = "AmbiguousSymbol"
    default_hint = "Name one of the candidates."


class InvalidArgument(GroundwireError):
    """An argument is of the wrong form or out of range."""

    kind = "InvalidArgument"


class RequestTimeout(GroundwireError):
    """The server did not answer in time."""

    kind = "RequestTimeout"
    default_hint = "The server is busy or stuck; ask again, or allow more time."


class SessionDead(GroundwireError):
    """The server's process or connection has ended."""

    kind = "SessionDead"
    default_hint = "The next request starts the server anew."


class CapabilityMissing(GroundwireError):
    """The server does not offer what was asked."""

    kind = "CapabilityMissing"
    default_hint = "Another server for this language may offer it."


class EditConflict(GroundwireError):
    """An edit does not fit the content as it is now; nothing was changed."""

    kind = "EditConflict"
    default_hint = "Read the file again and make the edit against its present content."


class PermissionDenied(GroundwireError):
    """Policy or the file system forbids it."""

    kind = "PermissionDenied"


class WriteFailed(PermissionDenied):
    """The file system refused to write: disk full, read-only, a name too long. Everything is as it was before."""


class PartlyWritten(PermissionDenied):
    """A write failed, and not everything could be put back. ``left`` says what is not as it was, one line each."""

    default_hint = "Look at the files named; where a copy of the old content was kept, its name is told."

    def __init__(self, message: str, *, hint: str | None = None, left: Sequence[str] = ()) -> None:
        shown = [*left[:10], f"and {len(left) - 10} more"] if len(left) > 10 else left
        super().__init__("; ".join([message, *shown]), hint=hint)
        self.left = tuple(left)


class PhaseViolation(GroundwireError):
    """The active skill's phase forbids it."""

    kind = "PhaseViolation"


class Untrusted(GroundwireError):
    """A command supplied by a project that has not been trusted."""

    kind = "Untrusted"
    default_hint = "Look at what the project wants to run, then run `groundwire trust`."


class Wire(GroundwireError):
    """The peer broke the protocol, or reported a failure."""

    kind = "Wire"


class MessageTooLarge(Wire):
    """A message over the configured limit was refused; the stream stays in step."""

    default_hint = "Narrow the request, or raise the message limit in the configuration."

    def __init__(self, size: int, limit: int, *, hint: str | None = None) -> None:
        super().__init__(f"a message of {size:,} bytes was refused (limit {limit:,})", hint=hint)
        self.size = size
        self.limit = limit


class ServerError(Wire):
    """A JSON-RPC failure. Keeps the server's own code and message."""

    def __init__(self, code: int, message: str, *, method: str = "", data: bytes | None = None) -> None:
        where = f"{method}: " if method else ""
        super().__init__(f"{where}{message} ({code})")
        self.code = code
        self.server_message = message
        self.data = data

    def as_dict(self) -> dict[str, object]:
        """The common shape, plus the code."""
        return {**super().as_dict(), "code": self.code}


class Internal(GroundwireError):
    """Our own mistake."""

    kind = "Internal"
    default_hint = "This is a defect of groundwire; the log has the details."
