"""The options of every operation's command, made from its arguments: names, types, descriptions and choices are theirs.

Above: ``main``. Below: ``operations.table``.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple, cast

import msgspec
from msgspec import NODEFAULT, inspect

from groundwire.operations.operation import Result
from groundwire.operations.runner import WAIT_S
from groundwire.operations.table import OPERATIONS, AnyOperation
from groundwire.surfaces.cli.arguments import Arguments, add_workspace_options
from groundwire.surfaces.cli.command_line import CommandList

_GIVEN = "given."
"""Before the names of arguments, so that none can be mistaken for an option that all commands have."""

_TARGET = frozenset({"symbol", "file_path", "line", "column"})
"""What one positional TARGET says."""

TARGET = "TARGET"
"""Under which it is given; no argument of an operation is written like that."""

_SHORT = {"position_pattern": "pattern"}
_TARGET_HELP = "Class.method, file::Class.method, file:LINE or file:LINE:COLUMN"
_POSITIONALS = {"file_path": "FILE", "path": "PATH", "symbol_path": "SYMBOL", "query": "QUERY", "undo_id": "ID"}
_LISTS = {"changed_files": "FILE"}

_OF_SERVERS = frozenset(
    {"get_server_capabilities", "detect_lsp_servers", "lsp_status", "set_log_level", "restart_lsp_server"}
    | {"did_change_watched_files", "start_lsp", "open_document", "close_document"}
    | {"add_workspace_folder", "remove_workspace_folder", "list_workspace_folders"}
)
_OUTCOMES = frozenset({"passed", "success"})
"""Members of results that say how something came out."""
_OF_EDITS = frozenset({"prepare_rename"})

_EXIT = "Exit status: 0 answered and proven; 3 not all of it is known; 2 wrong use or no answer."
_EXIT_OF_A_RUN = "Exit status: 0 it passed; 1 it failed; 3 whether it did is not known; 2 wrong use or no answer."


class _Field(NamedTuple):
    """An argument of an operation."""

    name: str
    type: inspect.Type
    help: str
    default: object
    is_required: bool


def add_commands(commands: CommandList, name: str = "") -> None:
    """A command for every operation; only the one of that name, if there is one: describing all of them takes time."""
    named = [operation for operation in OPERATIONS.values() if operation.command == name]
    for operation in named or OPERATIONS.values():
        add_command(commands, operation)


def add_command(commands: CommandList, operation: AnyOperation) -> None:
    """The command of one operation."""
    first = operation.summary.partition(". ")[0].rstrip(".")
    short = f"{first[0].lower()}{first[1:]}".replace("%", "%%")
    about = f"{operation.summary} {_EXIT_OF_A_RUN if can_fail(operation) else _EXIT}"
    parser = commands.add_parser(
        operation.command, help=short, description=about, group=_group(operation), tool=operation.name
    )
    parser.set_defaults(module="operation_command", operation=operation.name)
    _add_arguments(parser, operation)
    add_workspace_options(parser, wait=WAIT_S)
    parser.add_argument("--max-chars", type=int, metavar="N", help="the most text to show (default: 100000)")


def can_fail(operation: AnyOperation) -> bool:
    """Whether what it does may come out wrong, as a build or a run of tests does."""
    return not _OUTCOMES.isdisjoint(field.name for field in msgspec.structs.fields(operation.result))


def has_failed(value: Result) -> bool:
    """Whether it is known to have come out wrong."""
    return any(getattr(value, name, None) is False for name in _OUTCOMES)


def _group(operation: AnyOperation) -> str:
    if operation.name in _OF_SERVERS:
        return "Language servers"
    return "Ask" if operation.effect in ("reads", "simulates") and operation.name not in _OF_EDITS else "Change"


def given_arguments(arguments: Arguments) -> dict[str, object]:
    """What was given of the operation's own arguments, by their names; ``TARGET`` as it was written."""
    given = cast("dict[str, object]", vars(arguments))
    return {name.removeprefix(_GIVEN): value for name, value in given.items() if name.startswith(_GIVEN)}


def _add_arguments(parser: argparse.ArgumentParser, operation: AnyOperation) -> None:
    fields = list(_fields(operation))
    has_target = {field.name for field in fields} >= _TARGET
    if has_target:
        parser.add_argument(f"{_GIVEN}{TARGET}", metavar="TARGET", help=_TARGET_HELP)
    for field in fields:
        if has_target and field.name in _TARGET:
            continue
        if field.name in _POSITIONALS or (field.is_required and isinstance(field.type, inspect.StrType)):
            _add_positional(parser, field)
        elif field.name in _LISTS:
            _add_list(parser, field)
        else:
            _add_option(parser, field)


def _fields(operation: AnyOperation) -> Iterator[_Field]:
    described = cast("inspect.StructType", inspect.type_info(operation.arguments))
    for field in described.fields:
        shape, words = field.type, ""
        while isinstance(shape, inspect.Metadata):
            schema = cast("dict[str, object]", shape.extra_json_schema or {})
            words = words or str(schema.get("description", ""))
            shape = shape.type
        default = field.default if field.default_factory is NODEFAULT else cast("object", field.default_factory())
        yield _Field(field.encode_name, shape, words, default, field.required)


def _add_positional(parser: argparse.ArgumentParser, field: _Field) -> None:
    metavar = _POSITIONALS.get(field.name, field.name.upper())
    if field.is_required:
        parser.add_argument(f"{_GIVEN}{field.name}", metavar=metavar, help=_help(field))
        return
    # What is left out is left out: the operation has the default.
    parser.add_argument(
        f"{_GIVEN}{field.name}", nargs="?", default=argparse.SUPPRESS, metavar=metavar, help=_help(field)
    )


def _add_list(parser: argparse.ArgumentParser, field: _Field) -> None:
    parser.add_argument(
        f"{_GIVEN}{field.name}", nargs="*", default=argparse.SUPPRESS, metavar=_LISTS[field.name], help=_help(field)
    )


def _add_option(parser: argparse.ArgumentParser, field: _Field) -> None:
    name = f"--{_SHORT.get(field.name, field.name).replace('_', '-')}"
    target, words = f"{_GIVEN}{field.name}", _help(field)
    unset = argparse.SUPPRESS
    match field.type:
        case inspect.BoolType():
            on_and_off = argparse.BooleanOptionalAction if field.default else "store_true"
            parser.add_argument(name, dest=target, action=on_and_off, default=unset, help=words)
        case inspect.LiteralType(values=values):
            parser.add_argument(name, dest=target, choices=values, default=unset, help=words)
        case inspect.IntType():
            parser.add_argument(name, dest=target, type=int, metavar="N", default=unset, help=words)
        case inspect.StrType():
            parser.add_argument(name, dest=target, metavar="TEXT", default=unset, help=words)
        case inspect.VarTupleType(item_type=inspect.StrType()) | inspect.ListType(item_type=inspect.StrType()):
            parser.add_argument(
                name, dest=target, action="append", metavar="TEXT", default=unset, help=f"{words} May be repeated."
            )
        case _:
            parser.add_argument(name, dest=target, type=_json, metavar="JSON", default=unset, help=words)


def _help(field: _Field) -> str:
    default = f" (default: {field.default})" if field.default and field.default is not NODEFAULT else ""
    return f"{field.help}{default}".replace("%", "%%")


def _json(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise argparse.ArgumentTypeError(f"not JSON: {problem}") from None
