"""Begins to load and never ends; until then it calls every file clean."""

from base import Json, ToyServer


class NeverReady(ToyServer):
    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "initialized":
            value = {"kind": "begin", "title": "Indexing", "percentage": 10}
            self.tell("$/progress", {"token": "load", "value": value})

    def diagnose(self, params: Json) -> Json:
        return {"kind": "full", "items": []}


NeverReady().run()
