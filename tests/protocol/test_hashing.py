"""Content hashes: the same for the same bytes, however they are held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import errors
from groundwire.protocol.hashing import content_hash


@given(st.binary())
def test_a_text_and_its_bytes_have_one_hash(content: bytes):
    assert content_hash(content.decode("utf-8", "surrogateescape")) == content_hash(content)


def test_the_hash_is_sixteen_bytes_in_hex_and_stays_the_same():
    assert content_hash("") == "cae66941d9efbd404e4d88758ea67670"
    assert content_hash("a") != content_hash("b")


def test_a_text_that_cannot_be_written_is_refused():
    with pytest.raises(errors.InvalidArgument):
        content_hash("\ud800")
