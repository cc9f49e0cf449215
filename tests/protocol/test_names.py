"""Names that are no text: how they are shown, and how what is shown leads back."""

import os

from hypothesis import given
from hypothesis import strategies as st

from groundwire.protocol.names import is_text, meant, shown, shown_within

ODD = os.fsdecode(b"bad\xff.py")


def test_bytes_that_are_no_utf_8_are_shown_as_their_numbers_and_all_else_as_it_is() -> None:
    assert shown(ODD) == r"bad\xff.py"
    assert shown("größe 日本.py") == "größe 日本.py"
    assert shown("half \ud83d of one") == r"half \ud83d of one"


def test_a_name_is_text_when_utf_8_can_write_it() -> None:
    assert is_text("a.py")
    assert is_text("größe.py")
    assert not is_text(ODD)


@given(st.binary(max_size=20))
def test_whatever_is_shown_can_be_written_and_leads_back_to_the_name(name: bytes) -> None:
    text = name.replace(b"\\", b"").decode("utf-8", "surrogateescape")
    assert shown(text).encode().decode() == shown(text)
    assert meant(shown(text)) == text


def test_what_looks_like_no_byte_of_a_name_is_left_alone() -> None:
    assert meant(r"a\x41\n\xfg.py") == r"a\x41\n\xfg.py"


def test_bytes_that_are_characters_together_are_those_characters() -> None:
    assert meant(r"caf\xc3\xa9") == "café"


def test_names_are_shown_wherever_they_are_within_a_value() -> None:
    value = {"files": [{"file": ODD, "lines": (1, ODD)}], ODD: None, "status": "ok", "ms": 1.5}
    odd = r"bad\xff.py"
    assert shown_within(value) == {"files": [{"file": odd, "lines": [1, odd]}], odd: None, "status": "ok", "ms": 1.5}
