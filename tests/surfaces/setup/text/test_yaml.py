"""Goose's and Continue's configurations: members and items in block style, and what is refused."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text import yaml
from groundwire.surfaces.setup.text.data import as_mapping

OURS = ["extensions", "groundwire"]
EXTENSION: dict[str, object] = {
    "name": "groundwire",
    "type": "stdio",
    "cmd": "/opt/g w/gw",
    "args": ["mcp"],
    "envs": {},
    "timeout": 300,
}
GOOSE = """\
# goose
GOOSE_PROVIDER: "x"
extensions:
    developer: # built in
        enabled: true
        prompt: |
            extensions:
              none: 1

    # the last one
    memory: {enabled: false, type: builtin}
# after all
GOOSE_MODE: auto
"""
CONTINUE = """\
name: Local
version: 1.0.0
schema: v1
mcpServers:
  - name: docs
    command: npx
    args:
      - "-y"
      - x

  # ours
  - name: groundwire
    command: old
models: []
"""


def is_ours(item: object) -> bool:
    mapping = as_mapping(item)
    return mapping is not None and mapping.get("name") == "groundwire"


def test_a_member_goes_after_the_others_in_the_indentation_of_the_file() -> None:
    edited = yaml.with_member(GOOSE, OURS, EXTENSION)

    assert edited == GOOSE.replace(
        "# after all\n",
        "    groundwire:\n"
        "        name: groundwire\n"
        "        type: stdio\n"
        "        cmd: /opt/g w/gw\n"
        "        args:\n"
        "            - mcp\n"
        "        envs: {}\n"
        "        timeout: 300\n"
        "# after all\n",
    )
    assert yaml.without_member(edited, OURS) == GOOSE


def test_an_item_that_is_ours_is_replaced_where_it_is() -> None:
    edited = yaml.with_item(CONTINUE, ["mcpServers"], {"name": "groundwire", "command": "gw"}, is_ours)

    assert edited == CONTINUE.replace("command: old", "command: gw")


def test_an_item_comes_out_with_its_lines_only() -> None:
    assert yaml.without_item(CONTINUE, ["mcpServers"], is_ours) == CONTINUE.replace(
        "  - name: groundwire\n    command: old\n", ""
    )


def test_an_item_goes_into_the_column_of_the_others() -> None:
    text = "mcpServers:\n- name: docs\n  command: npx\nmodels: []\n"

    edited = yaml.with_item(text, ["mcpServers"], {"name": "groundwire", "args": ["mcp"]}, is_ours)

    assert edited == text.replace("models", "- name: groundwire\n  args:\n    - mcp\nmodels")
    assert yaml.without_item(edited, ["mcpServers"], is_ours) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "a:\n  b: 1\n"),
        ("# mine", "# mine\na:\n  b: 1"),
        ("a: {} # none\r\n", "a: # none\r\n  b: 1\r\n"),
        ("a:\nc: 2", "a:\n  b: 1\nc: 2"),
        ("a:\n  b: # old\n    c: 2\n", "a:\n  b: 1\n"),
        ("a:\n  b: 2 # two\n", "a:\n  b: 1 # two\n"),
        ("---\na:\n  b:\n  - 2\n  c: |\n   b: 3\n", "---\na:\n  b: 1\n  c: |\n   b: 3\n"),
    ],
)
def test_a_member_is_written_as_the_file_is(before: str, after: str) -> None:
    assert yaml.with_member(before, ["a", "b"], 1) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:\n  b: 1\n  c: 2\n", "a:\n  c: 2\n"),
        ("a: # why\n  # what\n  b: 1\n", "a: {} # why\n  # what\n"),
        ("x: 1\na:\n  b: 1", "x: 1\na: {}"),
        ("a: 1\n", "a: 1\n"),
    ],
)
def test_a_member_is_taken_out_and_its_mapping_stays(before: str, after: str) -> None:
    assert yaml.without_member(before, ["a", "b"]) == after


def test_a_list_that_is_left_empty_says_so_or_is_gone_too() -> None:
    text = "x: 1\nl:\n  - name: groundwire\n"

    assert yaml.without_item(text, ["l"], is_ours) == "x: 1\nl: []\n"
    assert yaml.without_item(text, ["l"], is_ours, prune=True) == "x: 1\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x:\n\ta: 1\n", "line 2: a tab"),
        ("x: 1\n---\na: 1\n", "line 2: several documents"),
        ("%YAML 1.2\n---\na: 1\n", "line 1: several documents, or directives"),
        ("{a: {}}\n", "line 1: this is not a mapping in block style"),
        ("- a\n", "line 1: a mapping in block style was expected"),
        ("a: {x: 1}\n", "line 1: a mapping in block style was expected, to hold 'b'"),
        ("a: []\n", "line 1: a mapping in block style was expected, to hold 'b'"),
        ("a: &anchor\n  x: 1\n", "line 1: a mapping in block style was expected"),
        ("a:\n  b: *alias\n", "line 2: an anchor, an alias or a tag"),
        ("a: 1\na: 2\n", "line 2: the key 'a' is there twice"),
        ("a:\n   x: 1\n  y: 1\n", "line 3: the indentation"),
        ("x: y: z\n", "line 1: a key where a value is written"),
        ('x: "never closed\na: 1\n', "line 1: a quotation mark"),
        ("x: [1,\na: 1\n", "line 1: a bracket that is not closed"),
        ('x: "a" b\n', "line 1: something after the end"),
        ("? x\n: y\n", "line 1: this is not a mapping"),
        ("x: 1\ra: 1\n", "line 1: a carriage return"),
        ("x: |\n  its last line has no end", "cannot be edited safely"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem) as caught:
        yaml.with_member(text, ["a", "b"], 1)

    assert caught.value.hint


def test_a_list_in_brackets_with_something_in_it_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="line 1: a list in block style was expected as 'l'"):
        yaml.with_item("l: [1]\n", ["l"], 2, is_ours)


def test_a_comment_that_would_become_text_is_not_left_behind() -> None:
    with pytest.raises(InvalidArgument, match="cannot be edited safely"):
        yaml.without_member("x: |\n  text\na: 1\n  # deep\n", ["a"])
