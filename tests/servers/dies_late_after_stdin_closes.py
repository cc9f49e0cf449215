"""Takes its time to end: it tidies up for half a second once its input has closed."""

import time

from base import Json, ToyServer


class DiesLate(ToyServer):
    def told(self, method: str, params: Json) -> None:
        if method != "exit":
            super().told(method, params)


DiesLate().run()
time.sleep(0.5)
