"""Where the text of a file does not tell what others have of it."""

from pathlib import Path

import pytest

from groundwire.operations.reporting.unclear import why_unclear

TEXT = """class Box:
    def put(self, what):
        if what:  # a comment
            warn(
                "text",
                stacklevel=4,
            )
        return {
            "one":
            1,
        }

    size = 1 \\
        + 2


def last(): return 1
"""
FILE = Path("box.py")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('            warn(\n                "text",\n', '                "text",\n            warn(\n'),
        ("        if what:  # a comment\n", ""),
        ("        return {", "      return {"),
        ("    def put(self, what):\n", "    def put(self, what):\n    other = 1\n"),
        ("    size = 1", "      size = 1"),
    ],
)
def test_lines_that_are_indented_as_nothing_allows_leave_it_open_what_others_have(old: str, new: str):
    other = TEXT.replace(old, new, 1)
    assert other != TEXT
    for before, after in ((TEXT, other), (other, TEXT)):
        assert why_unclear(FILE, before, after).startswith("the lines of box.py are indented")
    assert why_unclear(FILE.with_suffix(".ts"), TEXT, other) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size = 1", "size = 2"),
        ('            "one":\n            1,\n', '            "one":\n                1,\n'),
        ("                stacklevel=4,\n", "                stacklevel=4\n                  + 5,\n"),
        ("    def put", "    # a comment\n    def put"),
        ("        if what:  # a comment\n", "        while what:\n"),
        ("def last(): return 1\n", "def last[T](x: T) -> T:\n    type Y = T\n    return x\n"),
        ("def last(): return 1\n", ""),
        (TEXT, ""),
    ],
)
def test_what_is_written_as_usual_is_clear(old: str, new: str):
    other = TEXT.replace(old, new, 1)
    assert other != TEXT
    assert why_unclear(FILE, TEXT, other) == why_unclear(FILE, other, TEXT) == ""


def test_a_file_that_comes_or_goes_by_the_name_of_a_module_of_the_language_may_be_taken_for_it(tmp_path: Path):
    for before, after in (("", TEXT), (TEXT, None)):
        assert why_unclear(tmp_path / "typing.py", before, after).startswith("typing is a module of the language")
        assert why_unclear(tmp_path / "box.py", before, after) == ""
    (tmp_path / "__init__.py").touch()
    assert why_unclear(tmp_path / "typing.py", "", TEXT) == ""
