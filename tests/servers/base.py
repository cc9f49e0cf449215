"""A small language server over standard input and output, with good manners: the scripts beside it break one each.

It speaks for itself: none of the code it is to test is in it. It reports every line that holds the word ``wrong``, by
pull, and finds a word in all ``*.toy`` files below its root. With ``TOY_LOG`` set, what it hears is written there.
"""

import json
import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit

Json: TypeAlias = Any
"""Any JSON: a wrong shape ends the script, which its test will notice."""

METHOD_NOT_FOUND = -32601


class ToyServer:
    """Overridden by each script in the one place where it misbehaves."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.root = Path()
        self._writing = threading.Lock()
        self._last_id = 0

    def run(self) -> None:
        """Serve until the input ends."""
        while (message := self.read()) is not None:
            self.handle(message)

    def read(self) -> Json:
        """The next message, or None at the end of the input."""
        size = 0
        while (line := sys.stdin.buffer.readline()).strip():
            name, _, value = line.decode().partition(":")
            size = int(value) if name.lower() == "content-length" else size
        return json.loads(sys.stdin.buffer.read(size)) if size else None

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        with self._writing:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def send(self, **message: Json) -> None:
        """Send one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def tell(self, method: str, params: Json) -> None:
        """Send a notification."""
        self.send(method=method, params=params)

    def ask(self, method: str, params: Json) -> int:
        """Send a request; the answer comes to ``answered``."""
        self._last_id += 1
        self.send(id=self._last_id, method=method, params=params)
        return self._last_id

    def handle(self, message: Json) -> None:
        """One message of the client."""
        method = message.get("method")
        if method is None:
            self.answered(message["id"], message)
            return
        _log(method)
        if "id" in message:
            self.asked(message["id"], method, message.get("params"))
        else:
            self.told(method, message.get("params"))

    def asked(self, request: Json, method: str, params: Json) -> None:
        """A request: answer it."""
        answers: dict[str, Callable[[Json], Json]] = {
            "initialize": self.initialize,
            "shutdown": lambda _: None,
            "textDocument/diagnostic": self.diagnose,
            "textDocument/references": self.references,
        }
        if method in answers:
            self.send(id=request, result=answers[method](params))
        else:
            self.send(id=request, error={"code": METHOD_NOT_FOUND, "message": f"no {method} here"})

    def told(self, method: str, params: Json) -> None:
        """A notification."""
        if method == "exit":
            sys.exit(0)
        if method == "initialized":
            self.watch()
        if method == "textDocument/didOpen":
            self.changed(params["textDocument"], params["textDocument"]["text"])
        elif method == "textDocument/didChange":
            self.changed(params["textDocument"], params["contentChanges"][-1]["text"])
        elif method == "textDocument/didClose":
            del self.texts[params["textDocument"]["uri"]]

    def watch(self) -> None:
        """Ask to be told of files that change."""
        options = {"watchers": [{"globPattern": "**/*.toy"}]}
        registration = {"id": "watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": options}
        self.ask("client/registerCapability", {"registrations": [registration]})

    def answered(self, request: Json, message: Json) -> None:
        """The client answered a request of ours."""

    def changed(self, document: Json, text: str) -> None:
        """A document was opened or changed."""
        self.texts[document["uri"]] = text
        self.versions[document["uri"]] = document["version"]

    def initialize(self, params: Json) -> Json:
        """What we are and offer."""
        self.root = _path(params["rootUri"])
        return {"capabilities": self.capabilities(), "serverInfo": {"name": "toy"}}

    def capabilities(self) -> Json:
        """Whole texts, pull diagnostics, references."""
        sync = {"openClose": True, "change": 1, "save": True}
        pull = {"interFileDependencies": False, "workspaceDiagnostics": False}
        return {"textDocumentSync": sync, "diagnosticProvider": pull, "referencesProvider": True}

    def diagnose(self, params: Json) -> Json:
        """The report of a document."""
        return {"kind": "full", "items": findings(self.texts[params["textDocument"]["uri"]])}

    def path_of(self, params: Json) -> Path:
        """The file that a request is about."""
        return _path(params["textDocument"]["uri"])

    def references(self, params: Json) -> Json:
        """All places of the word at the position."""
        text = self.texts[params["textDocument"]["uri"]]
        word = _word_at(text, params["position"])
        files = sorted(self.root.rglob("*.toy"))
        return [place for file in files for place in _places(file, word)]

    def publish(self, uri: str, items: Json, version: int | None = None) -> None:
        """Push findings."""
        versioned = {} if version is None else {"version": version}
        self.tell("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": items, **versioned})


def findings(text: str) -> Json:
    """An error for every line that holds the word ``wrong``; the message is the line."""
    lines = enumerate(text.splitlines())
    return [
        {"range": _span(number, line.index("wrong"), 5), "message": line, "severity": 1}
        for number, line in lines
        if "wrong" in line
    ]


def _span(line: int, start: int, length: int) -> Json:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": start + length}}


def _word_at(text: str, position: Json) -> str:
    line = text.splitlines()[int(position["line"])]
    words = re.finditer(r"\w+", line)
    return next((word[0] for word in words if word.start() <= position["character"] <= word.end()), "")


def _places(file: Path, word: str) -> Json:
    lines = enumerate(file.read_text("utf-8").splitlines())
    return [
        {"uri": file.as_uri(), "range": _span(number, found.start(), len(word))}
        for number, line in lines
        for found in re.finditer(rf"\b{word}\b", line)
    ]


def _path(uri: str) -> Path:
    return Path(unquote(urlsplit(uri).path))


def _log(method: str) -> None:
    log = os.environ.get("TOY_LOG")
    if log:
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()} {method}\n")


if __name__ == "__main__":
    ToyServer().run()
