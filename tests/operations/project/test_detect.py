"""Languages and servers of a workspace, found without starting anything."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, OutsideWorkspace
from groundwire.operations.answer import Answer, Status
from groundwire.operations.project.detect import detect_lsp_servers
from groundwire.operations.results.servers import DetectedServers
from groundwire.pool.opening import open_pool
from tests.operations.toy_project import ask, zoo
from tests.operations.workspaces import Workspace

pytestmark = pytest.mark.anyio


async def detected(workspace: Workspace, **given: object) -> Answer[DetectedServers]:
    async with open_pool(workspace.path, environment=workspace.environment) as pool:
        answer = await ask(pool, detect_lsp_servers, **given)
        assert pool.instances() == ()
        return answer


async def test_languages_are_ranked_with_what_is_there_and_what_is_not(workspace: Workspace) -> None:
    program = workspace.install("ty")
    workspace.install("go")
    for name in ("a.py", "b.py", "main.go"):
        workspace.write(name)
    answer = await detected(workspace)
    found = answer.value
    assert answer.status is Status.CONFIRMED
    assert [(each.language, each.files) for each in found.workspace_languages] == [("python", 2), ("go", 1)]
    assert ("python", "ty", str(program)) in [
        (each.language, each.server, each.path) for each in found.installed_servers
    ]
    missing = [(each.language, each.server, each.install) for each in found.not_installed]
    assert ("go", "gopls", "groundwire install gopls") in missing


async def test_what_is_switched_off_is_neither_installed_nor_missing(workspace: Workspace) -> None:
    workspace.configure("[languages.python]\nenabled = false")
    workspace.write("a.py")
    found = (await detected(workspace)).value
    assert (found.installed_servers, found.not_installed) == ((), ())
    assert [each.state for each in found.not_used] == ["disabled"]


async def test_a_directory_of_the_workspace_is_looked_at_alone(workspace: Workspace) -> None:
    workspace.write("a.py")
    workspace.write("deep/main.go")
    found = (await detected(workspace, workspace_dir="deep")).value
    assert [each.language for each in found.workspace_languages] == ["go"]


async def test_nothing_outside_the_workspace_is_looked_at(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(OutsideWorkspace):
            await ask(pool, detect_lsp_servers, workspace_dir="..")
        with pytest.raises(FileNotFound):
            await ask(pool, detect_lsp_servers, workspace_dir="nowhere")
