"""Ends, as some do, as soon as it hears of a file whose name is no UTF-8."""

import json
import os
from urllib.parse import unquote

from base import Json, ToyServer


class DiesOfOddNames(ToyServer):
    def handle(self, message: Json) -> None:
        if "\ufffd" in unquote(json.dumps(message, ensure_ascii=False)):
            os._exit(101)
        super().handle(message)


DiesOfOddNames().run()
