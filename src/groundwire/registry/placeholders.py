"""Placeholders in a server's data: what only the project, the user or this process can tell.

    {root} {root_uri} {root_name}   the directory the server is rooted at
    {python}                        the interpreter of the project's environment
    {python_prefix}                 the installation of Python that is on the path, for a project without environment
    {tsserver}                      tsserver.js of the project's own TypeScript below 7
    {typescript_library}            the lib directory of that TypeScript, else of the one the server came with
    {cache_directory}               a directory of groundwire's for this server and root, outside the project
    {temporary_directory} {process_id}
    {found:NAME}                    the full path of another program, where it is found
    {setting:a.b.c}                 the server's own setting or initialization option
    {null}                          alone in a string: a null, which TOML cannot write

A string with a placeholder that has no value is left out, together with its key. Above: ``project_values``, which
knows the values, and ``catalog``. Below: nothing.
"""

import re
from collections.abc import Callable, Mapping
from typing import cast

NAMES = frozenset({
    "root", "root_uri", "root_name", "python", "python_prefix", "tsserver", "typescript_library", "cache_directory",
    "temporary_directory", "process_id", "found", "setting", "null",
})  # fmt: skip

Lookup = Callable[[str, str], str | None]
"""Name and argument of a placeholder → its value, or None where there is none."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)(?::([^{}]+))?\}")
_NULL = "{null}"
_UNKNOWN = object()


def fill_table(table: Mapping[str, object], lookup: Lookup) -> Mapping[str, object]:
    """A table with every placeholder replaced, at any depth."""
    return cast("Mapping[str, object]", _fill(dict(table), lookup))


def fill_command(command: tuple[str, ...], lookup: Lookup) -> tuple[str, ...]:
    """A command line with every placeholder replaced."""
    return tuple(cast("list[str]", _fill(list(command), lookup)))


def unknown_placeholders(value: object) -> list[str]:
    """The placeholders in a piece of data that have no meaning."""
    if isinstance(value, str):
        return [match.group() for match in _PLACEHOLDER.finditer(value) if match.group(1) not in NAMES]
    if isinstance(value, Mapping):
        value = list(cast("Mapping[str, object]", value).values())
    if isinstance(value, list | tuple):
        return [name for item in cast("list[object]", value) for name in unknown_placeholders(item)]
    return []


def _fill(value: object, lookup: Lookup) -> object:
    if isinstance(value, str):
        return _fill_text(value, lookup)
    if isinstance(value, dict):
        members = {key: _fill(member, lookup) for key, member in cast("dict[str, object]", value).items()}
        return {key: member for key, member in members.items() if member is not _UNKNOWN}
    if isinstance(value, list):
        items = [_fill(item, lookup) for item in cast("list[object]", value)]
        return [item for item in items if item is not _UNKNOWN]
    return value


def _fill_text(text: str, lookup: Lookup) -> object:
    if text == _NULL:
        return None
    values: dict[str, str] = {}
    for match in _PLACEHOLDER.finditer(text):
        value = lookup(match.group(1), match.group(2) or "")
        if value is None:
            return _UNKNOWN
        values[match.group()] = value
    return _PLACEHOLDER.sub(lambda match: values[match.group()], text)
