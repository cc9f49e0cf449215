"""The entry of the command line: parses, runs one command, and turns every failure into a sentence and an exit status.

Above: ``__main__``. Below: ``arguments`` and, loaded only when it is asked for, the module of each command.
"""

import codecs
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Protocol, cast

from groundwire.errors import FileNotFound, GroundwireError, Internal
from groundwire.protocol.names import shown, shown_within
from groundwire.surfaces.cli.arguments import Arguments, build_parser
from groundwire.surfaces.cli.command_line import CommandList
from groundwire.surfaces.cli.crash_log import write_crash

EXIT_FAILED = 2
_EXIT_INTERRUPTED = 130
_EXIT_READER_GONE = 141


class Command(Protocol):
    """What the module of a command holds."""

    def run(self, arguments: Arguments) -> int:
        """Does it, and gives the exit status."""
        ...


class OperationParser(Protocol):
    """What knows the commands of the operations."""

    def add_commands(self, commands: CommandList, name: str = "") -> None:
        """Adds the command of that name, or else one for every operation."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line and gives its exit status; a wrong one ends with SystemExit, as argparse does."""
    given = sys.argv[1:] if argv is None else argv
    _spell_names()
    arguments = _parser_for(given).parse_args(given, namespace=Arguments())
    try:
        status = _load(arguments.module or arguments.command).run(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return _EXIT_READER_GONE
    except GroundwireError as error:
        return _show(error, as_json=arguments.json)
    except Exception as error:  # noqa: BLE001  the edge: whatever it is, the reader gets a sentence and the log the rest
        return _show(_cause(error), as_json=arguments.json)


def _spell_names() -> None:
    """A name may be no text, and not every terminal knows every character: neither is a reason to say nothing."""
    codecs.register_error("groundwire", _spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="groundwire")


def _spelled(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    spelled = shown(problem.object[problem.start : problem.end])
    encoding = problem.encoding
    return spelled.encode(encoding, "replace").decode(encoding), problem.end


def _parser_for(argv: Sequence[str]) -> ArgumentParser:
    """Operations are added only where one may be meant, or help is: their table is half of the engine."""
    parser, commands = build_parser()
    first = argv[0] if argv else ""
    if first != "--version" and first not in commands.choices:
        cast("OperationParser", import_module("groundwire.surfaces.cli.operation_parser")).add_commands(commands, first)
        if first and not first.startswith("-"):
            parser.require_command(first)
    return parser


def _load(command: str) -> Command:
    # A surface of its own is named in full: it is loaded, not imported, for surfaces know nothing of one another.
    name = command if "." in command else f"groundwire.surfaces.cli.{command}"
    return cast("Command", import_module(name))


def _cause(error: Exception) -> GroundwireError:
    """Of what nobody foresaw. Without a directory to be in, nothing goes as it should."""
    try:
        Path.cwd()
    except OSError:
        return FileNotFound("the current directory is gone", hint="Change to one that is there.")
    log = write_crash(error, os.environ)
    hint = f"This is a defect of groundwire; the details are in {log}." if log else None
    return Internal(f"{type(error).__name__}: {error}", hint=hint)


def _show(error: GroundwireError, *, as_json: bool) -> int:
    if as_json:
        sys.stdout.write(json.dumps(shown_within(error.as_dict()), ensure_ascii=False) + "\n")
    else:
        hint = f"hint: {error.hint}\n" if error.hint else ""
        sys.stderr.write(f"groundwire: {error.message}\n{hint}")
    return EXIT_FAILED


def _forget_stdout() -> None:
    # Else the interpreter would try to flush what nobody reads, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
