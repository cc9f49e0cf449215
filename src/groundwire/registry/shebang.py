"""The interpreter that the first line of a script names.

Above: ``catalog``. Below: nothing.
"""

import re
from pathlib import PurePosixPath

_VERSION = re.compile(r"[-.]?\d+(\.\d+)*$")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def interpreter_of(first_line: str) -> str:
    """Its name without directory and version, or nothing: that of ``#!/usr/bin/env -S python3.11 -u`` is python."""
    line = first_line.removeprefix("\ufeff")
    if not line.startswith("#!"):
        return ""
    words = line[2:].split()
    if words and _name(words[0]) == "env":
        words = _after_env(words[1:])
    return _VERSION.sub("", _name(words[0])).removesuffix(".exe") if words else ""


def _after_env(words: list[str]) -> list[str]:
    """What ``env`` runs: its options and the variables it sets are passed over."""
    while words:
        word, *rest = words
        if word.startswith("-S") and word != "-S":  # the command may be written close to the option
            return [word[2:], *rest]
        if word in ("-u", "-C"):
            rest = rest[1:]
        elif not word.startswith("-") and not _ASSIGNMENT.match(word):
            return words
        words = rest
    return []


def _name(word: str) -> str:
    return PurePosixPath(word.replace("\\", "/")).name
