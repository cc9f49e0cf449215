"""JSON with comments: what is read, what is refused, and that every place in a message is that of the file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.config.jsonc import JsonSyntaxError, parse, to_json
from groundwire.config.positions import json_lines

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        ("// only a comment\n{}", {}),
        ("{} // at the end", {}),
        ("/* one */ {/* two */} /* three */", {}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2, ], }', {"a": [1, 2]}),
        ('{"a": 1, // why\n}', {"a": 1}),
        ('{"a": 1, /* why */ }', {"a": 1}),
        ('{"a": "// no comment"}', {"a": "// no comment"}),
        ('{"a": "/* none */"}', {"a": "/* none */"}),
        ('{"a": "x,]"}', {"a": "x,]"}),
        (r'{"a": "\"// still text\""}', {"a": '"// still text"'}),
        (r'{"a": "\\"} // after a backslash', {"a": "\\"}),
        ('{"url": "https://x/y"}', {"url": "https://x/y"}),
        ('{\r\n  // windows\r\n  "a": 1\r\n}', {"a": 1}),
        ("\ufeff{}", {}),
        ('{"a": 1 /* over\nlines */ , "b": 2}', {"a": 1, "b": 2}),
        ('["a", /* , */ "b"]', ["a", "b"]),
    ],
)
def test_comments_and_trailing_commas_are_let_through(text: str, value: object) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[,]",
        "{,}",
        "[1,,2]",
        "{'a': 1}",
        "{a: 1}",
        "{} {}",
        "/* never closed {}",
        "[NaN]",
        '{"a": "x\n"}',
        "/",
    ],
)
def test_what_is_no_json_even_so_is_refused(text: str) -> None:
    with pytest.raises(JsonSyntaxError):
        parse(text)


def test_nesting_without_end_is_refused_and_not_a_crash() -> None:
    with pytest.raises(JsonSyntaxError):
        parse("[" * 100_000)


def test_an_error_tells_the_line_and_column_of_the_file() -> None:
    with pytest.raises(JsonSyntaxError) as refused:
        parse('{\n  // a comment, with a comma,\n  "a": 1,\n  "b": oops\n}')
    assert (refused.value.line, refused.value.column) == (4, 8)


@given(VALUES)
def test_plain_json_is_read_as_json(value: object) -> None:
    assert parse(json.dumps(value, ensure_ascii=False)) == value


@given(st.text(alphabet='{}[]",/*\\\n :1a', max_size=60))
def test_the_text_keeps_its_length_and_its_lines(text: str) -> None:
    plain = to_json(text)
    assert len(plain) == len(text)
    assert [at for at, letter in enumerate(plain) if letter == "\n"] == [
        at for at, letter in enumerate(text) if letter == "\n"
    ]


def test_every_key_has_its_line() -> None:
    text = '{\n  "a": {"b": 1,\n    "c": [{"d": 1},\n {"d": 2}]},\n  "e": "x:y"\n}'
    assert json_lines(text) == {
        ("a",): 2,
        ("a", "b"): 2,
        ("a", "c"): 3,
        ("a", "c", "0", "d"): 3,
        ("a", "c", "1", "d"): 4,
        ("e",): 5,
    }
