"""What a line takes from another module: which names, and from where; of every language at once, by the text.

Pure. Above: ``declared_names``, ``handed_on``. Below: nothing.
"""

import re

WORDS = re.compile(r"[^\W\d]\w*")
IMPORTING = re.compile(
    r"\s*(?:pub(?:\([^)]*\))?\s+)?"
    r"(?:(?:from|import|use|using|attr_\w+)[\s{*\"]|export\s*(?:type\s*)?[{*]|(?:module\.)?exports\b)"
)
"""All its words may be names; what is declared as it is exported is found by its own word."""
_BOUND = re.compile(r"(?:([^\W\d]\w*|\*)\s+as\s+)?([^\W\d]\w*)")
_FROM_FIRST = re.compile(r"\s*from\s+\S+\s+import\b")
_FROM_LAST = re.compile(r"(?P<head>[^{*]*).*?\bfrom\s*(?P<module>[\"'][^\"'\n]*[\"'])")
_TYPE = re.compile(r"\btype\b")
_PLAIN = re.compile(r"\s*import\s+[\w., \t]+\Z")
_LIST = re.compile(r"\{[^}\n]*\}?")
_BEHIND = re.compile(r"\s(?:#|//).*")


def bound_names(line: str) -> dict[str, str]:
    """The names by which others can have what it imports, and some more words; each with what it is called there."""
    return {found[2]: found[1] or found[2] for found in _BOUND.finditer(_BEHIND.sub("", line))}


def source_of_import(line: str) -> str:
    """Where the names come from: as much of the line as is the same for all of them."""
    line = _BEHIND.sub("", line)
    if found := _FROM_FIRST.match(line):
        return found[0].strip()
    if found := _FROM_LAST.match(line):
        return f"{'types ' if _TYPE.search(found['head']) else ''}from {found['module']}"
    if _PLAIN.match(line) and " as " not in line:
        return "import"
    return " ".join(_LIST.sub(" ", line).split())
