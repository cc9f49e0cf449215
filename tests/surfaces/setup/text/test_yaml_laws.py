"""What holds for every YAML text that is edited: it says the new value, nothing else has changed, and it comes back."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text import yaml
from groundwire.surfaces.setup.text.data import (
    as_list,
    as_mapping,
    depth_in,
    equal,
    value_at,
    with_value,
    without_value,
)
from tests.surfaces.setup.text.awkward_yaml import NAMES, documents

PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3)
VALUES: list[object] = [
    None,
    True,
    7,
    1e20,
    "no",
    "1.0",
    "a: b # c",
    "\x85é",
    [],
    {},
    [["x"], {"k": {}}],
    {"cmd": "/a b", "args": ["mcp"]},
]
NEW = st.sampled_from(VALUES)
ITEM: dict[str, object] = {"name": "groundwire", "args": ["mcp"], "env": {}}


def is_ours(item: object) -> bool:
    mapping = as_mapping(item)
    return mapping is not None and mapping.get("name") == "groundwire"


def is_free(text: str, path: list[str]) -> bool:
    """Whether everything on the way is a mapping, and written with something in it, or missing."""
    data = yaml.read(text)
    return all(as_mapping(value_at(data, path[:at])) for at in range(min(depth_in(data, path), len(path) - 1) + 1))


@given(documents(), PATHS, NEW)
def test_a_member_that_is_set_is_read_back_and_setting_it_again_changes_nothing(
    text: str, path: list[str], value: object
) -> None:
    assume(is_free(text, path) and yaml.depth(text, path) < len(path))

    once = yaml.with_member(text, path, value)

    assert equal(yaml.read(once), with_value(yaml.read(text), path, value))
    assert yaml.with_member(once, path, value) == once


@given(documents(), PATHS, NEW)
def test_a_member_that_was_not_there_comes_out_again_without_a_trace(text: str, path: list[str], value: object) -> None:
    depth = yaml.depth(text, path)
    assume(is_free(text, path) and depth < len(path))

    added = yaml.with_member(text, path, value)

    assert yaml.without_member(added, path, prune_to=depth) == text


@given(documents(), NEW, st.data())
def test_a_member_that_was_there_has_the_new_value(text: str, value: object, data: st.DataObject) -> None:
    assume("&" not in text and "!" not in text)
    path: list[str] = []
    while (inner := as_mapping(value_at(yaml.read(text), path))) and (not path or data.draw(st.booleans())):
        path.append(data.draw(st.sampled_from(sorted(inner))))

    edited = yaml.with_member(text, path, value)

    assert equal(yaml.read(edited), with_value(yaml.read(text), path, value))


@given(documents(), PATHS)
def test_a_member_taken_out_is_gone_and_all_others_are_there(text: str, path: list[str]) -> None:
    assume("&" not in text and "!" not in text)
    assume("# deep" not in text)  # it would become a line of the block scalar before it, and that is refused

    shorter = yaml.without_member(text, path)

    assert equal(yaml.read(shorter), without_value(yaml.read(text), path))


@given(documents(), st.sampled_from(NAMES))
def test_an_item_is_in_the_list_once_and_comes_out_again_without_a_trace(text: str, key: str) -> None:
    depth = yaml.depth(text, [key])
    old = as_list(value_at(yaml.read(text), [key]))
    assume(not depth or old is not None)

    added = yaml.with_item(text, [key], ITEM, is_ours)

    assert equal(yaml.read(added), with_value(yaml.read(text), [key], [*(old or ()), ITEM]))
    assert yaml.with_item(added, [key], ITEM, is_ours) == added
    assert yaml.without_item(added, [key], is_ours, prune_to=depth) == text


@given(documents(), PATHS, NEW)
def test_line_ends_and_the_byte_order_mark_stay(text: str, path: list[str], value: object) -> None:
    assume(is_free(text, path) and yaml.depth(text, path) < len(path))

    edited = yaml.with_member(text, path, value)

    assert edited.count("\ufeff") == text.count("\ufeff")
    if "\r\n" in text:
        assert not re.search(r"(?<!\r)\n", edited)


@given(st.text(alphabet="[]{}:-,#\"'|&* \r\na1"))
def test_any_other_text_is_refused_or_edited_rightly(text: str) -> None:
    try:
        edited = yaml.with_member(text, ["a", "b"], {"c": 1})
    except InvalidArgument as refused:
        edited, hint = "", refused.hint
    else:
        hint = ""

    assert hint or value_at(yaml.read(edited), ["a", "b"]) == {"c": 1}
