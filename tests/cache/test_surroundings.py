"""What lies around a workspace makes its identity: the same for the same, whatever the place; unknown where it is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.cache.surroundings import Surroundings, look_around

SITE = "venv/lib/python3.11/site-packages"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "project"
    write(root / "node_modules/left-pad/package.json", '{"version": "1.0.0"}')
    write(root / "node_modules/@types/node/package.json", '{"version": "20.0.0"}')
    write(root / "venv/pyvenv.cfg", "version = 3.11")
    write(root / SITE / "attrs-1.0.dist-info/METADATA", "")
    write(root / "build/made.py", "made = 1\n")
    write(root / "build/other.bin", "")
    return root


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def around(root: Path, **variables: str) -> Surroundings:
    environment = {"PATH": str(root / "venv/bin"), "HOME": str(root.parent), **variables}
    return look_around(
        root, environment, ("node_modules", "venv", "build", ".git"), (), lambda name: name.endswith(".py")
    )


def _upgrade_node(root: Path) -> None:
    write(root / "node_modules/left-pad/package.json", '{"version": "1.0.1"}')


def _install_node(root: Path) -> None:
    write(root / "node_modules/@types/react/package.json", '{"version": "1.0.0"}')


def _install_python(root: Path) -> None:
    write(root / SITE / "black-2.0.dist-info/METADATA", "")


def _build_again(root: Path) -> None:
    write(root / "build/made.py", "made = 2\n")


def _build_more(root: Path) -> None:
    write(root / "build/deep/more.py", "")


def _configure_user(root: Path) -> None:
    write(root.parent / ".config/ty/ty.toml", "[rules]\n")


def _configure_above(root: Path) -> None:
    write(root.parent / "pyproject.toml", "[tool.ty]\n")


def _install_program(root: Path) -> None:
    write(root / "venv/bin/go", "#!/bin/sh\n")
    (root / "venv/bin/go").chmod(0o755)


CHANGES = (
    _upgrade_node,
    _install_node,
    _install_python,
    _build_again,
    _build_more,
    _configure_user,
    _configure_above,
    _install_program,
)


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_installed_built_or_configured_is_part_of_the_identity(
    root: Path, change: Callable[[Path], None]
) -> None:
    before = around(root)
    change(root)
    assert not before.unknown
    assert around(root).identity != before.identity
    if change is not _upgrade_node:  # packages are replaced, not edited
        assert not before.are_unchanged()


def test_variables_of_toolchains_count_and_others_do_not(root: Path) -> None:
    plain = around(root).identity
    assert around(root, GOFLAGS="-tags=x").identity != plain
    assert around(root, TERM="dumb", PWD="/").identity == plain


@pytest.mark.parametrize(
    ("variable", "file"),
    [
        ("XDG_CONFIG_HOME", "ty/ty.toml"),
        ("XDG_CONFIG_HOME", "go/env"),
        ("CARGO_HOME", "config.toml"),
        ("RUSTUP_HOME", "settings.toml"),
        ("PYENV_ROOT", "version"),
    ],
)
def test_the_users_settings_count_where_a_variable_says_that_they_are(root: Path, variable: str, file: str) -> None:
    variables = {variable: str(root.parent / "elsewhere")}
    before = around(root, **variables)
    write(root.parent / "elsewhere" / file, "other = true\n")
    assert around(root, **variables).identity != before.identity
    assert not before.are_unchanged()


def test_the_same_elsewhere_is_the_same(root: Path, tmp_path: Path) -> None:
    here = around(root, PYTHONPATH=str(root / "src")).identity
    (tmp_path / "elsewhere").mkdir()
    moved = root.parent.rename(tmp_path / "elsewhere" / "home") / "project"
    assert around(moved, PYTHONPATH=str(moved / "src")).identity == here


def test_what_is_of_no_concern_changes_nothing(root: Path) -> None:
    before = around(root)
    write(root / ".git/index.py", "")
    write(root / "build/other.bin", "more")
    assert around(root).identity == before.identity


def _editable(root: Path) -> None:
    (root.parent / "beside").mkdir()
    write(root / SITE / "beside.pth", str(root.parent / "beside"))


def _editable_finder(root: Path) -> None:
    (root.parent / "beside").mkdir()
    write(root / SITE / "__editable___x_finder.py", f"MAPPING = {{'x': '{root.parent / 'beside'}'}}\n")


def _linked(root: Path) -> None:
    (root.parent / "beside").mkdir()
    (root / "node_modules/beside").symlink_to(root.parent / "beside")


def _part_of_more(root: Path) -> None:
    write(root.parent / "Cargo.toml", "[workspace]\n")


@pytest.mark.parametrize("change", [_editable, _editable_finder, _linked, _part_of_more])
def test_sources_out_of_the_workspace_make_everything_unknown(root: Path, change: Callable[[Path], None]) -> None:
    change(root)
    assert around(root).unknown


def test_an_editable_install_of_the_workspace_itself_is_known(root: Path) -> None:
    write(root / SITE / "own.pth", str(root / "src"))
    assert not around(root).unknown


def test_nothing_is_known_once_the_project_takes_sources_from_out_of_the_workspace(root: Path) -> None:
    before = around(root)
    assert not before.unknown
    (root.parent / "lib").mkdir()
    write(root / "go.mod", "module a\n\nreplace lib => ../lib\n")
    assert not before.are_unchanged()
    assert "lib" in around(root).unknown
