"""Asks for its configuration and ends if there is none."""

import os

from base import Json, ToyServer


class FailsOnNullConfiguration(ToyServer):
    _question = 0

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "initialized":
            self._question = self.ask(
                "workspace/configuration", {"items": [{"section": "toy"}, {"section": "toy.lint"}]}
            )

    def answered(self, request: Json, message: Json) -> None:
        if request == self._question and ("result" not in message or None in message["result"]):
            os._exit(9)


FailsOnNullConfiguration().run()
