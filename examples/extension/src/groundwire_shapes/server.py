"""``shapes-ls``: a language server on standard input and output, with findings by pull and the symbols of a file."""

import json
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

from groundwire_shapes.language import Shape, problem_of, shapes_in

Json: TypeAlias = Any
"""Any JSON, as the client sends it."""

_ERROR, _OBJECT = 1, 19
_METHOD_NOT_FOUND = -32601


class Server:
    """Whole texts, as the client tells them."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def run(self) -> None:
        """Until the client says so, or hangs up."""
        while (message := _read()) is not None and message.get("method") != "exit":
            if "id" in message and "method" in message:
                self._answer(message["id"], message["method"], message.get("params"))
            else:
                self._hear(message.get("method"), message.get("params"))

    def _answer(self, request: Json, method: str, params: Json) -> None:
        answers: dict[str, Callable[[Json], Json]] = {
            "initialize": lambda _: {"capabilities": _CAPABILITIES, "serverInfo": {"name": "shapes-ls"}},
            "shutdown": lambda _: None,
            "textDocument/diagnostic": lambda given: {"kind": "full", "items": self._findings(given)},
            "textDocument/documentSymbol": self._symbols,
        }
        if method in answers:
            _write({"id": request, "result": answers[method](params)})
        else:
            _write({"id": request, "error": {"code": _METHOD_NOT_FOUND, "message": f"no {method} here"}})

    def _hear(self, method: str | None, params: Json) -> None:
        if method == "textDocument/didOpen":
            self._texts[params["textDocument"]["uri"]] = params["textDocument"]["text"]
        elif method == "textDocument/didChange":
            self._texts[params["textDocument"]["uri"]] = params["contentChanges"][-1]["text"]

    def _shapes(self, params: Json) -> list[Shape]:
        return list(shapes_in(self._texts[params["textDocument"]["uri"]]))

    def _findings(self, params: Json) -> Json:
        wrong = [(shape, problem_of(shape)) for shape in self._shapes(params)]
        return [{"range": _range(shape), "message": words, "severity": _ERROR} for shape, words in wrong if words]

    def _symbols(self, params: Json) -> Json:
        return [
            {
                "name": each.kind,
                "kind": _OBJECT,
                "detail": each.size,
                "range": _range(each),
                "selectionRange": _range(each),
            }
            for each in self._shapes(params)
        ]


_CAPABILITIES = {
    "textDocumentSync": {"openClose": True, "change": 1},
    "diagnosticProvider": {"interFileDependencies": False, "workspaceDiagnostics": False},
    "documentSymbolProvider": True,
}


def _range(shape: Shape) -> Json:
    start = {"line": shape.line, "character": 0}
    return {"start": start, "end": {"line": shape.line, "character": len(shape.kind)}}


def _read() -> Json:
    size = 0
    while (line := sys.stdin.buffer.readline()).strip():
        name, _, value = line.decode().partition(":")
        size = int(value) if name.lower() == "content-length" else size
    return json.loads(sys.stdin.buffer.read(size)) if size else None


def _write(message: Json) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


def main() -> int:
    """Serves one client."""
    Server().run()
    return 0
