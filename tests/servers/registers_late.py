"""Offers findings only by a registration, a while after the start."""

import threading

from base import Json, ToyServer


class RegistersLate(ToyServer):
    def capabilities(self) -> Json:
        return {**super().capabilities(), "diagnosticProvider": None}

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "initialized":
            timer = threading.Timer(0.3, self._register)
            timer.daemon = True
            timer.start()

    def _register(self) -> None:
        options = {"documentSelector": [{"language": "toy"}], "identifier": "late"}
        registration = {"id": "1", "method": "textDocument/diagnostic", "registerOptions": options}
        self.ask("client/registerCapability", {"registrations": [registration]})


RegistersLate().run()
