"""Arguments that name files or directories, as seen from where whoever asks is.

Operations take them relative to the workspace. Above: ``surfaces``. Below: nothing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from groundwire.operations.operation import Arguments

_PATHS = frozenset(
    {"file_path", "file_paths", "old_path", "new_path", "path", "root_dir", "workspace_dir", "changed_files"}
    | {"consumer_roots", "workspace_root", "dest_path", "src_path"}
)
_HOLDERS = frozenset({"edits", "alternatives"})
"""Arguments that hold others, among them names of files."""

A = TypeVar("A", bound=Arguments)


def given_from(given: Mapping[str, object], here: Path) -> dict[str, object]:
    """Arguments that nobody has checked yet, with absolute names of files."""
    return {name: _seen(name, value, here) for name, value in given.items()}


def arguments_from(arguments: A, here: Path) -> A:
    """Arguments of an operation, with absolute names of files."""
    return cast("A", _struct_from(arguments, here))


def _struct_from(struct: msgspec.Struct, here: Path) -> msgspec.Struct:
    told = {name: getattr(struct, name) for name in struct.__struct_fields__ if name in _PATHS | _HOLDERS}
    seen = given_from(told, here)
    return msgspec.structs.replace(struct, **seen) if seen != told else struct


def _seen(name: str, value: object, here: Path) -> object:
    if name in _PATHS:
        return _path_from(value, here)
    return _held_from(value, here) if name in _HOLDERS else value


def _held_from(value: object, here: Path) -> object:
    if isinstance(value, msgspec.Struct):
        return _struct_from(value, here)
    if isinstance(value, Mapping):
        return given_from(cast("Mapping[str, object]", value), here)
    if isinstance(value, list | tuple):
        held = cast("list[object] | tuple[object, ...]", value)
        return type(held)(_held_from(each, here) for each in held)
    return value


def _path_from(value: object, here: Path) -> object:
    if isinstance(value, list | tuple):
        named = cast("list[object] | tuple[object, ...]", value)
        return type(named)(_path_from(each, here) for each in named)
    return str((here / value).absolute()) if isinstance(value, str) and value else value
