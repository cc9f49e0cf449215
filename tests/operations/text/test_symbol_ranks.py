"""How well a name fits what was typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.operations.text.symbol_ranks import (
    EXACT,
    EXACT_IN_ANY_CASE,
    OTHERWISE,
    PREFIX,
    SUBSEQUENCE,
    WORDS,
    rank,
)


@pytest.mark.parametrize(
    ("query", "name", "expected"),
    [
        ("getName", "getName", EXACT),
        ("getname", "getName", EXACT_IN_ANY_CASE),
        ("get", "getName", PREFIX),
        ("name", "getName", WORDS),
        ("gsn", "getSymbolName", WORDS),
        ("symname", "getSymbolName", WORDS),
        ("hs", "HTTPServer", WORDS),
        ("http_s", "HTTPServer", WORDS),
        ("find_r", "find_all_references", WORDS),
        ("etna", "getName", SUBSEQUENCE),
        ("xyz", "getName", OTHERWISE),
    ],
)
def test_a_name_is_ranked_by_how_it_fits(query: str, name: str, expected: int):
    assert rank(query, name) == expected


@given(st.text(max_size=12), st.text(max_size=30))
def test_every_name_has_a_rank(query: str, name: str):
    assert EXACT <= rank(query, name) <= OTHERWISE
