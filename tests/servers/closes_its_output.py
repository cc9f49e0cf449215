"""Closes its output when it is asked for findings, and lives on."""

import os
import time

from base import Json, ToyServer


class ClosesItsOutput(ToyServer):
    def diagnose(self, params: Json) -> Json:
        os.close(1)
        while True:
            time.sleep(60)


ClosesItsOutput().run()
