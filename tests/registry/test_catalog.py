"""The catalogue: the built-in data is sound, and data that is not is refused by file and key."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.registry.catalog import Catalog, load_catalog, read_catalog

LANGUAGES = '[python]\nextensions = [".py"]\nservers = ["ty"]\n'
SERVER = 'id = "ty"\nlanguages = ["python"]\ncommand = ["ty", "server"]\nverified = "probed 0.0.100"\n'


def catalog_of(directory: Path, languages: str = LANGUAGES, server: str = SERVER, name: str = "ty") -> Catalog:
    (directory / "servers").mkdir()
    (directory / "languages.toml").write_text(languages, "utf-8")
    (directory / "servers" / f"{name}.server.toml").write_text(server, "utf-8")
    return read_catalog(directory)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"),
        ("a.pyi", "python"),
        ("A.PY", "python"),
        ("a.b.tsx", "typescriptreact"),
        ("types.d.ts", "typescript"),
        ("a.mjs", "javascript"),
        ("a.h", "cpp"),
        ("a.c", "c"),
        ("a.c++", "cpp"),
        ("a.mm", "objective-cpp"),
        ("kernel.cu", "cuda-cpp"),
        ("go.mod", "go.mod"),
        ("go.sum", "go.sum"),
        ("main.go", "go"),
        ("lib.rs", "rust"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("docker-compose.prod.yml", "dockercompose"),
        ("service.yml", "yaml"),
        ("CMakeLists.txt", "cmake"),
        ("notes.txt", None),
        ("Makefile", "makefile"),
        ("BUILD", "starlark"),
        ("Gemfile", "ruby"),
        ("Rakefile", "ruby"),
        (".bashrc", "shellscript"),
        ("tsconfig.json", "jsonc"),
        ("tsconfig.build.json", "jsonc"),
        ("package.json", "json"),
        ("Cargo.lock", "toml"),
        ("main.tftest.hcl", "terraform-test"),
        ("other.hcl", None),
        ("analysis.R", "r"),
        ("solver.F90", "fortran"),
        ("dune", "dune"),
        ("not.mod", None),
        (".py", None),
        ("py", None),
        ("README", None),
    ],
)
def test_the_language_follows_from_the_file_name(name: str, language: str | None) -> None:
    assert load_catalog().language_of(Path("somewhere", name)) == language


def test_the_longest_extension_wins(tmp_path: Path) -> None:
    languages = LANGUAGES + '[special]\nextensions = [".x.py"]\nservers = ["ty"]\n'
    catalog = catalog_of(tmp_path, languages, SERVER.replace('["python"]', '["python", "special"]'))
    assert catalog.language_of(Path("a.x.py")) == "special"
    assert catalog.language_of(Path("a.y.py")) == "python"


def test_servers_come_in_the_order_of_preference() -> None:
    assert [spec.id for spec in load_catalog().servers_for("python")][:3] == ["pyright", "basedpyright", "ty"]
    assert [spec.id for spec in load_catalog().servers_for("typescript")][:2] == ["tsc", "typescript-language-server"]
    assert [spec.id for spec in load_catalog().linters_for("python")] == ["ruff"]


def test_a_whole_name_goes_before_a_glob_and_a_glob_before_an_extension(tmp_path: Path) -> None:
    languages = LANGUAGES + (
        '[tables]\nnames = ["table*.py"]\nservers = ["ty"]\n[table]\nnames = ["table.py"]\nservers = ["ty"]\n'
    )
    catalog = catalog_of(tmp_path, languages, SERVER.replace('["python"]', '["python", "tables", "table"]'))
    assert catalog.language_of(Path("table.py")) == "table"
    assert catalog.language_of(Path("table2.py")) == "tables"
    assert catalog.language_of(Path("chair.py")) == "python"


@pytest.mark.parametrize(
    ("first_line", "language"),
    [
        ("#!/usr/bin/env python3", "python"),
        ("#!/usr/bin/env -S uv run --script", "python"),
        ("#!/bin/sh -e", "shellscript"),
        ("#!/usr/bin/env -S deno run --allow-net", "typescript"),
        ("#!/usr/bin/node20", "javascript"),
        ("#!/usr/bin/Rscript", "r"),
        ("#!/usr/bin/make -f", "makefile"),
        ("#!/opt/odd/interpreter", None),
        ("print(1)", None),
        ("", None),
    ],
)
def test_the_language_follows_from_the_interpreter_of_the_first_line(first_line: str, language: str | None) -> None:
    assert load_catalog().language_of_content(first_line) == language


def test_an_unknown_language_has_no_servers() -> None:
    assert load_catalog().servers_for("klingon") == ()
    assert load_catalog().linters_for("klingon") == ()


@pytest.mark.parametrize(
    ("server", "file", "key"),
    [
        (SERVER + 'comand = "ty"\n', "ty.server.toml", "`comand`"),
        (SERVER + "[settle]\npul = 1\n", "ty.server.toml", "`$.settle`"),
        (SERVER + '[settle]\npull = "often"\n', "ty.server.toml", "`$.settle.pull`"),
        (SERVER + "min-version = 7\n", "ty.server.toml", "`$.min-version`"),
        (SERVER.replace('id = "ty"\n', ""), "ty.server.toml", "`id`"),
        (SERVER.replace('"ty"', '"tyy"', 1), "ty.server.toml", "id"),
        (SERVER.replace("python", "cobol"), "languages.toml", "python.servers"),
        (SERVER.replace('["python"]', '["python", "cobol"]'), "ty.server.toml", "languages"),
        ("id = \n", "ty.server.toml", "line 1"),
        (SERVER + '[settings.ty]\npython = "{pyhton}"\n', "ty.server.toml", "settings has {pyhton}"),
        (SERVER.replace('"server"]', '"{rot}"]'), "ty.server.toml", "command has {rot}"),
        (SERVER + '[sidecar]\ncommand = ["x", "{y}"]\n', "ty.server.toml", "sidecar has {y}"),
        (SERVER + '[managed]\nmethod = "apt"\npackages = []\ncommands = []\n', "ty.server.toml", "`$.managed.method`"),
    ],
)
def test_server_data_that_is_wrong_is_refused_by_file_and_key(tmp_path: Path, server: str, file: str, key: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        catalog_of(tmp_path, server=server)
    assert refused.value.message.startswith(file)
    assert key in refused.value.message


@pytest.mark.parametrize(
    ("languages", "key"),
    [
        (LANGUAGES + 'extension = [".x"]\n', "`extension`"),
        (LANGUAGES.replace('["ty"]', '["ty", "mypy"]'), "python.servers"),
        (LANGUAGES + '[snake]\nextensions = [".py"]\nservers = []\n', "snake"),
        (LANGUAGES + 'interpreters = ["python"]\n[snake]\ninterpreters = ["python"]\n', "snake claims '#!python'"),
    ],
)
def test_language_data_that_is_wrong_is_refused_by_file_and_key(tmp_path: Path, languages: str, key: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        catalog_of(tmp_path, languages)
    assert refused.value.message.startswith("languages.toml")
    assert key in refused.value.message


def test_what_only_the_configuration_sets_is_refused_in_the_data_file(tmp_path: Path) -> None:
    (tmp_path / "servers").mkdir()
    (tmp_path / "languages.toml").write_text('[x]\nextensions = [".x"]\nnamed = ["y"]\n', "utf-8")
    with pytest.raises(InvalidArgument, match="for the configuration alone"):
        read_catalog(tmp_path)
