"""Arguments that name files or directories, as seen from where whoever asks is.

Operations take them relative to the workspace. Above: ``runner``, ``surfaces``. Below: ``files.paths``.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from groundwire.operations.files.paths import meant_path
from groundwire.operations.operation import Arguments

_PATHS = frozenset(
    {"file_path", "file_paths", "old_path", "new_path", "path", "root_dir", "workspace_dir", "changed_files"}
    | {"consumer_roots", "workspace_root", "dest_path", "src_path"}
)
_HOLDERS = frozenset({"edits", "alternatives"})
"""Arguments that hold others, among them names of files."""

A = TypeVar("A", bound=Arguments)


_SYMBOLS = frozenset({"symbol", "symbol_path"})
"""Arguments that may begin with the name of a file."""
_IN_FILE = "::"

_See = Callable[[str, str], str]
"""What is given, by the name of the argument, as it is to be taken."""


def given_from(given: Mapping[str, object], here: Path) -> dict[str, object]:
    """Arguments that nobody has checked yet, with absolute names of files."""
    return _seen_all(given, lambda name, value: _absolute(name, value, here))


def arguments_from(arguments: A, here: Path) -> A:
    """Arguments of an operation, with absolute names of files."""
    return cast("A", _struct_from(arguments, lambda name, value: _absolute(name, value, here)))


def arguments_as_meant(arguments: A, workspace: Path) -> A:
    """Arguments of an operation, with names that are no text read from the way they are shown in."""
    return cast("A", _struct_from(arguments, lambda name, value: _as_meant(name, value, workspace)))


def _absolute(name: str, value: str, here: Path) -> str:
    return str((here / value).absolute()) if name in _PATHS else value


def _as_meant(name: str, value: str, workspace: Path) -> str:
    if name in _PATHS:
        return meant_path(value, workspace)
    file, mark, symbol = value.partition(_IN_FILE)
    return f"{meant_path(file, workspace)}{mark}{symbol}" if mark else value


def _seen_all(given: Mapping[str, object], see: _See) -> dict[str, object]:
    return {name: _seen(name, value, see) for name, value in given.items()}


def _struct_from(struct: msgspec.Struct, see: _See) -> msgspec.Struct:
    wanted = _PATHS | _HOLDERS | _SYMBOLS
    told = {name: getattr(struct, name) for name in struct.__struct_fields__ if name in wanted}
    seen = _seen_all(told, see)
    return msgspec.structs.replace(struct, **seen) if seen != told else struct


def _seen(name: str, value: object, see: _See) -> object:
    if name in _PATHS or name in _SYMBOLS:
        return _named_from(name, value, see)
    return _held_from(value, see) if name in _HOLDERS else value


def _held_from(value: object, see: _See) -> object:
    if isinstance(value, msgspec.Struct):
        return _struct_from(value, see)
    if isinstance(value, Mapping):
        return _seen_all(cast("Mapping[str, object]", value), see)
    if isinstance(value, list | tuple):
        held = cast("list[object] | tuple[object, ...]", value)
        return type(held)(_held_from(each, see) for each in held)
    return value


def _named_from(name: str, value: object, see: _See) -> object:
    if isinstance(value, list | tuple):
        named = cast("list[object] | tuple[object, ...]", value)
        return type(named)(_named_from(name, each, see) for each in named)
    return see(name, value) if isinstance(value, str) and value else value
