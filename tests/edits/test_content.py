"""Bytes and texts: the text that servers are told, written back with everything the edit did not touch as it was."""

import codecs
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.client.disk import read_source
from groundwire.edits.content import FileContent, decode
from groundwire.errors import EditConflict, NotAFile

WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
bytes_of_files = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")),
    st.text(max_size=40).map(lambda text: codecs.BOM_UTF8 + text.encode("utf-8", "replace")),
    st.text(st.characters(max_codepoint=255), max_size=40).map(lambda text: text.encode("latin-1")),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bytes_of_files)
def test_the_text_is_the_one_that_servers_are_told(tmp_path: Path, data: bytes):
    file = tmp_path / "a"
    file.write_bytes(data)
    try:
        told = read_source(file, 1000)
    except NotAFile:
        if not data.startswith(WIDE_MARKS):
            with pytest.raises(NotAFile, match="binary"):
                decode(data, "a")
        return
    if not data.startswith(WIDE_MARKS):
        assert decode(data, "a").text == told


@given(bytes_of_files)
def test_an_unchanged_text_gives_the_same_bytes(data: bytes):
    try:
        content = decode(data, "a")
    except NotAFile:
        return
    assert content.encode(content.text, "a") == data


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-32-be", codecs.BOM_UTF32_BE),
    ],
)
def test_mark_and_encoding_are_kept(encoding: str, mark: bytes):
    content = decode(mark + "é😀\r\n".encode(encoding), "a")
    assert (content.text, content.encoding, content.mark) == ("é😀\r\n", encoding, mark)
    assert content.encode("ö😀", "a") == mark + "ö😀".encode(encoding)


@pytest.mark.parametrize("data", [b"\0", b"text\0text", codecs.BOM_UTF8 + b"\0", codecs.BOM_UTF16_LE + b"a"])
def test_what_is_no_text_is_refused(data: bytes):
    with pytest.raises(NotAFile, match=r"a\.bin"):
        decode(data, "a.bin")


def test_a_character_that_cannot_be_written_is_refused_and_never_replaced():
    with pytest.raises(EditConflict, match=r"a\.py is written in utf-8, which has no \\ud800"):
        FileContent("").encode("\ud800", "a.py")
    with pytest.raises(EditConflict, match=r"latin-1, which has no \\u20ac"):
        decode("# coding: latin-1\né".encode("latin-1"), "a.py").encode("€", "a.py")


def test_a_file_that_says_it_is_latin_1_takes_every_character_of_it():
    for declaration in ("# -*- coding: iso-8859-1 -*-", '<?xml version="1.0" encoding="ISO-8859-1"?>', "# coding=l1"):
        content = decode(f"{declaration}\né".encode("latin-1"), "a")
        assert content.encode("ü", "a") == b"\xfc"


@pytest.mark.parametrize("declaration", ["", "# coding: cp1252\n", "# coding: nonsense\n", "# coding: utf-8\n"])
def test_of_a_file_in_an_unknown_encoding_only_what_was_there_can_be_written_again(declaration: str):
    content = decode(declaration.encode() + b"x = '\x93caf\xe9\x94'\n", "a.py")
    same = content.text.replace("x", "renamed") + content.text
    assert content.encode(same, "a.py") == same.encode("latin-1")
    with pytest.raises(EditConflict, match=r"neither UTF-8 nor says what else.*'ü'") as refused:
        content.encode(content.text + "ü", "a.py")
    assert "ASCII" in refused.value.hint


@pytest.mark.parametrize(
    ("text", "inserted", "expected"),
    [
        ("a\r\nb\r\n", "1\n2\r\n3\r4", "1\r\n2\r\n3\r\n4"),
        ("a\nb", "1\r\n2\n", "1\n2\n"),
        ("a\rb\r", "1\n2", "1\r2"),
        ("a", "1\r\n2\n", "1\r\n2\n"),
        ("a\r\nb\r\nc\n", "1\n2\r3\r\n", "1\r\n2\r3\r\n"),
        ("a\nb\nc\r\n", "1\n2\r\n", "1\n2\r\n"),
        ("a\rb\rc\n", "1\n2", "1\r2"),
    ],
)
def test_inserted_text_gets_the_line_endings_of_the_file(text: str, inserted: str, expected: str):
    assert FileContent(text).with_our_endings(inserted) == expected
