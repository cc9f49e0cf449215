"""The sites of a rename, and what is at a place: pure, over any text."""

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.operations.editing.rename_preparing import word_around
from groundwire.operations.editing.rename_sites import sites_in
from groundwire.protocol.edits import apply_text_edits
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_edits import StringValue, TextEdit
from groundwire.protocol.positions import Lines, PositionEncoding

ENCODINGS: Sequence[PositionEncoding] = ("utf-8", "utf-16", "utf-32")


def renames(text: str, old: str, new: str, encoding: PositionEncoding) -> list[TextEdit]:
    lines, edits, at = Lines(text), list[TextEdit](), text.find(old)
    while at >= 0:
        edits.append(TextEdit(lines.range(at, at + len(old), encoding), new))
        at = text.find(old, at + len(old))
    return edits


@given(
    st.lists(st.sampled_from(["漢", "😀", "é", "x", " ", "NAME", "\n", "\r\n"]), max_size=30).map("".join),
    st.sampled_from(ENCODINGS),
)
def test_every_edit_is_a_site_with_its_line_before_and_after(text: str, encoding: PositionEncoding) -> None:
    edits = renames(text, "NAME", "other", encoding)
    sites = list(sites_in("a", text, edits[::-1], encoding))
    before, after = Lines(text), Lines(apply_text_edits(text, edits, encoding))
    assert len(sites) == len(edits)
    for site in sites:
        assert before.line(site.line - 1)[site.column - 1 :].startswith("NAME")
        assert (site.before, site.after) == (before.line(site.line - 1).strip(), after.line(site.line - 1).strip())


def test_an_edit_over_several_lines_shows_the_first() -> None:
    edit = TextEdit(Range(Position(0, 2), Position(1, 1)), "Z")
    assert [(site.before, site.after) for site in sites_in("a", "abcd\nefg\n", [edit], "utf-16")] == [("abcd", "abZ")]


def test_a_snippet_is_shown_as_plain_text() -> None:
    edit = msgspec.structs.replace(
        TextEdit(Range(Position(0, 0), Position(0, 1)), ""), snippet=StringValue("snippet", "${1:new}"), new_text=None
    )
    assert [site.after for site in sites_in("a", "x = 1\n", [edit], "utf-16")] == ["new = 1"]


@pytest.mark.parametrize(
    ("character", "word"), [(0, "😀"), (3, "name"), (5, "name"), (7, "name"), (8, None), (100, None)]
)
def test_the_word_around_a_position(character: int, word: str | None) -> None:
    lines = Lines("😀 name; ")
    found = word_around(lines, Position(0, character), "utf-16")
    is_word = word is not None and word.isidentifier()
    assert (found is not None) == is_word
    if found is not None:
        assert lines.text[lines.offset(found.start, "utf-16") : lines.offset(found.end, "utf-16")] == word


def test_behind_the_last_line_is_no_word() -> None:
    assert word_around(Lines("name"), Position(7, 0), "utf-16") is None
