"""Small pieces of wording."""

import pytest

from groundwire.render.wording import counted, documentation_line, plural, source_line


@pytest.mark.parametrize(("noun", "expected"), [("file", "files"), ("code lens", "code lenses")])
def test_nouns_have_their_plural(noun: str, expected: str) -> None:
    assert plural(noun) == expected
    assert counted(1, noun) == f"1 {noun}"
    assert counted(1200, noun) == f"1,200 {expected}"


def test_a_line_of_source_keeps_the_spaces_within_it() -> None:
    assert source_line("    x = 'a  b'\t# c\r\n", 100) == "x = 'a  b'\t# c"


def test_a_line_of_source_is_always_one_line_and_cut_where_that_is_seen() -> None:
    assert source_line("a\r\nb", 100) == "a  b"
    assert source_line("abcdef", 4) == "abc…"


def test_documentation_loses_its_marks_and_keeps_its_words() -> None:
    text = "```python\ndef f() -> int\n```\n---\nSays 1.\nAlways."
    assert documentation_line(text, 100) == "def f() -> int; Says 1. Always."
