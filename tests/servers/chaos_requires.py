"""Knows the files that were there when it began and those it was told of since: ``require NAME`` of another is wrong.

A client that does not tell it of a new ``NAME.toy`` hears "unknown require" for ever. Above: the tests of many files.
"""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from base import Json, ToyServer, findings

_DELETED = 3


class Requires(ToyServer):
    """Never looks at the disk a second time."""

    def __init__(self) -> None:
        super().__init__()
        self._known: set[str] = set()

    def initialize(self, params: Json) -> Json:
        result = super().initialize(params)
        self._known = {file.stem for file in self.root.rglob("*.toy")}
        return result

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "workspace/didChangeWatchedFiles":
            for change in params["changes"]:
                name = Path(unquote(urlsplit(str(change["uri"])).path)).stem
                change_known = self._known.discard if change["type"] == _DELETED else self._known.add
                change_known(name)

    def capabilities(self) -> Json:
        pull = {"interFileDependencies": True, "workspaceDiagnostics": False}
        return {**super().capabilities(), "diagnosticProvider": pull}

    def diagnose(self, params: Json) -> Json:
        text = self.texts[params["textDocument"]["uri"]]
        lines = [(number, line.split()) for number, line in enumerate(text.splitlines())]
        missing = [(number, words[1]) for number, words in lines if words[:1] == ["require"]]
        unknown = [_finding(*each) for each in missing if each[1] not in self._known]
        return {"kind": "full", "items": [*findings(text), *unknown]}


def _finding(line: int, name: str) -> Json:
    span = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 7}}
    return {"range": span, "message": f"unknown require {name}", "severity": 1}


Requires().run()
