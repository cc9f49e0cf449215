"""The command line as a whole: its commands in groups, each with a help that says what comes out of it.

Above: ``arguments``. Below: ``descriptions``.
"""

import argparse
import textwrap
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NoReturn

from groundwire.surfaces.cli.descriptions import EPILOG

if TYPE_CHECKING:
    from argparse import (
        _SubParsersAction as SubParsers,  # pyright: ignore[reportPrivateUsage]  argparse has no other name for it
    )

_EXIT = "Exit status:"
_INDENT, _NARROWEST, _WIDEST = 4, 60, 100
_NAMES = 22
_LEAST = 20
"""What is shorter says too little."""

_OPTIONS = """Options:
    -h, --help            show this, or of a command what it takes
    --version             show the version"""

OTHERS = "Set up"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "Ask": (),
    "Check": ("check", "diagnostics", "fixes"),
    "Change": (),
    "Language servers": ("status", "explain", "doctor"),
    "Serve": ("mcp", "hook", "lsp", "daemon"),
    OTHERS: ("init", "install", "trust"),
}
"""What is named here has its place, and comes first in it; the others stand where they are put."""


class CommandLine(argparse.ArgumentParser):
    """The parser of all commands."""

    def add_commands(self) -> "CommandList":
        """Where commands are added. To be called once."""
        added = self.add_subparsers(
            dest="command", metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser
        )
        self._list = CommandList(added)
        return self._list

    def format_help(self) -> str:
        """The commands in groups, then what holds for all of them."""
        width = min(max(get_terminal_size().columns - 2, _NARROWEST), _WIDEST)
        about = textwrap.fill(self.description or "", width)
        parts = [self.format_usage().rstrip(), about, *self._list.groups(width), _OPTIONS, EPILOG]
        return "\n\n".join(parts) + "\n"

    def require_command(self, name: str) -> None:
        """Ends as for any wrong use when there is no such command, but with the one that may be meant."""
        if name not in self._list.choices:
            self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        close = self._list.named_by_tool(name) or get_close_matches(name, self._list.choices, n=2)
        meant = f"did you mean {' or '.join(close)}?" if close else "groundwire --help lists them all"
        self.error(f"there is no command {name!r}; {meant}")


class CommandList:
    """The commands, and what the list says of them."""

    def __init__(self, added: "SubParsers[argparse.ArgumentParser]") -> None:
        self._added = added
        self._said: dict[str, tuple[str, str]] = {}
        self._tools: dict[str, str] = {}

    @property
    def choices(self) -> Collection[str]:
        """Their names."""
        return self._said

    @property
    def parsers(self) -> Mapping[str, argparse.ArgumentParser]:
        """By name."""
        return self._added.choices

    def help_of(self, name: str) -> str:
        """What the list says of it."""
        return self._said[name][1]

    def named_by_tool(self, name: str) -> list[str]:
        """The command of the tool of this name; else of that with the shortest name which has this as a word."""
        wanted = name.replace("-", "_").lower()
        having = [tool for tool in self._tools if tool == wanted or wanted in tool.split("_")]
        return [self._tools[min(having, key=lambda tool: (tool != wanted, len(tool)))]] if having else []

    # The names are those of argparse.
    def add_parser(
        self,
        name: str,
        *,
        help: str,  # noqa: A002
        description: str,
        group: str = "",
        tool: str = "",
    ) -> argparse.ArgumentParser:
        """One more. What its description says of exit statuses comes at the end of its help."""
        if tool:
            self._tools[tool] = name
        placed = next((title for title, names in GROUPS.items() if name in names), group or OTHERS)
        self._said[name] = (placed, help.replace("%%", "%"))
        about, found, statuses = description.replace("\n", " ").partition(_EXIT)
        epilog = f"{_EXIT}{statuses}" if found else None
        return self._added.add_parser(name, help=help, description=about.strip(), epilog=epilog)

    def groups(self, width: int) -> list[str]:
        """The list, group by group."""
        return [self._group(title, names, width) for title, names in GROUPS.items() if self._members(title)]

    def _group(self, title: str, first: Collection[str], width: int) -> str:
        members = self._members(title)
        ordered = [*(name for name in first if name in members), *(name for name in members if name not in first)]
        room = width - _INDENT - _NAMES
        lines = (f"{' ' * _INDENT}{name.ljust(_NAMES)}{_cut(self.help_of(name), room)}" for name in ordered)
        return f"{title}:\n" + "\n".join(lines)

    def _members(self, title: str) -> list[str]:
        return [name for name, (group, _) in self._said.items() if group == title]


def _cut(text: str, room: int) -> str:
    """On the line of its name: as much of the sentence as fits, up to where it may be left."""
    if len(text) <= room:
        return text
    clauses = [at for mark in (";", ":", " (") if (at := text.find(mark, _LEAST, room)) > 0]
    end = min(clauses) if clauses else text.rfind(",", _LEAST, room)
    return text[:end] if end > 0 else textwrap.shorten(text, room, placeholder=" …")
