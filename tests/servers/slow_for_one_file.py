"""Answers a question about references in ``slow.toy`` only after it has answered ``SLOW_AFTER`` others."""

import os

from base import Json, ToyServer


class SlowForOneFile(ToyServer):
    def __init__(self) -> None:
        super().__init__()
        self._left = int(os.environ["SLOW_AFTER"])
        self._held: list[tuple[Json, Json]] = []

    def asked(self, request: Json, method: str, params: Json) -> None:
        if method != "textDocument/references":
            super().asked(request, method, params)
        elif self.path_of(params).name == "slow.toy" and self._left > 0:
            self._held.append((request, params))
        else:
            super().asked(request, method, params)
            self._left -= 1
            while self._left == 0 and self._held:
                super().asked(self._held[0][0], method, self._held.pop(0)[1])


SlowForOneFile().run()
