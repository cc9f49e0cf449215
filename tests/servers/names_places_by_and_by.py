"""Reads a file beside its root, and says so after its first answer: a while later, in the second of two registrations.

A line is wrong where it holds the word in that file, as it was when it was last told of it.
"""

import threading

from base import Json, ToyServer, findings


class NamesPlacesByAndBy(ToyServer):
    word = ""

    def watch(self) -> None:
        """Not at the start."""

    def diagnose(self, params: Json) -> Json:
        if not self.word:
            self._read()
            self._register_soon("root", "**/*.toy")
        text = self.texts[params["textDocument"]["uri"]]
        return {"kind": "full", "items": findings(text.replace(self.word, "wrong"))}

    def answered(self, request: Json, message: Json) -> None:
        if request == 1:
            self._register_soon("beside", str(self.root.parent / "word.txt"))

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "workspace/didChangeWatchedFiles":
            self._read()

    def _read(self) -> None:
        self.word = (self.root.parent / "word.txt").read_text("utf-8").strip()

    def _register_soon(self, name: str, pattern: str) -> None:
        timer = threading.Timer(0.02, self._register, [name, pattern])
        timer.daemon = True
        timer.start()

    def _register(self, name: str, pattern: str) -> None:
        options = {"watchers": [{"globPattern": pattern}]}
        registration = {"id": name, "method": "workspace/didChangeWatchedFiles", "registerOptions": options}
        self.ask("client/registerCapability", {"registrations": [registration]})


NamesPlacesByAndBy().run()
