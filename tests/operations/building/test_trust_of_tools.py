"""Programs and command lines that a project supplies are not run before it is trusted; known tools are."""

import json
from pathlib import Path

import pytest

from groundwire.errors import Untrusted
from groundwire.operations.building.run_build import run_build
from groundwire.operations.building.run_tests import run_tests
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from groundwire.pool.provenance import fingerprint
from groundwire.pool.trust_store import TrustRecord
from tests.operations.building.fake_tools import PASSED, reporting, tool
from tests.operations.toy_project import ask
from tests.pool.repositories import Project

pytestmark = pytest.mark.anyio


@pytest.fixture
def hostile(tmp_path: Path) -> Project:
    return Project(tmp_path)


def opened(project: Project, tmp_path: Path) -> Pool:
    project.commit()
    return open_pool(
        project.workspace, environment={**project.environment, "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    )


def trust(project: Project, name: str) -> None:
    mark = fingerprint(project.workspace / name, project.workspace, project.environment)
    project.store.trust(project.workspace.resolve(), TrustRecord(values="", programs={name: mark}))


async def test_a_script_of_the_project_needs_trust_and_is_run_with_it(hostile: Project, tmp_path: Path) -> None:
    tool(tmp_path / "bin", "npm", "print('1..1\\nok 1 - fine')\n")
    hostile.write("package.json", json.dumps({"scripts": {"test": "./evil.sh"}}))
    async with opened(hostile, tmp_path) as pool:
        with pytest.raises(Untrusted, match=r"the script 'test' \(./evil.sh\) of package.json would be run"):
            await ask(pool, run_tests)
        trust(hostile, "package.json")
        assert (await ask(pool, run_tests)).value.passed
        hostile.write("package.json", json.dumps({"scripts": {"test": "./worse.sh"}}))
        with pytest.raises(Untrusted):
            await ask(pool, run_tests)


async def test_recipes_of_a_makefile_need_trust(hostile: Project, tmp_path: Path) -> None:
    hostile.write("Makefile", f"all test:\n\t: > {hostile.mark}\n")
    async with opened(hostile, tmp_path) as pool:
        with pytest.raises(Untrusted, match="recipes of Makefile would be run"):
            await ask(pool, run_build)
        with pytest.raises(Untrusted, match="recipes of Makefile would be run"):
            await ask(pool, run_tests)
        assert not hostile.mark.exists()
        trust(hostile, "Makefile")
        assert (await ask(pool, run_build)).value.success
        assert hostile.mark.exists()


async def test_a_build_directory_that_came_with_the_project_needs_trust(hostile: Project, tmp_path: Path) -> None:
    hostile.write("CMakeLists.txt", "")
    hostile.write("build/CMakeCache.txt", "")
    async with opened(hostile, tmp_path) as pool:
        with pytest.raises(Untrusted, match=r"the build of build/CMakeCache.txt would be run"):
            await ask(pool, run_build)


async def test_a_wrapper_that_is_not_trusted_is_replaced_by_the_users_own_tool(
    hostile: Project, tmp_path: Path
) -> None:
    tool(tmp_path / "bin", "mvn", "print('compiled')\n")
    hostile.write("pom.xml", "<project/>")
    hostile.program("mvnw")
    async with opened(hostile, tmp_path) as pool:
        answer = await ask(pool, run_build)
        assert (answer.value.success, Path(answer.value.command[0]).parent) == (True, tmp_path / "bin")
        assert "mvnw is supplied by the project, which is not trusted" in answer.value.note
        assert not hostile.mark.exists()
        trust(hostile, "mvnw")
        assert Path((await ask(pool, run_build)).value.command[0]).name == "mvnw"
        assert hostile.mark.exists()


async def test_a_wrapper_without_a_tool_of_the_user_is_refused(hostile: Project, tmp_path: Path) -> None:
    hostile.write("build.gradle", "")
    hostile.program("gradlew")
    async with opened(hostile, tmp_path) as pool:
        with pytest.raises(Untrusted, match="gradlew is supplied by the project"):
            await ask(pool, run_tests)
    assert not hostile.mark.exists()


async def test_tools_that_version_control_tracks_are_refused_and_none_stands_in(
    hostile: Project, tmp_path: Path
) -> None:
    tool(tmp_path / "bin", "vitest", "")
    hostile.write("package.json", json.dumps({"scripts": {"test": "vitest"}}))
    hostile.program("node_modules/.bin/vitest")
    async with opened(hostile, tmp_path) as pool:
        with pytest.raises(Untrusted, match=r"node_modules/.bin/vitest is supplied by the project"):
            await ask(pool, run_tests)
    assert not hostile.mark.exists()


async def test_an_environment_that_version_control_tracks_is_refused(hostile: Project, tmp_path: Path) -> None:
    tool(tmp_path / "bin", "pytest", reporting(PASSED, 0))
    hostile.write("pytest.ini", "[pytest]\n")
    hostile.program(".venv/bin/python")
    hostile.program(".venv/bin/pytest")
    async with opened(hostile, tmp_path) as pool:
        with pytest.raises(Untrusted, match=r".venv/bin/python is supplied by the project"):
            await ask(pool, run_tests)
    assert not hostile.mark.exists()


async def test_a_known_tool_of_the_user_needs_no_trust(hostile: Project, tmp_path: Path) -> None:
    tool(tmp_path / "bin", "pytest", reporting(PASSED, 0))
    hostile.write("pytest.ini", "[pytest]\n")
    async with opened(hostile, tmp_path) as pool:
        assert (await ask(pool, run_tests)).value.passed


async def test_what_the_user_has_installed_into_the_project_needs_no_trust(hostile: Project, tmp_path: Path) -> None:
    hostile.write("package.json", json.dumps({"scripts": {"test": "mocha"}}))
    hostile.write(".gitignore", "node_modules\n")
    hostile.commit()
    report = '{"passes": [{}], "failures": [], "pending": []}'
    body = f"path = [w for w in sys.argv if w.startswith('output=')][0][7:]\nopen(path, 'w').write({report!r})\n"
    tool(hostile.workspace / "node_modules/.bin", "mocha", body)
    pool = open_pool(hostile.workspace, environment={**hostile.environment, "PATH": "/usr/bin:/bin"})
    async with pool:
        answer = await ask(pool, run_tests)
    assert (answer.value.passed, answer.value.counts.passed) == (True, 1)
