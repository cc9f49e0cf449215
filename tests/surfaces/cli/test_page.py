"""What a stream can show."""

import io

import pytest

from groundwire.surfaces.cli.page import page_of


class Terminal(io.TextIOWrapper):
    """Somebody who looks."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_has_colours_unless_its_user_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal(io.BytesIO(), encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.delenv("NO_COLOR", raising=False)
    page = page_of(screen)
    assert (page.width, page.has_colour, page.has_unicode) == (90, True, True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not page_of(screen).has_colour


def test_a_file_has_neither_colours_nor_the_width_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    page = page_of(io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    assert (page.width, page.has_colour, page.has_unicode) == (100, False, False)
