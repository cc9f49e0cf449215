"""Code told from strings and comments, in every language of the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.operations.text.masked_text import COMMENT, STRING, Masked
from groundwire.operations.text.syntaxes import SYNTAXES, syntax_of

ALPHABET = "ab 1\n\r\t\"'`#/*{}()[]\\$@!=<>,;:%-R😀"


def shown(text: str, language: str) -> str:
    return Masked(text, syntax_of(language)).code.replace(STRING, "s").replace(COMMENT, "c")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "a = 'it''s' # }", "a = sssssss ccc"),
        ("python", "f'{a[\"}\"]}' }", "sssssssssss }"),
        ("python", "f'{a:#x}' }", "sssssssss }"),
        ("python", "f'{{' {", "sssss {"),
        ("python", "rb'\\'' x", "ssssss x"),
        ("python", "'''a\n}'''\n{", "sssssssss\n{"),
        ("typescript", "a / b / c", "a / b / c"),
        ("typescript", 'a = /[/}]"/.x', "a = sssssss.x"),
        ("typescript", "`${`}`}` }", "ssssssss }"),
        ("typescript", "<p>it's {x}</p>", "<p>it's {x}</p>"),
        ("go", "'\\'' `\\` \"\\\"\"", "ssss sss ssss"),
        ("rust", "&'a str, '}', b'{', '\\u{7d}'", "&'a str, sss, ssss, ssssssss"),
        ("rust", 'r##"a"#}"## }', "sssssssssss }"),
        ("rust", "/* /* } */ { */ }", "ccccccccccccccc }"),
        ("cpp", "1'000 u8'{' L'\\'' }", "sssss sssss sssss }"),
        ("cpp", 'R"x()"})x" }', "ssssssssss }"),
        ("cpp", "#define A \\\n {\nb", "cccccccccccccc\nb"),
        ("java", '"""\n"} """ }', "ssssssssss }"),
        ("csharp", '@"""}" $"{a("}")}" }', "ssssss sssssssssss }"),
        ("kotlin", '"${a("}")}" }', "sssssssssss }"),
        ("swift", '"\\(a("}"))" }', "sssssssssss }"),
        ("lua", "--[[ }\n]] [==[ ]] ]==] }", "ccccccccc ssssssssssss }"),
        ("ruby", '"#{a["}"]}" }', "sssssssssss }"),
        ("elixir", '"""\n}\n""" }', "sssssssss }"),
        ("php", "<<<X\n}\nX; # }", "ssssssss; ccc"),
        ("zig", "\\\\ }\n}", "ssss\n}"),
        ("unknown", "a // } ' \n'}' # {", "a ccccccc\nsss ccc"),
    ],
)
def test_strings_and_comments_are_masked(language: str, text: str, expected: str) -> None:
    assert shown(text, language) == expected


@given(st.text(ALPHABET, max_size=60), st.sampled_from(sorted(SYNTAXES)))
def test_every_text_is_masked_character_for_character(text: str, language: str) -> None:
    masked = Masked(text, syntax_of(language))
    assert len(masked.code) == len(text)
    assert all(one in (other, STRING, COMMENT) for one, other in zip(masked.code, text, strict=True))


@given(st.text("(){}[]a ", max_size=40))
def test_brackets_are_paired_with_their_like(text: str) -> None:
    masked = Masked(text, syntax_of("go"))
    pairs = {at: masked.partner(at) for at in range(len(text))}
    for at, partner in pairs.items():
        if partner is not None:
            assert pairs[partner] == at
            assert {text[at], text[partner]} in ({"(", ")"}, {"{", "}"}, {"[", "]"})
    assert masked.is_balanced == all((partner is not None) == (text[at] in "(){}[]") for at, partner in pairs.items())


def test_the_innermost_open_bracket_is_known() -> None:
    masked = Masked("a(b{c}d)e", syntax_of("go"))
    assert [masked.round(at) for at in range(9)] == [-1, -1, 1, 1, 3, 3, 1, 1, -1]
