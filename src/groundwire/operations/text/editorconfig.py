"""``.editorconfig``, read: which properties hold for a file.

Pure: texts and names in, properties out. Above: ``formatting``. Below: ``editorconfig_globs``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from groundwire.operations.text.editorconfig_globs import matches

FILE_NAME = ".editorconfig"

_SECTION = re.compile(r"\[(.+)\]\s*(?:[#;].*)?$")
_PAIR = re.compile(r"([^=:]+?)\s*[=:]\s*(.*)$")
_COMMENT = re.compile(r"\s[#;].*$")
_LONGEST_SECTION = 1024


@dataclass(frozen=True)
class EditorConfig:
    """One file. ``is_root``: those in the directories above do not count."""

    is_root: bool
    sections: tuple[tuple[str, Mapping[str, str]], ...]

    def properties(self, below: str) -> dict[str, str]:
        """What holds for the file of that name, relative to the directory of this one, with forward slashes."""
        found: dict[str, str] = {}
        for pattern, given in self.sections:
            if matches(pattern, below):
                found.update(given)
        return found


def parse(text: str) -> EditorConfig:
    """Read it. What is not understood is passed over, as every reader of these files does."""
    is_root = False
    sections: list[tuple[str, dict[str, str]]] = []
    for line in _lines(text):
        section, pair = _SECTION.match(line), _PAIR.match(line)
        if section:
            sections.append((section[1][:_LONGEST_SECTION], {}))
        elif pair and sections:
            sections[-1][1][pair[1].lower()] = _COMMENT.sub("", pair[2]).strip().lower()
        elif pair and pair[1].lower() == "root":
            is_root = _COMMENT.sub("", pair[2]).strip().lower() == "true"
    return EditorConfig(is_root, tuple(sections))


def combined(found: Iterable[tuple[EditorConfig, str]]) -> dict[str, str]:
    """What holds for a file by several of them, the nearest first, each with the file's name relative to it."""
    applicable: list[tuple[EditorConfig, str]] = []
    for config, below in found:
        applicable.append((config, below))
        if config.is_root:
            break
    properties: dict[str, str] = {}
    for config, below in reversed(applicable):
        properties.update(config.properties(below))
    return {name: value for name, value in properties.items() if value != "unset"}


def _lines(text: str) -> Iterator[str]:
    for line in text.removeprefix("\ufeff").splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith(("#", ";")):
            yield stripped
