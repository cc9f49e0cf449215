"""The companion of a server: run where the project's settings and files ask for it."""

from pathlib import Path

import msgspec
import pytest

from groundwire.registry.catalog import load_catalog
from groundwire.registry.sidecars import SidecarCommand, sidecar_of

LUAU = load_catalog().servers["luau-lsp"]
AUTOGENERATE = {"sourcemap": {"autogenerate": True, "rojoProjectFile": "default.project.json"}}


@pytest.fixture
def rojo(tmp_path: Path) -> Path:
    file = tmp_path / "bin/rojo"
    file.parent.mkdir()
    file.touch()
    file.chmod(0o755)
    (tmp_path / "game").mkdir()
    (tmp_path / "game/default.project.json").touch()
    return file


def outcome(rojo: Path, **changes: object) -> SidecarCommand | str | None:
    spec = msgspec.structs.replace(LUAU, **changes)
    game = rojo.parents[1] / "game"
    return sidecar_of(spec, game, game, {"PATH": str(rojo.parent)})


def test_rojo_keeps_the_sourcemap_fresh_where_the_settings_ask_for_it(rojo: Path) -> None:
    assert outcome(rojo, settings={"luau-lsp": AUTOGENERATE}) == SidecarCommand(
        (str(rojo), "sourcemap", "--watch", "default.project.json", "--output", "sourcemap.json"),
        "luau-lsp.sourcemap.autogenerate is set and luau-lsp.sourcemap.rojoProjectFile is set "
        "and the project has *.project.json",
    )


def test_what_comes_as_initialization_options_asks_as_well(rojo: Path) -> None:
    found = outcome(rojo, initialization_options={"luau-lsp": AUTOGENERATE})
    assert isinstance(found, SidecarCommand)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"luau-lsp": {"sourcemap": {"autogenerate": True}}},
        {"luau-lsp": {"sourcemap": {"autogenerate": False, "rojoProjectFile": "default.project.json"}}},
        {"luau-lsp": True},
    ],
)
def test_nothing_runs_where_the_settings_do_not_ask_for_all_of_it(rojo: Path, settings: dict[str, object]) -> None:
    assert outcome(rojo, settings=settings) is None


def test_as_it_is_in_the_catalogue_nothing_runs(rojo: Path) -> None:
    assert outcome(rojo) is None


def test_nothing_runs_where_there_is_no_project_file(rojo: Path) -> None:
    (rojo.parents[1] / "game/default.project.json").unlink()
    assert outcome(rojo, settings={"luau-lsp": AUTOGENERATE}) is None


def test_a_companion_that_is_not_installed_is_told(rojo: Path) -> None:
    rojo.unlink()
    assert outcome(rojo, settings={"luau-lsp": AUTOGENERATE}) == (
        "rojo, which luau-lsp needs beside it, is not installed"
    )


def test_a_server_without_a_companion_has_none(tmp_path: Path) -> None:
    assert sidecar_of(load_catalog().servers["ty"], tmp_path, tmp_path, {}) is None
