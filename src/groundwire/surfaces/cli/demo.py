"""``groundwire demo``: the whole promise in a few seconds, on a project of its own. It is a self-test as well.

Above: ``main``. Below: ``operations``, ``render``, ``demo_project`` and ``demo_screen``.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from groundwire import __version__
from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.results.found import Locations
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.render.text import render_findings, render_places
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.demo_project import (
    BREAK,
    EDITED,
    FILES,
    MEND,
    SYMBOL,
    apply,
    broken_calls,
    line_and_column,
    write_project,
)
from groundwire.surfaces.cli.demo_screen import Screen

T = TypeVar("T")


def run(arguments: Arguments) -> int:
    """Plays the story and gives 0, or 1 at the first step that does not come out as it should."""
    del arguments  # the story takes no options
    screen = Screen(sys.stdout)
    start = perf_counter()
    with tempfile.TemporaryDirectory(prefix="groundwire-demo-") as directory:
        problem = asyncio.run(_play(Path(directory).resolve(), screen))
    if problem:
        screen.bad(problem)
        return 1
    screen.good(f"Every step came out as it should, in {perf_counter() - start:.1f} s.")
    return 0


async def _play(directory: Path, screen: Screen) -> str:
    write_project(directory)
    screen.title(f"groundwire {__version__}: a shop in {len(FILES)} Python files, and an agent that changes it")
    async with Pool(directory, only=frozenset({"ty"})) as pool:
        story = _Story(pool, directory, screen)
        for step in (story.is_clean, story.breaks, story.is_used, story.mends):
            problem = await step()
            if problem:
                return problem
    return ""


class _Story:
    """The steps. Each shows what an agent would see, and tells what is wrong with it, or nothing."""

    def __init__(self, pool: Pool, directory: Path, screen: Screen) -> None:
        self._pool = pool
        self._directory = directory
        self._screen = screen
        self._files = [directory / name for name in FILES]

    async def is_clean(self) -> str:
        answer, seconds = await _timed(check_files(self._pool, self._files))
        self._screen.step(1, "The project is checked; the language server starts first", seconds)
        self._screen.told(render_findings(answer))
        return wrong_findings(answer, frozenset())

    async def breaks(self) -> str:
        apply(BREAK, self._directory)
        answer, seconds = await _timed(check_files(self._pool, self._files))
        self._screen.step(2, f"The agent edits {EDITED}, and is told what that breaks, and where", seconds)
        self._screen.edits(BREAK)
        self._screen.gap()
        self._screen.told(render_findings(answer, this_file=EDITED))
        return wrong_findings(answer, broken_calls())

    async def is_used(self) -> str:
        file = self._directory / EDITED
        line, column = line_and_column(file.read_text("utf-8"), f"{SYMBOL}(")
        wanted = FindReferences(file_path=str(file), line=line, column=column, include_declaration=True)
        answer, seconds = await _timed(perform(self._pool, find_references, wanted))
        self._screen.step(3, f"It asks where {SYMBOL} is used", seconds)
        self._screen.told(render_places(answer))
        return wrong_places(answer, broken_calls())

    async def mends(self) -> str:
        apply(MEND, self._directory)
        self._screen.step(4, "It mends the callers")
        self._screen.edits(MEND)
        answer, seconds = await _timed(check_files(self._pool, self._files))
        self._screen.step(5, "The project is checked again", seconds)
        self._screen.told(render_findings(answer))
        return wrong_findings(answer, frozenset())


async def _timed(question: Awaitable[T]) -> tuple[T, float]:
    start = perf_counter()
    answer = await question
    return answer, perf_counter() - start


def wrong_findings(answer: Answer[tuple[FileFindings, ...]], expected: frozenset[tuple[str, int]]) -> str:
    """What is wrong with an answer that should be confirmed and hold errors on just these lines."""
    if answer.status is not Status.CONFIRMED:
        return f"This should have been confirmed, and is {answer.status.value}: {answer.reason}"
    found = frozenset((each.file, finding.line) for each in answer.value for finding in each.diagnostics)
    return f"Expected findings at {_shown(expected)}, and got {_shown(found)}." if found != expected else ""


def wrong_places(answer: Answer[Locations], expected: frozenset[tuple[str, int]]) -> str:
    """What is wrong with an answer that should be confirmed and hold at least these lines."""
    if answer.status is not Status.CONFIRMED:
        return f"This should have been confirmed, and is {answer.status.value}: {answer.reason}"
    missing = expected - {(place.file, place.line) for place in answer.value.locations}
    return f"{_shown(missing)} should have been among them." if missing else ""


def _shown(places: frozenset[tuple[str, int]]) -> str:
    return ", ".join(f"{file}:{line}" for file, line in sorted(places)) or "none"
