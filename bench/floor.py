"""The floor: an LSP client that does nothing but ask, as small and fast as an honest one can be. Knows no groundwire.

It blocks on the server's pipes, keeps no documents, computes no difference and trusts its caller. What it needs for an
answer that is true is all it does: answer what the server asks, and take the strongest evidence that the server gives.
Above: ``edits``, ``queries``. Below: the server's process.
"""

import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import msgspec
from msgspec import Raw

Evidence = Literal["pull", "command", "version"]

_READ_SIZE = 64 * 1024
_TIMEOUT_S = 60.0
_RETRYABLE = frozenset({-32800, -32801, -32802})


class FloorError(Exception):
    """The server did not answer as it should; the benchmark is void."""


@dataclass(frozen=True)
class FloorServer:
    """What to start and how to get its findings."""

    command: tuple[str, ...]
    root: Path
    environment: Mapping[str, str]
    evidence: Evidence
    initialization_options: Mapping[str, object]
    settings: Mapping[str, object]
    change_extra: Mapping[str, object]
    check_token: str = ""
    """How the progress of a check that a save starts is named; empty: a save starts none."""


class _Envelope(msgspec.Struct):
    id: int | str | None = None
    method: str = ""
    params: Raw = Raw()
    result: Raw = Raw()
    error: Raw = Raw()


class _Code(msgspec.Struct):
    code: int
    message: str = ""


class Finding(msgspec.Struct):
    """As much of a diagnostic as is looked at."""

    range: Raw
    message: str
    severity: int | None = None


class _Report(msgspec.Struct):
    items: list[Finding]


class _Publication(msgspec.Struct):
    uri: str
    diagnostics: list[Finding]
    version: int | None = None


class _CommandFinding(msgspec.Struct):
    text: str
    start: Raw
    end: Raw


class _CommandReply(msgspec.Struct):
    body: list[_CommandFinding]


class _Status(msgspec.Struct):
    quiescent: bool = False


class _ProgressValue(msgspec.Struct):
    kind: str = ""


class _Progress(msgspec.Struct):
    token: int | str
    value: _ProgressValue


class _Items(msgspec.Struct):
    items: list[dict[str, str]]


_encode = msgspec.json.Encoder().encode
_envelope = msgspec.json.Decoder(_Envelope).decode
_code = msgspec.json.Decoder(_Code).decode
_report = msgspec.json.Decoder(_Report).decode
_publication = msgspec.json.Decoder(_Publication).decode
_command_reply = msgspec.json.Decoder(_CommandReply).decode
_status = msgspec.json.Decoder(_Status).decode
_progress = msgspec.json.Decoder(_Progress).decode
_items = msgspec.json.Decoder(_Items).decode


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


_CAPABILITIES: Mapping[str, object] = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True, "dynamicRegistration": True},
        "publishDiagnostics": {"versionSupport": True},
        "diagnostic": {"dynamicRegistration": True},
        "references": {},
    },
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
    },
    "window": {"workDoneProgress": True},
    "experimental": {"serverStatusNotification": True},
}


class FloorClient:
    """One server with one file open."""

    def __init__(self, server: FloorServer) -> None:
        self._server = server
        self._process = subprocess.Popen(
            server.command,
            cwd=server.root,
            env=dict(server.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise FloorError("the server has no pipes")
        self._out = self._process.stdin.fileno()
        self._in = self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
        self._buffer = bytearray()
        self._last_id = 0
        self._uri = ""
        self._path = ""
        self._version = 1
        self._published: _Publication | None = None
        self.is_quiescent = False
        self.is_checking = False
        """Whether a check that a save starts has not ended yet."""
        self._initialize()

    def open(self, path: Path, language: str) -> None:
        """Open the file whose findings are wanted."""
        self._uri, self._path = path.as_uri(), str(path)
        item = {"uri": self._uri, "languageId": language, "version": 1, "text": path.read_text(encoding="utf-8")}
        self._notify("textDocument/didOpen", {"textDocument": item})

    def edit(self, change: Mapping[str, object]) -> list[str]:
        """Send one change with its range; the messages of all findings for the content after it."""
        self.change(Path(self._path), change)
        return self.findings()

    def change(self, path: Path, change: Mapping[str, object]) -> None:
        """Send one change of a file that was opened, and ask nothing."""
        self._version += 1
        identifier = {"uri": path.as_uri(), "version": self._version}
        params = {"textDocument": identifier, "contentChanges": [change], **self._server.change_extra}
        self._notify("textDocument/didChange", params)

    def ask_all(self, paths: Sequence[Path]) -> None:
        """The findings of several files that were opened, asked for without waiting in between where that can be."""
        if self._server.evidence != "pull":
            for path in paths:
                self.findings_in(path)
            return
        about = ({"textDocument": {"uri": path.as_uri()}} for path in paths)
        missing: set[object] = {self._send_request("textDocument/diagnostic", each) for each in about}
        while missing:
            message = self._read()
            if message.id in missing and not message.method:
                missing.discard(message.id)
            else:
                self._handle(message)

    def findings_in(self, path: Path) -> list[str]:
        """As ``findings``, of another file that was opened."""
        own = self._uri, self._path
        self._uri, self._path = path.as_uri(), str(path)
        try:
            return self.findings()
        finally:
            self._uri, self._path = own

    def findings(self) -> list[str]:
        """The messages of all findings, by the strongest evidence there is."""
        match self._server.evidence:
            case "pull":
                raw = self.request("textDocument/diagnostic", {"textDocument": {"uri": self._uri}})
                return [found.message for found in _report(raw).items]
            case "command":
                return self._command_findings()
            case "version":
                while self._published is None or self._published.version != self._version:
                    self._handle(self._read())
                return [found.message for found in self._published.diagnostics]

    def request(self, method: str, params: object) -> Raw:
        """Ask and wait for the answer; again, at once, when the server asks for that."""
        while True:
            answer = self._answer_to(self._send_request(method, params))
            if not bytes(answer.error):
                return answer.result
            error = _code(answer.error)
            if error.code not in _RETRYABLE:
                raise FloorError(f"{method}: {error.message}")

    def save(self) -> None:
        """Tell of a save, where that starts a check: it leaves the server with findings that later edits concern."""
        if self._server.check_token:
            self.is_checking = True
            self._notify("textDocument/didSave", {"textDocument": {"uri": self._uri}})

    def fileno(self) -> int:
        """Readable when ``drain`` has something to do."""
        return self._in

    def drain(self) -> None:
        """Handle what has come by itself, without waiting for more."""
        while self._poll.poll(0):
            self._receive()
        while (message := self._take()) is not None:
            self._handle(message)

    def wait_until_quiescent(self) -> None:
        """For a server that tells when it has loaded."""
        while not self.is_quiescent:
            self._handle(self._read())

    def wait_until_checked(self) -> None:
        """Until the check that a save has started is over."""
        while self.is_checking:
            self._handle(self._read())

    def close(self) -> None:
        """Shut the server down, whatever it takes."""
        self._answer_to(self._send_request("shutdown", None))
        self._notify("exit", None)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _initialize(self) -> None:
        root, options = self._server.root, self._server.initialization_options
        params: dict[str, object] = {
            "processId": os.getpid(),
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            "capabilities": _CAPABILITIES,
        }
        if options:
            params["initializationOptions"] = options
        self.request("initialize", params)
        self._notify("initialized", {})
        if self._server.settings:
            self._notify("workspace/didChangeConfiguration", {"settings": self._server.settings})

    def _command_findings(self) -> list[str]:
        asked = [
            self._send_request(
                "workspace/executeCommand",
                {"command": "typescript.tsserverRequest", "arguments": [command, {"file": self._path}]},
            )
            for command in ("syntacticDiagnosticsSync", "semanticDiagnosticsSync")
        ]
        replies = [_command_reply(self._answer_to(request).result) for request in asked]
        return [found.text for reply in replies for found in reply.body]

    def _send_request(self, method: str, params: object) -> int:
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        self._send({**message, "params": params} if params is not None else message)
        return self._last_id

    def _notify(self, method: str, params: object) -> None:
        message = {"jsonrpc": "2.0", "method": method}
        self._send({**message, "params": params} if params is not None else message)

    def _send(self, message: object) -> None:
        body = _encode(message)
        data = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        while data:
            data = data[os.write(self._out, data) :]

    def _answer_to(self, request: int) -> _Envelope:
        while True:
            message = self._read()
            if message.id == request and not message.method:
                return message
            self._handle(message)

    def _handle(self, message: _Envelope) -> None:
        if message.method and message.id is not None:
            self._send({"jsonrpc": "2.0", "id": message.id, "result": self._result_for(message)})
        elif message.method == "textDocument/publishDiagnostics":
            published = _publication(message.params)
            if published.uri == self._uri:
                self._published = published
        elif message.method == "experimental/serverStatus":
            self.is_quiescent = _status(message.params).quiescent
        elif message.method == "$/progress" and self.is_checking:
            told = _progress(message.params)
            is_check = str(told.token).startswith(self._server.check_token)
            self.is_checking = not (is_check and told.value.kind == "end")

    def _result_for(self, message: _Envelope) -> object:
        if message.method != "workspace/configuration":
            return None
        return [self._section(item.get("section", "")) for item in _items(message.params).items]

    def _section(self, section: str) -> object:
        found = self._server.settings
        for name in section.split(".") if section else ():
            found = _members(found.get(name))
        return found

    def _read(self) -> _Envelope:
        deadline = time.monotonic() + _TIMEOUT_S
        while (message := self._take()) is None:
            if not self._poll.poll(_TIMEOUT_S * 1000) or time.monotonic() > deadline:
                raise FloorError(f"{self._server.command[0]} has not said anything for {_TIMEOUT_S} s")
            self._receive()
        return message

    def _receive(self) -> None:
        data = os.read(self._in, _READ_SIZE)
        if not data:
            raise FloorError(f"{self._server.command[0]} went away")
        self._buffer += data

    def _take(self) -> _Envelope | None:
        """The next whole message of the buffer."""
        buffer = self._buffer
        header = buffer.find(b"\r\n\r\n")
        if header < 0:
            return None
        length = int(buffer[buffer.find(b":") + 1 : header].split(b"\r")[0])
        end = header + 4 + length
        if len(buffer) < end:
            return None
        message = _envelope(bytes(buffer[header + 4 : end]))
        del buffer[:end]
        return message
