"""The doctor: really starts what is needed, tells what works and what helps, and leaves nothing running."""

from pathlib import Path

import pytest

from groundwire.operations.serving.checkup import Checkup
from groundwire.operations.serving.doctor import CheckupReport, examine_catalogue, examine_workspace
from tests.fakes.toy_servers import ToyLog, is_running
from tests.operations.workspaces import Workspace

pytestmark = pytest.mark.anyio

WAIT = 60.0


async def examined(workspace: Workspace, wait_s: float = WAIT) -> CheckupReport:
    return await examine_workspace(workspace.decisions(), wait_s=wait_s)


async def of_toy(workspace: Workspace, wait_s: float = WAIT) -> Checkup:
    workspace.write("a.toy", "wrong\n")
    (checkup,) = (await examined(workspace, wait_s)).servers
    return checkup


async def test_a_server_that_answers_is_found_with_how_long_it_took(workspace: Workspace) -> None:
    workspace.serve("base")
    found = await of_toy(workspace)
    assert (found.server, found.state, found.answered, found.root) == ("base", "found", "findings", ".")
    assert found.start_s is not None
    assert found.start_s > 0
    assert not found.needs_attention


async def test_nothing_is_left_running(workspace: Workspace, tmp_path: Path) -> None:
    log = ToyLog(tmp_path / "log")
    workspace.serve("base", variables=log.environment)
    workspace.write("a.toy")
    workspace.write("b/a.toy")
    assert (await examined(workspace)).is_fine
    assert log.count("shutdown") == 1
    assert log.pids()
    assert not any(is_running(pid) for pid in log.pids())


async def test_a_server_that_does_not_start_is_broken_with_its_last_words(workspace: Workspace) -> None:
    workspace.serve("crash_at_start")
    found = await of_toy(workspace)
    assert (found.state, found.start_s, found.needs_attention) == ("broken", None, True)
    assert "exited with code 3" in found.why
    assert found.stderr_tail == "cannot find libtoy.so"


async def test_a_server_that_never_answers_is_given_up_in_time(workspace: Workspace) -> None:
    workspace.serve("hang_at_start")
    found = await of_toy(workspace, wait_s=1.0)
    assert (found.state, found.why) == ("broken", "it did not start within 1 s")


async def test_a_server_that_offers_nothing_has_still_started(workspace: Workspace) -> None:
    workspace.serve("offers_nothing")
    found = await of_toy(workspace, wait_s=8.0)
    assert (found.state, found.answered) == ("found", "")


async def test_one_that_fails_does_not_hurt_another(workspace: Workspace) -> None:
    workspace.serve("base")
    workspace.serve("crash_at_start", ".other")
    workspace.write("a.toy")
    workspace.write("a.other")
    report = await examined(workspace)
    assert {each.server: each.state for each in report.servers} == {"base": "found", "crash_at_start": "broken"}
    assert not report.is_fine


async def test_what_is_missing_comes_with_the_command_that_brings_it(workspace: Workspace) -> None:
    workspace.install("go")
    workspace.write("main.go")
    report = await examined(workspace)
    (gopls,) = report.servers
    assert (gopls.state, gopls.remedy, report.is_fine) == ("missing", "groundwire install gopls", False)


async def test_what_is_switched_off_needs_no_attention(workspace: Workspace) -> None:
    workspace.configure("[languages.go]\nenabled = false")
    workspace.write("main.go")
    report = await examined(workspace)
    assert ([each.state for each in report.servers], report.is_fine) == (["disabled"], True)


async def test_a_program_of_the_project_is_not_run_before_it_is_trusted(workspace: Workspace, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    workspace.write("tool", f"#!/bin/sh\n: > '{mark}'\n", mode=0o755)
    workspace.write("groundwire.toml", '[servers.mine]\ncommand = ["./tool"]\nextensions = [".mine"]\n')
    workspace.write("node_modules/.bin/vtsls", f"#!/bin/sh\n: > '{mark}'\n", mode=0o755)
    workspace.write("a.ts")
    workspace.write("a.mine")
    workspace.commit()
    report = await examined(workspace)
    states = {each.server: (each.state, each.remedy) for each in report.servers}
    assert states["mine"] == states["vtsls"] == ("untrusted", "groundwire trust")
    assert (report.trust_command, report.is_fine) == ("groundwire trust", False)
    assert not mark.exists()


async def test_a_server_that_lacks_what_it_checks_with_is_found_and_needs_attention(
    workspace: Workspace,
) -> None:
    workspace.environment["PATH"] = str(workspace.programs)
    workspace.serve("base")
    script = workspace.programs / "bash-language-server"
    workspace.install("bash-language-server")
    toy = workspace.decisions().plan.catalog.servers["base"].command
    script.write_text(f"#!/bin/sh\nexec {' '.join(toy)}\n", "utf-8")
    workspace.write("a.sh", "echo\n")
    (bash,) = (await examined(workspace)).servers
    assert (bash.server, bash.state, bash.needs_attention) == ("bash-language-server", "found", True)
    assert "finds nothing without shellcheck" in bash.why
    assert "shellcheck" in bash.remedy


async def test_an_empty_workspace_is_fine(workspace: Workspace) -> None:
    report = await examined(workspace)
    assert (report.servers, report.is_fine) == ((), True)


async def test_every_known_server_is_tried_without_touching_the_workspace(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(workspace.path)
    log = ToyLog(tmp_path / "log")
    workspace.serve("base", variables=log.environment)
    workspace.serve("crash_at_start", ".other")
    workspace.environment["PATH"] = str(workspace.programs)
    workspace.write("a.toy", "wrong\n")
    before = sorted(workspace.path.rglob("*"))
    report = await examine_catalogue(workspace.environment, wait_s=WAIT)
    states = {each.server: each for each in report.servers}
    assert (states["base"].state, states["base"].root) == ("found", "")
    assert states["crash_at_start"].state == "broken"
    assert (states["gopls"].state, states["gopls"].remedy) == ("missing", "go install golang.org/x/tools/gopls@latest")
    assert len(report.servers) > 70
    assert {each.server for each in report.servers if each.start_s is not None} == {"base"}
    assert sorted(workspace.path.rglob("*")) == before
    assert not any(is_running(pid) for pid in log.pids())


async def test_that_no_workspace_needs_a_server_makes_its_absence_no_fault() -> None:
    missing = Checkup(server="x", role="primary", state="missing", languages=("x",))
    broken = Checkup(server="y", role="primary", state="broken", languages=("y",))
    assert CheckupReport(workspace="", files=0, servers=(missing,)).is_fine
    assert not CheckupReport(workspace="", files=0, servers=(missing, broken)).is_fine
    assert not CheckupReport(workspace="/w", files=1, servers=(missing,)).is_fine
