"""To what all of a file belongs: its package, the builds it is part of, everybody or just who imports it.

Where that is another, whoever used one of its names may not find it any more, though the file has it as before.
Pure, and by the text. Above: ``touched``. Below: ``declared_names``.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from groundwire.operations.text.declared_names import DeclaringText

_BUILT_IF = re.compile(r"//(?:go:build| ?\+build)\b.*")
_PACKAGE = re.compile(r"\s*package\s+[\w.]+")
_MODULE = re.compile(r"^(?:export\b|import\s*[\"']|(?:import\b|\}).*\bfrom\s*[\"'])", re.MULTILINE)
"""A script of JavaScript or TypeScript without any of these declares for everybody."""


class _Belonging(NamedTuple):
    package: str
    built_if: tuple[str, ...]
    is_module: bool


def belongs_elsewhere(before: str, after: str) -> bool:
    """Whether nobody can go by the names alone who has what is in the file."""
    return bool(before and after) and _belonging(before) != _belonging(after)


@lru_cache(maxsize=8)
def _belonging(text: str) -> _Belonging:
    """Only what stands before all code says for which builds a file is, and which package that is."""
    code = DeclaringText(text)
    first = next(filter(code.is_code, range(len(code.lines))), len(code.lines))
    head = code.lines[first] if first < len(code.lines) else ""
    package = _PACKAGE.match(head)
    built_if = filter(_BUILT_IF.match, code.lines[:first])
    return _Belonging(package[0].strip() if package else "", tuple(built_if), _MODULE.search(text) is not None)
