"""What holds for every TOML text that is edited: it says the new value, nothing else has changed, and it comes back."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text import toml
from groundwire.surfaces.setup.text.data import (
    as_list,
    as_mapping,
    depth_in,
    equal,
    value_at,
    with_value,
    without_value,
)
from tests.surfaces.setup.text.awkward_toml import documents

PATHS = st.sampled_from([["mcp_servers", "ours"], ["mcp_servers", "x y"], ["mcp_servers", "ours", "env"], ["new"]])
TABLES = st.sampled_from([{"command": 'é"#]', "args": ["mcp"], "env": {"A b": "\x7f"}}, {"command": "x", "n": 1.5}])
LISTS = st.sampled_from([["hooks", "Post"], ["hooks", "Stop"], ["new"]])
HOOK: dict[str, object] = {"matcher": "ours", "hooks": [{"type": "command", "command": "ours", "timeout": 15}]}


def is_ours(element: object) -> bool:
    mapping = as_mapping(element)
    return mapping is not None and mapping.get("matcher") == "ours"


def is_free(text: str, path: list[str]) -> bool:
    """Whether everything on the way is a table, or missing."""
    data = toml.read(text)
    return all(as_mapping(value_at(data, path[:at])) is not None for at in range(depth_in(data, path) + 1))


@given(documents(), PATHS, TABLES)
def test_a_table_that_is_set_is_read_back_and_setting_it_again_changes_nothing(
    text: str, path: list[str], values: dict[str, object]
) -> None:
    assume(is_free(text, path))

    once = toml.with_table(text, path, values)

    assert equal(toml.read(once), with_value(toml.read(text), path, values))
    assert toml.with_table(once, path, values) == once


@given(documents(), PATHS, TABLES)
def test_a_table_that_was_not_there_comes_out_again_without_a_trace(
    text: str, path: list[str], values: dict[str, object]
) -> None:
    depth = toml.depth(text, path)
    assume(is_free(text, path) and depth < len(path))

    added = toml.with_table(text, path, values)

    assert toml.without_table(added, path, prune_to=depth) == text


@given(documents(), PATHS)
def test_a_table_taken_out_is_gone_and_all_others_are_there(text: str, path: list[str]) -> None:
    shorter = toml.without_table(text, path)

    assert depth_in(toml.read(shorter), path) < len(path)
    assert equal(without_value(toml.read(shorter), path[:1]), without_value(toml.read(text), path[:1]))


@given(documents(), LISTS)
def test_an_element_is_in_the_array_once_and_comes_out_again_without_a_trace(text: str, path: list[str]) -> None:
    old = value_at(toml.read(text), path)
    assume(is_free(text, path[:-1]) and (old is None or as_list(old) is not None))

    added = toml.with_element(text, path, HOOK, is_ours)

    assert equal(toml.read(added), with_value(toml.read(text), path, [*(as_list(old) or ()), HOOK]))
    assert toml.with_element(added, path, HOOK, is_ours) == added
    assert toml.without_element(added, path, is_ours, prune_to=toml.depth(text, path)) == text


@given(documents())
def test_an_element_that_is_the_same_is_replaced_where_it_is(text: str) -> None:
    path = ["hooks", "Post"]
    old = value_at(toml.read(text), path)
    assume(is_free(text, path[:-1]) and (old is None or as_list(old) is not None))
    text = toml.with_element(text, path, {"matcher": "old"}, is_ours)

    edited = toml.with_element(text, path, HOOK, lambda _: True)

    assert equal(toml.read(edited), with_value(toml.read(text), path, [HOOK]))


@given(documents(), PATHS, TABLES)
def test_line_ends_and_the_byte_order_mark_stay(text: str, path: list[str], values: dict[str, object]) -> None:
    assume(is_free(text, path))

    edited = toml.with_table(text, path, values)

    assert edited.count("\ufeff") == text.count("\ufeff")
    if "\r\n" in text:
        assert not re.search(r"(?<!\r)\n", edited)


@given(st.text(alphabet="[]{}=.,#\"' \r\na1"))
def test_any_other_text_is_refused_or_edited_rightly(text: str) -> None:
    try:
        edited = toml.with_table(text, ["a", "b"], {"c": 1})
    except InvalidArgument as refused:
        edited, hint = "", refused.hint
    else:
        hint = ""

    assert hint or value_at(toml.read(edited), ["a", "b"]) == {"c": 1}
