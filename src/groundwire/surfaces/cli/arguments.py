"""The commands and their options. Imports nothing of groundwire but its version, so that ``--help`` is immediate.

Above: ``main``. Below: nothing.
"""

import argparse
import math
import os
from collections.abc import Sequence
from pathlib import Path

from groundwire import __version__
from groundwire.surfaces.cli import descriptions
from groundwire.surfaces.cli.command_line import CommandLine, CommandList
from groundwire.surfaces.cli.skill_arguments import add_skill_actions


class Arguments(argparse.Namespace):
    """What was asked; each command reads the options it declares below."""

    command: str = ""
    module: str = ""
    """Where it is not the command's name."""
    operation: str = ""
    max_chars: int | None = None
    files: list[Path]
    json: bool = False
    server: Sequence[str] = ()
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
    no_daemon: bool = False
    scope: str = "project"
    agents: list[str]
    no_hooks: bool = False
    no_mcp: bool = False
    dry_run: bool = False
    undo: bool = False
    portable: bool = False
    servers: bool = False
    action: str = ""
    lines: int = 50
    follow: bool = False
    shell: str = ""
    force: bool = False
    way: str = ""
    watch: bool = False
    listen: str = "127.0.0.1"
    port: int = 8080
    token: str = ""
    token_file: Path | None = None
    no_auth: bool = False
    stateless: bool = False
    roots: list[Path]
    allowed_hosts: list[str]


def build_parser() -> tuple[CommandLine, CommandList]:
    """The command line but for the operations, and where they can be added."""
    parser = CommandLine(prog="groundwire", description=descriptions.GROUNDWIRE)
    parser.add_argument("--version", action="version", version=f"groundwire {__version__}")
    commands = parser.add_commands()
    for name, (add_options, words, description) in _COMMANDS.items():
        add_options(commands.add_parser(name, help=words, description=description))
    return parser, commands


def _add_check(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "files", nargs="*", type=Path, default=[], metavar="FILE", help="a file to check, or a directory: all in it"
    )
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
    _add_no_daemon(parser)
    most = f"the most to wait for the servers (default: {wait:g})"
    parser.add_argument("--wait", type=_seconds, default=wait, metavar="SECONDS", help=most)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs=1, type=Path, metavar="FILE", help="the file")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    _add_root(parser)
    _add_no_daemon(parser)


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
    parser.add_argument("--watch", action="store_true", help="go on showing it as it changes, until q or Ctrl-C")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    _add_root(parser)
    _add_no_daemon(parser)


def _add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root", type=Path, metavar="DIR", help="the workspace (default: the git repository, else here)"
    )


def _add_no_daemon(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-daemon", action="store_true", help="do not ask the background process of the workspace, if one runs"
    )


def _add_mcp(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="groundwire.surfaces.mcp.command")
    parser.add_argument(
        "--no-daemon", action="store_true", help="language servers of its own, instead of those that all agents share"
    )
    _add_root(parser)
    _add_presentation(parser)


def _add_presentation(parser: argparse.ArgumentParser) -> None:
    """What agents see of the tools."""
    profiles = ("core", "full", "navigation", "opta", "single")
    parser.add_argument("--profile", choices=profiles, default="core", help="which tools it shows (default: core)")
    parser.add_argument(
        "--output",
        choices=("text", "json"),
        default=os.environ.get("GROUNDWIRE_OUTPUT", "text"),
        help="answers as text, or as JSON with a schema (default: GROUNDWIRE_OUTPUT, else text)",
    )


def _add_lsp(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="groundwire.surfaces.lsp.command")
    parser.add_argument(
        "--no-daemon", action="store_true", help="language servers of its own, instead of those that all agents share"
    )
    parser.add_argument("--stdio", action="store_true", help="as it does anyway; many editors say so")
    _add_root(parser)


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="groundwire.surfaces.http.command")
    parser.add_argument("--port", type=int, default=8080, metavar="N", help="default: 8080; 0 picks a free one")
    parser.add_argument("--listen", default="127.0.0.1", metavar="IP", help="the address (default: 127.0.0.1)")
    parser.add_argument("--token", default="", help="what clients must know; others can see it here: better in a file")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="where it is (default: GROUNDWIRE_TOKEN)")
    parser.add_argument("--no-auth", action="store_true", help="ask for no token; only on a loopback address")
    parser.add_argument(
        "--root",
        action="append",
        dest="roots",
        type=Path,
        default=[],
        metavar="DIR",
        help="may be worked in, with all below; may be given several times (default: the git repository, else here)",
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        dest="allowed_hosts",
        default=[],
        metavar="NAME",
        help="a name by which clients call it (NAME or NAME:PORT); may be given several times",
    )
    parser.add_argument("--stateless", action="store_true", help="keep no MCP sessions: each request is for itself")
    _add_presentation(parser)


def _add_hook(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default="", metavar="ID", help="who asks (default: seen from what it says)")


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


def _add_init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scope", choices=("project", "user"), default="project", help="for this project (the default), or for you"
    )
    parser.add_argument(
        "--agent",
        action="append",
        dest="agents",
        default=[],
        metavar="ID",
        help="this agent, found or not; may be given several times (default: all that are found)",
    )
    parser.add_argument("--no-hooks", action="store_true", help="only the MCP server")
    parser.add_argument("--no-mcp", action="store_true", help="only the hooks")
    parser.add_argument("--dry-run", action="store_true", help="show every line that would change, and write nothing")
    parser.add_argument("--undo", action="store_true", help="take back what was written in this scope")
    parser.add_argument(
        "--portable", action="store_true", help="write the plain name of the command, for files that others share"
    )
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    _add_root(parser)


def _add_uninstall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--servers", action="store_true", help="delete the language servers that it installed, too")
    parser.add_argument("--dry-run", action="store_true", help="show what would be taken back, and do nothing")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="answer in JSON")


def _add_daemon(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    status = actions.add_parser("status", help="show it", description=descriptions.DAEMON_STATUS)
    stop = actions.add_parser("stop", help="end it", description=descriptions.DAEMON_STOP)
    for every, words in ((status, "of every workspace of yours"), (stop, "those of all workspaces")):
        every.add_argument("--all", action="store_true", dest="every", help=words)
    restart = actions.add_parser("restart", help="end it and start another", description=descriptions.DAEMON_RESTART)
    logs = actions.add_parser("logs", help="show what it has noted", description=descriptions.DAEMON_LOGS)
    logs.add_argument("-n", "--lines", type=_count, default=50, metavar="N", help="how many lines (default: 50)")
    logs.add_argument("-f", "--follow", action="store_true", help="go on as more is noted, until Ctrl-C")
    for action in (status, stop, restart):
        action.add_argument("--json", action="store_true", help="answer in JSON")
    for action in (status, stop, restart, logs):
        _add_root(action)


def _add_skills(parser: argparse.ArgumentParser) -> None:
    listing, *others = add_skill_actions(parser)
    add_workspace_options(listing)
    for action in others:
        _add_root(action)


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"), help="the shell")


def _add_trust(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", nargs="?", type=Path, metavar="DIR", help="the workspace (default: as for check)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", dest="show_list", help="show every workspace that is trusted")
    instead.add_argument("--revoke", action="store_true", help="no longer trust this workspace")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of lines")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above zero")
    return seconds


def _add_nothing(_: argparse.ArgumentParser) -> None:
    """It has no options."""


_COMMANDS = {
    "check": (_add_check, "say what is wrong in files, or what a change introduced", descriptions.CHECK),
    "explain": (_add_explain, "say which servers a file gets, and why", descriptions.EXPLAIN),
    "doctor": (_add_doctor, "start the servers and say what is missing", descriptions.DOCTOR),
    "status": (_add_status, "show the servers of a workspace", descriptions.STATUS),
    "demo": (_add_nothing, "show in a few seconds what it does, and that it works", descriptions.DEMO),
    "mcp": (_add_mcp, "serve coding agents over MCP, on standard input", descriptions.MCP),
    "serve": (_add_serve, "serve coding agents over HTTP, and people a status page", descriptions.SERVE),
    "lsp": (_add_lsp, "be one language server that is all of them", descriptions.LSP),
    "hook": (_add_hook, "tell a coding agent what its edit broke", descriptions.HOOK),
    "daemon": (_add_daemon, "look at, end or renew the background process", descriptions.DAEMON),
    "init": (_add_init, "register with the coding agents that are there", descriptions.INIT),
    "uninstall": (_add_uninstall, "take back whatever init wrote", descriptions.UNINSTALL),
    "install": (_add_install, "get language servers, pinned, for you", descriptions.INSTALL),
    "trust": (_add_trust, "let a project decide which commands are run", descriptions.TRUST),
    "skills": (_add_skills, "workflows for agents: show, install, remove", descriptions.SKILLS),
    "completion": (_add_completion, "write a script by which a shell completes all this", descriptions.COMPLETION),
}
