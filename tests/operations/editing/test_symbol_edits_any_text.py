"""Whatever a text holds and whatever a server says of it, an edit of a symbol is made or refused."""

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.editing.body_edits import replace_body
from groundwire.operations.editing.deletions import delete
from groundwire.operations.editing.insertions import insert_after, insert_before
from groundwire.operations.editing.symbol_change import SymbolChange
from groundwire.operations.editing.symbol_spans import Located, SymbolText
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntaxes import SYNTAXES, syntax_of
from groundwire.protocol.lsp_answers import DocumentSymbol
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import symbol_tree

PIECES = (
    "def f(a):", "fn f", "f", "class C", "{", "}", "(", ")", "[", "]", "\n", "\n    ", "\r\n", " ", "=", "=>", ";", ",",
    ":", "#", "//", "/*", "*/", '"', "'", "`", "@a", "#[a]", "return 1", "end", "do", "<", ">", "😀", "\t",
    "const ", "\\",
)  # fmt: skip

ACTS: tuple[Callable[[Located, str], SymbolChange], ...] = (
    replace_body,
    insert_before,
    insert_after,
    lambda at, _: delete(at),
)

texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@given(texts, texts, st.data(), st.sampled_from([*sorted(SYNTAXES), "unknown"]), st.sampled_from(ACTS))
def test_an_edit_is_made_or_refused(
    text: str, code: str, data: st.DataObject, language: str, act: Callable[[Located, str], SymbolChange]
) -> None:
    lines, symbols = Lines(text), list[DocumentSymbol]()
    for _ in range(2):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        name = data.draw(st.integers(start, end))
        whole, selection = lines.range(start, end, "utf-16"), lines.range(name, min(name + 1, end), "utf-16")
        symbols.append(DocumentSymbol("f", data.draw(st.sampled_from([5, 6, 12, 13, 14, 22])), whole, selection))
    tree = symbol_tree(symbols)
    try:
        change = act(SymbolText(Masked(text, syntax_of(language)), tree, "utf-16").locate(tree[0]), code)
    except (EditConflict, InvalidArgument):
        return
    pieces = sorted(change.pieces)
    assert all(0 <= piece.start <= piece.end <= len(text) for piece in pieces)
    assert all(one.end <= other.start for one, other in pairwise(pieces))
