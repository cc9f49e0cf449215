"""On which line of a file each key stands. For messages only: a key that is not found has no line.

Above: ``sources``. Below: nothing.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import cast

from groundwire.config.problems import KeyPath

Lines = Mapping[KeyPath, int]

_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]', re.DOTALL)
_TOML_HEADER = re.compile(r"\s*(\[\[?)(.+?)\]\]?\s*(?:#.*)?$")
_TOML_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


def json_lines(plain: str) -> dict[KeyPath, int]:
    """The keys of a JSON text without comments. Elements of a list are numbered from zero."""
    lines: dict[KeyPath, int] = {}
    path: list[str | int] = []
    pending = ""
    line, counted = 1, 0
    for token in _JSON_TOKEN.finditer(plain):
        line, counted = line + plain.count("\n", counted, token.start()), token.start()
        text = token.group()
        if text == "{":
            path.append("")
        elif text == "[":
            path.append(0)
        elif text in "}]" and path:
            path.pop()
        elif text == "," and path and isinstance(path[-1], int):
            path[-1] += 1
        elif text == ":" and path:
            path[-1] = _unquoted(pending)
            lines.setdefault(tuple(str(part) for part in path), line)
        else:
            pending = text
    return lines


def toml_lines(text: str) -> dict[KeyPath, int]:
    """The keys and tables of a TOML text, found line by line."""
    lines: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _TOML_HEADER.match(line)
        key = _TOML_KEY.match(line)
        if header is not None and key is None:
            table = _key_path(header.group(2))
            lines.setdefault(table, number)
        elif key is not None:
            lines.setdefault((*table, *_key_path(key.group(1))), number)
    return lines


def line_of(key: KeyPath, lines: Lines) -> int | None:
    """The line of a key, else that of the nearest table round it."""
    for length in range(len(key), 0, -1):
        if key[:length] in lines:
            return lines[key[:length]]
    return None


def _key_path(written: str) -> KeyPath:
    try:
        value: object = tomllib.loads(f"{written} = 0")
    except tomllib.TOMLDecodeError:  # it only looked like a key
        return ()
    path: list[str] = []
    while isinstance(value, dict):
        key, value = next(iter(cast("dict[str, object]", value).items()))
        path.append(key)
    return tuple(path)


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except json.JSONDecodeError:
        return token
