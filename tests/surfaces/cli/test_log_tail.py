"""The end of a log, and what is added to it."""

import io
from pathlib import Path

from groundwire.surfaces.cli.log_tail import follow, last_lines


def append(log: Path, text: str) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write(text)


def test_the_last_lines_are_shown_and_none_of_them_steers_a_terminal(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\n\x1b[2Jthree \xff\n")
    assert last_lines(log, 2) == ["two", "�[2Jthree �"]
    assert last_lines(log, 0) == []
    assert last_lines(tmp_path / "none", 5) == []


def test_what_is_added_is_shown_even_when_the_log_is_put_aside(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("old\n", "utf-8")
    shown = io.StringIO()
    steps = iter(
        [
            lambda: append(log, "more\nhal"),
            lambda: append(log, "f\n"),
            lambda: None,
            lambda: (log.rename(tmp_path / "log.1"), log.write_text("new\n", "utf-8")),
            lambda: None,
            lambda: None,
        ]
    )

    def goes_on() -> bool:
        step = next(steps, None)
        if step is not None:
            step()
        return step is not None

    follow(log, shown, goes_on)
    assert shown.getvalue() == "more\nhalf\nnew\n"
