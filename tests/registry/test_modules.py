"""Projects made of modules: the root is where the outermost build file lists the inner ones."""

from pathlib import Path

import pytest

from groundwire.registry.catalog import load_catalog
from groundwire.registry.roots import find_root


def write(directory: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def root_of(server: str, file: Path, workspace: Path) -> Path:
    return find_root(load_catalog().servers[server], file, workspace)[0]


def test_a_maven_module_is_rooted_at_the_parent_that_lists_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pom.xml": "<project><modules><module>core</module>\n<module> apps/web </module></modules></project>",
            "core/pom.xml": "<project/>",
            "apps/web/pom.xml": "<project/>",
            "tool/pom.xml": "<project/>",
        },
    )
    assert root_of("jdtls", tmp_path / "core/src/A.java", tmp_path) == tmp_path
    assert root_of("jdtls", tmp_path / "apps/web/src/A.java", tmp_path) == tmp_path
    assert root_of("jdtls", tmp_path / "tool/src/A.java", tmp_path) == tmp_path / "tool"


def test_the_climb_goes_on_while_each_parent_lists_the_one_below(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pom.xml": "<modules><!-- <module>other</module> --><module>a</module></modules>",
            "a/pom.xml": "<modules><module>b</module></modules>",
            "a/b/pom.xml": "<project/>",
            "other/pom.xml": "<project/>",
        },
    )
    root, why, _ = find_root(load_catalog().servers["jdtls"], tmp_path / "a/b/A.java", tmp_path)
    assert (root, why) == (tmp_path, "the pom.xml that lists the module of the nearest one")
    assert root_of("jdtls", tmp_path / "other/A.java", tmp_path) == tmp_path / "other"


def test_the_climb_ends_at_the_workspace(tmp_path: Path) -> None:
    write(tmp_path, {"pom.xml": "<module>a</module>", "a/pom.xml": "<project/>"})
    assert root_of("jdtls", tmp_path / "a/A.java", tmp_path / "a") == tmp_path / "a"


def test_a_gradle_subproject_is_rooted_at_the_settings_above_it(tmp_path: Path) -> None:
    write(tmp_path, {"settings.gradle.kts": 'include("app")', "app/build.gradle.kts": "", "app/pom.xml": ""})
    assert root_of("jdtls", tmp_path / "app/src/A.java", tmp_path) == tmp_path
    assert root_of("kotlin-lsp", tmp_path / "app/src/A.kt", tmp_path) == tmp_path


@pytest.mark.parametrize(
    "text", ["includeBuild('tools/lint')", 'includeBuild("tools/lint")', 'includeBuild "tools/lint"']
)
def test_an_included_gradle_build_belongs_to_the_build_that_includes_it(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"settings.gradle": text, "tools/lint/settings.gradle": "", "alone/settings.gradle": ""})
    assert root_of("jdtls", tmp_path / "tools/lint/A.java", tmp_path) == tmp_path
    assert root_of("jdtls", tmp_path / "alone/A.java", tmp_path) == tmp_path / "alone"


def test_an_application_of_an_umbrella_is_rooted_at_the_umbrella(tmp_path: Path) -> None:
    write(tmp_path, {"mix.exs": 'apps_path: "apps"', "apps/web/mix.exs": "", "deps/dep/mix.exs": ""})
    assert root_of("expert", tmp_path / "apps/web/lib/a.ex", tmp_path) == tmp_path
    assert root_of("elixir-ls", tmp_path / "apps/web/lib/a.ex", tmp_path) == tmp_path
    assert root_of("expert", tmp_path / "deps/dep/lib/a.ex", tmp_path) == tmp_path / "deps/dep"


def test_a_project_inside_another_that_is_no_umbrella_is_its_own_root(tmp_path: Path) -> None:
    write(tmp_path, {"mix.exs": "", "examples/demo/mix.exs": ""})
    assert root_of("expert", tmp_path / "examples/demo/lib/a.ex", tmp_path) == tmp_path / "examples/demo"


def test_the_home_directory_is_no_root_though_it_lists_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path, {"pom.xml": "<module>a</module>", "a/pom.xml": "<project/>"})
    assert root_of("jdtls", tmp_path / "a/A.java", tmp_path) == tmp_path / "a"
