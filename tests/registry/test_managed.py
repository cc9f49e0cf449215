"""Where managed servers live."""

from pathlib import Path

import msgspec

from groundwire.registry.binaries import Found, find_command, find_program
from groundwire.registry.catalog import load_catalog
from groundwire.registry.managed import (
    managed_bin_directories,
    managed_bin_directory,
    managed_home,
    managed_unit,
)
from groundwire.registry.spec import ServerSpec

NOWHERE = ServerSpec(id="nowhere", languages=("x",), command=("gw-nowhere", "--stdio"), verified="")


def program(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n", "utf-8")
    file.chmod(0o755)
    return file


def test_the_data_directory_of_the_user_holds_them(tmp_path: Path) -> None:
    assert managed_home({"XDG_DATA_HOME": str(tmp_path), "HOME": "/h"}) == tmp_path / "groundwire/servers"
    assert managed_home({"HOME": str(tmp_path)}) == tmp_path / ".local/share/groundwire/servers"
    assert managed_home({"XDG_DATA_HOME": "relative", "HOME": str(tmp_path)}) == managed_home({"HOME": str(tmp_path)})
    assert managed_home({}) is None
    assert list(managed_bin_directories({})) == []
    assert managed_bin_directory(NOWHERE, {}) is None


def test_servers_of_one_package_have_one_directory(tmp_path: Path) -> None:
    servers = load_catalog().servers
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    assert managed_unit(servers["vscode-css"]) == managed_unit(servers["vscode-json"]) == "vscode-langservers-extracted"
    assert managed_bin_directory(servers["ty"], environment) == tmp_path / "groundwire/servers/ty/bin"
    assert managed_unit(NOWHERE) == "nowhere"


def test_a_managed_server_is_found_and_an_installation_under_way_is_not(tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    home = tmp_path / "groundwire/servers"
    program(home / ".nowhere/bin/gw-nowhere")
    assert not isinstance(find_command(NOWHERE, tmp_path, tmp_path, environment), Found)
    own = program(home / "nowhere/bin/gw-nowhere")
    assert find_command(NOWHERE, tmp_path, tmp_path, environment) == Found(
        (str(own), "--stdio"), "installed by groundwire"
    )
    assert list(managed_bin_directories(environment)) == [own.parent]


def test_what_was_installed_for_groundwire_goes_before_the_path_and_after_the_project(tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path / "data"), "PATH": str(tmp_path / "bin")}
    program(tmp_path / "bin/gw-nowhere")
    managed = program(tmp_path / "data/groundwire/servers/nowhere/bin/gw-nowhere")
    project = tmp_path / "project"
    found = find_command(NOWHERE, project, project, environment)
    assert isinstance(found, Found)
    assert found.command[0] == str(managed)
    own = program(project / "node_modules/.bin/gw-nowhere")
    found = find_command(NOWHERE, project, project, environment)
    assert isinstance(found, Found)
    assert found.command[0] == str(own)


def test_the_command_of_another_managed_server_does_not_count_but_a_helper_program_does(tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    elsewhere = program(tmp_path / "groundwire/servers/other/bin/gw-nowhere")
    spec = msgspec.structs.replace(NOWHERE, id="here")
    assert not isinstance(find_command(spec, tmp_path, tmp_path, environment), Found)
    assert find_program("gw-nowhere", tmp_path, tmp_path, environment) == elsewhere
    assert find_program("gw-nothing", tmp_path, tmp_path, environment) is None
