"""A server made to measure for a project: its interpreter, its TypeScript, its directories, its helpers."""

import os
from pathlib import Path

import msgspec
import pytest

from groundwire.protocol.uris import path_to_uri
from groundwire.registry.catalog import load_catalog
from groundwire.registry.project_values import Handed
from groundwire.registry.spec import ServerSpec
from groundwire.registry.tailor import Tailored, tailor

SERVERS = load_catalog().servers
PLAIN = ServerSpec(id="plain", languages=("x",), command=("plain",), verified="")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project/src").mkdir(parents=True)
    return tmp_path / "project"


def made(spec: ServerSpec, project: Path, program: str = "/opt/x", **environment: str) -> Tailored:
    file = project / "src/a.x"
    command = (program, *spec.command[1:])
    return tailor(spec, command, root=project, file=file, workspace=project, environment=environment)


def typescript(directory: Path, version: str) -> Path:
    library = directory / "node_modules/typescript/lib"
    library.mkdir(parents=True)
    (library.parent / "package.json").write_text(f'{{"version": "{version}"}}', "utf-8")
    if not version.startswith("7"):
        (library / "tsserver.js").touch()
    return library


def executable(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    file.chmod(0o755)
    return file


def test_the_interpreter_of_the_project_is_handed_to_those_who_ask_for_it(project: Path) -> None:
    python = executable(project / ".venv/bin/python")
    for server in ("pyright", "basedpyright", "pyrefly"):
        settings = made(SERVERS[server], project).spec.settings
        assert isinstance(settings["python"], dict)
        assert settings["python"]["pythonPath"] == str(python)
    jedi = made(SERVERS["jedi-language-server"], project).spec
    assert jedi.initialization_options == {"workspace": {"environmentPath": str(python)}}
    assert made(SERVERS["ty"], project).spec.environment["VIRTUAL_ENV"] == str(project / ".venv")


def test_the_python_on_the_path_is_told_to_who_would_take_the_packages_beside_itself(project: Path) -> None:
    prefix = project.parent / "installed"
    (prefix / "lib/python3.12/site-packages").mkdir(parents=True)
    path = str(executable(prefix / "bin/python3").parent)
    assert made(SERVERS["ty"], project, PATH=path).spec.environment == {"CONDA_PREFIX": str(prefix)}
    assert made(SERVERS["ty"], project, PATH="").spec.environment == {}
    executable(project / ".venv/bin/python")
    assert "CONDA_PREFIX" not in made(SERVERS["ty"], project, PATH=path).spec.environment


def test_without_an_environment_no_interpreter_is_named(project: Path) -> None:
    settings = made(SERVERS["pyright"], project).spec.settings
    assert isinstance(settings["python"], dict)
    assert "pythonPath" not in settings["python"]
    assert settings["python"]["analysis"]


def test_an_interpreter_inside_the_workspace_is_code_of_the_project_and_one_outside_is_not(
    project: Path, tmp_path: Path
) -> None:
    active = executable(tmp_path / "active/bin/python").parents[1]
    assert made(SERVERS["pyright"], project, VIRTUAL_ENV=str(active)).project_code == ()
    python = executable(project / ".venv/bin/python")
    assert made(SERVERS["pyright"], project, VIRTUAL_ENV=str(active)).project_code == (python,)
    assert made(SERVERS["ty"], project).project_code == (python,)


def test_the_projects_own_typescript_is_handed_to_the_server_that_loads_it(project: Path) -> None:
    spec = SERVERS["typescript-language-server"]
    assert isinstance(spec.initialization_options["tsserver"], dict)
    without = made(spec, project).spec.initialization_options["tsserver"]
    assert isinstance(without, dict)
    assert "path" not in without
    library = typescript(project, "5.9.3")
    outcome = made(spec, project)
    tsserver = outcome.spec.initialization_options["tsserver"]
    assert isinstance(tsserver, dict)
    assert tsserver["path"] == str(library / "tsserver.js")
    assert outcome.project_code == (library,)


def test_a_typescript_without_a_tsserver_is_not_handed_over_but_one_nearer_to_the_file_is(project: Path) -> None:
    typescript(project, "7.0.2")
    assert made(SERVERS["typescript-language-server"], project).project_code == ()
    library = typescript(project / "src", "5.4.5")
    assert made(SERVERS["typescript-language-server"], project).project_code == (library,)


def test_where_the_project_has_no_typescript_that_of_the_servers_own_installation_is_named(
    project: Path, tmp_path: Path
) -> None:
    library = typescript(tmp_path / "managed", "5.9.3")
    script = executable(tmp_path / "managed/node_modules/astro/bin.js")
    program = tmp_path / "managed/bin/astro-ls"
    program.parent.mkdir()
    program.symlink_to(script)
    options = made(SERVERS["astro"], project, str(program)).spec.initialization_options
    assert options == {"typescript": {"tsdk": str(library)}}
    own = typescript(project, "5.8.2")
    options = made(SERVERS["astro"], project, str(program)).spec.initialization_options
    assert options == {"typescript": {"tsdk": str(own)}}


def test_a_program_inside_the_workspace_is_code_of_the_project(project: Path) -> None:
    own = executable(project / "node_modules/.bin/plain")
    assert made(PLAIN, project, str(own)).project_code == (own,)
    assert made(PLAIN, project).project_code == ()


def test_a_cache_directory_lies_outside_the_project_and_is_the_same_for_the_same_root(
    project: Path, tmp_path: Path
) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    program, flag, directory = made(SERVERS["jdtls"], project, "/opt/jdtls", **environment).command
    assert (program, flag) == ("/opt/jdtls", "-data")
    assert Path(directory).is_relative_to(tmp_path / "cache/groundwire")
    assert not Path(directory).exists()
    assert made(SERVERS["jdtls"], project, "/opt/jdtls", **environment).command[2] == directory
    assert made(SERVERS["jdtls"], project / "src", "/opt/jdtls", **environment).command[2] != directory


def test_the_root_is_named_as_a_path_or_as_a_uri(project: Path) -> None:
    settings = made(SERVERS["eslint"], project).spec.settings
    assert settings["workspaceFolder"] == {"uri": path_to_uri(str(project)), "name": "project"}
    assert settings["nodePath"] is None


def test_this_process_and_other_programs_can_be_named(project: Path, tmp_path: Path) -> None:
    spec = msgspec.structs.replace(PLAIN, settings={"pid": "{process_id}", "zig": "{found:gw-zig}"})
    assert made(spec, project).spec.settings == {"pid": str(os.getpid())}
    zig = executable(tmp_path / "bin/gw-zig")
    outcome = made(spec, project, PATH=str(zig.parent))
    assert (outcome.spec.settings["zig"], outcome.project_code) == (str(zig), ())
    own = executable(project / "node_modules/.bin/gw-zig")
    assert made(spec, project, PATH=str(zig.parent)).project_code == (own,)


def test_a_server_without_the_program_it_checks_with_proves_nothing_and_says_what_to_install(
    project: Path, tmp_path: Path
) -> None:
    spec = msgspec.structs.replace(SERVERS["bash-language-server"], findings_need={"gw-check": "get gw-check"})
    lacking = made(spec, project)
    assert lacking.missing == (
        "bash-language-server finds nothing without gw-check, which is not installed. Install it with `get gw-check`.",
    )
    assert (lacking.spec.settle.measured, lacking.spec.settle.push, lacking.spec.settle.pull) == (
        False,
        "never",
        "never",
    )
    checker = executable(tmp_path / "bin/gw-check")
    complete = made(spec, project, PATH=str(checker.parent))
    assert complete.missing == ()
    assert complete.spec.settle == spec.settle


def test_a_server_that_asks_for_nothing_stays_as_it_is(project: Path) -> None:
    assert made(SERVERS["clangd"], project).spec == SERVERS["clangd"]


def test_what_a_server_is_given_to_run_is_told_with_where_it_comes_from(project: Path) -> None:
    python = executable(project / ".venv/bin/python")
    assert made(SERVERS["pyright"], project).handed == (Handed("python", python, "the project's .venv"),)
    assert made(SERVERS["ty"], project).handed == (Handed("python", python, "the project's .venv"),)


def test_an_interpreter_that_must_not_be_run_is_handed_to_nobody_and_named_as_code_of_the_project(
    project: Path,
) -> None:
    python = executable(project / ".venv/bin/python")
    for server in ("pyright", "ty", "jedi-language-server"):
        spec = SERVERS[server]
        command = ("/opt/x", *spec.command[1:])
        tailored = tailor(
            spec, command, root=project, file=project / "a.py", workspace=project, environment={}, gate=lambda _: "no"
        )
        assert python in tailored.project_code
        assert str(project) not in str(tailored.spec.settings)
        assert str(project) not in str(tailored.spec.initialization_options)
        assert "VIRTUAL_ENV" not in tailored.spec.environment
