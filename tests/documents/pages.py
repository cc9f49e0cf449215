"""The pages, their fenced blocks, and the commands in them.

A block in ``console`` or ``sh`` holds commands: each begins with ``$ `` and goes on with ``> ``; what follows is what
it prints, where ``…`` stands for anything. ``<!-- not run: reason -->`` right before a block says that it cannot be run
here. Above: the tests of the documentation. Below: nothing.
"""

import re
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[2]

# Pages with a project of their own, and the tests that run what is on them.
RUN_ELSEWHERE = {
    "docs/before-an-edit.md": "tests/test_before_an_edit.py",
    "docs/build-and-test.md": "tests/real/test_building_docs.py",
    "docs/skills.md": "tests/test_skills_page.py",
}
COMMANDS = ("console", "sh")

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n+)?"
    r"(?P<indent> *)```(?P<language>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


class Command(NamedTuple):
    """One command of a page. ``printed`` is None where the page does not say what comes out."""

    line: int
    text: str
    printed: str | None


class Block(NamedTuple):
    """A fenced block."""

    page: str
    line: int
    language: str
    text: str
    not_run: str

    def commands(self) -> list[Command]:
        """Those that are to be run."""
        return _commands(self) if self.language in COMMANDS and not self.not_run else []


def pages() -> list[Path]:
    """Everything that is written for people and agents."""
    top = (REPOSITORY / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "bench/README.md"))
    return [*top, *sorted((REPOSITORY / "docs").glob("*.md"))]


def name_of(page: Path) -> str:
    """As it is called in tests: from the repository on."""
    return page.relative_to(REPOSITORY).as_posix()


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks, in order."""
    text = page.read_text("utf-8")
    return [
        Block(
            page=name_of(page),
            line=text.count("\n", 0, found.start("language")) + 1,
            language=found["language"].strip(),
            text=found["text"],
            not_run=found["reason"] or "",
        )
        for found in _FENCE.finditer(text)
    ]


def _commands(block: Block) -> list[Command]:
    commands: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        last = commands[-1] if commands else None
        if line.startswith("$ "):
            commands.append(Command(number, line[2:], None))
        elif last is None:
            raise ValueError(f"{block.page}:{number}: a block of commands begins with `$ `")
        elif line.startswith("> ") and last.printed is None:
            commands[-1] = last._replace(text=f"{last.text}\n{line[2:]}")
        else:
            commands[-1] = last._replace(printed=f"{last.printed or ''}{line}\n")
    return commands
