"""JSON texts as people leave them: comments that look like JSON, trailing commas, odd indentation, keys given twice."""

import json

from hypothesis import strategies as st

KEYS = ("mcpServers", "ours", "a", "b, }", "//")

_TRIVIA = st.sampled_from(
    [
        "",
        "",
        "",
        " ",
        "\n",
        "\n  ",
        "\n    ",
        "\n\t",
        "  \n\n ",
        " /* a, } */ ",
        " // b, { ]\n",
        '\n  // "c": 1,\n ',
        "/**/",
    ]
)
_KEYS = st.sampled_from(KEYS)
_SCALARS = st.sampled_from(["null", "true", "1", "-1.5e3", '""', '"x"', r'"\"// no\" /* none */ ,}"', '"é\\u00e9"'])


@st.composite
def _between(draw: st.DrawFn, brackets: str, entries: list[str]) -> str:
    text = brackets[0]
    for number, entry in enumerate(entries):
        comma = number < len(entries) - 1 or draw(st.booleans())
        text += draw(_TRIVIA) + entry + draw(_TRIVIA) + ("," if comma else "")
    return text + draw(_TRIVIA) + brackets[1]


_COLONS = st.sampled_from([":", ": ", " :\n", ":/* : */"])


@st.composite
def _members(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    keys = draw(st.lists(_KEYS, max_size=4))
    return draw(_between("{}", [json.dumps(key) + draw(_COLONS) + draw(values) for key in keys]))


def _elements(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(values, max_size=3).flatmap(lambda entries: _between("[]", entries))


VALUES = st.recursive(_SCALARS, lambda inner: _members(inner) | _elements(inner), max_leaves=8)
OBJECTS = _members(VALUES)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A whole file."""
    text = draw(_TRIVIA) + draw(OBJECTS) + draw(_TRIVIA)
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "", "\ufeff"])) + text
