"""Inserting beside symbols and deleting them: blank lines, line endings, lists, the ends of a text."""

from collections.abc import Callable

import pytest

from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.editing.deletions import delete
from groundwire.operations.editing.insertions import insert_after, insert_before
from groundwire.operations.editing.symbol_change import SymbolChange
from groundwire.operations.editing.symbol_spans import Located
from tests.operations.symbols_in_text import Spot, located

PYTHON = '''import os


# One.
@first
def one():
    return 1


def two():
    return 2


class C:
    """A class."""

    a = 1
    b = 2

    def m(self):
        pass

    def n(self):
        pass
'''


def python(dotted: str, text: str = PYTHON) -> Located:
    newline = "\r\n" if "\r\n" in text else "\n"

    def whole(written: str) -> str:
        return written.replace("\n", newline)

    methods = (
        Spot("a", "a = 1", 13),
        Spot("b", "b = 2", 13),
        Spot("m", whole("def m(self):\n        pass"), 6),
        Spot("n", whole("def n(self):\n        pass"), 6),
    )
    return located(
        text,
        "python",
        dotted,
        Spot("one", whole("def one():\n    return 1")),
        Spot("two", whole("def two():\n    return 2")),
        Spot("C", text[text.index("class C") :].rstrip(), 5, methods),
    )


def test_what_is_put_before_a_symbol_stands_above_its_comments_and_decorators() -> None:
    new = insert_before(python("one"), "def zero():\n    return 0\n").applied_to(PYTHON)
    assert new == PYTHON.replace("# One.", "def zero():\n    return 0\n\n\n# One.")


def test_what_is_put_after_a_symbol_keeps_as_far_from_it_as_others_do() -> None:
    new = insert_after(python("one"), "def zero():\n    return 0").applied_to(PYTHON)
    assert new == PYTHON.replace("return 1\n", "return 1\n\n\ndef zero():\n    return 0\n")


def test_members_keep_the_indentation_and_the_gap_of_members() -> None:
    new = insert_after(python("C.m"), "def x(self):\n    pass").applied_to(PYTHON)
    method = "    def m(self):\n        pass\n"
    assert new == PYTHON.replace(method, f"{method}\n    def x(self):\n        pass\n")


def test_a_line_among_lines_gets_no_blank_line() -> None:
    assert insert_after(python("C.a"), "x = 3").applied_to(PYTHON) == PYTHON.replace("a = 1\n", "a = 1\n    x = 3\n")
    assert insert_before(python("C.a"), "x = 3").applied_to(PYTHON) == PYTHON.replace(
        "    a = 1", "    x = 3\n    a = 1"
    )


def test_a_function_among_lines_is_set_apart_on_both_sides() -> None:
    new = insert_before(python("C.b"), "def x(self):\n    pass").applied_to(PYTHON)
    assert new == PYTHON.replace("    b = 2", "\n    def x(self):\n        pass\n\n    b = 2")


def test_the_last_line_may_lack_its_ending() -> None:
    text = PYTHON.rstrip()
    assert insert_after(python("C", text), "x = 1").applied_to(text) == f"{text}\n\n\nx = 1"
    assert insert_after(python("C.n", text), "def x(self): ...").applied_to(text) == f"{text}\n\n    def x(self): ..."
    assert delete(python("C.n", text)).applied_to(text) == text[: text.index("    def n")].rstrip()


def test_windows_line_endings_change_nothing() -> None:
    text = PYTHON.replace("\n", "\r\n")
    acts: list[Callable[[Located], SymbolChange]] = [
        delete,
        lambda at: insert_before(at, "x = 1"),
        lambda at: insert_after(at, "x = 1"),
    ]
    for act in acts:
        for name in ("one", "two", "C.m", "C.n", "C.a"):
            change, plain = act(python(name, text)), act(python(name))
            pieces = change._replace(pieces=tuple(p._replace(text=p.text.replace("\n", "\r\n")) for p in change.pieces))
            assert pieces.applied_to(text) == plain.applied_to(PYTHON).replace("\n", "\r\n")


def test_blank_lines_are_not_doubled() -> None:
    assert delete(python("two")).applied_to(PYTHON) == PYTHON.replace("def two():\n    return 2\n\n\n", "")
    assert delete(python("one")).applied_to(PYTHON) == "import os\n\n\n" + PYTHON[PYTHON.index("def two") :]
    assert delete(python("C.n")).applied_to(PYTHON) == PYTHON.removesuffix("\n    def n(self):\n        pass\n")
    assert delete(python("C")).applied_to(PYTHON) == PYTHON[: PYTHON.index("\n\nclass C")]


def test_the_only_symbol_of_a_text_leaves_nothing() -> None:
    text = "# One.\ndef one():\n    pass\n"
    assert delete(located(text, "python", "one", Spot("one", "def one():\n    pass"))).applied_to(text) == ""


def test_what_belongs_to_the_file_stays() -> None:
    text = "#!/usr/bin/env python\n# coding: utf-8\n# Mine.\ndef one():\n    pass\n"
    new = delete(located(text, "python", "one", Spot("one", "def one():\n    pass"))).applied_to(text)
    assert new == "#!/usr/bin/env python\n# coding: utf-8\n"
    rust = "//! The crate.\nfn one() {}\n"
    assert delete(located(rust, "rust", "one", Spot("one", "fn one() {}"))).applied_to(rust) == "//! The crate.\n"
    c = "#if A\nint one() { return 1; }\n#endif\n"
    kept = delete(located(c, "c", "one", Spot("one", "int one() { return 1; }"))).applied_to(c)
    assert kept == "#if A\n#endif\n"


def test_another_function_with_an_annotation_on_its_line_is_no_decorator() -> None:
    text = "class C {\n    @A int one() { return 1; }\n    int two() { return 2; }\n}\n"
    spots = (Spot("one", "@A int one() { return 1; }", 6), Spot("two", "int two() { return 2; }", 6))
    at = located(text, "java", "C.two", Spot("C", text.strip(), 5, spots))
    assert delete(at).applied_to(text) == "class C {\n    @A int one() { return 1; }\n}\n"


ENUM = "enum E {\n  A, // a\n  B = 2,\n  C\n};\n"


def member(name: str, text: str = ENUM, language: str = "cpp") -> Located:
    members = (Spot("A", "A", 22), Spot("B", "B = 2" if "B = 2" in text else "B", 22), Spot("C", "C", 22))
    return located(text, language, f"E.{name}", Spot("E", text.strip().removesuffix(";"), 10, members))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A", "enum E {\n  B = 2,\n  C\n};\n"),
        ("B", "enum E {\n  A, // a\n  C\n};\n"),
        ("C", "enum E {\n  A, // a\n  B = 2\n};\n"),
    ],
)
def test_a_member_of_an_enum_goes_with_its_comma(name: str, expected: str) -> None:
    assert delete(member(name)).applied_to(ENUM) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("A", "enum E { B, C };\n"), ("B", "enum E { A, C };\n"), ("C", "enum E { A, B };\n")],
)
def test_a_member_on_a_line_with_others_goes_with_its_comma(name: str, expected: str) -> None:
    text = "enum E { A, B, C };\n"
    assert delete(member(name, text)).applied_to(text) == expected


def test_members_that_count_on_are_mentioned() -> None:
    text = "enum E { A, B, C };\n"
    assert "no value of their own" in delete(member("A", text)).notes[0]
    assert delete(member("C", text)).notes == ()
    assert delete(member("A")).notes == ()


def test_a_member_is_inserted_with_the_commas_that_it_needs() -> None:
    assert insert_after(member("C"), "D = 4,").applied_to(ENUM) == ENUM.replace("  C\n", "  C,\n  D = 4\n")
    assert insert_after(member("A"), "D").applied_to(ENUM) == ENUM.replace("// a\n", "// a\n  D,\n")
    assert insert_before(member("C"), "D").applied_to(ENUM) == ENUM.replace("  C", "  D,\n  C")


@pytest.mark.parametrize(
    ("text", "whole"),
    [("x = y = 0\n", "x = y = 0"), ("x, y = 1, 2\n", "x"), ("x = 1; y = 2\n", "x = 1"), ("z = 1; x = 2\n", "x = 2")],
)
def test_what_is_assigned_together_is_not_deleted(text: str, whole: str) -> None:
    with pytest.raises(EditConflict, match="nothing was deleted"):
        delete(located(text, "python", "x", Spot("x", whole, 13)))


@pytest.mark.parametrize(
    "text",
    ["for x in y:\n    z()\n", "with a() as x:\n    z()\n", "try:\n    y()\nexcept E as x:\n    z()\n", "y(x := 1)\n"],
)
def test_a_variable_of_a_larger_statement_is_not_deleted(text: str) -> None:
    with pytest.raises(EditConflict, match="nothing was deleted"):
        delete(located(text, "python", "x", Spot("x", "x", 13)))


def test_nothing_is_put_beside_what_shares_its_line() -> None:
    text = "int a; int b;\n"
    spots = (Spot("a", "int a", 13), Spot("b", "int b", 13))
    for name in ("a", "b"):
        for act in (insert_before, insert_after):
            with pytest.raises(EditConflict, match="shares its line"):
                act(located(text, "cpp", name, *spots), "int c;")


@pytest.mark.parametrize("code", ["", " \n", "def x(:\n"])
def test_code_that_is_none_is_refused(code: str) -> None:
    with pytest.raises(InvalidArgument):
        insert_after(python("one"), code)


def test_a_block_that_is_no_class_is_kept_alive_too() -> None:
    text = "if a:\n    def one():\n        pass\nelse:\n    b()\n"
    at = located(text, "python", "one", Spot("one", "def one():\n        pass"))
    assert delete(at).applied_to(text) == "if a:\n    pass\nelse:\n    b()\n"


def test_a_server_that_contradicts_the_text_is_not_believed() -> None:
    text = "def one():\n    pass\ndef two():\n    pass\n"
    with pytest.raises(EditConflict, match="cannot be told"):
        located(text, "python", "one", Spot("one", "def one():\n    pass\ndef two():\n    pass"))
