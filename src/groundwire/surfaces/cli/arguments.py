"""The commands and their options. Imports nothing of groundwire but its version, so that ``--help`` is immediate.

Above: ``main``. Below: nothing.
"""

import argparse
import math
import os
from collections.abc import Container
from pathlib import Path
from typing import Protocol

from groundwire import __version__


class Arguments(argparse.Namespace):
    """What was asked; each command reads the options it declares below."""

    command: str = ""
    module: str = ""
    """Where it is not the command's name."""
    operation: str = ""
    max_chars: int | None = None
    files: list[Path]
    json: bool = False
    server: list[str]
    root: Path | None = None
    wait: float = 30.0
    warnings: bool = False
    changed: bool = False
    staged: bool = False
    base: str = ""
    format: str = "text"
    names: list[str]
    show_list: bool = False
    remove: bool = False
    every: bool = False
    yes: bool = False
    revoke: bool = False
    directory: Path | None = None
    profile: str = "core"
    output: str = "text"


class Commands(Protocol):
    """To which a command can be added."""

    @property
    def choices(self) -> Container[str]: ...

    # The names are those of argparse.
    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser: ...  # noqa: A002


def build_parser() -> tuple[argparse.ArgumentParser, Commands]:
    """The command line but for the operations, and where they can be added."""
    parser = argparse.ArgumentParser(prog="groundwire", description="Compiler truth for AI coding agents.")
    parser.add_argument("--version", action="version", version=f"groundwire {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_check(commands.add_parser("check", help="say what is wrong in files", description=_CHECK))
    commands.add_parser("demo", help="show in a few seconds what it does, and that it works here", description=_DEMO)
    _add_explain(commands.add_parser("explain", help="say which servers a file gets, and why", description=_EXPLAIN))
    _add_doctor(commands.add_parser("doctor", help="start the servers and say what is missing", description=_DOCTOR))
    _add_status(commands.add_parser("status", help="show the servers of a workspace", description=_STATUS))
    _add_mcp(commands.add_parser("mcp", help="serve coding agents over MCP, on standard input", description=_MCP))
    _add_install(commands.add_parser("install", help="get language servers, pinned, for you", description=_INSTALL))
    _add_trust(commands.add_parser("trust", help="let a project decide which commands are run", description=_TRUST))
    return parser, commands


_CHECK = """Say what language servers find wrong in files, and how far that is proven; or what a change set introduced,
in its own files and in those that use them, against the state before it.
Exit status: 0 no errors (of a change set: none introduced), and that is proven; 1 errors (of a change set: introduced
ones); 3 not known; 2 wrong use or no usable server."""

_DEMO = """Break a small project in a temporary folder, show what an agent would be told, and mend it again.
Needs nothing but groundwire itself. Exit status: 0 when every step came out as it should; else 1."""

_EXPLAIN = """Say every decision about a file, and why: its language, its servers, where they are rooted, which programs
they are, what was passed over, and what the project may not decide yet. Nothing is started.
Exit status: 0 explained; 2 wrong use."""

_DOCTOR = """Start each language server that the files of this workspace need, ask it about one of them, and say what
works, what is missing or broken, and the one command that helps. Nothing stays running.
Exit status: 0 all is well; 1 something that is needed is missing or broken; 2 wrong use."""

_STATUS = """Show each language server that the files of this workspace need: whether it can be started, where, and what
is in its way. Nothing is started. Exit status: 0 shown; 2 wrong use."""

_MCP = """Serve a coding agent over the Model Context Protocol, on standard input and output, until the input ends.
The language servers are its own, and end with it."""

_INSTALL = """Get language servers for you alone, pinned, into a folder of groundwire's own. Nothing else is touched.
Exit status: 0 all is there; 1 something failed; 2 wrong use."""

_TRUST = """Show every command, program and setting by which this project can have something run, and trust just that.
It ends by itself when any of it changes. Exit status: 0 trusted, or nothing needs it; 1 not trusted; 2 wrong use."""


def _add_check(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("files", nargs="*", type=Path, default=[], metavar="FILE", help="a file to check")
    what.add_argument("--changed", action="store_true", help="what has changed since the last commit, new files too")
    what.add_argument("--staged", action="store_true", help="what the next commit would change, as it is staged")
    what.add_argument("--base", default="", metavar="REF", help="what has changed since the work left REF (main, say)")
    parser.add_argument(
        "--all", action="store_true", dest="every", help="of a change set, also what was wrong before it"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="text (the default), JSON, SARIF 2.1.0, or annotations of GitHub Actions",
    )
    parser.add_argument(
        "--warnings", action="store_true", help="show warnings and notes too; they do not change the exit status"
    )
    add_workspace_options(parser)


def add_workspace_options(parser: argparse.ArgumentParser, *, wait: float = 30.0) -> None:
    """What every command has that asks language servers."""
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.add_argument(
        "--server",
        action="append",
        default=[],
        metavar="ID",
        help="use exactly this server; may be given several times",
    )
    _add_root(parser)
    most = f"the most to wait for the servers (default: {wait:g})"
    parser.add_argument("--wait", type=_seconds, default=wait, metavar="SECONDS", help=most)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs=1, type=Path, metavar="FILE", help="the file")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    _add_root(parser)


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--all", action="store_true", dest="every", help="every known server, each in an empty project of its own"
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    _add_root(parser)
    parser.add_argument(
        "--wait", type=_seconds, default=60.0, metavar="SECONDS", help="the most to wait for one server (default: 60)"
    )


def _add_status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    _add_root(parser)


def _add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root", type=Path, metavar="DIR", help="the workspace (default: the git repository, else here)"
    )


def _add_mcp(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="groundwire.surfaces.mcp.command")
    parser.add_argument(
        "--no-daemon", action="store_true", help="language servers of its own; today that is the only way there is"
    )
    _add_root(parser)
    profiles = ("core", "full", "navigation", "opta", "single")
    parser.add_argument("--profile", choices=profiles, default="core", help="which tools it shows (default: core)")
    parser.add_argument(
        "--output",
        choices=("text", "json"),
        default=os.environ.get("GROUNDWIRE_OUTPUT", "text"),
        help="answers as text, or as JSON with a schema (default: GROUNDWIRE_OUTPUT, else text)",
    )


def _add_install(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="LANG", help="a language (python, ts, .go) or a server (ruff)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", dest="show_list", help="show what is installed and what can be")
    instead.add_argument("--remove", action="store_true", help="delete what was installed of these servers")
    parser.add_argument(
        "--all-servers", action="store_true", dest="every", help="all servers of a language, linters too"
    )
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="answer in JSON")


def _add_trust(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", nargs="?", type=Path, metavar="DIR", help="the workspace (default: as for check)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", dest="show_list", help="show every workspace that is trusted")
    instead.add_argument("--revoke", action="store_true", help="no longer trust this workspace")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above zero")
    return seconds
