"""Works on, whatever is cancelled, and answers when it is done."""

import time

from base import Json, ToyServer


class IgnoresCancel(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        if method == "toy/slow":
            time.sleep(0.4)
            self.send(id=request, result="late")
        else:
            super().asked(request, method, params)


IgnoresCancel().run()
