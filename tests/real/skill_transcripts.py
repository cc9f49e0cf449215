"""The examples of skills, run for real: each call by the same way as every surface, by a client of its own.

Above: ``test_skills``, ``scripts/generate-skill-transcripts``. Below: ``skill_project``.
"""

import os
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer
from groundwire.operations.operation import Result
from groundwire.operations.runner import perform
from groundwire.operations.table import find_operation
from groundwire.operations.workflow.skills import Skill
from groundwire.operations.workflow.skills_calls import PROMPT, TRANSCRIPT, WrittenCall, parse_call
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool
from groundwire.render.answers import render_answer
from groundwire.render.failure import render_failure
from tests.real.conftest import server_environment
from tests.real.lightened import lightened_catalog
from tests.real.skill_project import SHOPS, Shop

WAIT_S = 60.0
_LONGEST = 24
"""Lines of one answer that are shown."""
_CHANGING = (
    (re.compile(r"(?<=etag: )[0-9a-f]{32}\b"), "ETAG"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "SESSION"),
    (re.compile(r"(?<=undo_edit )[0-9a-f]{6}\b"), "UNDO"),
    (re.compile(r"\b\d+(\.\d+)? m?s\b"), "… s"),
    (re.compile(r"(?<=^Ran: ).*$", re.MULTILINE), "…"),
)
"""What differs from one run to the next."""


class Said(NamedTuple):
    """A call and what became of it: an answer or a failure, and its text."""

    call: WrittenCall
    answer: Answer[Result] | None
    failure: GroundwireError | None
    text: str


class Client:
    """Calls tools by their names, as one client of a pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept = Kept("client")

    async def call(self, call: WrittenCall) -> Said:
        """One call; whatever comes of it is told."""
        operation = find_operation(call.tool)
        try:
            arguments = operation.parse(call.given)
            answer = await perform(self._pool, operation, arguments, wait_s=WAIT_S, client=self._kept)
        except GroundwireError as error:
            return Said(call, None, error, render_failure(error))
        return Said(call, answer, None, render_answer(operation, answer, speak=lambda _: ""))


@asynccontextmanager
async def shop_pool(shop: Shop, root: Path, skill: str = "") -> AsyncGenerator[Pool]:
    """A pool over the shop, with just the servers that are meant."""
    only = frozenset({shop.server, *shop.helpers.get(skill, ())})
    workspace = shop.write(root, skill)
    environment = server_environment(shop.server)
    # The project's tests are run by the pytest that runs these.
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    async with Pool(workspace, only=only, catalog=lightened_catalog(), environment=environment) as pool:
        yield pool


async def written_transcript(skill: Skill, root: Path) -> str:
    """The text of the SKILL.md's example, as it comes out now."""
    found = TRANSCRIPT.search(skill.body)
    assert found is not None, f"{skill.name} has no example"
    lines = [line for line in found["text"].splitlines() if line.startswith(PROMPT)]
    shown: list[str] = []
    async with shop_pool(SHOPS["python"], root, skill.name) as pool:
        client = Client(pool)
        for line in lines:
            said = await client.call(parse_call(line.removeprefix(PROMPT)))
            shown += [line, *_shortened(_lasting(said.text, root)), ""]
    return "\n".join(shown[:-1]) + "\n"


def _lasting(text: str, root: Path) -> str:
    text = text.replace(f"{root.resolve()}/", "")
    for pattern, word in _CHANGING:
        text = pattern.sub(word, text)
    return text


def _shortened(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.rstrip().split("\n")]
    return lines if len(lines) <= _LONGEST else [*lines[: _LONGEST - 1], f"… {len(lines) - _LONGEST + 1} more lines"]
