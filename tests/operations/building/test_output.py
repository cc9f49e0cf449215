"""What a program prints is kept within bounds, its beginning and its end above all."""

from groundwire.operations.building.model import as_it_is
from groundwire.operations.building.output import Output, head_and_tail

MEGABYTE = 1024 * 1024


def test_a_long_text_keeps_its_head_and_its_tail_and_says_how_much_is_left_out() -> None:
    lines = [f"line {number}" for number in range(10_000)]
    text, cut = head_and_tail("\n".join(lines), head=100, tail=100)
    assert text.startswith("line 0\nline 1\n")
    assert text.endswith("line 9998\nline 9999")
    assert f"… {cut:,} characters left out …" in text
    assert len(text) < 300


def test_a_short_text_is_left_as_it_is() -> None:
    assert head_and_tail("one\ntwo\n") == ("one\ntwo", 0)


def test_memory_is_bounded_and_the_end_is_still_known() -> None:
    output = Output(as_it_is)
    for _ in range(40):
        output.add_stdout(b"x" * (MEGABYTE - 1) + b"\n")
    output.add_stderr(b"the end\n")
    assert output.is_cut
    assert len(output.text()) < 17 * MEGABYTE
    assert output.text().endswith("the end\n")


def test_what_a_terminal_would_obey_is_gone_and_both_outputs_are_told_apart() -> None:
    output = Output(as_it_is)
    output.add_stdout(b"\x1b[31mred\x1b[0m\r\n")
    output.add_stderr(b"aside\n")
    assert (output.stdout(), output.text()) == ("red\n", "red\naside\n")


def test_the_last_line_is_that_which_means_something_to_people() -> None:
    output = Output(lambda line: "" if line.startswith("{") else line)
    output.add_stdout(b"compiling\n{}\n\n")
    assert output.last_line() == "compiling"
    output.add_stdout(b"{}\n")
    assert output.last_line() == "compiling"
