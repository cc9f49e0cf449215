"""An agent at work: it breaks and fixes, writes, moves and deletes modules, others reformat and switch branches. After
every step the report says what the language's own checker says at that moment: nothing stale, missed or repeated.
"""

import asyncio
import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.results.edits import EditReport
from groundwire.pool.pool import Pool
from tests.real.agent_project import first_state, next_state
from tests.real.checkers import CHECKERS, Errors
from tests.real.conftest import server_environment
from tests.real.lightened import light_pool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

STEPS = 10
WAIT_S = 120.0
_CONTROL = "control"
"""A project beside the moments in which something is wrong for certain."""


async def test_every_report_is_what_the_checker_says_at_that_moment(server: str, tmp_path: Path, round_number: int):
    if server not in CHECKERS:
        pytest.skip(f"{server} has no checker to compare with")
    run = _Run(server, tmp_path, random.Random(round_number))
    async with light_pool(run.root, server) as pool:
        await run.step(pool, "begin")
        for _ in range(STEPS):
            await run.step(pool)
    run.compare()


class _Moment(NamedTuple):
    """What was told after an edit; the project of that moment is kept under ``name``."""

    name: str
    story: str
    edited: frozenset[str]
    answer: Answer[EditReport]


class _Run:
    """The checker is asked at the end, about copies of every moment: it starts once, and nobody waits for it."""

    def __init__(self, server: str, directory: Path, chance: random.Random) -> None:
        self.root = (directory / "project").resolve()
        self._copies = (directory / "moments").resolve()
        self._checker = CHECKERS[server]
        self._environment = server_environment(server)
        self._chance = chance
        self._state = first_state()
        self._branches = [self._state]
        self._texts: dict[str, str] = {}
        self._story: list[str] = []
        self._moments: list[_Moment] = []
        _write(self.root, self._checker.config)

    async def step(self, pool: Pool, name: str = "") -> None:
        if not name:
            name, self._state = next_state(self._state, self._chance, self._branches)
        self._story.append(name)
        texts = self._checker.files(self._state)
        edits = self._edit(texts)
        call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
        answer = await report_edit(call, edits)
        edited = frozenset(edit.file.relative_to(self.root).as_posix() for edit in edits)
        story = f"after {self._story}, edited {sorted(edited)}"
        self._moments.append(_Moment(f"moment{len(self._moments)}", story, edited, answer))
        _write(self._copies / self._moments[-1].name, {**self._checker.config, **texts})
        self._texts = texts

    def _edit(self, texts: Mapping[str, str]) -> list[Edited]:
        names = [name for name in sorted({*texts, *self._texts}) if texts.get(name) != self._texts.get(name)]
        _write(self.root, {name: texts[name] for name in names if name in texts})
        for name in names:
            if name not in texts:
                (self.root / name).unlink()
        return [Edited(self.root / name, self._texts.get(name, ""), texts.get(name)) for name in names]

    def compare(self) -> None:
        """Of the edited files everything is told; of the others what was not there before."""
        broken = first_state().with_module("m0", is_broken=True)
        _write(self._copies / _CONTROL, {**self._checker.config, **self._checker.files(broken)})
        known = self._checker.check(self._copies, self._environment)
        assert known.get(_CONTROL), "the checker did not look"
        before: Errors = frozenset()
        for moment in self._moments:
            errors = known.get(moment.name, frozenset())
            said = {(file.file, line) for file in moment.answer.value.files for line in _lines(file)}
            expected = {error[:2] for error in errors if error[0] in moment.edited or error not in before}
            assert (moment.answer.status, moment.answer.reason) == (Status.CONFIRMED, ""), moment.story
            assert said == expected, moment.story
            before = errors


def _write(root: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


def _lines(file: FileFindings) -> set[int]:
    return {each.line for each in file.diagnostics if each.severity == "error"}
