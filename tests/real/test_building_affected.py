"""The tests that a change reaches, asked of a real language server and run by the real tool."""

import shutil
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.building.run_tests import run_tests
from groundwire.operations.results.building import TestOutcome
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.render.answers import render_answer
from tests.pool.repositories import Project
from tests.real.conftest import server_environment
from tests.real.toolchains import require, tool_environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

FILES = {
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "base.py": "def first(x: int) -> int:\n    return x + 1\n\n\ndef second(x: int) -> int:\n    return x + 2\n",
    "middle.py": "from base import first\n\n\ndef through(x: int) -> int:\n    return first(x) * 2\n",
    "test_base.py": "from base import first\n\n\ndef test_first():\n    assert first(1) == 2\n",
    "test_middle.py": "from middle import through\n\n\ndef test_through():\n    assert through(1) == 4\n",
    "test_other.py": "from base import second\n\n\ndef test_second():\n    assert second(1) == 3\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    require("python")
    made = Project(tmp_path)
    for name, text in FILES.items():
        made.write(name, text)
    made.commit()
    return made


async def affected(project: Project, server: str) -> tuple[Answer[TestOutcome], str]:
    environment = {**server_environment(server), "GIT_CONFIG_NOSYSTEM": "1"}
    environment["PATH"] = f"{environment['PATH']}:{tool_environment()['PATH']}"
    async with Pool(project.workspace, only=frozenset({server}), environment=environment) as pool:
        answer = await perform(pool, run_tests, run_tests.parse({"affected": True, "timeout_s": 120}))
        return answer, render_answer(run_tests, answer)


@pytest.mark.parametrize("server", ["ty", "pyright"], indirect=True)
async def test_only_tests_that_use_what_changed_are_run_at_first_and_at_second_hand(
    server: str, project: Project
) -> None:
    text = FILES["base.py"].replace("x + 1", "x + 10")
    (project.workspace / "base.py").write_text(text, "utf-8")
    answer, shown = await affected(project, server)
    reached = answer.value.affected
    assert reached is not None
    assert (reached.test_files, reached.changed_files) == (("test_base.py", "test_middle.py"), ("base.py",))
    assert (answer.value.passed, answer.value.counts.failed, answer.value.counts.passed) == (False, 2, 0)
    assert [(each.file, each.line) for each in answer.value.failures] == [("test_base.py", 5), ("test_middle.py", 5)]
    assert answer.status in (Status.CONFIRMED, Status.PARTIAL)
    assert "not seen: what is reached by names made at run time" in shown


@pytest.mark.parametrize("server", ["ty"], indirect=True)
async def test_a_staged_change_and_a_changed_test_count_too(server: str, project: Project) -> None:
    (project.workspace / "base.py").write_text(FILES["base.py"].replace("x + 2", "1 + x + 1"), "utf-8")
    project.git("add", "base.py")
    (project.workspace / "test_base.py").write_text(FILES["test_base.py"] + "\n\ndef test_new(): ...\n", "utf-8")
    answer, _ = await affected(project, server)
    assert answer.value.affected is not None
    assert answer.value.affected.test_files == ("test_base.py", "test_other.py")
    assert answer.value.counts.passed == 3


@pytest.mark.parametrize("server", ["ty"], indirect=True)
async def test_where_nothing_changed_nothing_is_run_and_nothing_is_said_to_pass(server: str, project: Project) -> None:
    answer, shown = await affected(project, server)
    assert (answer.value.passed, answer.status, answer.value.command) == (None, Status.UNKNOWN, ())
    assert shown.startswith("Whether the tests pass is not known; nothing changed since HEAD")


@pytest.mark.parametrize("server", ["ty"], indirect=True)
async def test_without_a_repository_nobody_knows_what_changed(server: str, project: Project) -> None:
    shutil.rmtree(project.workspace / ".git")
    with pytest.raises(InvalidArgument):
        await affected(project, server)
