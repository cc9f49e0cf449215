"""Statements of a file as they stand in it: imports, and the first lines of declarations. Quoted, never interpreted.

Pure. Lines are 0-based here. Above: ``editing_context``. Below: ``protocol.positions``.
"""

import re
from collections.abc import Iterator, Mapping

from groundwire.protocol.positions import Lines

_MOST_LINES = 40
"""Of one statement."""

_SCRIPT = re.compile(r"(?:import\b(?!\s*\()|export\b.*\bfrom\s*['\"]|.*\brequire\s*\(\s*['\"])|\}\s*from\s*['\"]")
_USE = re.compile(r"(?:import|using|open)\b")
_IMPORTS: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(r"\s*(?:import\s+\w|from\s+[.\w]+\s+import\b)"),
    "go": re.compile(r"import\b"),
    "typescript": _SCRIPT,
    "typescriptreact": _SCRIPT,
    "javascript": _SCRIPT,
    "javascriptreact": _SCRIPT,
    "rust": re.compile(r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:use\s|extern\s+crate\b|mod\s+\w+\s*;)"),
    "c": re.compile(r"\s*#\s*include\b"),
    "cpp": re.compile(r"\s*(?:#\s*include\b|import\s)"),
    "csharp": re.compile(r"\s*(?:global\s+)?using\s+[\w=. ]+;"),
    "php": re.compile(r"\s*(?:use\s+[\w\\]|(?:require|include)(?:_once)?\b)"),
    "ruby": re.compile(r"\s*(?:require|require_relative|load)\b"),
    "elixir": re.compile(r"\s*(?:alias|import|require|use)\s"),
    "lua": re.compile(r".*\brequire\s*[(\"']"),
    **dict.fromkeys(("java", "kotlin", "scala", "swift", "dart", "haskell", "fsharp", "groovy", "zig", "d"), _USE),
}
"""How a line begins that reads like an import, where that is known of a language."""


def import_statements(lines: Lines, language: str) -> Iterator[tuple[int, str]]:
    """Every statement that reads like an import, with the number of its first line."""
    pattern, number = _IMPORTS.get(language), 0
    while pattern is not None and number < lines.line_count:
        if pattern.match(lines.line(number)) is None:
            number += 1
            continue
        quoted = statement_at(lines, number, "([{", ")]}")
        yield number, "\n".join(quoted).strip()
        number += len(quoted)


def statement_at(lines: Lines, first: int, opening: str = "([", closing: str = ")]") -> list[str]:
    """The lines from ``first`` on, until every bracket that they open is closed again; one where that is never so."""
    depth, quoted = 0, list[str]()
    for number in range(first, min(first + _MOST_LINES, lines.line_count)):
        text = lines.line(number)
        quoted.append(text)
        depth += sum(map(text.count, opening)) - sum(map(text.count, closing))
        if depth <= 0:
            return quoted
    return quoted[:1]
