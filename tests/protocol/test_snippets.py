"""Snippets become the text that accepting every default would leave."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.protocol.snippets import plain_text


@pytest.mark.parametrize(
    ("snippet", "text"),
    [
        ("plain", "plain"),
        ("f($0)", "f()"),
        ("f($1, $12)$0", "f(, )"),
        ("${1}x${0}", "x"),
        ("${1:name}: ${2:type}", "name: type"),
        ("${1:outer ${2:inner} end}!", "outer inner end!"),
        ("${1|one,two,three|}", "one"),
        ("${1|a\\,b,c|}", "a,b"),
        ("${1|only|}.", "only."),
        ("\\$1 \\} \\\\", "$1 } \\"),
        ("${1:a\\}b}", "a}b"),
        ("$TM_FILENAME ${TM_SELECTED_TEXT:none}", " none"),
        ("${TM_FILENAME/(.*)/${1:/upcase}/}end", "end"),
        ("cost: 5$", "cost: 5$"),
        ("${", "${"),
        ("{ $x }", "{  }"),
        ("fn main() { $0 }", "fn main() {  }"),
        ("C:\\dir\\new", "C:\\dir\\new"),
        ("${1:never ends", "never ends"),
        ("ä😀$0", "ä😀"),
    ],
)
def test_a_snippet_becomes_plain_text(snippet: str, text: str):
    assert plain_text(snippet) == text


@given(st.text())
def test_an_escaped_text_comes_out_as_it_was(text: str):
    escaped = text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
    assert plain_text(escaped) == text
    assert plain_text(f"${{1:{escaped}}}$0") == text


@given(st.text(alphabet="$\\{}|:/,a1 \n", max_size=30))
def test_no_snippet_is_an_error(snippet: str):
    assert len(plain_text(snippet)) <= len(snippet)
