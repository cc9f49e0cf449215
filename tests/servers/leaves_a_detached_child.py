"""Has a helper in a session of its own, and is gone itself the moment it is told to shut down."""

import os
import subprocess
import sys
from pathlib import Path

from base import Json, ToyServer


class LeavesADetachedChild(ToyServer):
    def initialize(self, params: Json) -> Json:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
        log = os.environ.get("TOY_LOG")
        if log:
            with Path(log).open("a", encoding="utf-8") as file:
                file.write(f"{child.pid} was started\n")
        return super().initialize(params)

    def asked(self, request: Json, method: str, params: Json) -> None:
        if method == "shutdown":
            os._exit(0)
        super().asked(request, method, params)


LeavesADetachedChild().run()
