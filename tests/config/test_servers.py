"""The catalogue with a configuration over it."""

from pathlib import Path

import pytest

from groundwire.config.layers import to_settings
from groundwire.config.servers import effective_catalog
from groundwire.registry.catalog import Catalog, load_catalog

BUILT_IN = load_catalog()


def configured(**data: object) -> Catalog:
    return effective_catalog(BUILT_IN, to_settings(data))


def test_an_empty_configuration_changes_nothing() -> None:
    catalog = configured()
    assert (catalog.languages, catalog.servers) == (BUILT_IN.languages, BUILT_IN.servers)


@pytest.mark.parametrize(
    ("own", "command"),
    [
        ({"command": "/opt/pyright"}, ("/opt/pyright", "--stdio")),
        ({"command": ["/opt/pyright"]}, ("/opt/pyright",)),
        ({"command": ["/opt/pyright", "-v"], "args": ["--stdio"]}, ("/opt/pyright", "-v", "--stdio")),
        ({"command": "/opt/pyright", "args": ["-x"]}, ("/opt/pyright", "-x")),
        ({"args": ["-x"]}, ("pyright-langserver", "-x")),
        ({"args": []}, ("pyright-langserver",)),
    ],
)
def test_a_program_keeps_its_arguments_and_a_list_is_the_whole_command(
    own: dict[str, object], command: tuple[str, ...]
) -> None:
    assert configured(servers={"pyright": own}).servers["pyright"].command == command


def test_options_are_laid_over_those_of_the_catalogue() -> None:
    own = {"settings": {"rust-analyzer": {"cargo": {"features": "all"}}}, "env": {"RUST_LOG": "error"}}
    spec = configured(servers={"rust-analyzer": own}).servers["rust-analyzer"]
    cargo = {"buildScripts": {"enable": True}, "targetDir": True, "features": "all"}
    assert spec.settings["rust-analyzer"] == {"checkOnSave": True, "cargo": cargo, "files": {"watcher": "client"}}
    assert spec.environment == {"RUST_LOG": "error"}
    assert spec.initialization_options == BUILT_IN.servers["rust-analyzer"].initialization_options


def test_habits_are_laid_over_those_of_the_catalogue_in_either_spelling() -> None:
    own = {
        "settle": {"quiet_ms": 5, "save_check": {"name": "x", "token_prefix": "y", "tail_ms": 9}},
        "readiness": {"start-grace-ms": 7},
    }
    spec = configured(servers={"rust-analyzer": own}).servers["rust-analyzer"]
    known = BUILT_IN.servers["rust-analyzer"].settle
    assert (spec.settle.quiet_ms, spec.settle.push) == (5, known.push)
    assert spec.settle.save_check is not None
    assert (spec.settle.save_check.tail_ms, spec.settle.save_check.token_prefix) == (9, "y")
    assert spec.readiness.start_grace_ms == 7


@pytest.mark.parametrize(
    ("markers", "roots"),
    [(["a", "b"], (("a", "b"),)), ([["a"], ["b", "c"]], (("a",), ("b", "c")))],
)
def test_root_markers_are_one_tier_or_several(markers: object, roots: object) -> None:
    assert configured(servers={"gopls": {"root_markers": markers}}).servers["gopls"].roots == roots


def test_a_disabled_server_stays_known_and_serves_nothing() -> None:
    catalog = configured(servers={"pyright": {"enabled": False}})
    assert "pyright" in catalog.servers
    assert "pyright" not in catalog.languages["python"].servers


def test_a_language_gets_exactly_the_servers_that_are_named_in_that_order() -> None:
    languages = configured(languages={"python": {"servers": ["ty", "pyright"]}}).languages
    assert languages["python"].servers == ("ty", "pyright")
    assert languages["python"].linters == ("ruff",)


def test_a_linter_may_be_named_among_the_servers() -> None:
    python = configured(languages={"python": {"servers": ["pyright", "ruff"], "linters": None}}).languages["python"]
    assert (python.servers, python.linters) == (("pyright",), ("ruff",))


def test_linters_can_be_switched_off() -> None:
    assert configured(languages={"python": {"linters": []}}).languages["python"].linters == ()


def test_a_new_server_goes_before_the_others_of_a_known_language() -> None:
    catalog = configured(servers={"mine": {"command": ["mine"], "extensions": [".py"]}})
    assert catalog.languages["python"].servers[:2] == ("mine", BUILT_IN.languages["python"].servers[0])
    assert catalog.servers["mine"].languages == ("python",)


def test_a_new_linter_is_a_linter() -> None:
    catalog = configured(servers={"mine": {"command": ["mine"], "languages": ["python"], "role": "linter"}})
    assert catalog.languages["python"].linters == ("mine", "ruff")
    assert "mine" not in catalog.languages["python"].servers


def test_a_new_server_brings_its_language() -> None:
    catalog = configured(servers={"luau-lsp": {"command": ["luau-lsp", "lsp"], "extensions": [".luau", ".lua2"]}})
    assert catalog.language_of(Path("x.luau")) == "luau"
    assert catalog.languages["luau"].servers == ("luau-lsp",)
    named = configured(servers={"x": {"command": ["x"], "extensions": [".luau", ".h"], "languages": ["luau"]}})
    assert named.language_of(Path("x.luau")) == "luau"
    assert named.language_of(Path("x.h")) == "luau"
    assert ".h" not in named.languages["cpp"].extensions


def test_a_server_that_is_only_connected_to_needs_no_command() -> None:
    catalog = configured(servers={"far": {"connect": "localhost:1", "languages": ["go"]}})
    assert catalog.languages["go"].servers[0] == "far"


def test_the_languages_of_a_known_server_can_be_narrowed() -> None:
    catalog = configured(servers={"typescript-language-server": {"extensions": [".ts"]}})
    assert "typescript-language-server" in catalog.languages["typescript"].servers
    assert "typescript-language-server" not in catalog.languages["javascript"].servers


def test_a_language_can_claim_an_ending_of_another() -> None:
    catalog = configured(languages={"c": {"extensions": [".h"]}})
    assert catalog.language_of(Path("x.h")) == "c"


def test_a_server_chosen_for_a_language_it_did_not_know_learns_of_it() -> None:
    catalog = configured(languages={"go": {"servers": ["clangd"]}})
    assert "go" in catalog.servers["clangd"].languages


def test_what_is_not_complete_is_left_out() -> None:
    catalog = configured(servers={"ghost": {"extensions": [".py"]}}, languages={"python": {"servers": ["ghost", "ty"]}})
    assert "ghost" not in catalog.servers
    assert catalog.languages["python"].servers == ("ty",)
