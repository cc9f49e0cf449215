"""Where programs begin, by the manifests of many kinds of projects."""

import pytest

from groundwire.operations.project.conventions import conventions
from groundwire.operations.project.entries import entry_points
from groundwire.operations.project.tree import is_manifest

PYPROJECT = """
[project.scripts]
tool = "pkg.cli:main"
[project.gui-scripts]
win = "pkg:w"
[tool.poetry.scripts]
old = "pkg:old"
new = {reference = "pkg/x.py", type = "file"}
"""
GO_MAIN = "// Command tool.\npackage main\n\nfunc main() {\n}\n"


@pytest.mark.parametrize(
    ("name", "text", "others", "found"),
    [
        (
            "pyproject.toml",
            PYPROJECT,
            [],
            ["script tool pkg.cli:main", "script win pkg:w", "script old pkg:old", "script new pkg/x.py"],
        ),
        (
            "setup.cfg",
            "[options.entry_points]\nconsole_scripts =\n    tool = pkg:main\n    other=pkg:other\n",
            [],
            ["script tool pkg:main", "script other pkg:other"],
        ),
        ("pyproject.toml", "[project", [], []),
        ("src/pkg/x.txt", "", ["src/pkg/__main__.py"], ["module python -m pkg src/pkg/__main__.py"]),
        (
            "web/package.json",
            '{"name": "@a/web", "main": "./dist/index.js", "module": "dist/index.mjs", "bin": "./cli.js"}',
            [],
            ["script web web/cli.js", "main @a/web web/dist/index.js", "module @a/web web/dist/index.mjs"],
        ),
        ("package.json", '{"bin": {"a": "a.js", "b": "./b.js"}}', [], ["script a a.js", "script b b.js"]),
        ("package.json", "[1, 2]", [], []),
        ("package.json", "{", [], []),
        ("composer.json", '{"bin": ["bin/tool"]}', [], ["script tool bin/tool"]),
        (
            "Cargo.toml",
            '[package]\nname = "app"\n[[bin]]\nname = "other"\npath = "src/other.rs"\n',
            ["src/main.rs", "src/bin/extra.rs", "src/bin/deep/x.rs", "src/lib.rs"],
            [
                "program other src/other.rs",
                "program app src/main.rs",
                "program extra src/bin/extra.rs",
                "library app src/lib.rs",
            ],
        ),
        ("Cargo.toml", '[workspace]\nmembers = ["a"]\n', ["src/main.rs"], []),
        ("main.go", GO_MAIN, [], ["program main main.go"]),
        ("cmd/tool/run.go", GO_MAIN, [], ["program tool cmd/tool/run.go"]),
        ("cmd/tool/helper.go", "package main\n", [], []),
        ("pom.xml", "<mainClass>org.example.App</mainClass>", [], ["main org.example.App org.example.App"]),
        ("build.gradle.kts", 'application {\n  mainClass.set("a.MainKt")\n}', [], ["main a.MainKt a.MainKt"]),
        ("build.gradle", "mainClassName = 'a.Main'", [], ["main a.Main a.Main"]),
        (
            "App/App.csproj",
            "<Project><OutputType>Exe</OutputType></Project>",
            ["App/Program.cs"],
            ["program App App/Program.cs"],
        ),
        ("Lib.csproj", "<Project></Project>", [], []),
        ("Web.csproj", '<Project Sdk="Microsoft.NET.Sdk.Web"/>', [], ["program Web Web.csproj"]),
        ("mix.exs", "def application, do: [mod: {App.Application, []}]", [], ["main App.Application App.Application"]),
        ("Package.swift", '.executableTarget(\n  name: "tool",', [], ["program tool tool"]),
        (
            "CMakeLists.txt",
            "add_library(lib a.c)\nadd_executable(app main.c)\nadd_executable(\n  other x.c)\n",
            [],
            ["program app app", "program other other"],
        ),
        ("t.gemspec", 'spec.executables << "tool"', ["exe/tool"], ["script tool exe/tool"]),
        (
            "pubspec.yaml",
            "name: app\n",
            ["lib/main.dart", "bin/tool.dart"],
            ["main app lib/main.dart", "program tool bin/tool.dart"],
        ),
    ],
)
def test_what_a_manifest_says_of_programs_is_found(name: str, text: str, others: list[str], found: list[str]):
    points = entry_points({name: text}, sorted([name, *others]))
    assert [f"{point.kind} {point.name} {point.target}" for point in points] == found
    assert not found or is_manifest(name) or name.endswith(".txt")


def test_every_entry_point_names_the_manifest_that_says_so():
    (point,) = entry_points({"a/pyproject.toml": '[project.scripts]\nx = "y:z"\n'}, ["a/pyproject.toml"])
    assert point.manifest == "a/pyproject.toml"


def test_conventions_are_what_there_is_a_file_or_a_table_for():
    names = ["AGENTS.md", ".editorconfig", "web/.prettierrc.json", "web/eslint.config.mjs", "a/b/c/d/ruff.toml", "x.py"]
    manifests = {"pyproject.toml": "[tool.ruff]\n[tool.mypy]\n", "web/package.json": '{"husky": {}}'}
    found = [(each.tool, each.file) for each in conventions(names, manifests)]
    assert found == [
        ("rules for agents", "AGENTS.md"),
        ("editorconfig", ".editorconfig"),
        ("prettier", "web/.prettierrc.json"),
        ("eslint", "web/eslint.config.mjs"),
        ("ruff", "pyproject.toml"),
        ("mypy", "pyproject.toml"),
        ("husky", "web/package.json"),
    ]


def test_of_several_files_for_one_tool_the_uppermost_is_named():
    assert [each.file for each in conventions(["a/ruff.toml", "ruff.toml"], {})] == ["ruff.toml"]


@pytest.mark.parametrize("text", ["[tool", "tool = 3\n", "[project]\n"])
def test_a_manifest_that_cannot_be_read_sets_up_nothing(text: str):
    assert conventions([], {"pyproject.toml": text, "package.json": "{"}) == ()
