"""A tiny language, read from text: classes, functions, uses of them. Columns are those of Python; the server converts.

    # a comment
    class Dog(Animal)
        def speak(volume, times)
            use bark(volume, 2)

Names are known everywhere; a block is what is indented more. Above: ``well_read``.

Hundreds of tests start the server, so nothing is imported that takes long (``dataclasses``).
"""

import re
from pathlib import Path
from typing import NamedTuple

_DECLARATION = re.compile(r".*?\b(?P<word>class|def) (?P<name>\w+)(?:\((?P<inside>[^)]*)\))?\s*$")
_USE = re.compile(r"\buse (?P<name>\w+)(?:\((?P<inside>[^)]*)\)?)?")
_PART = re.compile(r"[^,\s][^,]*")
_LINE_END = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A part of one line."""

    line: int
    start: int
    end: int


class Use(NamedTuple):
    """``use name(arguments)``, or a base class."""

    name: str
    span: Span
    arguments: tuple[Span, ...] = ()
    inside: Span | None = None
    """What is between the brackets."""


class Declaration:
    """``class`` or ``def`` with its block."""

    def __init__(self, file: Path, found: re.Match[str], line: int, indent: int) -> None:
        self.file = file
        self.word = found["word"]
        self.name = found["name"]
        self.span = Span(line, found.start("name"), found.end("name"))
        self.parameters = tuple((part[0].strip(), _span(line, part)) for part in _parts(found))
        self.indent = indent
        self.start = self.end = line
        self.parent: Declaration | None = None
        self.comment = ""
        self.children: list[Declaration] = []

    @property
    def kind(self) -> int:
        """LSP's symbol kind."""
        if self.word == "class":
            return 5
        return 6 if self.parent is not None and self.parent.word == "class" else 12

    @property
    def signature(self) -> str:
        """As it is shown."""
        names = ", ".join(name for name, _ in self.parameters)
        return f"{self.name}({names})" if names or self.word == "def" else self.name

    @property
    def bases(self) -> tuple[str, ...]:
        """The names of what a class derives from."""
        return tuple(name for name, _ in self.parameters) if self.word == "class" else ()

    @property
    def path(self) -> str:
        """With all it is in."""
        return f"{self.parent.path}.{self.name}" if self.parent else self.name


class Source:
    """One file, read."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.lines = _LINE_END.split(text)
        self.declarations: list[Declaration] = []
        self.uses: list[Use] = []
        around: list[Declaration] = []
        for number, line in enumerate(self.lines):
            self._read(number, line, around)

    def _read(self, number: int, line: str, around: list[Declaration]) -> None:
        if not line.strip():
            return
        indent = len(line) - len(line.lstrip())
        while around and indent <= around[-1].indent:
            around.pop()
        for block in around:
            block.end = number
        if line.lstrip().startswith("#"):
            return
        found = _DECLARATION.match(line)
        if found:
            self._declare(number, indent, found, around)
        self._note_uses(number, line)

    def _declare(self, number: int, indent: int, found: re.Match[str], around: list[Declaration]) -> None:
        above = self.lines[number - 1].strip() if number else ""
        declaration = Declaration(self.file, found, number, indent)
        declaration.parent = around[-1] if around else None
        declaration.comment = above.lstrip("# ") if above.startswith("#") else ""
        if declaration.parent is not None:
            declaration.parent.children.append(declaration)
        self.declarations.append(declaration)
        around.append(declaration)
        if declaration.word == "class":
            self.uses += [Use(name, span) for name, span in declaration.parameters]

    def _note_uses(self, number: int, line: str) -> None:
        for found in _USE.finditer(line):
            arguments = tuple(_span(number, part) for part in _parts(found))
            inside = Span(number, found.start("inside"), found.end("inside")) if found["inside"] is not None else None
            self.uses.append(
                Use(found["name"], Span(number, found.start("name"), found.end("name")), arguments, inside)
            )

    def around(self, line: int) -> list[Declaration]:
        """The declarations whose blocks hold the line, the outermost first."""
        return [declaration for declaration in self.declarations if declaration.start <= line <= declaration.end]


def _parts(found: re.Match[str]) -> list[re.Match[str]]:
    start, end = found.span("inside")
    return list(_PART.finditer(found.string, start, end)) if found["inside"] else []


def _span(line: int, part: re.Match[str]) -> Span:
    return Span(line, part.start(), part.start() + len(part[0].rstrip()))
