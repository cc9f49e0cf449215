"""Answers on a terminal: colours only there, and nothing that could steer it."""

import io
import re

import pytest

from groundwire.surfaces.cli.answer_screen import on_screen

TEXT = (
    "2 references in 1 file (confirmed by ty)\n"
    "src/a.py\n"
    "  4:5  def total(x):\n"
    "  src/b.py:30:5  function total\n"
    "+7 more results (offset 2)\n"
    "Next: callers for the functions that call it."
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def wants_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


def test_a_program_gets_the_text_as_it_is() -> None:
    assert on_screen(f"{TEXT}\x1b[2J", io.StringIO()) == f"{TEXT}\x1b[2J"


def test_on_a_terminal_only_colours_are_added() -> None:
    shown = on_screen(TEXT, Terminal())
    assert plain(shown) == TEXT
    lines = shown.split("\n")
    assert lines[0] == "\x1b[1m2 references in 1 file \x1b[0m\x1b[32m(confirmed by ty)\x1b[0m"
    assert lines[2] == "  \x1b[36m4:5\x1b[0m  def total(x):"
    assert lines[3] == "  \x1b[36msrc/b.py:30:5\x1b[0m  function total"


def test_what_is_not_proven_stands_out() -> None:
    assert on_screen("References: not known: ty is starting", Terminal()).startswith("\x1b[33m")
    assert on_screen("At least 1 reference in 1 file; whether", Terminal()).startswith("\x1b[33m")


def test_no_colour_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert on_screen(TEXT, Terminal()) == TEXT


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_source_cannot_steer_the_terminal(no_colour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", no_colour)
    shown = plain(on_screen("1 symbol\n  1:1  x = '\x1b]0;owned\x07\x9b2J\u202e'\tend", Terminal()))
    assert shown == "1 symbol\n  1:1  x = ']0;owned2J'\tend"
