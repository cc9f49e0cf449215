"""Serves several workspace folders, each with a word of its own (the setting ``toy.word``) that it calls wrong, too.

Until it has loaded a folder it does not know the word, and it loads one a while after it was told of it, which
progress shows. ``TOY_SILENT`` keeps that progress of joined folders to itself; ``TOY_SINGLE`` declares one folder only.
"""

import os
import threading
from pathlib import Path

from base import Json, ToyServer, findings

LOADING_S = 0.15


class ManyRoots(ToyServer):
    def __init__(self) -> None:
        super().__init__()
        self._words: dict[str, str] = {}
        self._asked: dict[int, str] = {}
        self._first = ""

    def capabilities(self) -> Json:
        folders = {"supported": True, "changeNotifications": not os.environ.get("TOY_SINGLE")}
        return {**super().capabilities(), "workspace": {"workspaceFolders": folders}}

    def initialize(self, params: Json) -> Json:
        self._first = params["rootUri"]
        return super().initialize(params)

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "initialized":
            self._meet(self._first)
        elif method == "workspace/didChangeWorkspaceFolders":
            for folder in params["event"]["removed"]:
                note("removed", folder["uri"])
                self._words.pop(folder["uri"], None)
            for folder in params["event"]["added"]:
                self._meet(folder["uri"])
        elif method == "workspace/didChangeWatchedFiles":
            for change in params["changes"]:
                note("told of", change["uri"])

    def answered(self, request: Json, message: Json) -> None:
        folder = self._asked.pop(request, "")
        if folder == "all folders":
            note("folders", " ".join(each["name"] for each in message["result"]))
        elif folder:
            timer = threading.Timer(LOADING_S, self._load, [folder, message["result"][0]])
            timer.daemon = True
            timer.start()

    def diagnose(self, params: Json) -> Json:
        uri = params["textDocument"]["uri"]
        word = next((word for folder, word in self._words.items() if uri.startswith(f"{folder}/")), None)
        lines = enumerate(self.texts[uri].splitlines())
        own = [_finding(number, line) for number, line in lines if word and word in line]
        return {"kind": "full", "items": [*findings(self.texts[uri]), *own]}

    def _meet(self, folder: str) -> None:
        if not self._is_silent(folder):
            self.tell("$/progress", {"token": folder, "value": {"kind": "begin", "title": "Indexing"}})
        item = {"scopeUri": folder, "section": "toy.word"}
        self._asked[self.ask("workspace/workspaceFolders", None)] = "all folders"
        self._asked[self.ask("workspace/configuration", {"items": [item]})] = folder

    def _load(self, folder: str, word: str) -> None:
        self._words[folder] = word
        note("loaded", folder)
        if not self._is_silent(folder):
            self.tell("$/progress", {"token": folder, "value": {"kind": "end"}})

    def _is_silent(self, folder: str) -> bool:
        return bool(os.environ.get("TOY_SILENT")) and folder != self._first


def note(what: str, about: str) -> None:
    """Write down what happened, beside what was heard."""
    if "TOY_LOG" in os.environ:
        with Path(os.environ["TOY_LOG"]).open("a", encoding="utf-8") as log:
            log.write(f"{os.getpid()} {what} {about.rsplit('/', 1)[-1]}\n")


def _finding(line: int, text: str) -> Json:
    place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}
    return {"range": place, "message": text, "severity": 1}


if __name__ == "__main__":
    ManyRoots().run()
