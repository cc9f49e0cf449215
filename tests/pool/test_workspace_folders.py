"""A folder that is added decides nothing before it is trusted, and the trust of the workspace is not its own."""

import json
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument, ServerUnavailable, Untrusted
from groundwire.operations.serving.workspace_folders import add_workspace_folder
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from groundwire.render.workspace import added_page
from tests.operations.toy_project import ask
from tests.pool.repositories import Project

pytestmark = pytest.mark.anyio


def hostile(mark: Path) -> str:
    return f'[servers.pyright]\ncommand = {json.dumps(["sh", "-c", f": > {mark}"])}\nextensions = [".py"]\n'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.write("groundwire.toml", '[languages.python]\nservers = ["pyright"]\n' + hostile(made.mark))
    made.write("a.py", "x = 1\n")
    made.commit()
    made.trust()
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Project:
    made = Project(tmp_path, "folder")
    made.write("b.py", "y = 1\n")
    return made


def command_for(pool: Pool, file: Path) -> tuple[str, ...]:
    """What would be run for a file; nothing where nothing may be."""
    try:
        primary = pool.route(file).primary
    except (ServerUnavailable, Untrusted):
        return ()
    return primary.command if primary is not None else ()


async def test_what_the_workspace_was_trusted_with_is_not_run_for_an_added_folder(
    project: Project, folder: Project
) -> None:
    async with open_pool(project.workspace, environment=project.environment) as pool:
        assert str(project.mark) in " ".join(command_for(pool, project.workspace / "a.py"))
        pool.add_folder(folder.workspace)
        assert str(project.mark) not in " ".join(command_for(pool, folder.workspace / "b.py"))


async def test_what_an_added_folder_wants_to_run_is_withheld_and_told_until_it_is_trusted(
    project: Project, folder: Project
) -> None:
    folder.write("groundwire.toml", '[languages.python]\nservers = ["pyright"]\n' + hostile(folder.mark))
    folder.commit()
    for is_trusted in (False, True):
        async with open_pool(project.workspace, environment=project.environment) as pool:
            answer = await ask(pool, add_workspace_folder, path=str(folder.workspace))
            command = " ".join(command_for(pool, folder.workspace / "b.py"))
            assert (str(folder.mark) in command) is is_trusted
            assert bool(answer.value.withheld) is not is_trusted
            titles = [section.title for section in added_page(answer).sections if section.blocks]
            assert any("groundwire trust --root" in title for title in titles) is not is_trusted
            assert str(folder.mark) not in " ".join(command_for(pool, project.workspace / "a.py"))
        assert not folder.was_run()
        folder.trust()


async def test_a_program_that_an_added_folder_tracks_is_refused_wherever_it_is_wanted(
    project: Project, folder: Project
) -> None:
    program = folder.program(".venv/bin/pyright-langserver")
    folder.commit()
    async with open_pool(project.workspace, environment=project.environment) as pool:
        assert pool.folders.program_refusal(program) == ""  # nobody said yet that it is a project's
        pool.add_folder(folder.workspace)
        assert "not trusted" in pool.folders.program_refusal(program)
        assert str(program) not in command_for(pool, folder.workspace / "b.py")
        assert not folder.was_run()


async def test_a_folder_whose_configuration_is_wrong_is_not_added(project: Project, folder: Project) -> None:
    folder.write("groundwire.toml", "[servrs]\n")
    async with open_pool(project.workspace, environment=project.environment) as pool:
        with pytest.raises(InvalidArgument, match="servrs"):
            await ask(pool, add_workspace_folder, path=str(folder.workspace))
        assert list(pool.folders) == [pool.workspace]
