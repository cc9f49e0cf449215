"""Explaining a file: every decision with its reason, and nothing of the project is run for it."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, NotAFile
from groundwire.operations.results.explanation import Explanation, Rival
from groundwire.operations.serving.explain import explain_file
from tests.operations.workspaces import Workspace


def explained(workspace: Workspace, name: str = "a.py") -> Explanation:
    return explain_file(workspace.decisions(), Path(name))


def rivals(explanation: Explanation) -> dict[str, Rival]:
    return {rival.server: rival for rival in explanation.passed_over}


def test_a_server_is_told_with_its_program_its_root_and_the_marker_that_made_it(workspace: Workspace) -> None:
    program = workspace.install("ty")
    workspace.write("svc/pyproject.toml", "[tool.ty]\n")
    workspace.write("svc/app/a.py")
    found = explained(workspace, "svc/app/a.py")
    assert (found.language, found.language_why, found.state) == ("python", "by its ending .py", "served")
    (ty,) = found.servers
    assert (ty.server, ty.role, ty.why) == ("ty", "primary", "the project has [tool.ty] in pyproject.toml")
    assert (ty.program, ty.program_why, ty.command) == (str(program), "on the path", ("ty", "server"))
    assert (ty.root, ty.root_why) == ("svc", "the nearest [tool.ty] in pyproject.toml")
    assert 0 < ty.root_tier <= ty.root_tiers
    assert (found.reason, found.remedy, found.trust_command) == ("", "", "")


def test_rivals_are_told_with_the_command_that_would_bring_them(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("a.py")
    passed = rivals(explained(workspace))
    assert (passed["basedpyright"].kind, passed["basedpyright"].remedy) == (
        "missing",
        "groundwire install basedpyright",
    )
    assert (passed["zuban"].kind, passed["zuban"].remedy) == ("later", "")
    assert passed["ruff"].kind == "unfit"


def test_the_interpreter_that_is_handed_over_is_told(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("a.py")
    workspace.commit()
    workspace.write(".venv/bin/python", mode=0o755)
    (ty,) = explained(workspace).servers
    (handed,) = ty.handed_over
    assert (handed.what, handed.path, handed.why) == ("python", ".venv/bin/python", "the project's .venv")


def test_a_server_that_executes_code_of_the_project_is_flagged(workspace: Workspace) -> None:
    workspace.install("rust-analyzer", "rust-analyzer 1.96.0")
    workspace.install("ty")
    workspace.write("src/main.rs")
    workspace.write("a.py")
    (server,) = explained(workspace, "src/main.rs").servers
    assert (server.runs_project_code, server.version) == (True, "1.96.0")
    assert not explained(workspace).servers[0].runs_project_code


def test_a_server_that_the_policy_holds_back_is_told_with_the_place_that_says_so(workspace: Workspace) -> None:
    workspace.install("rust-analyzer")
    workspace.configure('project_code = "never"')
    workspace.write("main.rs")
    found = explained(workspace, "main.rs")
    assert (found.state, found.servers, found.trust_command) == ("disabled", (), "")
    held = rivals(found)["rust-analyzer"]
    assert held.kind == "disabled"
    assert "project_code is never" in held.why
    assert "config.toml:1" in held.why


def test_no_server_is_told_with_the_one_command_that_helps(workspace: Workspace) -> None:
    workspace.install("go")
    workspace.write("main.go")
    found = explained(workspace, "main.go")
    assert (found.state, found.servers, found.remedy) == ("not_served", (), "groundwire install gopls")
    assert found.reason == "no language server for go can be used: gopls is not installed"


def test_a_kind_of_file_that_nobody_knows_is_told(workspace: Workspace) -> None:
    workspace.write("notes.odd")
    found = explained(workspace, "notes.odd")
    assert (found.language, found.state) == ("", "not_served")
    assert found.language_why == "no language is known by the ending .odd"


def test_a_language_that_is_switched_off_is_told_with_the_place_that_says_so(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("groundwire.toml", "mode = 'all'\n[languages.python]\nenabled = false\n")
    workspace.write("a.py")
    found = explained(workspace)
    assert (found.state, found.servers) == ("disabled", ())
    assert found.reason == "languages.python.enabled switches it off (groundwire.toml:3)"


def test_a_server_that_is_switched_off_is_among_those_passed_over(workspace: Workspace) -> None:
    workspace.install("ty")
    workspace.write("groundwire.toml", "[servers.pyright]\nenabled = false\n")
    workspace.write("a.py")
    pyright = rivals(explained(workspace))["pyright"]
    assert (pyright.kind, pyright.why) == ("disabled", "servers.pyright.enabled is false (groundwire.toml:2)")


def test_that_every_server_of_a_language_is_switched_off_is_not_told_as_unknown(workspace: Workspace) -> None:
    workspace.configure("[servers.gopls]\nenabled = false")
    workspace.write("main.go")
    found = explained(workspace, "main.go")
    assert (found.state, found.reason) == ("disabled", "the configuration keeps out every server for go")


def test_the_configuration_that_was_read_is_listed_in_rising_order(workspace: Workspace) -> None:
    workspace.configure('severity = "warning"')
    workspace.write("groundwire.toml", 'mode = "all"\n')
    workspace.write("a.py")
    sources = explained(workspace).configuration
    assert [source.layer for source in sources] == ["user", "project"]
    assert sources[1].place == "groundwire.toml"


def test_what_the_project_may_not_decide_yet_is_told_with_the_command_that_trusts_it(workspace: Workspace) -> None:
    workspace.install("clangd")
    workspace.write("groundwire.toml", '[servers.clangd]\nargs = ["--evil"]\n')
    workspace.write("a.c")
    found = explained(workspace, "a.c")
    (withheld,) = found.withheld
    assert (withheld.key, withheld.value, withheld.place) == ("servers.clangd.args", ["--evil"], "groundwire.toml:2")
    assert (found.state, found.trust_command) == ("served", "groundwire trust")
    assert "--evil" not in found.servers[0].command


def test_a_file_that_only_the_project_has_a_server_for_waits_for_trust(workspace: Workspace) -> None:
    workspace.write("groundwire.toml", '[servers.mine]\ncommand = ["./evil"]\nextensions = [".mine"]\n')
    workspace.write("a.mine")
    found = explained(workspace, "a.mine")
    assert (found.language, found.state, found.remedy) == ("mine", "untrusted", "groundwire trust")
    assert rivals(found)["mine"].why == "is supplied by the project: servers.mine.command in groundwire.toml:2"


def test_a_program_that_the_project_brings_along_is_not_run_and_that_is_told(
    workspace: Workspace, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    workspace.install("tsc", "Version 7.0.2")
    workspace.write("node_modules/.bin/tsc", f"#!/bin/sh\n: > '{mark}'\necho 7.0.2\n", mode=0o755)
    workspace.write("a.ts")
    workspace.commit()
    found = explained(workspace, "a.ts")
    (tsc,) = found.servers
    assert tsc.program == str(workspace.programs / "tsc")
    (refused,) = tsc.refused
    assert "node_modules/.bin/tsc is supplied by the project" in refused
    assert found.trust_command == "groundwire trust"
    assert not mark.exists()


def test_an_untrusted_interpreter_keeps_every_server_from_the_file(workspace: Workspace, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    workspace.install("ty")
    workspace.write(".venv/bin/python", f"#!/bin/sh\n: > '{mark}'\n", mode=0o755)
    workspace.write("a.py")
    workspace.commit()
    found = explained(workspace)
    assert (found.state, found.servers, found.remedy) == ("untrusted", (), "groundwire trust")
    assert not mark.exists()


def test_what_is_no_file_is_refused(workspace: Workspace) -> None:
    with pytest.raises(FileNotFound):
        explained(workspace, "gone.py")
    with pytest.raises(NotAFile):
        explained(workspace, ".")


def test_a_server_that_somebody_else_runs_is_told_with_its_address(workspace: Workspace) -> None:
    workspace.configure('[servers.far]\nconnect = "127.0.0.1:4711"\nextensions = [".far"]')
    workspace.write("a.far")
    (far,) = explained(workspace, "a.far").servers
    assert (far.server, far.program_why, far.version) == ("far", "run by somebody else at 127.0.0.1:4711", "")


def test_a_companion_that_runs_beside_the_server_is_told(workspace: Workspace) -> None:
    workspace.install("luau-lsp")
    workspace.configure('[servers.luau-lsp.settings."luau-lsp".sourcemap]\nautogenerate = true')
    workspace.configure('rojoProjectFile = "default.project.json"')
    workspace.write("default.project.json", "{}")
    workspace.write("a.luau")
    (luau,) = explained(workspace, "a.luau").servers
    assert (luau.companion, luau.companion_why) == ((), "rojo, which luau-lsp needs beside it, is not installed")
    rojo = workspace.install("rojo")
    (luau,) = explained(workspace, "a.luau").servers
    assert luau.companion[:3] == (str(rojo), "sourcemap", "--watch")
    assert "luau-lsp.sourcemap.autogenerate is set" in luau.companion_why


def test_a_file_in_no_project_is_explained_as_such(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.install("ty")
    workspace.write("a.py")
    monkeypatch.setenv("HOME", str(workspace.path))
    found = explained(workspace)
    assert (found.language, found.state, found.servers) == ("python", "not_served", ())
    assert "lies in no project" in found.reason
