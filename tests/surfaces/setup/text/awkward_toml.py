"""TOML texts as people leave them: headers inside strings, dotted and quoted keys, tables inline and in pieces."""

import tomllib

from hypothesis import strategies as st

_TOP = [
    "a = 1",
    "# [mcp_servers.ours]",
    "",
    "mcp_servers = {}",
    "mcp_servers = { }",
    'mcp_servers = { x = { command = "}" } } # inline',
    'mcp_servers = { ours.command = "old", "x" = {a=[1,2]} }',
    'mcp_servers.x.command = "y"',
    '"mcp_servers".ours.env.KEY = "1"',
    's = """\n[mcp_servers.ours]\na\\"""""\n"""""',
    "l = '''a\n# [[hooks.Post]]'''''",
    'arr = [\n  1, # one ]\n  "[x]", [ 2, ],\n]',
    "hooks = { Post = [] }",
    'hooks.Post = [{ command = "z" }]',
    'hooks.Post = [\n\t{ command = "z" }, # first\n]',
    "day = 1979-05-27 07:32:00 # then",
    "f = nan",
    'q = "a # b \\" ] \\\\"',
]
_HEADERS = [
    "[mcp_servers]",
    "[mcp_servers.x]",
    '[ mcp_servers . "x y" ] # quoted',
    "  ['mcp_servers'.z]",
    "[mcp_servers.ours]",
    "[mcp_servers.ours.env]",
    "[[hooks.Post]]",
    "[[hooks.Post.hooks]]",
    "[hooks]",
    "[tui]",
]
_BODY = [
    'command = "x" # [tui]',
    'Post = [ { command = "z" }, ]',
    "x.y = 1",
    "",
    "# about the next",
    'ours = { command = "q" }',
    'ours.command = "r"',
    "  indented = true",
]


@st.composite
def _candidates(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.sampled_from(_TOP), max_size=4))
    for header in draw(st.lists(st.sampled_from(_HEADERS), max_size=4)):
        lines += [header, *draw(st.lists(st.sampled_from(_BODY), max_size=3))]
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "", "\ufeff"])) + text


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return False
    return True


def documents() -> st.SearchStrategy[str]:
    """Whole files, all of them valid."""
    return _candidates().filter(_is_toml)
