"""Never answers ``initialize``."""

from base import Json, ToyServer


class HangAtStart(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        pass


HangAtStart().run()
