"""Resolves ``require("X")`` by sourcemap.json, which it reads at the start and then only when it is told of it.

A module that the map, as last read, does not list is an "Unknown require". It watches what luau-lsp watches, and says
on its standard error what it was told of.
"""

import json
import re
import sys
from pathlib import Path

from base import Json, ToyServer, findings

REQUIRE = re.compile(r'require\("(\w+)"\)')


class LuauLike(ToyServer):
    def __init__(self) -> None:
        super().__init__()
        self.modules: set[str] = set()

    def initialize(self, params: Json) -> Json:
        answer = super().initialize(params)
        self._read_sourcemap()
        return answer

    def watch(self) -> None:
        watchers = [{"globPattern": "sourcemap.json"}, {"globPattern": "**/*.luau"}]
        registration = {
            "id": "w",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": {"watchers": watchers},
        }
        self.ask("client/registerCapability", {"registrations": [registration]})

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "workspace/didChangeWatchedFiles":
            names = [change["uri"].rsplit("/", 1)[-1] for change in params["changes"]]
            print("told of", *names, file=sys.stderr, flush=True)
            if "sourcemap.json" in names:
                self._read_sourcemap()

    def diagnose(self, params: Json) -> Json:
        text = self.texts[params["textDocument"]["uri"]]
        required = [(number, name) for number, line in enumerate(text.splitlines()) for name in REQUIRE.findall(line)]
        unknown = [_unknown(*each) for each in required if each[1] not in self.modules]
        return {"kind": "full", "items": [*findings(text), *unknown]}

    def _read_sourcemap(self) -> None:
        try:
            found = json.loads(Path(self.root, "sourcemap.json").read_text("utf-8"))
        except FileNotFoundError:
            return
        self.modules = set(found["modules"])


def _unknown(line: int, name: str) -> Json:
    place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}
    return {"range": place, "message": f"Unknown require: {name}", "severity": 1}


if __name__ == "__main__":
    LuauLike().run()
