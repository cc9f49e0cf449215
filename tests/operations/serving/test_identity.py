"""A server that somebody else runs is used only as what it is."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.serving.identity import require_identity, servers_called
from groundwire.registry.catalog import load_catalog


@pytest.mark.parametrize(
    ("told", "first"),
    [
        ("gopls", "gopls"),
        ("rust-analyzer", "rust-analyzer"),
        ("Rust Analyzer", "rust-analyzer"),
        ("ty", "ty"),
        ("basedpyright", "basedpyright"),
        ("pyright language server", "pyright"),
        ("typescript-language-server", "typescript-language-server"),
    ],
)
def test_a_server_is_recognised_by_the_words_it_calls_itself(told: str, first: str) -> None:
    assert servers_called(told, load_catalog())[0] == first


@pytest.mark.parametrize("told", ["", "typos of mine", "My Own Server", "---"])
def test_a_name_that_no_server_has_means_none(told: str) -> None:
    assert servers_called(told, load_catalog()) == []


@pytest.mark.parametrize(("told", "is_vouched_for"), [("gopls", False), ("gopls", True), ("", True), ("Mine", True)])
def test_it_is_accepted_when_it_says_so_or_somebody_vouches_for_it(told: str, is_vouched_for: bool) -> None:
    require_identity(told, "gopls", load_catalog(), is_vouched_for=is_vouched_for)


@pytest.mark.parametrize(
    ("told", "is_vouched_for", "hint"),
    [
        ("basedpyright", True, "server_id='basedpyright'"),
        ("basedpyright", False, "server_id='basedpyright'"),
        ("", False, "server_id='ty'"),
        ("Mine" * 1000, False, "server_id='ty'"),
    ],
)
def test_another_one_or_one_that_does_not_say_is_refused(told: str, is_vouched_for: bool, hint: str) -> None:
    with pytest.raises(InvalidArgument, match="was taken for ty") as raised:
        require_identity(told, "ty", load_catalog(), is_vouched_for=is_vouched_for)
    assert hint in raised.value.hint
    assert len(raised.value.message) < 200
