"""The one command that helps."""

from pathlib import Path

import msgspec

from groundwire.operations.serving.remedies import how_to_complete, how_to_get, how_to_mend
from groundwire.registry.catalog import load_catalog
from groundwire.registry.spec import ServerSpec

SERVERS = load_catalog().servers
BY_HAND = ServerSpec(
    id="x",
    languages=("x",),
    command=("x",),
    install={"brew": "brew install x", "apt": "apt install x", "download": "https://example.org/x"},
    verified="",
)


def with_programs(directory: Path, *names: str) -> dict[str, str]:
    for name in names:
        (directory / name).write_text("#!/bin/sh\n", "utf-8")
        (directory / name).chmod(0o755)
    return {"PATH": str(directory), "HOME": str(directory)}


def test_what_groundwire_can_install_it_offers(tmp_path: Path) -> None:
    assert how_to_get(SERVERS["ruff"], with_programs(tmp_path)) == "groundwire install ruff"
    assert how_to_get(SERVERS["gopls"], with_programs(tmp_path, "go")) == "groundwire install gopls"


def test_without_its_installer_the_way_by_hand_is_told(tmp_path: Path) -> None:
    assert how_to_get(SERVERS["gopls"], with_programs(tmp_path)) == "go install golang.org/x/tools/gopls@latest"


def test_of_several_ways_the_first_that_this_machine_has_is_told_else_the_download(tmp_path: Path) -> None:
    assert how_to_get(BY_HAND, with_programs(tmp_path)) == "https://example.org/x"
    assert how_to_get(BY_HAND, with_programs(tmp_path, "apt")) == "apt install x"
    assert how_to_get(BY_HAND, with_programs(tmp_path, "brew")) == "brew install x"
    assert how_to_get(msgspec.structs.replace(BY_HAND, install={}), with_programs(tmp_path)) == ""


def test_a_package_that_the_project_lacks_comes_with_its_own_installation(tmp_path: Path) -> None:
    why = "eslint needs eslint, which is not in the project's node_modules"
    assert how_to_complete(SERVERS["eslint"], why, with_programs(tmp_path, "npm")) == "npm install"


def test_a_broken_installation_of_groundwire_is_removed_first(tmp_path: Path) -> None:
    environment = {**with_programs(tmp_path), "GROUNDWIRE_DATA_DIR": str(tmp_path / "data")}
    ours = tmp_path / "data/servers/ruff/1-x/bin/ruff"
    workspace = tmp_path / "project"
    command = how_to_mend(SERVERS["ruff"], ours, workspace, environment)
    assert command == "groundwire install --remove ruff && groundwire install ruff"
    assert how_to_mend(SERVERS["ruff"], tmp_path / "ruff", workspace, environment) == "groundwire install ruff"
    own = workspace / "node_modules/.bin/biome"
    assert how_to_mend(SERVERS["biome"], own, workspace, environment) == "npm install"
