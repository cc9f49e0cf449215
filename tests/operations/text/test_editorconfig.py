"""``.editorconfig``: which sections are about a file, and what holds for it."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.operations.text.editorconfig import combined, parse
from groundwire.operations.text.editorconfig_globs import matches
from groundwire.operations.text.indentation import Indentation, configured, detected


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("*", "a.py deep/er/a.py", ""),
        ("*.py", "a.py deep/a.py .py", "a.pyc py"),
        ("/*.py", "a.py", "deep/a.py"),
        ("lib/*.py", "lib/a.py", "lib/deep/a.py other/lib/a.py"),
        ("lib/**.py", "lib/a.py lib/deep/er/a.py", "a.py"),
        ("lib/**/a.py", "lib/a.py lib/x/a.py lib/x/y/a.py", "a.py lib/xa.py"),
        ("**/a.py", "a.py x/y/a.py", "ba.py"),
        ("a?c", "abc axc", "ac abbc a/c"),
        ("[ab].py", "a.py b.py", "c.py ab.py"),
        ("[!ab].py", "c.py", "a.py b.py"),
        ("[a-c]x", "ax cx", "dx"),
        ("*.{js,ts}", "a.js x/b.ts", "a.py a.{js,ts}"),
        ("{package.json,.travis.yml}", "package.json x/.travis.yml", "other.json"),
        ("*.{a,b{c,d}}", "x.a x.bc x.bd", "x.b x.c"),
        ("{lib/*,src}/x", "lib/q/x src/x", "x lib/x"),
        ("a{,b}", "a ab", "b"),
        ("{single}", "{single}", "single"),
        ("{open", "{open", "open"),
        ("v{1..3}", "v1 v2 v3", "v0 v4 v01 v"),
        ("{-2..2}", "-2 -1 0 1 2", "-3 3 x"),
        ("{3..1}", "1 2 3", "0 4"),
        (r"a\*", "a*", "ab"),
        (r"\{a,b\}", "{a,b}", "a b"),
        ("[", "[", "a"),
        ("[]", "[]", "a"),
        ("Makefile", "Makefile x/Makefile", "makefile"),
        ("é*.py", "éa.py", "ea.py"),
    ],
)
def test_a_section_is_about_the_files_that_its_pattern_takes_in(pattern: str, yes: str, no: str) -> None:
    assert [name for name in yes.split() if not matches(pattern, name)] == []
    assert [name for name in no.split() if matches(pattern, name)] == []


@given(st.text("ab*?.", min_size=1, max_size=8), st.text("ab.", min_size=1, max_size=8))
def test_simple_patterns_match_as_everywhere(pattern: str, name: str) -> None:
    simple = pattern.replace("**", "*")
    while "**" in simple:
        simple = simple.replace("**", "*")
    assert matches(simple, name) == fnmatch.fnmatchcase(name, simple)


@given(st.text("ab*?.{},[]!-\\/1", max_size=30), st.text("ab./1{}", max_size=20))
def test_no_pattern_fails(pattern: str, name: str) -> None:
    assert matches(pattern, name) in (True, False)


@pytest.mark.timeout(10)
def test_a_hostile_pattern_takes_no_time() -> None:
    assert not matches("*a" * 200 + "b", "a" * 250)
    assert not matches("**/" * 200 + "b", "a/" * 200 + "c")
    assert not matches("{a,{a,{a,{a,a}}}}" * 50, "a" * 49 + "b")


def test_later_sections_and_nearer_files_win_and_unset_takes_back() -> None:
    outer = parse("[*]\nindent_size=8\ncharset=utf-8\nend_of_line=lf\n")
    inner = parse("; note\n[*]\nindent_size = 2\n[*.py]\nINDENT_SIZE: 4 # four\nend_of_line = unset\n")
    assert combined([(inner, "a.py"), (outer, "x/a.py")]) == {"indent_size": "4", "charset": "utf-8"}
    assert combined([(inner, "a.js"), (outer, "x/a.js")])["indent_size"] == "2"


def test_nothing_above_a_root_counts() -> None:
    root = parse("\ufeffroot = TRUE\n[*]\nindent_size=2\n")
    above = parse("[*]\ntab_width=8\n")
    assert root.is_root
    assert combined([(root, "a"), (above, "x/a")]) == {"indent_size": "2"}
    assert not parse("[*]\nroot = true\n").is_root


@given(st.text(max_size=200))
def test_whatever_is_written_there_is_read(text: str) -> None:
    assert isinstance(parse(text).properties("a.py"), dict)


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({}, Indentation(3, True)),
        ({"indent_style": "tab"}, Indentation(3, False)),
        ({"indent_style": "tab", "tab_width": "8", "indent_size": "4"}, Indentation(8, False)),
        ({"indent_style": "space", "tab_width": "8", "indent_size": "2"}, Indentation(2, True)),
        ({"indent_size": "tab", "tab_width": "6"}, Indentation(6, True)),
        ({"indent_size": "tab"}, Indentation(3, True)),
        ({"tab_width": "5"}, Indentation(5, True)),
        ({"indent_size": "many", "indent_style": "both"}, Indentation(3, True)),
        ({"indent_size": "0"}, Indentation(3, True)),
    ],
)
def test_the_indentation_that_is_configured(properties: dict[str, str], expected: Indentation) -> None:
    assert configured(properties, Indentation(3, is_spaces=True)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Indentation(4, True)),
        ("a\nb\n", Indentation(4, True)),
        ("a\n  b\n    c\n  d\n", Indentation(2, True)),
        ("a\n    b\n        c\n", Indentation(4, True)),
        ("a\n\tb\n\t\tc\n", Indentation(4, False)),
        ("a\r\n  b\r\n", Indentation(2, True)),
    ],
)
def test_the_indentation_that_a_text_has(text: str, expected: Indentation) -> None:
    assert detected(text) == expected
