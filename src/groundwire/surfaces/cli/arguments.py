"""The commands and their options. Imports nothing of groundwire but its version, so that ``--help`` is immediate.

Above: ``main``. Below: nothing.
"""

import argparse
import math
from pathlib import Path

from groundwire import __version__


class Arguments(argparse.Namespace):
    """What was asked; each command reads the options it declares below."""

    command: str = ""
    files: list[Path]
    json: bool = False
    server: list[str]
    root: Path | None = None
    wait: float = 30.0
    warnings: bool = False


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(prog="groundwire", description="Compiler truth for AI coding agents.")
    parser.add_argument("--version", action="version", version=f"groundwire {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_check(commands.add_parser("check", help="say what is wrong in files", description=_CHECK))
    commands.add_parser("demo", help="show in a few seconds what it does, and that it works here", description=_DEMO)
    return parser


_CHECK = """Say what language servers find wrong in files, and how far that is proven.
Exit status: 0 no errors, and that is proven; 1 errors; 3 not known; 2 wrong use or no usable server."""

_DEMO = """Break a small project in a temporary folder, show what an agent would be told, and mend it again.
Needs nothing but groundwire itself. Exit status: 0 when every step came out as it should; else 1."""


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a file to check")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.add_argument(
        "--warnings", action="store_true", help="show warnings and notes too; they do not change the exit status"
    )
    parser.add_argument(
        "--server",
        action="append",
        default=[],
        metavar="ID",
        help="use exactly this server; may be given several times",
    )
    parser.add_argument(
        "--root", type=Path, metavar="DIR", help="the workspace (default: the git repository, else here)"
    )
    parser.add_argument(
        "--wait", type=_seconds, default=30.0, metavar="SECONDS", help="the most to wait for the servers (default: 30)"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above zero")
    return seconds
