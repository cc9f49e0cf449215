"""Falls over when it is asked for findings."""

import os
import sys

from base import Json, ToyServer


class CrashMidRequest(ToyServer):
    def diagnose(self, params: Json) -> Json:
        print("segmentation fault", file=sys.stderr, flush=True)
        os._exit(7)


CrashMidRequest().run()
