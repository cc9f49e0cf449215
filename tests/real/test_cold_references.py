"""The first question to a server that was not running: where a word is used in a project of three hundred files. The
answer is complete, or says that it is not, and why; "none" is never said of a word that is used.

rust-analyzer has no standard library to read here, and is not ready after the impatient question all the same; with it
``test_scenarios`` puts the same question first.
"""

from pathlib import Path

import pytest

from groundwire.errors import RequestTimeout
from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.results.found import Locations
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.installed import environment_of, is_in_the_table
from tests.real.lightened import lightened_catalog
from tests.real.many_uses import PROJECTS, USES, Project

IMPATIENT_S = 0.7
WAIT_S = 90.0

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


async def ask(pool: Pool, project: Project, wait_s: float) -> Answer[Locations]:
    lines = enumerate(project.defining.splitlines(), 1)
    line = next(number for number, text in lines if project.word in text)
    wanted = FindReferences(file_path=project.definition, line=line, text=project.word, limit=10_000)
    return await perform(pool, find_references, wanted, wait_s=wait_s)


def what_is_wrong(answer: Answer[Locations], project: Project) -> str:
    """Empty when all uses are there, or some and the reason why there may be more."""
    found = {(place.file, place.line, place.column) for place in answer.value.locations}
    uses = {place for place in found if place[0] not in (project.definition, *project.others)}
    if uses - project.places():
        return f"no uses: {sorted(uses - project.places())[:3]}"
    if answer.status is Status.CONFIRMED:
        return "" if len(uses) == USES else f"confirmed, but {len(uses)} of {USES}"
    return "" if answer.reason else f"{answer.status} without a reason"


async def impatiently(pool: Pool, project: Project) -> str:
    """What is wrong with the answer of a server that has hardly started; that there is none is not."""
    try:
        return what_is_wrong(await ask(pool, project, IMPATIENT_S), project)
    except RequestTimeout as error:
        return "" if error.hint else "no hint"


@pytest.mark.parametrize("server", PROJECTS)
async def test_the_first_references_are_complete_or_said_not_to_be(server: str, tmp_path: Path) -> None:
    project, environment = PROJECTS[server], environment_of(server)
    project.write(tmp_path)
    only = frozenset({server})
    async with Pool(tmp_path, only=only, catalog=lightened_catalog(), environment=environment) as pool:
        assert await impatiently(pool, project) == ""
        answer = await ask(pool, project, WAIT_S)
        assert what_is_wrong(answer, project) == ""
        assert answer.status is Status.CONFIRMED or is_in_the_table(server), answer.reason
