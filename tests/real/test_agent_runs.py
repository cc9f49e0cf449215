"""An agent at work: it breaks and fixes, writes, moves and deletes modules, others reformat and switch branches. After
every step the report says what the language's own checker says at that moment: nothing stale, missed or repeated.
"""

import asyncio
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.dependents import Edited
from groundwire.operations.edit_report import report_edit
from groundwire.operations.operation import Call
from groundwire.operations.results_edits import EditReport
from groundwire.pool.pool import Pool
from tests.real.agent_project import first_state, next_state
from tests.real.checkers import CHECKERS, Errors
from tests.real.conftest import server_environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

STEPS = 10
WAIT_S = 120.0


async def test_every_report_is_what_the_checker_says_at_that_moment(server: str, tmp_path: Path, round_number: int):
    if server not in CHECKERS:
        pytest.skip(f"{server} has no checker to compare with")
    run = _Run(server, tmp_path / "project", random.Random(round_number))
    async with Pool(run.root, only=frozenset({server}), environment=server_environment(server)) as pool:
        await run.step(pool, "begin")
        for _ in range(STEPS):
            await run.step(pool)


class _Run:
    def __init__(self, server: str, root: Path, chance: random.Random) -> None:
        self.root = root.resolve()
        self._checker = CHECKERS[server]
        self._environment = server_environment(server)
        self._chance = chance
        self._state = first_state()
        self._branches = [self._state]
        self._texts: dict[str, str] = {}
        self._errors: Errors = frozenset()
        self._story: list[str] = []
        root.mkdir(parents=True)
        for name, text in self._checker.config.items():
            (root / name).write_text(text, "utf-8")

    async def step(self, pool: Pool, name: str = "") -> None:
        if not name:
            name, self._state = next_state(self._state, self._chance, self._branches)
        self._story.append(name)
        texts = self._checker.files(self._state)
        edits = self._write(texts)
        call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
        answer = await report_edit(call, edits)
        errors = await asyncio.to_thread(self._checker.check, self.root, self._environment)
        self._compare(answer, {edit.file.relative_to(self.root).as_posix() for edit in edits}, errors)
        self._texts, self._errors = texts, errors

    def _write(self, texts: Mapping[str, str]) -> list[Edited]:
        names = [name for name in sorted({*texts, *self._texts}) if texts.get(name) != self._texts.get(name)]
        for name in names:
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if name in texts:
                file.write_text(texts[name], "utf-8")
            else:
                file.unlink()
        return [Edited(self.root / name, self._texts.get(name, ""), texts.get(name)) for name in names]

    def _compare(self, answer: Answer[EditReport], edited: set[str], errors: Errors) -> None:
        said = {(file.file, line) for file in answer.value.files for line in _lines(file)}
        # Of the edited files everything is told; of the others what was not there before.
        expected = {error[:2] for error in errors if error[0] in edited or error not in self._errors}
        story = f"after {self._story}, edited {sorted(edited)}"
        assert (answer.status, answer.reason) == (Status.CONFIRMED, ""), story
        assert said == expected, story


def _lines(file: FileFindings) -> set[int]:
    return {each.line for each in file.diagnostics if each.severity == "error"}
