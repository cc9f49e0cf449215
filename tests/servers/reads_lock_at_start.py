"""Reads toy.lock when it starts and never again; while it is first asked, somebody replaces an old one by a new one."""

from base import Json, ToyServer


class ReadsLockAtStart(ToyServer):
    def initialize(self, params: Json) -> Json:
        answer = super().initialize(params)
        self._lock = (self.root / "toy.lock").read_text("utf-8")
        return answer

    def diagnose(self, params: Json) -> Json:
        self._upgrade()
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        return {"kind": "full", "items": [{"range": place, "message": f"checked by {self._lock}", "severity": 1}]}

    def _upgrade(self) -> None:
        lock = self.root / "toy.lock"
        if lock.read_text("utf-8") == "old":
            lock.write_text("new", "utf-8")


ReadsLockAtStart().run()
