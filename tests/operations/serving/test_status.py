"""The status of a workspace: what would run, what does, and why the rest does not."""

from groundwire.operations.serving.status import workspace_status
from groundwire.pool.status import ServerStatus
from tests.operations.workspaces import Workspace


def test_a_server_that_can_be_started_is_idle(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("svc/ty.toml")
    workspace.write("svc/a.py")
    found = workspace_status(workspace.decisions())
    ty = next(line for line in found.servers if line.status.server == "ty")
    assert (ty.status.state, ty.status.root, ty.languages, ty.role) == ("idle", "svc", ("python",), "primary")
    assert found.files == 2


def test_states_and_reasons_of_what_cannot_be_started(workspace: Workspace) -> None:
    workspace.configure("[languages.python]\nenabled = false")
    workspace.install("go")
    workspace.write("main.go")
    workspace.write("a.py")
    found = {line.status.server: line for line in workspace_status(workspace.decisions()).servers}
    assert (found["gopls"].status.state, found["gopls"].remedy) == ("unavailable", "groundwire install gopls")
    off = found["pyright"].status
    assert off.state == "disabled"
    assert off.reason.startswith("languages.python.enabled switches it off (")


def test_what_a_pool_says_of_a_running_server_takes_the_place_of_what_would_be(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("a.py")
    running = ServerStatus(
        server="ty", root=str(workspace.path), state="active", pid=7, version="ty 1.2.3 (abc)", indexing="ready"
    )
    elsewhere = ServerStatus(server="ty", root=str(workspace.path / "other"), state="broken", reason="it crashed")
    found = [line.status for line in workspace_status(workspace.decisions(), [running, elsewhere]).servers]
    assert [(each.server, each.root, each.state, each.version) for each in found] == [
        ("ty", ".", "active", "1.2.3"),
        ("ty", "other", "broken", ""),
    ]


def test_what_is_withheld_is_told_with_the_command_that_helps(workspace: Workspace) -> None:
    workspace.write("groundwire.toml", '[servers.clangd]\nargs = ["-x"]\n')
    found = workspace_status(workspace.decisions())
    assert ([each.key for each in found.withheld], found.trust_command) == (["servers.clangd.args"], "groundwire trust")
