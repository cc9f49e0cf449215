"""JSON configurations as agents and editors keep them: where an entry goes, how it is written, and what is refused."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text import jsonc
from groundwire.surfaces.setup.text.data import as_mapping

SERVER = {"command": "gw", "args": ["mcp"]}
VSCODE = """\
{
    // Editor
    "editor.fontSize": 14, /* "big" */
    "servers": {
        "other": { "type": "http", "url": "https://x.test/mcp", "headers": { "A": "${env:B}" } } // keep
    },
    // "servers": {},
    "files.exclude": { "**/x": true, },
}
"""
HOOKS = """\
{
\t"hooks": {
\t\t"PostToolUse": [
\t\t\t{ "matcher": "Bash", "hooks": [] }, // theirs
\t\t]
\t}
}
"""


def is_ours(element: object) -> bool:
    mapping = as_mapping(element)
    return mapping is not None and "ours" in str(mapping.get("hooks"))


def test_a_server_goes_after_the_others_in_the_indentation_of_the_file() -> None:
    edited = jsonc.with_member(VSCODE, ["servers", "groundwire"], SERVER)

    assert edited == VSCODE.replace(
        '"${env:B}" } } // keep\n',
        '"${env:B}" } }, // keep\n'
        '        "groundwire": {\n'
        '            "command": "gw",\n'
        '            "args": [\n'
        '                "mcp"\n'
        "            ]\n"
        "        }\n",
    )
    assert jsonc.without_member(edited, ["servers", "groundwire"]) == VSCODE


def test_a_trailing_comma_stays_one() -> None:
    edited = jsonc.with_member(VSCODE, ["context_servers", "groundwire"], {"command": "gw"})

    assert edited.endswith(
        'true, },\n    "context_servers": {\n        "groundwire": {\n            "command": "gw"\n'
        "        }\n    },\n}\n"
    )
    assert jsonc.without_member(edited, ["context_servers", "groundwire"], prune=True) == VSCODE


def test_an_element_is_indented_with_the_tabs_of_the_file() -> None:
    entry = {"hooks": ["ours"]}

    edited = jsonc.with_element(HOOKS, ["hooks", "PostToolUse"], entry, is_ours)

    assert edited == HOOKS.replace(
        "// theirs\n", '// theirs\n\t\t\t{\n\t\t\t\t"hooks": [\n\t\t\t\t\t"ours"\n\t\t\t\t]\n\t\t\t},\n'
    )
    assert jsonc.without_element(edited, ["hooks", "PostToolUse"], is_ours) == HOOKS


def test_several_elements_that_are_ours_become_one_where_the_first_was() -> None:
    text = '{"l": [{"hooks": "ours 1"}, 1, {"hooks": "ours 2"}, 2]}'

    edited = jsonc.with_element(text, ["l"], {"hooks": "ours"}, is_ours)

    assert edited == '{"l": [{"hooks": "ours"}, 1, 2]}'
    assert jsonc.without_element(text, ["l"], is_ours) == '{"l": [1, 2]}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("\ufeff\r\n", '\ufeff{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'),
        ("// mine", '// mine\n{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"a":{}}', '{"a":{"b":1}}'),
        ('{"a": {"x": []}}', '{"a": {"x": [], "b": 1}}'),
        ('{\n   "a": {}\n}', '{\n   "a": {\n      "b": 1\n   }\n}'),
        ('{"a": {"b": /* old */ 2 /* new */}}', '{"a": {"b": /* old */ 1 /* new */}}'),
        ('{"a": {"b": 2, "c": 3, "b": 4}}', '{"a": {"b": 2, "c": 3, "b": 1}}'),
    ],
)
def test_a_member_is_written_as_the_file_is(before: str, after: str) -> None:
    assert jsonc.with_member(before, ["a", "b"], 1) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": {"b": 1}}', '{"a": {}}'),
        ('{"a": {"b": 1, "c": 2}}', '{"a": {"c": 2}}'),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', '{"a": {"c": 2}}'),
        ('{"a": {\n  "b": 1, // ours\n  "c": 2\n}}', '{"a": {\n  // ours\n  "c": 2\n}}'),
        ('{"a": {\n  "c": 2, // theirs\n  "b": 1}}', '{"a": {\n  "c": 2 // theirs\n  }}'),
        ('{"a": {\n  "c": 2\n, "b": 1\n}}', '{"a": {\n  "c": 2\n\n}}'),
        ('{"a": 1}', '{"a": 1}'),
        ("", ""),
    ],
)
def test_a_member_is_taken_out_with_its_comma_and_its_line(before: str, after: str) -> None:
    assert jsonc.without_member(before, ["a", "b"]) == after


def test_an_object_with_a_comment_in_it_is_not_empty() -> None:
    text = '{"x": 1, "a": {/* why */ "b": 1}}'

    assert jsonc.without_member(text, ["a", "b"], prune=True) == '{"x": 1, "a": {/* why */}}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{\n  'a': 1\n}", "line 2: this is not JSON"),
        ('{\n\n"a": 1', "line 3: this is not JSON"),
        ("[]", "line 1: an object was expected here, to hold 'a'"),
        ('{\n"a": null}', "line 2: an object was expected here, to hold 'b'"),
        ('{"x": 1} // \r "a"', "line 1: a carriage return"),
        ('{"a": ' + "[" * 5000, "not JSON"),
        ("/* never closed", "not JSON"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem) as caught:
        jsonc.with_member(text, ["a", "b"], 1)

    assert caught.value.hint


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, "\udc80"])
def test_a_value_that_no_file_can_hold_is_refused(value: object) -> None:
    with pytest.raises(InvalidArgument, match="cannot be written"):
        jsonc.with_member("{}", ["a"], value)


def test_a_list_is_asked_for_where_something_else_is() -> None:
    with pytest.raises(InvalidArgument, match="line 2: a list was expected as 'a'"):
        jsonc.with_element('{\n"a": {}}', ["a"], 1, is_ours)


def test_a_path_is_a_list_of_keys() -> None:
    with pytest.raises(InvalidArgument, match="one key or more"):
        jsonc.with_member("{}", [], 1)
