"""What holds for every JSON text that is edited: it says the new value, nothing else has changed, and it comes back."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text import jsonc
from groundwire.surfaces.setup.text.data import (
    as_list,
    as_mapping,
    depth_in,
    equal,
    value_at,
    with_value,
    without_value,
)
from tests.surfaces.setup.text.awkward_json import KEYS, documents

PATHS = st.lists(st.sampled_from(KEYS), min_size=1, max_size=3)
VALUES: list[object] = [
    None,
    True,
    7,
    "text, // }",
    [],
    {},
    ["mcp", {"x": 1}],
    {"command": "é", "args": ["mcp"], "env": {}},
]
NEW = st.sampled_from(VALUES)
LIST_PATHS = st.lists(st.sampled_from(KEYS), min_size=1, max_size=2)
OURS = {"command": "ours"}


def is_ours(element: object) -> bool:
    return equal(element, OURS)


def is_free(text: str, path: list[str]) -> bool:
    """Whether everything on the way is an object, or missing."""
    data = jsonc.read(text)
    return all(
        as_mapping(value_at(data, path[:at])) is not None for at in range(min(depth_in(data, path), len(path) - 1) + 1)
    )


def is_within(small: str, large: str) -> bool:
    """Whether every character is there, in its order."""
    rest = iter(large)
    return all(character in rest for character in small)


@given(documents(), PATHS, NEW)
def test_a_member_that_is_set_is_read_back_and_setting_it_again_changes_nothing(
    text: str, path: list[str], value: object
) -> None:
    assume(is_free(text, path))

    once = jsonc.with_member(text, path, value)

    assert equal(jsonc.read(once), with_value(jsonc.read(text), path, value))
    assert jsonc.with_member(once, path, value) == once


@given(documents(), PATHS, NEW)
def test_a_member_that_was_not_there_comes_out_again_without_a_trace(text: str, path: list[str], value: object) -> None:
    assume(is_free(text, path))
    depth = jsonc.depth(text, path)
    assume(depth < len(path))

    added = jsonc.with_member(text, path, value)

    assert is_within(text, added)
    assert jsonc.without_member(added, path, prune_to=depth) == text


@given(documents(), PATHS)
def test_a_member_taken_out_is_gone_and_all_others_are_there(text: str, path: list[str]) -> None:
    shorter = jsonc.without_member(text, path)

    assert equal(jsonc.read(shorter), without_value(jsonc.read(text), path))
    assert jsonc.without_member(shorter, path) == shorter


@given(documents(), PATHS, NEW)
def test_line_ends_and_the_byte_order_mark_stay(text: str, path: list[str], value: object) -> None:
    assume(is_free(text, path))
    assume("\n" not in text or "\r\n" in text)

    edited = jsonc.with_member(text, path, value)

    assert edited.startswith("\ufeff") == text.startswith("\ufeff")
    assert edited.count("\ufeff") == text.count("\ufeff")
    if "\n" in text:
        assert not re.search(r"(?<!\r)\n", edited)


@given(documents(), LIST_PATHS)
def test_an_element_is_in_the_list_once_and_comes_out_again_without_a_trace(text: str, path: list[str]) -> None:
    depth = jsonc.depth(text, path)
    old = value_at(jsonc.read(text), path)
    assume(is_free(text, path) and (depth < len(path) or as_list(old) is not None))

    added = jsonc.with_element(text, path, OURS, is_ours)

    assert equal(value_at(jsonc.read(added), path), [*(as_list(old) or ()), OURS])
    assert jsonc.with_element(added, path, OURS, is_ours) == added
    assert jsonc.without_element(added, path, is_ours, prune_to=depth) == text


@given(documents(), LIST_PATHS)
def test_what_is_not_an_object_is_never_written_over(text: str, path: list[str]) -> None:
    assume(is_free(text, path))
    text = jsonc.with_member(text, path, [1])

    with pytest.raises(InvalidArgument, match="line "):
        jsonc.with_member(text, [*path, "x"], 1)


@given(st.text(alphabet='{}[],:"\\/* \r\na1'), PATHS)
def test_any_other_text_is_refused_or_edited_rightly(text: str, path: list[str]) -> None:
    try:
        edited = jsonc.with_member(text, path, 1)
    except InvalidArgument as refused:
        edited, hint = "", refused.hint
    else:
        hint = ""

    assert hint or value_at(jsonc.read(edited), path) == 1
