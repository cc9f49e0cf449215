"""Codex's configuration and the like: tables in sections, in pieces and inline, and arrays of tables."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text import toml
from groundwire.surfaces.setup.text.data import as_mapping

SERVER = {"command": "gw", "args": ["mcp"]}
OURS = ["mcp_servers", "groundwire"]
CODEX = """\
# Codex
model = "o9" # best
notify = ["say",
  "done", # ]
]

[mcp_servers.docs]
url = "https://x.test/[mcp]"
env = { A = "}" }

[[hooks.PostToolUse]]
matcher = "Bash"
[[hooks.PostToolUse.hooks]]
type = "command"

# the screen
[tui]
theme = 'dark'
"""
HOOK: dict[str, object] = {"matcher": "Edit", "hooks": [{"type": "command", "command": "gw hook"}]}


def is_ours(element: object) -> bool:
    mapping = as_mapping(element)
    return mapping is not None and mapping.get("matcher") == "Edit"


def test_a_table_is_a_section_at_the_end() -> None:
    edited = toml.with_table(CODEX, OURS, SERVER)

    assert edited == CODEX + '\n[mcp_servers.groundwire]\ncommand = "gw"\nargs = ["mcp"]\n'
    assert toml.without_table(edited, OURS) == CODEX


def test_an_element_is_a_section_with_what_is_in_it_inline() -> None:
    edited = toml.with_element(CODEX, ["hooks", "PostToolUse"], HOOK, is_ours)

    written = '[[hooks.PostToolUse]]\nmatcher = "Edit"\nhooks = [{ type = "command", command = "gw hook" }]\n'
    assert edited == f"{CODEX}\n{written}"
    assert toml.without_element(edited, ["hooks", "PostToolUse"], is_ours) == CODEX


def test_an_element_that_is_ours_is_replaced_with_all_its_sections() -> None:
    edited = toml.with_element(CODEX, ["hooks", "PostToolUse"], HOOK, lambda _: True)

    assert "Bash" not in edited
    assert edited.endswith("\n\n# the screen\n[tui]\ntheme = 'dark'\n")
    assert toml.read(edited)["hooks"] == {"PostToolUse": [HOOK]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[s.g]\nc = "old" # mine\nx = 1\n', "[s.g]\nc = 1 # mine\n"),
        ("[s.g]\n[z]\n", "[s.g]\nc = 1\n[z]\n"),
        ("[s.g]\nc = 1\n\n[s.g.env]\nA = 1\n\n[z]\n", "[s.g]\nc = 1\n\n[z]\n"),
        ("s = { x = {} } # all", "s = { x = {}, g = { c = 1 } } # all"),
        ("s = { g = { c = 2, d = 3 } }", "s = { g = { c = 1 } }"),
        ("s = { g.d = 3 }", "s = { g.c = 1 }"),
        ("s.g.d = 3\n[z]", "s.g.c = 1\n[z]"),
        ('[s]\n  "g" = {}\n', '[s]\n  "g" = {c = 1}\n'),
        ("[s]\n  g.d = 2", "[s]\n  g.c = 1"),
        ("[s.g]\nc = 1.0", "[s.g]\nc = 1"),
        ("[s.g.c.d]\nx = 1\n", "[s.g]\nc = 1\n"),
        ("", "[s.g]\nc = 1\n"),
        ("\ufeffa = 1\r\n", "\ufeffa = 1\r\n\r\n[s.g]\r\nc = 1\r\n"),
    ],
)
def test_a_table_holds_the_values_and_no_others_wherever_it_is_written(before: str, after: str) -> None:
    assert toml.with_table(before, ["s", "g"], {"c": 1}).lstrip("\n") == after
    assert toml.with_table(after, ["s", "g"], {"c": 1}) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("l = [\n  {a = 1}, # one\n]\n", '{a = 1}, # one\n  { matcher = "Edit" },\n]\n'),
        ("l = []\n", 'l = [{ matcher = "Edit" }]\n'),
        ("t = { l = [ 1 ] }\n", None),
        ("l = [{a = 1}]\n", 'l = [{a = 1}, { matcher = "Edit" }]\n'),
        ('l = [{matcher = "Edit", a = 1}, 2]\n', 'l = [{ matcher = "Edit" }, 2]\n'),
    ],
)
def test_an_array_between_brackets_stays_one(before: str, after: str | None) -> None:
    edited = toml.with_element(before, ["l"], {"matcher": "Edit"}, is_ours)

    assert edited.endswith(after or before + '\n[[l]]\nmatcher = "Edit"\n')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = 1\n= 2\n", "line 2: this is not TOML"),
        ("a = 1\na = 2", "line 2: this is not TOML"),
        ("a = 1\ns = 2\n", "line 2: a table was expected as 's'"),
        ("[[s]]\ng = 1\n", "a table was expected as 's'"),
        ("a = 1\rb = 2", "line 1: a carriage return"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem) as caught:
        toml.with_table(text, ["s", "g"], {"c": 1})

    assert caught.value.hint


def test_an_array_is_asked_for_where_something_else_is() -> None:
    with pytest.raises(InvalidArgument, match="line 2: an array was expected as 'l'"):
        toml.with_element("a = 1\nl = 2\n", ["l"], {"c": 1}, is_ours)


def test_null_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="no null"):
        toml.with_table("", ["s"], {"a": None})
