"""Not a server but a server's companion: ``rojo_like.py sourcemap --watch PROJECT --output MAP``.

Writes the modules below the current directory to the map, and again whenever they change. Its id goes to the file that
``ROJO_LOG`` names; ``ROJO_FAILS`` makes it end at once, as one that is broken does.
"""

import json
import os
import sys
import time
from pathlib import Path


def main(project: str, output: str) -> None:
    """Watch until somebody ends it."""
    with Path(os.environ["ROJO_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{os.getpid()}\n")
    if os.environ.get("ROJO_FAILS"):
        sys.exit("rojo: this project has no tree")
    json.loads(Path(project).read_text("utf-8"))
    written: list[str] | None = None
    while True:
        modules = sorted(path.stem for path in Path().rglob("*.luau"))
        if modules != written:
            fresh = Path(f"{output}.fresh")
            fresh.write_text(json.dumps({"modules": modules}), "utf-8")
            fresh.replace(output)
            written = modules
        time.sleep(0.01)


if __name__ == "__main__":
    main(sys.argv[3], sys.argv[5])
