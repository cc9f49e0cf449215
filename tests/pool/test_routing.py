"""Routing: which servers take care of a file, and what is said when none does."""

import os
import sys
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument, NoServerForExtension, ServerUnavailable
from groundwire.pool.routing import Route, route
from groundwire.registry.catalog import load_catalog

PROGRAMS = {"pyright": "pyright-langserver", "basedpyright": "basedpyright-langserver", "ty": "ty", "ruff": "ruff"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, and nothing beside groundwire."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gw/python"))
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def install(project: Path, *servers: str) -> None:
    for server in servers:
        file = project.parent / "bin" / PROGRAMS.get(server, server)
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/sh\necho 9.0\n", "utf-8")
        file.chmod(0o755)


def routed(project: Path, name: str = "a.py", only: frozenset[str] = frozenset()) -> Route:
    environment = {"PATH": f"{project.parent / 'bin'}:/usr/bin/nowhere"}
    return route(project / name, project, load_catalog(), environment, only)


def ids(route: Route) -> tuple[str, list[str]]:
    primary = route.primary.spec.id if route.primary else ""
    return primary, [linter.spec.id for linter in route.linters]


def test_the_first_of_the_catalogues_order_that_is_found_is_the_primary(project: Path) -> None:
    install(project, "ty", "basedpyright")
    assert ids(routed(project)) == ("basedpyright", [])


def test_a_choice_says_what_to_start_where_and_why(project: Path) -> None:
    install(project, "ty")
    (project / "pyproject.toml").touch()
    chosen = routed(project).primary
    assert chosen is not None
    assert chosen.command == (str(project.parent / "bin/ty"), "server")
    assert chosen.root == project
    assert chosen.why == (
        "ty: the first in the catalogue's order that is found; its program is on the path; "
        "its root is the nearest pyproject.toml"
    )


@pytest.mark.parametrize(
    ("file", "text", "server"),
    [
        ("pyrightconfig.json", "{}", "pyright"),
        ("pyproject.toml", "[tool.pyright]", "pyright"),
        ("pyproject.toml", "[tool.basedpyright]", "basedpyright"),
        ("ty.toml", "", "ty"),
        ("pyproject.toml", "[tool.ty.rules]", "ty"),
        ("pyproject.toml", "[project]", "pyright"),
    ],
)
def test_what_the_project_is_set_up_for_goes_first(project: Path, file: str, text: str, server: str) -> None:
    install(project, "pyright", "basedpyright", "ty")
    (project / file).write_text(text, "utf-8")
    (project / "src").mkdir()
    assert ids(routed(project, "src/a.py")) == (server, [])


def test_a_server_the_project_is_set_up_for_but_that_is_missing_is_told_and_another_taken(project: Path) -> None:
    install(project, "ty")
    (project / "pyrightconfig.json").touch()
    answer = routed(project)
    assert ids(answer) == ("ty", [])
    assert answer.missing == (
        "pyright is not installed (the project has pyrightconfig.json). Install it with `groundwire install pyright`.",
    )


def test_servers_that_nobody_asked_for_are_not_missed(project: Path) -> None:
    install(project, "ty")
    assert routed(project).missing == ()


def test_a_python_server_is_started_in_the_projects_virtual_environment(project: Path) -> None:
    install(project, "ty")
    python = project / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.touch()
    chosen = routed(project).primary
    assert chosen is not None
    assert chosen.spec.environment["VIRTUAL_ENV"] == str(project / ".venv")
    assert chosen.spec.environment["PATH"].split(":")[:2] == [str(python.parent), str(project.parent / "bin")]


def test_a_linter_takes_part_where_the_project_is_configured_for_it(project: Path) -> None:
    install(project, "ty", "ruff")
    assert ids(routed(project)) == ("ty", [])
    (project / "pyproject.toml").write_text("[tool.ruff]\nline-length = 100\n", "utf-8")
    assert ids(routed(project)) == ("ty", ["ruff"])


def test_a_configured_linter_that_is_missing_is_told(project: Path) -> None:
    install(project, "ty")
    (project / "ruff.toml").touch()
    assert [text.split(".")[0] for text in routed(project).missing] == ["ruff is not installed (the project has ruff"]


def test_servers_that_are_asked_for_are_the_only_ones(project: Path) -> None:
    install(project, "pyright", "ty", "ruff")
    (project / "ruff.toml").touch()
    assert ids(routed(project, only=frozenset({"ty"}))) == ("ty", [])


def test_a_linter_that_is_asked_for_needs_no_configuration_and_no_primary(project: Path) -> None:
    install(project, "ty", "ruff")
    assert ids(routed(project, only=frozenset({"ruff"}))) == ("", ["ruff"])


def test_of_two_primaries_that_are_asked_for_both_take_part(project: Path) -> None:
    install(project, "ty", "pyright")
    assert ids(routed(project, only=frozenset({"ty", "pyright"}))) == ("pyright", ["ty"])


def test_one_of_two_servers_asked_for_that_is_missing_is_told(project: Path) -> None:
    install(project, "ty")
    answer = routed(project, only=frozenset({"ty", "ruff"}))
    assert ids(answer) == ("ty", [])
    assert answer.missing[0].startswith("ruff is not installed (asked for by name)")


def test_an_unknown_server_is_refused_with_a_suggestion(project: Path) -> None:
    with pytest.raises(InvalidArgument) as refused:
        routed(project, only=frozenset({"pyrigth"}))
    assert refused.value.hint == "Did you mean pyright?"


def test_a_server_of_another_language_is_refused_with_those_that_would_do(project: Path) -> None:
    with pytest.raises(ServerUnavailable) as refused:
        routed(project, only=frozenset({"gopls"}))
    assert refused.value.hint.startswith("For python ask for pyright or basedpyright or ty or ")
    assert refused.value.hint.endswith(" or ruff.")


def test_a_kind_of_file_that_nobody_knows_is_refused(project: Path) -> None:
    with pytest.raises(NoServerForExtension, match=r"no language server is known for notes\.txt"):
        routed(project, "notes.txt")


def test_no_server_at_all_is_told_with_the_install_command_and_a_text_search(project: Path) -> None:
    with pytest.raises(ServerUnavailable) as refused:
        routed(project, "main.go")
    assert refused.value.message == "no language server for go can be used: gopls is not installed"
    assert refused.value.hint == (
        "Install it with `groundwire install gopls`. Until then search the text: rg -n 'NAME' -g '*.go'"
    )


def test_a_script_without_an_ending_is_routed_by_its_first_line(project: Path) -> None:
    install(project, "ty")
    (project / "deploy").write_text("#!/usr/bin/env -S python3 -u\n", "utf-8")
    answer = routed(project, "deploy")
    assert (answer.language, answer.language_why) == ("python", "by its first line, #!/usr/bin/env -S python3 -u")
    assert ids(answer) == ("ty", [])


def test_a_language_that_no_server_is_known_for_is_refused_by_name(project: Path) -> None:
    with pytest.raises(NoServerForExtension, match="no language server is known for makefile, which Makefile is"):
        routed(project, "Makefile")


def test_a_deno_project_is_served_by_deno_alone(project: Path) -> None:
    install(project, "tsc", "typescript-language-server", "deno")
    assert ids(routed(project, "a.ts")) == ("tsc", [])
    (project / "deno.json").touch()
    answer = routed(project, "a.ts")
    assert ids(answer) == ("deno", [])
    assert answer.primary is not None
    assert answer.primary.why.startswith("deno: the project has deno.json; ")


def test_a_deno_project_without_deno_is_not_given_to_another_server(project: Path) -> None:
    install(project, "tsc")
    (project / "deno.json").touch()
    with pytest.raises(ServerUnavailable) as refused:
        routed(project, "a.ts")
    assert "deno is not installed; tsc is not for a project with deno.json" in refused.value.message
    assert refused.value.hint.startswith("Install it with `groundwire install deno`.")


def test_a_server_asked_for_by_name_is_taken_though_the_project_is_not_set_up_for_it(project: Path) -> None:
    install(project, "deno")
    assert ids(routed(project, "a.ts", only=frozenset({"deno"}))) == ("deno", [])


def test_no_server_that_suits_is_told_without_advice_to_install_one_that_does_not(project: Path) -> None:
    (project / "schema.graphql").touch()
    with pytest.raises(ServerUnavailable) as refused:
        routed(project, "schema.graphql")
    assert "graphql takes part only in a project with .graphqlrc" in refused.value.message
    assert refused.value.hint == "Search the text instead: rg -n 'NAME' -g '*.graphql'"


def test_the_typescript_in_node_modules_decides_before_any_program_is_run(project: Path) -> None:
    install(project, "tsc", "typescript-language-server")
    package = project / "node_modules/typescript/package.json"
    package.parent.mkdir(parents=True)
    package.write_text('{"version": "5.9.3"}', "utf-8")
    assert ids(routed(project, "a.ts")) == ("typescript-language-server", [])
    package.write_text('{"version": "7.0.2"}', "utf-8")
    assert ids(routed(project, "a.ts")) == ("tsc", [])


def test_code_of_the_project_that_a_server_would_run_is_told(project: Path) -> None:
    install(project, "typescript-language-server")
    library = project / "node_modules/typescript/lib/tsserver.js"
    library.parent.mkdir(parents=True)
    library.touch()
    (library.parents[1] / "package.json").write_text('{"version": "5.9.3"}', "utf-8")
    chosen = routed(project, "a.ts").primary
    assert chosen is not None
    assert chosen.project_code == (library.parent,)
    assert chosen.why.endswith("; code of the project that it runs: node_modules/typescript/lib")


@pytest.mark.parametrize(
    ("markers", "linters"),
    [
        ((), []),
        (("biome.json",), ["biome"]),
        ((".oxlintrc.json",), ["oxlint"]),
        (("biome.json", ".oxlintrc.json"), ["biome", "oxlint"]),
    ],
)
def test_of_rival_linters_those_take_part_that_the_project_is_set_up_for(
    project: Path, markers: tuple[str, ...], linters: list[str]
) -> None:
    install(project, "tsc", "biome", "oxlint", "vscode-eslint-language-server")
    for marker in markers:
        (project / marker).touch()
    assert ids(routed(project, "a.ts")) == ("tsc", linters)


def test_eslint_takes_part_only_where_the_project_has_installed_it(project: Path) -> None:
    install(project, "tsc", "vscode-eslint-language-server")
    (project / "eslint.config.js").touch()
    answer = routed(project, "a.js")
    assert ids(answer) == ("tsc", [])
    (missing,) = answer.missing
    assert missing.startswith("eslint needs eslint, which is not in the project's node_modules (the project has eslint")
    assert missing.endswith("Install the project's packages, for instance with `npm install`.")
    package = project / "node_modules/eslint/package.json"
    package.parent.mkdir(parents=True)
    package.write_text('{"version": "10.0.0"}', "utf-8")
    assert ids(routed(project, "a.js")) == ("tsc", ["eslint"])


def test_a_server_that_has_nothing_to_check_with_is_taken_and_what_it_lacks_is_told(project: Path) -> None:
    install(project, "bash-language-server")
    answer = routed(project, "a.sh")
    assert ids(answer) == ("bash-language-server", [])
    assert answer.missing[0].startswith("bash-language-server finds nothing without shellcheck")
    install(project, "shellcheck")
    assert routed(project, "a.sh").missing == ()


def test_the_order_for_typescript_follows_the_compiler_of_the_project(project: Path) -> None:
    install(project, "tsc", "typescript-language-server")
    assert ids(routed(project, "a.ts")) == ("tsc", [])
    old = project / "node_modules/.bin/tsc"
    old.parent.mkdir(parents=True)
    old.write_text("#!/bin/sh\necho Version 5.9.3\n", "utf-8")
    old.chmod(0o755)
    assert ids(routed(project, "a.ts")) == ("typescript-language-server", [])


ODD = os.fsdecode(b"bad\xff.py")


def test_a_server_that_knows_files_only_by_utf_8_is_not_chosen_for_any_other_name(project: Path) -> None:
    install(project, "ty")
    with pytest.raises(ServerUnavailable, match="ty cannot take a file whose name is no UTF-8") as raised:
        routed(project, ODD)
    assert "Rename it" in raised.value.hint
    assert ids(routed(project, "good.py")) == ("ty", [])


def test_what_could_not_take_the_name_is_missed_where_another_can(project: Path) -> None:
    install(project, "ty", "ruff")
    (project / "ruff.toml").touch()
    found = routed(project, ODD, frozenset({"ty", "ruff"}))
    assert ids(found) == ("", ["ruff"])
    assert found.missing == ("ty cannot take a file whose name is no UTF-8",)
    assert ("ty", "unfit") in {(each.server, each.kind) for each in found.passed_over}
