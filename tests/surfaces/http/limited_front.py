"""A front with limits that only tests want, run as a process by ``front``; the rest is as the command does it."""

import json
import logging
import os
import sys
from dataclasses import replace
from pathlib import Path

from groundwire.surfaces.http.serving import serve
from groundwire.surfaces.http.settings import ServeSettings, default_state_dir, without_token
from tests.surfaces.http.front import READY


def main() -> None:
    """The one argument is JSON: roots, port and limits."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    given = json.loads(sys.argv[1])
    token = os.environ.pop("GROUNDWIRE_TOKEN", "")
    settings = ServeSettings(
        roots=tuple(map(Path, given["roots"])),
        port=given["port"],
        token=token,
        is_open=not token,
        environment=without_token(os.environ),
        state_dir=default_state_dir(os.environ),
    )
    serve(replace(settings, **given["limits"]), lambda address: print(READY + address, file=sys.stderr, flush=True))


if __name__ == "__main__":
    main()
