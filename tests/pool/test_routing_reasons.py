"""Routing: what speaks for a server, what was passed over and why, and whose word counts most."""

import shutil
import sys
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import NoServerForExtension, ServerUnavailable, Untrusted
from groundwire.pool.program_gate import ProgramGate
from groundwire.pool.routing import Route, route, weigh
from groundwire.registry.catalog import Catalog, load_catalog
from tests.pool.repositories import Project

PROGRAMS = {"pyright": "pyright-langserver", "basedpyright": "basedpyright-langserver"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project, and nothing beside groundwire."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gw/python"))
    made = Project(tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").symlink_to(str(shutil.which("git")))
    made.environment["PATH"] = str(tmp_path / "bin")  # and nothing else of this machine
    return made


def install(project: Project, *servers: str) -> None:
    for server in servers:
        file = project.workspace.parent / "bin" / PROGRAMS.get(server, server)
        file.write_text("#!/bin/sh\necho 9.0\n", "utf-8")
        file.chmod(0o755)


def weighed(project: Project, name: str = "a.py", catalog: Catalog | None = None) -> Route:
    gate = ProgramGate(project.workspace, project.store, project.environment).refusal
    catalog = catalog or load_catalog()
    return weigh(project.workspace / name, project.workspace, catalog, project.environment, gate=gate)


def naming(*servers: str, language: str = "python") -> Catalog:
    """The catalogue as a configuration leaves it that names these servers for a language."""
    known = load_catalog()
    primaries = tuple(server for server in servers if known.servers[server].role == "primary")
    linters = tuple(server for server in servers if known.servers[server].role == "linter")
    spec = msgspec.structs.replace(known.languages[language], servers=primaries, linters=linters, named=servers)
    return Catalog({**known.languages, language: spec}, known.servers)


def ids(answer: Route) -> list[str]:
    return [chosen.spec.id for chosen in answer.chosen]


def passed_over(answer: Route) -> dict[str, tuple[str, str]]:
    return {passed.server: (passed.kind, passed.why) for passed in answer.passed_over}


def test_rivals_are_told_with_why_they_were_passed_over(project: Project) -> None:
    install(project, "basedpyright", "ty")
    passed = passed_over(weighed(project))
    assert passed["pyright"] == ("missing", "pyright is not installed")
    assert passed["ty"] == ("later", "after basedpyright in the order")
    assert passed["ruff"][0] == "unfit"
    assert passed["ruff"][1].startswith("takes part only in a project with")


def test_a_choice_tells_each_of_its_reasons(project: Project) -> None:
    install(project, "ty")
    project.write("pyproject.toml", "[tool.ty]\n")
    primary = weighed(project).primary
    assert primary is not None
    assert primary.reasons.choice == "the project has [tool.ty] in pyproject.toml"
    assert primary.reasons.program == "on the path"
    assert primary.reasons.root.startswith("the nearest ")
    assert primary.reasons.root_tier > 0


def test_that_no_server_can_be_had_is_part_of_the_answer_and_raised_only_by_route(project: Project) -> None:
    answer = weighed(project, "main.go")
    assert isinstance(answer.refusal, ServerUnavailable)
    assert (ids(answer), passed_over(answer)["gopls"][0]) == ([], "missing")
    assert isinstance(weighed(project, "notes.txt").refusal, NoServerForExtension)
    with pytest.raises(ServerUnavailable):
        route(project.workspace / "main.go", project.workspace, load_catalog(), project.environment)


def test_servers_that_the_configuration_names_go_before_what_the_project_is_set_up_for(project: Project) -> None:
    install(project, "pyright", "basedpyright", "ty")
    project.write("pyrightconfig.json", "{}")
    assert ids(weighed(project)) == ["pyright"]
    answer = weighed(project, catalog=naming("ty", "pyright"))
    assert ids(answer) == ["ty"]
    assert answer.chosen[0].reasons.choice == "the configuration names it"
    assert passed_over(answer) == {"pyright": ("later", "after ty in the order")}


def test_of_servers_named_in_order_of_preference_one_that_is_not_there_is_not_missed(project: Project) -> None:
    install(project, "pyright")
    answer = weighed(project, catalog=naming("ty", "pyright"))
    assert (ids(answer), answer.missing) == (["pyright"], ())


def test_a_linter_that_the_configuration_names_takes_part_without_a_configuration_of_its_own(project: Project) -> None:
    install(project, "ty", "ruff")
    assert ids(weighed(project)) == ["ty"]
    assert ids(weighed(project, catalog=naming("ty", "ruff"))) == ["ty", "ruff"]


def test_a_linter_that_the_configuration_names_and_that_is_not_there_is_missed(project: Project) -> None:
    install(project, "ty")
    (missing,) = weighed(project, catalog=naming("ty", "ruff")).missing
    assert missing.startswith("ruff is not installed (the configuration names it)")


def test_a_server_that_is_not_for_such_a_project_is_not_used_though_it_is_named(project: Project) -> None:
    install(project, "tsc", "deno")
    project.write("deno.json", "{}")
    answer = weighed(project, "a.ts", naming("tsc", "deno", language="typescript"))
    assert ids(answer) == ["deno"]
    assert passed_over(answer)["tsc"] == ("unfit", "is not for a project with deno.json")


def test_the_users_configuration_beats_the_hints_of_the_project(project: Project) -> None:
    install(project, "pyright", "ty", "ruff")
    project.write("pyrightconfig.json", "{}")
    config = Path(project.environment["HOME"], ".config/groundwire/config.toml")
    config.parent.mkdir(parents=True)
    config.write_text('[languages.python]\nservers = ["ty", "pyright", "ruff"]\n', "utf-8")
    assert ids(weighed(project, catalog=project.plan().catalog)) == ["ty", "ruff"]


def test_an_interpreter_that_version_control_tracks_is_neither_run_nor_handed_over(project: Project) -> None:
    install(project, "ty", "basedpyright")
    project.program(".venv/bin/python")
    project.commit()
    answer = weighed(project)
    assert ids(answer) == []
    kind, why = passed_over(answer)["ty"]
    assert kind == "untrusted"
    assert "which is supplied by the project (version control tracks .venv/bin/python)" in why
    assert isinstance(answer.refusal, Untrusted)
    assert "groundwire trust" in answer.refusal.hint
    assert not project.was_run()
    project.trust()
    trusted = weighed(project).primary
    assert trusted is not None
    assert trusted.spec.environment["VIRTUAL_ENV"] == str(project.workspace / ".venv")


def test_an_interpreter_that_the_user_put_there_is_handed_over(project: Project) -> None:
    install(project, "ty")
    project.commit()
    python = project.program(".venv/bin/python")
    primary = weighed(project).primary
    assert primary is not None
    assert [(handed.what, handed.path) for handed in primary.handed] == [("python", python)]
    assert primary.spec.environment["VIRTUAL_ENV"] == str(project.workspace / ".venv")
    assert not project.was_run()


def test_a_program_that_was_refused_is_told_beside_the_one_that_is_used_instead(project: Project) -> None:
    install(project, "ty")
    project.program("node_modules/.bin/ty")
    project.commit()
    primary = weighed(project).primary
    assert primary is not None
    assert primary.reasons.program == "on the path"
    (refused,) = primary.refused
    assert refused.startswith(f"{project.workspace}/node_modules/.bin/ty is supplied by the project")
    assert not project.was_run()


def test_a_server_that_somebody_else_runs_needs_no_program(project: Project) -> None:
    address = "127.0.0.1:4711"
    answer = weigh(
        project.workspace / "a.go",
        project.workspace,
        load_catalog(),
        project.environment,
        connect={"gopls": address},
    )
    assert answer.primary is not None
    assert (answer.primary.spec.id, answer.refusal) == ("gopls", None)
    assert answer.primary.reasons.program == f"run by somebody else at {address}"
