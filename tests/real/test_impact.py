"""Who uses the symbols of a generated project, of which it is known: right counts from real servers, cold and warm."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.impact.blast_radius import blast_radius
from groundwire.operations.impact.detect_changes import detect_changes
from groundwire.operations.results.impact import BlastRadius
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.pool.repositories import Project as Repository
from tests.real.conftest import server_environment
from tests.real.impact_project import SERVERS, ImpactProject, make_project
from tests.real.lightened import light_pool, lightened_catalog

WAIT_S = 120.0
FILES, LIBRARIES = 60, 4

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


async def reach(pool: Pool, **given: object) -> Answer[BlastRadius]:
    arguments = blast_radius.parse({"limit": 10_000, **given})
    return await perform(pool, blast_radius, arguments, wait_s=WAIT_S)


def counted(answer: Answer[BlastRadius]) -> dict[str, tuple[int, int]]:
    return {each.name: (each.non_test_uses, each.test_uses) for each in answer.value.affected_symbols}


@pytest.mark.parametrize("server", SERVERS, indirect=True)
async def test_counts_are_those_of_the_generated_project_and_untested_is_what_no_test_uses(
    server: str, tmp_path: Path
) -> None:
    project: ImpactProject = make_project(SERVERS[server], files=FILES, libraries=LIBRARIES)
    root = project.write(tmp_path / "project")
    async with light_pool(root, server) as pool:
        answer = await reach(pool, changed_files=list(project.libraries))
        assert (answer.status, answer.reason) == (Status.CONFIRMED, "")
        assert counted(answer) == project.uses
        assert answer.value.test_files == tuple(sorted(file for file in answer.value.test_files if "test" in file))
        untested = await reach(pool, changed_files=list(project.libraries), filter="untested")
        assert (untested.status, set(counted(untested))) == (Status.CONFIRMED, project.untested)


@pytest.mark.parametrize("server", ["ty", "typescript-language-server", "gopls"], indirect=True)
async def test_a_changed_body_a_changed_signature_and_a_removed_function_are_told_apart(
    server: str, tmp_path: Path
) -> None:
    project = make_project(SERVERS[server], files=FILES, libraries=LIBRARIES)
    repository = Repository(tmp_path)
    root = project.write(repository.workspace)
    repository.commit()
    library, other = project.libraries[0], project.libraries[1]
    names = [name for name in project.uses if name.lower().startswith("f0_")]
    text = (root / library).read_text("utf-8")
    text = text.replace("(width) + 1", "(width) + 100").replace(f"{names[2]}(width", f"{names[2]}(height")
    (root / library).write_text(text.replace("hidden(width) + 2", "hidden(height) + 2"), "utf-8")
    (root / other).unlink()
    environment = {**server_environment(server), "GIT_CONFIG_NOSYSTEM": "1"}
    async with Pool(root, only=frozenset({server}), catalog=lightened_catalog(), environment=environment) as pool:
        answer = await perform(pool, detect_changes, detect_changes.parse({"limit": 1000}), wait_s=WAIT_S)
    found = {each.name: each for each in answer.value.changed_symbols}
    assert {name for name, each in found.items() if each.file == library} == {names[1], names[2]}, answer.reason
    assert (found[names[1]].change, found[names[2]].change) == ("body", "signature")
    assert (found[names[1]].status, found[names[1]].risk) == (Status.CONFIRMED, "high")
    assert (found[names[1]].non_test_uses, found[names[1]].test_uses) == project.uses[names[1]]
    gone = {name: each for name, each in found.items() if each.file == other and each.exported}
    assert {each.change for each in gone.values()} == {"removed"}
    assert {name: (each.non_test_uses, each.test_uses) for name, each in gone.items()} == {
        name: counts for name, counts in project.uses.items() if name.lower().startswith("f1_")
    }
