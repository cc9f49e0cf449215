"""Languages and servers that extensions add to the catalogue."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.registry.catalog import extended, load_catalog

SERVER = 'id = "{name}"\nlanguages = ["{language}"]\ncommand = ["{name}"]\nverified = "probed 1"\n'


def server(tmp_path: Path, name: str, language: str, more: str = "") -> Path:
    file = tmp_path / f"{name}.server.toml"
    file.write_text(SERVER.format(name=name, language=language) + more, "utf-8")
    return file


def languages(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "languages.toml"
    file.write_text(text, "utf-8")
    return file


def test_a_new_language_is_served_by_the_server_that_comes_with_it(tmp_path: Path):
    added = languages(tmp_path, '[shapes]\nextensions = [".shapes"]\n')
    catalog = extended(load_catalog(), added, [server(tmp_path, "shapes-ls", "shapes")])
    assert catalog.language_of(Path("a.shapes")) == "shapes"
    assert [spec.id for spec in catalog.servers_for("shapes")] == ["shapes-ls"]
    assert catalog.language_of(Path("a.py")) == "python"


def test_a_server_for_a_known_language_goes_behind_those_that_are_known(tmp_path: Path):
    linter = server(tmp_path, "py-lint", "python", 'role = "linter"\n')
    catalog = extended(load_catalog(), None, [server(tmp_path, "py-more", "python"), linter])
    known = load_catalog()
    assert [spec.id for spec in catalog.servers_for("python")] == [
        *(spec.id for spec in known.servers_for("python")),
        "py-more",
    ]
    assert [spec.id for spec in catalog.linters_for("python")][-1] == "py-lint"


@pytest.mark.parametrize(
    ("text", "name", "language", "problem"),
    [
        ("", "ty", "python", "ty.server.toml: id is that of a server of groundwire"),
        ('[python]\nextensions = [".pyx"]\n', "new", "python", "languages.toml: python is a language of groundwire"),
        ('[snake]\nextensions = [".py"]\n', "new", "snake", "languages.toml: snake claims '.py', as python does"),
        ("", "new", "nowhere", "new.server.toml: languages names 'nowhere', which is not known"),
        ("not = [toml", "new", "python", "languages.toml: "),
        ("[a]\nextensionz = []\n", "new", "python", "languages.toml: "),
    ],
)
def test_what_clashes_or_is_not_sound_is_refused_by_file_and_key(
    tmp_path: Path, text: str, name: str, language: str, problem: str
):
    added = languages(tmp_path, text) if text else None
    with pytest.raises(InvalidArgument) as raised:
        extended(load_catalog(), added, [server(tmp_path, name, language)])
    assert raised.value.message.startswith(problem)


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        extended(load_catalog(), None, [tmp_path / "gone.server.toml"])
