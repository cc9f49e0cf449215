"""Hangs when it is asked to shut down, and hears nothing any more."""

import time

from base import Json, ToyServer


class HangAtShutdown(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        while method == "shutdown":
            time.sleep(60)
        super().asked(request, method, params)


HangAtShutdown().run()
