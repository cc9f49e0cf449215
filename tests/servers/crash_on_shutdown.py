"""Falls over when it is asked to shut down."""

import os

from base import Json, ToyServer


class CrashOnShutdown(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        if method == "shutdown":
            os._exit(1)
        super().asked(request, method, params)


CrashOnShutdown().run()
