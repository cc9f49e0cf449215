"""YAML texts as people leave them: comments, odd indentation, values over many lines that look like keys."""

from hypothesis import strategies as st

KEYS = ("extensions", "mcpServers", "ours", "a b", "'q: x'", '"d"', "url/x:y")
NAMES = tuple(key.strip("'\"") for key in KEYS)

_NOISE = st.sampled_from([[], [], [], [""], ["# extensions: none"], ["      # deep", ""], ["   "]])
_SCALARS = st.sampled_from(
    [
        ["1"],
        ["true # yes"],
        ["~"],
        ["it's plain#text"],
        ["http://x:1/y # there"],
        ["'quoted: ''#'"],
        ['"a \\" \\u00e9 #"'],
        ["{x: [1, 'a}'], y: 2}"],
        ["[]"],
        ["{}"],
        ["plain", "  over lines"],
        ['"over', 'extensions: lines"'],
        ["[1,", "ours: 2] # end"],
        ["|", "  ours: 1", "", "   # no comment"],
        [">-", "  folded", ""],
        ["&anchor x"],
        ["!tag", "  k: 1"],
    ]
)


def _behind(head: str, value: list[str], indent: int) -> list[str]:
    """A value in the line of its key or dash; its further lines below, indented or, inside brackets, as they are."""
    pad = " " * indent
    further = [pad + line if line.startswith("  ") else line for line in value[1:]]
    return [f"{head} {value[0]}", *further]


@st.composite
def _mapping(draw: st.DrawFn, depth: int) -> list[str]:
    lines: list[str] = []
    for key in draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True)):
        lines += draw(_NOISE)
        kind = draw(
            st.sampled_from(["scalar", "scalar", "mapping", "list", "nothing"] if depth else ["scalar", "nothing"])
        )
        if kind == "scalar":
            lines += _behind(f"{key}:", draw(_SCALARS), 0)
        elif kind == "nothing":
            lines.append(f"{key}:")
        else:
            inner = draw(_mapping(depth - 1) if kind == "mapping" else _list(depth - 1))
            pad = " " * draw(st.sampled_from([2, 4] if kind == "mapping" else [0, 2]))
            lines += [f"{key}:" + draw(st.sampled_from(["", " # why"])), *_indented(inner, pad)]
    return lines


@st.composite
def _list(draw: st.DrawFn, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(_NOISE)
        if depth and draw(st.booleans()):
            first, *rest = _without_noise(draw(_mapping(depth - 1)))
            lines += [f"- {first}", *_indented(rest, "  ")]
        else:
            lines += _behind("-", draw(_SCALARS), 0)
    return lines


def _without_noise(lines: list[str]) -> list[str]:
    while not lines[0].strip() or lines[0].lstrip().startswith("#"):
        lines = lines[1:]
    return lines


def _indented(lines: list[str], pad: str) -> list[str]:
    return [pad + line if line.strip() else line for line in lines]


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A whole file."""
    lines = [*draw(st.sampled_from([[], [], ["---"], ["# first", "--- # start"]])), *draw(_mapping(2)), *draw(_NOISE)]
    ends = ["\n", "\n\n"] if any(line.endswith("|") for line in lines) else ["", "\n", "\n\n"]
    text = "\n".join(lines) + draw(st.sampled_from(ends))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "", "\ufeff"])) + text
