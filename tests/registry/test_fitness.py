"""Which servers suit a project: Deno or Node, TypeScript 7 or 5, and what the project is set up for."""

from pathlib import Path

import pytest

from groundwire.registry.catalog import load_catalog
from groundwire.registry.fitness import why_asked_for, why_library_missing, why_unfit

SERVERS = load_catalog().servers


def write(directory: Path, *names: str, text: str = "{}") -> None:
    for name in names:
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def fits(server: str, file: Path, workspace: Path) -> bool:
    return not why_unfit(SERVERS[server], file, workspace)


def is_deno(file: Path, workspace: Path) -> bool:
    """All servers of the language agree on what kind of project it is."""
    for server in ("tsc", "typescript-language-server", "vtsls"):
        assert fits(server, file, workspace) is not fits("deno", file, workspace)
    return fits("deno", file, workspace)


def test_without_any_marker_a_script_is_for_node(tmp_path: Path) -> None:
    assert not is_deno(tmp_path / "a.ts", tmp_path)


@pytest.mark.parametrize("marker", ["deno.json", "deno.jsonc", "deno.lock"])
def test_a_marker_of_deno_makes_it_denos(tmp_path: Path, marker: str) -> None:
    write(tmp_path, marker)
    assert is_deno(tmp_path / "src/a.ts", tmp_path)


def test_the_nearer_of_the_two_decides(tmp_path: Path) -> None:
    write(tmp_path, "package-lock.json", "edge/deno.json", "edge/site/yarn.lock")
    assert not is_deno(tmp_path / "a.ts", tmp_path)
    assert is_deno(tmp_path / "edge/a.ts", tmp_path)
    assert not is_deno(tmp_path / "edge/site/a.ts", tmp_path)


def test_in_one_directory_a_configuration_of_deno_wins_and_its_lock_file_does_not(tmp_path: Path) -> None:
    write(tmp_path, "pnpm-lock.yaml", "deno.lock")
    assert not is_deno(tmp_path / "a.ts", tmp_path)
    write(tmp_path, "deno.json")
    assert is_deno(tmp_path / "a.ts", tmp_path)


def test_a_marker_above_the_workspace_decides_nothing(tmp_path: Path) -> None:
    write(tmp_path, "deno.json")
    assert not is_deno(tmp_path / "inner/a.ts", tmp_path / "inner")


def test_a_server_that_does_not_suit_says_why(tmp_path: Path) -> None:
    assert why_unfit(SERVERS["deno"], tmp_path / "a.ts", tmp_path) == (
        "takes part only in a project with deno.json or deno.jsonc or deno.lock"
    )
    write(tmp_path, "deno.json")
    assert why_unfit(SERVERS["tsc"], tmp_path / "a.ts", tmp_path) == "is not for a project with deno.json"


@pytest.mark.parametrize(
    ("version", "native", "classic"),
    [("5.9.3", False, True), ("6.0.0", False, True), ("7.0.2", True, False), ("7.1.0-beta", True, False)],
)
def test_the_projects_own_typescript_decides_which_server_suits(
    tmp_path: Path, version: str, native: bool, classic: bool
) -> None:
    write(tmp_path, "node_modules/typescript/package.json", text=f'{{"version": "{version}"}}')
    file = tmp_path / "src/a.ts"
    assert fits("tsc", file, tmp_path) is native
    assert fits("typescript-language-server", file, tmp_path) is classic
    assert fits("vtsls", file, tmp_path) is classic
    assert fits("svelte", file, tmp_path) is classic


def test_of_two_packages_each_is_served_by_what_suits_its_own_typescript(tmp_path: Path) -> None:
    write(tmp_path, "node_modules/typescript/package.json", text='{"version": "7.0.2"}')
    write(tmp_path, "old/node_modules/typescript/package.json", text='{"version": "5.9.3"}')
    assert why_unfit(SERVERS["tsc"], tmp_path / "old/a.ts", tmp_path) == (
        "is for typescript from 7 on, and the project has 5.9.3"
    )
    assert why_unfit(SERVERS["vtsls"], tmp_path / "new/a.ts", tmp_path) == (
        "is for typescript below 7, and the project has 7.0.2"
    )


def test_a_package_that_cannot_be_read_decides_nothing(tmp_path: Path) -> None:
    for text in ("{", "[]", '{"version": 5}', "{}"):
        write(tmp_path, "node_modules/typescript/package.json", text=text)
        assert fits("tsc", tmp_path / "a.ts", tmp_path)
        assert fits("typescript-language-server", tmp_path / "a.ts", tmp_path)


@pytest.mark.parametrize(
    ("server", "file", "text", "why"),
    [
        ("biome", "biome.json", "{}", "the project has biome.json"),
        ("eslint", "eslint.config.mjs", "", "the project has eslint.config.mjs"),
        ("eslint", "package.json", '{"eslintConfig": {}}', "the project has eslintConfig in package.json"),
        ("oxlint", "package.json", '{"devDependencies": {"oxlint": "1"}}',
         "the project has devDependencies.oxlint in package.json"),
        ("tailwindcss", "package.json", '{"dependencies": {"tailwindcss": "4"}}',
         "the project has dependencies.tailwindcss in package.json"),
        ("pyrefly", "pyproject.toml", "[tool.pyrefly]", "the project has [tool.pyrefly] in pyproject.toml"),
        ("zuban", "pyproject.toml", "[tool.zuban]", "the project has [tool.zuban] in pyproject.toml"),
        ("taplo", "taplo.toml", "", "the project has taplo.toml"),
        ("rubocop", ".rubocop.yml", "", "the project has .rubocop.yml"),
    ],
)  # fmt: skip
def test_what_the_project_is_set_up_for_speaks_for_a_server(
    tmp_path: Path, server: str, file: str, text: str, why: str
) -> None:
    assert why_asked_for(SERVERS[server], tmp_path / "src/a", tmp_path) == ""
    write(tmp_path, file, text=text)
    assert why_asked_for(SERVERS[server], tmp_path / "src/a", tmp_path) == why
    assert fits(server, tmp_path / "src/a", tmp_path)


def test_a_linter_does_not_suit_a_project_that_is_not_set_up_for_it(tmp_path: Path) -> None:
    for server in ("eslint", "biome", "oxlint", "tailwindcss", "rubocop"):
        assert not fits(server, tmp_path / "a.ts", tmp_path)


def test_eslint_is_missing_where_the_project_has_not_installed_it(tmp_path: Path) -> None:
    write(tmp_path, "eslint.config.js")
    assert why_library_missing(SERVERS["eslint"], tmp_path / "a.js", tmp_path) == (
        "eslint needs eslint, which is not in the project's node_modules"
    )
    write(tmp_path, "node_modules/eslint/package.json", text='{"version": "10.0.0"}')
    assert why_library_missing(SERVERS["eslint"], tmp_path / "a.js", tmp_path) == ""
    assert why_library_missing(SERVERS["tsc"], tmp_path / "a.js", tmp_path) == ""
