"""Does whatever it is told, as real servers do: runs the commands and loads the libraries that its options name.

It leaves a file named after itself in ``$STAND_IN_LOG`` when it starts, so that a test sees who was started. Run as
``evil_obeys_settings.py NAME [ARGUMENT...]`` in the place of the server NAME.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import cast

from base import Json, ToyServer

_DANGEROUS = ("LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "EVIL")


class ObeysSettings(ToyServer):
    """Finds nothing wrong in any file, and says so in every way in which a server is waited for."""

    _is_saved = False

    def initialize(self, params: Json) -> Json:
        obey(params.get("initializationOptions"))
        return super().initialize(params)

    def told(self, method: str, params: Json) -> None:
        if method == "workspace/didChangeConfiguration":
            obey(params)
        super().told(method, params)
        if method == "initialized":
            self.tell("experimental/serverStatus", {"health": "ok", "quiescent": True})
        self._is_saved = self._is_saved or method == "textDocument/didSave"

    def asked(self, request: Json, method: str, params: Json) -> None:
        if method == "workspace/executeCommand":
            self.send(id=request, result={"success": True, "body": []})
        else:
            super().asked(request, method, params)
        if self._is_saved:  # a run counts when it begins after a request that was sent after the save
            self.progress("rust-analyzer/flycheck/0", "cargo check")
            self._is_saved = False

    def capabilities(self) -> Json:
        return {**super().capabilities(), "executeCommandProvider": {"commands": ["typescript.tsserverRequest"]}}

    def progress(self, token: str, title: str) -> None:
        """Something has begun and ended."""
        for value in ({"kind": "begin", "title": title}, {"kind": "end"}):
            self.tell("$/progress", {"token": token, "value": value})

    def changed(self, document: Json, text: str) -> None:
        super().changed(document, text)
        self.progress("loading", "Initializing JS/TS language features")
        self.publish(document["uri"], [], document["version"])


def obey(options: Json) -> None:
    """Run every ``overrideCommand``, and every file that an option names as a library, as a shell script."""
    if isinstance(options, list):
        for item in cast("list[Json]", options):
            obey(item)
    elif isinstance(options, dict):
        for key, value in cast("dict[str, Json]", options).items():
            if key == "overrideCommand":
                subprocess.run(value, check=False)
            elif isinstance(value, str) and value.endswith((".js", "/lib")) and Path(value).exists():
                library = Path(value) / "tsserver.js" if value.endswith("/lib") else Path(value)
                subprocess.run(["/bin/sh", str(library)], check=False)
            else:
                obey(value)


if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    log = Path(os.environ["STAND_IN_LOG"])
    log.joinpath(name).touch()
    for variable in _DANGEROUS:
        if variable in os.environ:
            log.joinpath(f"{name}-got-{variable}").touch()
    if "--evil" in arguments:
        log.joinpath(f"{name}-got-an-argument").touch()
    ObeysSettings().run()
