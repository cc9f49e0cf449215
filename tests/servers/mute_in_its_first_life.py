"""The first process that writes to ``TOY_LOG`` answers nothing but ``initialize``; those after it answer everything."""

import os
from pathlib import Path

from base import Json, ToyServer


class MuteInItsFirstLife(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        if method in ("initialize", "shutdown") or not self._is_first():
            super().asked(request, method, params)

    def _is_first(self) -> bool:
        first = Path(os.environ["TOY_LOG"]).read_text("utf-8").split(maxsplit=1)[0]
        return int(first) == os.getpid()


MuteInItsFirstLife().run()
