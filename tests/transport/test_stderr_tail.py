"""The end of standard error is kept, and no more."""

from hypothesis import given
from hypothesis import strategies as st

from groundwire.transport.stderr_tail import StderrTail


@given(st.lists(st.binary(max_size=300)), st.integers(min_value=1, max_value=100))
def test_whatever_is_fed_the_last_bytes_are_kept(pieces: list[bytes], kept: int):
    tail = StderrTail(kept)
    for piece in pieces:
        tail.feed(piece)
    everything = b"".join(pieces)
    assert tail.lines(10_000) == everything[-kept:].decode("utf-8", "replace").splitlines()


def test_bytes_that_are_no_text_do_not_hurt():
    tail = StderrTail()
    tail.feed(b"caf\xc3\xa9 \xff\xfe\nnext")
    assert tail.lines(2) == ["café \ufffd\ufffd", "next"]


def test_no_lines_are_given_when_none_are_asked_for():
    tail = StderrTail()
    tail.feed(b"something")
    assert tail.lines(0) == []


def test_the_last_line_is_the_last_one_that_says_anything():
    tail = StderrTail()
    assert tail.last_line() == ""
    tail.feed(b"first\n  the reason \n\n   \n")
    assert tail.last_line() == "the reason"
