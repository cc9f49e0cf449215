"""What the tests of installing share: a toy server, and installers that note what they are asked and make it.

The installers are shell scripts in a directory that goes first on the path. Each notes its directory and its arguments,
then does what its mode says: nothing special, ``fail``, ``hang`` (with a child of its own) or ``empty`` (no command).
"""

import os
import shlex
from pathlib import Path

import msgspec

from groundwire.registry.spec import Managed, ServerSpec

PINS = {
    "pypi": ("toy==1.2.3", "extra==4"),
    "npm": ("@scope/toy@1.2.3", "extra@4"),
    "go": ("example.org/toy@v1.2.3",),
    "cargo": ("toy@1.2.3",),
    "gem": ("toy@1.2.3", "extra@4"),
}
SHELL_TOOLS = "/usr/bin:/bin"
SCRIPT = r"""#!/bin/sh
base={base}
{{ pwd; printf '%s\n' "$(basename "$0")" "$@"; echo; }} >> "$base/log"
env > "$base/environment"
case $(cat "$base/mode") in
  fail) echo "line one"; echo "no such package" >&2; exit 3 ;;
  hang) sleep 1000 & echo "$! $$" > "$base/pids.new"; mv "$base/pids.new" "$base/pids"; wait ;;
  empty) exit 0 ;;
esac
{make}
mkdir -p "$place"
for each in not-declared $(cat "$base/commands"); do cp "$base/toy-server" "$place/$each"; done
"""
PLACES = {
    "npm": 'place="$3/node_modules/.bin"',
    "go": 'place="$GOBIN"',
    "cargo": 'place="$4/bin"',
    "gem": 'place="$5"',
    "python": r"""
if [ "$3" = venv ]; then mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; exit 0; fi
case "$*" in *--only-binary*)
  if [ -e "$base/no-wheel" ]; then echo 'ERROR: No matching distribution found'; exit 1; fi ;;
esac
place="$(dirname "$0")"
""",
}
SERVER = """#!/bin/sh
echo "toy 1.2.3 $GEM_HOME $GEM_PATH"
"""


class Installers:
    """The scripts, what they noted, and the environment in which they are the ones that are found."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.data = base / "data"
        self.places = base / "installers"
        self.places.mkdir()
        self.python = self.places / "python"
        self.mode("")
        self.brings("toy-server")
        self.server_says(SERVER)
        for name, make in PLACES.items():
            _write_program(self.places / name, SCRIPT.format(base=shlex.quote(str(base)), make=make))
        path = os.pathsep.join((str(self.places), SHELL_TOOLS))
        self.environment = {"GROUNDWIRE_DATA_DIR": str(self.data), "PATH": path, "HOME": str(base)}

    def mode(self, name: str) -> None:
        (self.base / "mode").write_text(name, "utf-8")

    def brings(self, *commands: str) -> None:
        """The commands of the packages."""
        (self.base / "commands").write_text(" ".join(commands), "utf-8")

    def server_says(self, script: str) -> None:
        _write_program(self.base / "toy-server", script)

    def calls(self) -> list[list[str]]:
        """Every call: the directory it ran in, the program, its arguments."""
        log = self.base / "log"
        text = log.read_text("utf-8") if log.exists() else ""
        return [call.split("\n") for call in text.split("\n\n") if call]

    def seen_environment(self) -> dict[str, str]:
        lines = (self.base / "environment").read_text("utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def hanging(self) -> list[int]:
        """The process ids of the installer that hangs and of its child, once there are such."""
        pids = self.base / "pids"
        return [int(pid) for pid in pids.read_text("utf-8").split()] if pids.exists() else []

    def left(self) -> list[str]:
        """All that is in the directory of the servers."""
        servers = self.data / "servers"
        return sorted(str(path.relative_to(servers)) for path in servers.glob("*/*")) if servers.exists() else []


def toy(
    method: str = "npm", packages: tuple[str, ...] = (), version_command: tuple[str, ...] = ("--version",)
) -> ServerSpec:
    """A server with one command, installed by that method."""
    shape = {"method": method, "packages": packages or PINS[method], "commands": ("toy-server",)}
    return ServerSpec(
        id="toy",
        languages=("toy",),
        command=("toy-server", "--stdio"),
        version_command=version_command,
        install={"brew": "brew install toy", "apt": "apt install toy"},
        managed=msgspec.convert(shape, Managed),
        verified="from documentation",
    )


def silent(doing: str, said: str) -> None:
    """A report that nobody reads."""


def _write_program(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    path.chmod(0o755)
