"""Finding programs: the project's own first, then the user's; what cannot work does not count."""

import os
import sys
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import Untrusted
from groundwire.registry.binaries import Found, Missing, executables_named, find_command, install_hint
from groundwire.registry.catalog import load_catalog
from groundwire.registry.spec import ServerSpec

TY = load_catalog().servers["ty"]
TSC = load_catalog().servers["tsc"]
RUST_ANALYZER = load_catalog().servers["rust-analyzer"]
NOWHERE = ServerSpec(id="nowhere", languages=("x",), command=("gw-nowhere", "--stdio"), verified="")


def program(file: Path, prints: str = "", status: int = 0) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\necho '{prints}'\nexit {status}\n", "utf-8")
    file.chmod(0o755)
    return file


def path_of(*directories: Path) -> dict[str, str]:
    system = ["/usr/bin", "/bin"]  # the shell of the programs above
    return {"PATH": os.pathsep.join([*map(str, directories), *system])}


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace, with nothing beside groundwire."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gw/bin/python"))
    workspace = tmp_path / "project"
    workspace.mkdir()
    return workspace


def test_a_program_on_the_path_is_found_with_its_full_path_and_arguments(alone: Path, tmp_path: Path) -> None:
    ty = program(tmp_path / "bin/ty")
    assert find_command(TY, alone, alone, path_of(tmp_path / "bin")) == Found((str(ty), "server"), "on the path")


@pytest.mark.parametrize("place", ["node_modules/.bin", ".venv/bin", "venv/bin"])
def test_the_projects_own_copy_goes_before_the_path(alone: Path, tmp_path: Path, place: str) -> None:
    program(tmp_path / "bin/ty")
    own = program(alone / place / "ty")
    found = find_command(TY, alone, alone, path_of(tmp_path / "bin"))
    assert found == Found((str(own), "server"), f"the project's {place}")


def test_the_copy_of_an_inner_root_goes_before_that_of_the_workspace(alone: Path) -> None:
    program(alone / ".venv/bin/ty")
    inner = program(alone / "svc/venv/bin/ty")
    found = find_command(TY, alone / "svc", alone, path_of())
    assert isinstance(found, Found)
    assert found.command[0] == str(inner)


def test_a_copy_above_the_workspace_is_not_the_projects(alone: Path, tmp_path: Path) -> None:
    program(tmp_path / ".venv/bin/gw-nowhere")
    assert isinstance(find_command(NOWHERE, alone, alone, path_of()), Missing)


def test_the_active_environment_goes_before_what_lies_beside_groundwire_and_that_before_the_path(
    alone: Path, tmp_path: Path
) -> None:
    on_path = program(tmp_path / "bin/ty")
    environment = path_of(on_path.parent)
    beside = program(tmp_path / "gw/bin/ty")
    assert find_command(TY, alone, alone, environment) == Found((str(beside), "server"), "beside groundwire")
    active = program(tmp_path / "active/bin/ty")
    found = find_command(TY, alone, alone, {**environment, "VIRTUAL_ENV": str(tmp_path / "active")})
    assert found == Found((str(active), "server"), "the active virtual environment")


def test_the_bundled_ty_is_found_with_an_empty_path(tmp_path: Path) -> None:
    found = find_command(TY, tmp_path, tmp_path, {"PATH": ""})
    assert isinstance(found, Found)
    assert Path(found.command[0]).parent == Path(sys.executable).parent


def test_a_file_that_cannot_be_run_or_is_a_directory_does_not_count(alone: Path, tmp_path: Path) -> None:
    program(tmp_path / "one/gw-nowhere").chmod(0o644)
    (tmp_path / "two/gw-nowhere").mkdir(parents=True)
    assert isinstance(find_command(NOWHERE, alone, alone, path_of(tmp_path / "one", tmp_path / "two")), Missing)


def test_a_relative_entry_of_the_path_is_not_searched(
    alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "here/gw-nowhere")
    monkeypatch.chdir(tmp_path / "here")
    assert isinstance(find_command(NOWHERE, alone, alone, {"PATH": os.pathsep.join(["", ".", "../here"])}), Missing)


def test_another_name_of_the_program_is_taken_where_the_first_is_not_found(alone: Path, tmp_path: Path) -> None:
    spec = msgspec.structs.replace(NOWHERE, also_named=("gw-nowhere-20", "gw-nowhere-19"))
    program(tmp_path / "bin/gw-nowhere-19")
    newer = program(tmp_path / "bin/gw-nowhere-20")
    assert find_command(spec, alone, alone, path_of(tmp_path / "bin")) == Found((str(newer), "--stdio"), "on the path")


def test_another_command_line_is_taken_where_the_program_is_not_found_under_any_name(
    alone: Path, tmp_path: Path
) -> None:
    spec = msgspec.structs.replace(NOWHERE, also_named=("gw-other",), also_commands=(("gw-wrapper", "run", "it"),))
    wrapper = program(tmp_path / "bin/gw-wrapper")
    assert find_command(spec, alone, alone, path_of(tmp_path / "bin")) == Found(
        (str(wrapper), "run", "it"), "on the path"
    )
    other = program(tmp_path / "bin/gw-other")
    assert find_command(spec, alone, alone, path_of(tmp_path / "bin")) == Found((str(other), "--stdio"), "on the path")


def test_the_installers_own_directory_is_looked_at_last(alone: Path, tmp_path: Path) -> None:
    spec = msgspec.structs.replace(NOWHERE, also_in=("~/go/bin",))
    environment = {**path_of(tmp_path / "bin"), "HOME": str(tmp_path / "home")}
    own = program(tmp_path / "home/go/bin/gw-nowhere")
    assert find_command(spec, alone, alone, environment) == Found((str(own), "--stdio"), "in ~/go/bin")
    on_path = program(tmp_path / "bin/gw-nowhere")
    assert find_command(spec, alone, alone, environment) == Found((str(on_path), "--stdio"), "on the path")


def test_a_program_that_is_too_new_does_not_count(alone: Path, tmp_path: Path) -> None:
    spec = msgspec.structs.replace(NOWHERE, below_version="3")
    program(tmp_path / "new/gw-nowhere", "3.3.11")
    missing = find_command(spec, alone, alone, path_of(tmp_path / "new"))
    assert isinstance(missing, Missing)
    assert "is version 3.3.11, and will do only below 3" in missing.why
    old = program(tmp_path / "old/gw-nowhere", "2.2.10")
    found = find_command(spec, alone, alone, path_of(tmp_path / "new", tmp_path / "old"))
    assert isinstance(found, Found)
    assert found.command[0] == str(old)


def test_a_projects_own_copy_under_another_command_counts_though_its_first_one_is_too_old(
    alone: Path, tmp_path: Path
) -> None:
    program(alone / "node_modules/.bin/tsc", "Version 5.9.3")
    program(tmp_path / "bin/tsgo", "Version 7.1.0")
    environment = path_of(tmp_path / "bin")
    assert isinstance(find_command(TSC, alone, alone, environment), Missing)
    own = program(alone / "node_modules/.bin/tsgo", "Version 7.0.0-dev.20260707.2")
    assert find_command(TSC, alone, alone, environment) == Found(
        (str(own), "--lsp", "--stdio"), "the project's node_modules/.bin"
    )


def test_a_server_that_can_only_be_downloaded_comes_with_the_address() -> None:
    spec = msgspec.structs.replace(NOWHERE, install={"download": "https://example.org/get"})
    assert install_hint(spec) == "Download it from https://example.org/get."
    assert install_hint(NOWHERE) == "Install gw-nowhere and put it on the path."


def test_a_command_named_in_full_is_taken_as_it_is(alone: Path, tmp_path: Path) -> None:
    own = program(tmp_path / "odd/server")
    spec = msgspec.structs.replace(NOWHERE, command=(str(own), "-x"))
    assert find_command(spec, alone, alone, path_of()) == Found((str(own), "-x"), "named in full")


def test_a_missing_program_comes_with_the_command_that_installs_it(alone: Path) -> None:
    missing = find_command(TY, alone, alone, path_of())
    assert missing == Missing("ty is not installed", "Install it with `groundwire install ty`.")


def test_a_compiler_that_is_new_enough_counts(alone: Path, tmp_path: Path) -> None:
    tsc = program(tmp_path / "bin/tsc", "Version 7.0.2")
    found = find_command(TSC, alone, alone, path_of(tmp_path / "bin"))
    assert found == Found((str(tsc), "--lsp", "--stdio"), "on the path")


def test_a_compiler_that_is_too_old_does_not_count_and_the_next_on_the_path_is_tried(
    alone: Path, tmp_path: Path
) -> None:
    program(tmp_path / "old/tsc", "Version 5.9.3")
    new = program(tmp_path / "new/tsc", "Version 10.1")
    found = find_command(TSC, alone, alone, path_of(tmp_path / "old", tmp_path / "new"))
    assert isinstance(found, Found)
    assert found.command[0] == str(new)


def test_a_project_on_an_old_compiler_is_not_given_a_newer_one_from_elsewhere(alone: Path, tmp_path: Path) -> None:
    program(alone / "node_modules/.bin/tsc", "Version 5.9.3")
    program(tmp_path / "bin/tsc", "Version 7.0.2")
    missing = find_command(TSC, alone, alone, path_of(tmp_path / "bin"))
    assert isinstance(missing, Missing)
    assert "is version 5.9.3, and 7 is the oldest that will do" in missing.why


def test_a_stand_in_that_cannot_tell_its_version_is_passed_over(alone: Path, tmp_path: Path) -> None:
    program(tmp_path / "proxy/rust-analyzer", "error: Unknown binary", status=1)
    real = program(tmp_path / "real/rust-analyzer", "rust-analyzer 1.96.0 (ac68faa 2026-05-25)")
    found = find_command(RUST_ANALYZER, alone, alone, path_of(tmp_path / "proxy", tmp_path / "real"))
    assert found == Found((str(real),), "on the path")


def test_a_stand_in_alone_is_missing_and_the_reason_says_so(alone: Path, tmp_path: Path) -> None:
    program(tmp_path / "proxy/rust-analyzer", status=1)
    program(tmp_path / "only/sh")
    missing = find_command(RUST_ANALYZER, alone, alone, {"PATH": str(tmp_path / "proxy")})
    assert isinstance(missing, Missing)
    assert "cannot tell its version" in missing.why
    assert "rustup component add rust-analyzer" in missing.hint


def test_a_version_is_asked_for_once_and_again_when_the_program_has_changed(alone: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    tsc = program(tmp_path / "bin/tsc")
    tsc.write_text(f"#!/bin/sh\necho x >> {log}\necho Version 7.0\n", "utf-8")
    for _ in range(3):
        assert isinstance(find_command(TSC, alone, alone, path_of(tmp_path / "bin")), Found)
    assert log.read_text("utf-8").count("x") == 1
    program(tsc, "Version 5.0")
    os.utime(tsc, ns=(1, 1))
    assert isinstance(find_command(TSC, alone, alone, path_of(tmp_path / "bin")), Missing)


def test_windows_takes_only_what_has_a_suffix_it_can_start(tmp_path: Path) -> None:
    program(tmp_path / "tsc")
    command = program(tmp_path / "tsc.cmd")
    assert list(executables_named(tmp_path, "tsc", windows=True)) == [command]
    assert list(executables_named(tmp_path, "tsc.cmd", windows=True)) == [command]
    assert list(executables_named(tmp_path, "tsc", windows=False)) == [tmp_path / "tsc"]


def test_a_script_whose_interpreter_must_not_be_run_is_not_even_asked_for_its_version(
    alone: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    interpreter = program(alone / ".venv/bin/python")
    interpreter.write_text(f"#!/bin/sh\n: > '{mark}'\necho 9.0\n", "utf-8")
    script = alone / ".venv/bin/tsc"
    script.write_text(f"#!{interpreter}\n", "utf-8")
    script.chmod(0o755)

    def gate(executable: Path) -> str:
        return "is not trusted" if executable == interpreter else ""

    missing = find_command(TSC, alone, alone, path_of(), gate)
    assert isinstance(missing, Missing)
    assert (missing.why, missing.is_untrusted) == (f"tsc: {interpreter} is not trusted", True)
    assert missing.hint == Untrusted.default_hint
    assert not mark.exists()
