"""Answers null to everything."""

from base import Json, ToyServer


class NullResults(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        self.send(id=request, result=self.initialize(params) if method == "initialize" else None)


NullResults().run()
