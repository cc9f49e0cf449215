"""Lines that an edit left as they were and yet put elsewhere."""

import pytest

from groundwire.operations.reporting.touched import lost_names

LIBRARY = "export function keep(): number {\n  return 1;\n}\n\nexport function stay(): number {\n  return 2;\n}\n"
CLASS = "class Box:\n    def read(self):\n        return 1\n\n    def last(self):\n        return 2\n"
KEPT = "export function keep(): number {\n  return 1;\n}\n"


@pytest.mark.parametrize(
    "round_it",
    [
        "/*\n{}*/\n",
        "export namespace Inner {{\n{}}}\n",
        "/* not now\n{}*/\n",
        "#if 0\n{}#endif\n",
        '"""\n{}"""\n',
        "if (false) {{\n{}}}\n",
    ],
)
def test_what_is_put_into_something_is_lost_and_what_is_behind_it_is_not(round_it: str) -> None:
    assert lost_names(LIBRARY, LIBRARY.replace(KEPT, round_it.format(KEPT))) == {"keep"}
    assert lost_names(LIBRARY.replace(KEPT, round_it.format(KEPT)), LIBRARY) <= {"keep", "Inner"}


def test_behind_a_bracket_that_nobody_closes_everything_is_lost() -> None:
    assert lost_names(LIBRARY, LIBRARY.replace("return 1;\n}", "return 1;\n")) == {"stay"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return 1;", "return (1);"),
        ("return 1;", "return '(';"),
        ("return 1;", "return 1; // (see below"),
        ("  return 1;\n", "  if (true) {\n    return 1;\n  }\n"),
        ("keep(): number {", "keep(\n  more: number,\n): number {"),
    ],
)
def test_what_opens_and_closes_within_an_edit_displaces_nothing(old: str, new: str) -> None:
    assert lost_names(LIBRARY, LIBRARY.replace(old, new, 1)) == set()


def test_what_comes_under_the_head_of_another_class_is_lost_in_the_first() -> None:
    assert lost_names(CLASS, CLASS.replace("    def last", "class Other:\n    def last")) == {"last"}


def test_a_class_that_is_renamed_or_has_another_base_keeps_its_members() -> None:
    assert lost_names(CLASS, CLASS.replace("class Box:", "class Chest:")) == {"Box"}
    assert lost_names(CLASS, CLASS.replace("class Box:", "class Box(Base):")) == set()


def test_a_macro_is_another_when_any_of_its_lines_is() -> None:
    text = "#define TWICE(x) \\\n  ((x) + \\\n   (x))\nint other;\n"
    assert lost_names(text, text.replace("   (x))", "   (y))")) == {"TWICE"}


def test_the_whole_text_may_be_gone() -> None:
    assert lost_names(CLASS, "") == {"Box", "read", "last"}
