"""How an installation looks: one line on a terminal, plain lines elsewhere."""

import io
from pathlib import Path

import pytest

from groundwire.surfaces.cli.install_screen import Progress, short, table


class Terminal(io.StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_one_line_is_written_again_and_again_and_the_last_one_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    screen = Terminal()
    progress = Progress(screen, "toy 1.2")
    progress("building", "")
    progress("building", "\x1b[31mCompiling something with a very long name")
    progress.done("installed")
    first, second, last = screen.getvalue().split("\r\x1b[K")[1:]
    assert first == "toy 1.2: building … 0 s"
    assert second.startswith("toy 1.2: building … 0 s  [31mCompiling")
    assert len(second) == 39
    assert last.startswith("toy 1.2: installed in 0.")
    assert last.endswith(" s\n")
    assert "\n" not in first + second


def test_elsewhere_each_step_is_a_line_however_often_it_is_told() -> None:
    stream = io.StringIO()
    progress = Progress(stream, "toy")
    for step in ("fetching", "fetching", "trying"):
        progress(step, "noise")
    assert stream.getvalue() == "toy: fetching\ntoy: trying\n"


def test_what_failed_before_its_first_step_took_no_time() -> None:
    stream = io.StringIO()
    Progress(stream, "toy").done("failed")
    assert stream.getvalue() == "toy: failed\n"


def test_a_table_has_colours_only_on_a_terminal_that_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    rows = [("toy", "failed"), ("longer", "present")]
    plain = "ID      STATE\ntoy     failed\nlonger  present"
    assert table(("ID", "STATE"), rows, io.StringIO()) == plain
    assert "\x1b[31mtoy     failed\x1b[0m\nlonger  present" in table(("ID", "STATE"), rows, Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert table(("ID", "STATE"), rows, Terminal()) == plain


def test_a_path_in_the_home_directory_is_shown_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert short(Path("/home/me/x/y")) == "~/x/y"
    assert short(Path("/home/you/x")) == "/home/you/x"
