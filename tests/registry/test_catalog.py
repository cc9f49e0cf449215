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


def test_the_built_in_catalogue_loads_with_all_its_servers() -> None:
    expected = "basedpyright clangd gopls pyright ruff rust-analyzer tsc ty typescript-language-server"
    assert sorted(load_catalog().servers) == expected.split()


def test_every_built_in_server_says_how_to_install_it_and_on_what_its_rules_were_measured() -> None:
    for spec in load_catalog().servers.values():
        assert spec.install, spec.id
        assert spec.settle.measured, spec.id
        assert spec.verified.startswith("probed "), spec.id
        assert spec.roots[-1:] == ((".git",),) or spec.id == "clangd", spec.id


def test_every_language_has_a_primary_and_its_linters_are_linters() -> None:
    catalog = load_catalog()
    for language in catalog.languages:
        assert all(spec.role == "primary" for spec in catalog.servers_for(language)), language
        assert catalog.servers_for(language), language
        assert all(spec.role == "linter" for spec in catalog.linters_for(language)), language


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
    assert [spec.id for spec in load_catalog().servers_for("python")] == ["pyright", "basedpyright", "ty"]
    assert [spec.id for spec in load_catalog().linters_for("python")] == ["ruff"]


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
    ],
)
def test_language_data_that_is_wrong_is_refused_by_file_and_key(tmp_path: Path, languages: str, key: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        catalog_of(tmp_path, languages)
    assert refused.value.message.startswith("languages.toml")
    assert key in refused.value.message
