"""The data files of the servers: each says what it must, and nothing it cannot back."""

import re
from pathlib import Path

import pytest

from groundwire.registry.catalog import load_catalog
from groundwire.registry.spec import Managed, ServerSpec

CATALOG = load_catalog()
SERVERS = sorted(CATALOG.servers.values(), key=lambda spec: spec.id)
MANAGED = [(spec, spec.managed) for spec in SERVERS if spec.managed is not None]

_PIN = {
    "pypi": re.compile(r"[A-Za-z0-9_.-]+(\[[a-z,]+\])?==\d[\w.]*"),
    "npm": re.compile(r"(@[a-z0-9-]+/)?[a-z0-9-]+@\d+\.\d+\.\d+"),
    "go": re.compile(r"[a-z0-9.-]+\.[a-z]+(/[\w.-]+)+@v\d+\.\d+\.\d+"),
    "cargo": re.compile(r"[a-z0-9_-]+@\d+\.\d+\.\d+"),
    "gem": re.compile(r"[a-z0-9_-]+:\d+\.\d+\.\d+"),
}


def ids(spec: ServerSpec) -> str:
    return spec.id


def test_there_are_seventy_four_of_them() -> None:
    assert len(SERVERS) == 74


@pytest.mark.parametrize("spec", SERVERS, ids=ids)
def test_a_server_says_how_it_is_installed_and_how_it_was_verified(spec: ServerSpec) -> None:
    assert spec.install
    assert re.fullmatch(r"probed \d[\w.]*( with \w+ \d[\w.]*)?|from documentation", spec.verified)


@pytest.mark.parametrize("spec", SERVERS, ids=ids)
def test_only_a_server_that_was_run_is_called_measured(spec: ServerSpec) -> None:
    if spec.settle.measured:
        assert spec.verified.startswith("probed ")
    else:
        assert not spec.settle.publishes_unchanged or spec.id == "pylsp"  # measured, but its silence proves nothing


@pytest.mark.parametrize("spec", SERVERS, ids=ids)
def test_a_git_repository_is_one_of_the_places_where_a_server_is_rooted(spec: ServerSpec) -> None:
    assert any(".git" in tier for tier in spec.roots)


@pytest.mark.parametrize("spec", SERVERS, ids=ids)
def test_a_servers_languages_name_it_in_its_role(spec: ServerSpec) -> None:
    for language in spec.languages:
        listed = CATALOG.languages[language]
        assert spec.id in (listed.servers if spec.role == "primary" else listed.linters)
        assert spec.id not in (listed.linters if spec.role == "primary" else listed.servers)


@pytest.mark.parametrize("spec", SERVERS, ids=ids)
def test_quirks_are_sentences(spec: ServerSpec) -> None:
    assert all(re.fullmatch(r"\S.+\.", quirk) for quirk in spec.quirks)


@pytest.mark.parametrize("spec", SERVERS, ids=ids)
def test_what_cancels_a_server_is_among_what_decides(spec: ServerSpec) -> None:
    assert not spec.decided_by or set(spec.not_with) < set(spec.decided_by)
    assert not set(spec.not_with) & set(spec.needs_config)


@pytest.mark.parametrize(("spec", "managed"), MANAGED, ids=[spec.id for spec, _ in MANAGED])
def test_a_managed_server_is_pinned_and_brings_the_command_that_starts_it(spec: ServerSpec, managed: Managed) -> None:
    assert all(_PIN[managed.method].fullmatch(package) for package in managed.packages)
    assert managed.commands[0] in (spec.command[0], *spec.also_named)


def test_linters_report_and_do_not_lint_where_nobody_asked_for_it() -> None:
    unasked = [spec.id for spec in SERVERS if spec.role == "linter" and not spec.needs_config]
    assert unasked == ["docker-compose"]  # a compose file is reason enough


def test_only_languages_that_no_server_is_known_for_have_no_primary() -> None:
    without = {language for language, spec in CATALOG.languages.items() if not spec.servers}
    assert without == {"makefile", "starlark"}


def test_servers_that_a_pull_would_end_are_never_pulled() -> None:
    assert {spec.id for spec in SERVERS if "A pull ends it." in spec.quirks} == {"julia", "nixd"}
    assert all(CATALOG.servers[server].settle.pull == "never" for server in ("julia", "nixd"))


def test_the_files_are_what_the_package_holds() -> None:
    directory = Path(__file__).parents[2] / "src/groundwire/registry/servers"
    assert sorted(file.name for file in directory.iterdir()) == [f"{spec.id}.server.toml" for spec in SERVERS]
