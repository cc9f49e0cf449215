"""Which files the answers of a server may depend on."""

import pytest

from groundwire.operations.references.cache_scope import is_code, is_wanted, relevance
from groundwire.registry.catalog import load_catalog


@pytest.mark.parametrize(
    ("server", "kind", "expected"),
    [
        ("ty", ".py", True),
        ("ty", ".toml", True),
        ("ty", ".json", True),
        ("ty", ".unheard-of", True),
        ("ty", "Makefile", True),
        ("ty", ".ts", False),
        ("ty", ".go", False),
        ("ty", ".md", False),
        ("typescript-language-server", ".vue", True),
        ("typescript-language-server", ".py", False),
        ("gopls", ".c", True),
        ("gopls", ".mod", True),
        ("clangd", ".inc", True),
    ],
)
def test_a_kind_of_file_counts_unless_the_server_certainly_does_not_read_it(
    server: str, kind: str, *, expected: bool
) -> None:
    catalog = load_catalog()
    is_relevant = relevance(catalog.servers[server], catalog)
    assert is_relevant(kind) is expected
    assert is_relevant(kind) is expected  # also when it was decided before


@pytest.mark.parametrize(("name", "expected"), [("a.py", True), ("a.PNG", False), ("a.py~", False), (".log", False)])
def test_what_no_server_reads_is_not_looked_at(name: str, *, expected: bool) -> None:
    assert is_wanted(name) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.py", True), ("compile_commands.json", True), ("package.json", False), ("a.o", False)],
)
def test_of_what_builds_make_code_counts(name: str, *, expected: bool) -> None:
    assert is_code(load_catalog())(name) is expected
