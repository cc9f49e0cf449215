"""What the files of a workspace need: each server once for each root, and those that cannot be had."""

from pathlib import Path

from groundwire.operations.files.survey import survey
from groundwire.operations.serving.needs import Need, find_needs
from tests.operations.workspaces import Workspace


def needs(workspace: Workspace) -> list[Need]:
    decisions = workspace.decisions()
    return list(find_needs(decisions, survey(decisions.workspace, decisions.plan.catalog_when_trusted)))


def brief(found: list[Need], workspace: Workspace) -> list[tuple[str, str, str]]:
    return [
        (need.server, need.state, need.root.relative_to(workspace.path).as_posix() if need.root else "")
        for need in found
    ]


def test_a_server_is_needed_once_for_each_root_and_tells_its_languages(workspace: Workspace) -> None:
    workspace.install("clangd")
    for name in ("one/compile_commands.json", "two/compile_commands.json"):
        workspace.write(name, "[]")
    for name in ("one/a.c", "one/src/b.c", "two/b.cpp", "two/c.c"):
        workspace.write(name, "int x;\n")
    found = [need for need in needs(workspace) if need.server == "clangd"]
    assert brief(found, workspace) == [("clangd", "ready", "one"), ("clangd", "ready", "two")]
    assert [need.languages for need in found] == [("c",), ("c", "cpp")]
    assert found[0].sample == workspace.path / "one/a.c"


def test_a_language_without_a_server_needs_the_one_that_is_recommended(workspace: Workspace) -> None:
    workspace.install("go")
    workspace.write("main.go")
    (gopls,) = needs(workspace)
    assert (gopls.server, gopls.state, gopls.remedy) == ("gopls", "missing", "groundwire install gopls")


def test_a_linter_that_the_project_is_set_up_for_is_needed_beside_the_primary(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("ruff.toml")
    workspace.write("a.py")
    found = [need for need in needs(workspace) if "python" in need.languages]
    assert brief(found, workspace) == [("ty", "ready", "."), ("ruff", "missing", "")]


def test_a_server_that_suits_no_project_like_this_is_not_needed(workspace: Workspace) -> None:
    workspace.write("schema.graphql")
    assert needs(workspace) == []


def test_what_is_switched_off_is_told_as_such(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("groundwire.toml", "[languages.go]\nenabled = false\n[servers.pyright]\nenabled = false\n")
    workspace.write("main.go")
    workspace.write("a.py")
    found = {need.server: need.state for need in needs(workspace)}
    assert (found["gopls"], found["pyright"], found["ty"]) == ("disabled", "disabled", "ready")


def test_a_server_that_only_the_project_supplies_waits_for_trust(workspace: Workspace) -> None:
    workspace.write("groundwire.toml", '[servers.mine]\ncommand = ["./evil"]\nextensions = [".mine"]\n')
    workspace.write("a.mine")
    found = {need.server: (need.state, need.remedy) for need in needs(workspace)}
    assert found["mine"] == ("untrusted", "groundwire trust")


def test_one_that_is_there_and_only_wants_trust_goes_before_one_that_is_not_there(
    workspace: Workspace, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    workspace.write("node_modules/.bin/vtsls", f"#!/bin/sh\n: > '{mark}'\n", mode=0o755)
    workspace.write("a.ts")
    workspace.commit()
    found = [(need.server, need.state) for need in needs(workspace)]
    assert found == [("vtsls", "untrusted")]
    assert not mark.exists()
