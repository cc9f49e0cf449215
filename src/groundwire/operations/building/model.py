"""What building and testing is made of: a project, what is asked of it, the steps that answer, what they said.

Above: the ecosystems and all of ``building``. Below: nothing of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from groundwire.operations.building.programs import Programs
    from groundwire.operations.building.sources import Sources

Kind = Literal["build", "test"]
Checked = Literal["build", "types", "lint", "syntax"]
"""What it proves that a step which is no test succeeds."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """An error, or a test that failed. ``file`` is as it is shown; ``line`` is 1-based, 0 where it is not known."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    test_name: str = ""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Of tests."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool reported. ``doubt``: why that is not all, or nothing."""

    problems: tuple[Problem, ...] = ()
    counts: Counts | None = None
    """None: of tests nothing is told."""
    doubt: str = ""
    excuses_exit: bool = False
    """What is doubted is also why it did not exit with 0."""
    text: str | None = None
    """The output for people, where what was printed is for programs."""


NOTHING_SEEN = Reading(doubt="it found nothing to look at")
"""Of a tool that succeeds where there are no files for it."""


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """How a program ended and what it printed. ``is_cut``: it printed more than can be kept."""

    exit_code: int
    stdout: str
    text: str
    """Both outputs, as they came."""
    is_late: bool = False
    """Its time was over, and it was ended."""
    is_cut: bool = False


def as_it_is(line: str) -> str:
    """For tools whose lines are for people."""
    return line


@dataclass(frozen=True, kw_only=True)
class Step:
    """One program to run: its words, where, and how what it says is read. The next one runs only when it succeeds."""

    tool: str
    words: tuple[str, ...]
    directory: Path
    read: "Callable[[Ran, Sources], Reading]"
    is_test: bool = False
    checks: Checked = "build"
    report: str = ""
    """What is read, in words."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    bases: tuple[Path, ...] = ()
    """Where else the names that it prints may be meant from."""
    none_ran: frozenset[int] = frozenset()
    """Exit codes that say that there was no test to run."""
    live: Callable[[str], str] = as_it_is
    """A line that it prints, as it is told to who waits; empty for what is of no interest."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything to run. ``note`` says what was decided on the way."""

    steps: tuple[Step, ...]
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Project:
    """A directory that an ecosystem calls its own, and where its programs are."""

    root: Path
    workspace: Path
    environment: Mapping[str, str]
    programs: "Programs"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked: all of a project, or some paths in it, or one test. ``reports`` is an empty directory outside."""

    project: Project
    reports: Path
    paths: tuple[Path, ...] = ()
    test: str = ""

    @property
    def root(self) -> Path:
        """The project's."""
        return self.project.root

    def relative(self, path: Path) -> str:
        """A path as it is given to a tool that runs at the root; never to be mistaken for an option."""
        try:
            name = path.relative_to(self.root).as_posix()
        except ValueError:
            return str(path)
        return f"./{name}" if name.startswith("-") else name


def yes(_: Project) -> bool:
    """Any project of the ecosystem."""
    return True


@dataclass(frozen=True, kw_only=True)
class Ecosystem:
    """Languages that are built and tested with the same tools."""

    id: str
    languages: tuple[str, ...]
    markers: tuple[str, ...]
    """As in ``registry.markers``."""
    suffixes: frozenset[str]
    """Of its source files."""
    build: Callable[[Wanted], Plan]
    test: Callable[[Wanted], Plan]
    is_built: Callable[[Project], bool] = yes
    """Whether there is something to build here."""
    is_tested: Callable[[Project], bool] = yes
    needs_marker: bool = True
    """Without: sources are enough."""
    shared_markers: frozenset[str] = frozenset()
    """Those that projects of any kind have: they count only where nothing else is found."""
    is_outermost: bool = False
    """Parts of a project have the markers too: its root is the outermost."""
