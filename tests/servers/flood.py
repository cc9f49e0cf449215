"""Logs twenty thousand lines before it reports anything."""

from base import Json, ToyServer


class Flood(ToyServer):
    def diagnose(self, params: Json) -> Json:
        for number in range(20_000):
            self.tell("window/logMessage", {"type": 4, "message": f"line {number}"})
        return super().diagnose(params)


Flood().run()
