"""The project each benchmark works in: a main file of 250 to 300 lines over three siblings, the same on every run.

An edit is a pair: ``broken`` puts in one error, another one each time, so that an answer about an earlier edit cannot
pass for the right one; ``fixed`` is the file as it was. Above: ``edits``, ``queries``. Below:
``languages``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from bench.languages import c, go, python, rust, typescript

_REGIONS = ("north", "south", "east", "west", "coast", "hills", "valley", "island", "harbour")


@dataclass(frozen=True)
class Project:
    """One project, not yet written anywhere."""

    language: str
    files: Mapping[str, str]
    main: str
    right: str
    wrong: str
    about: str
    """What the server says of the error."""
    symbol_file: str
    symbol_line: int
    symbol_column: int
    """A symbol that several files use; 1-based."""

    def write(self, directory: Path) -> Path:
        """Write all files; the path of the main one."""
        for name, text in self.files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("@root@", str(directory)), encoding="utf-8")
        return directory / self.main

    @property
    def fixed(self) -> str:
        """The main file without an error."""
        return self.files[self.main]

    def broken(self, error: int) -> str:
        """The main file with one error, which is another one than those of the numbers before it."""
        return self.fixed.replace(self.right, _numbered(self.wrong, error))

    def is_about_edits(self, message: str) -> bool:
        """Whether a finding is about any error that ``broken`` makes."""
        return self.about.partition("@")[0] in message

    def is_about(self, message: str, error: int) -> bool:
        """Whether a finding is about this very error."""
        return _numbered(self.about, error) in message


def project_in(language: str) -> Project:
    """The project in a language, by its LSP identifier."""
    source = _SOURCES[language]
    regions = _REGIONS[: _BLOCKS[language]]
    blocks = "".join(_filled(str(source.BLOCK), name, number) for number, name in enumerate(regions, start=1))
    main = str(source.MAIN)
    files: dict[str, str] = {**source.SIBLINGS, main: f"{source.HEAD}{blocks}{source.TAIL}"}
    right = str(source.RIGHT)
    if files[main].count(right) != 1:
        raise ValueError(f"{language}: the text to edit is not there exactly once")
    symbol_file, line, column = _symbol(files, str(source.SYMBOL))
    return Project(language, files, main, right, str(source.WRONG), str(source.ABOUT), symbol_file, line, column)


def _filled(block: str, name: str, number: int) -> str:
    return block.replace("@Name@", name.capitalize()).replace("@name@", name).replace("@number@", str(number))


def _numbered(template: str, error: int) -> str:
    surplus = error % 7 + 1
    texts = {"@error@": f"{error:04}", "@arguments@": ", 1" * surplus, "@count@": str(surplus + 1)}
    for mark, text in texts.items():
        template = template.replace(mark, text)
    return template


def _symbol(files: Mapping[str, str], declaration: str) -> tuple[str, int, int]:
    """Where the last word of the declaration is."""
    for name, text in files.items():
        start = text.find(declaration)
        if start >= 0:
            at = start + declaration.rfind(" ") + 1
            return name, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    raise ValueError(f"{declaration!r} is in none of the files")


_SOURCES: Mapping[str, ModuleType] = {"python": python, "typescript": typescript, "c": c, "go": go, "rust": rust}
_BLOCKS: Mapping[str, int] = {"python": 9, "typescript": 9, "c": 9, "go": 8, "rust": 8}
"""How many regions make a main file of 250 to 300 lines."""
