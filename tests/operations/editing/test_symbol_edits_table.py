"""Bodies replaced and symbols deleted, over the table of awkward functions: the result parses, nothing else changes.

Python is parsed here. Of the other languages the brackets are counted here; ``tests/real/test_symbol_edits.py`` puts
the results to their own compilers.
"""

import ast

import pytest

from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.editing.body_edits import replace_body
from groundwire.operations.editing.deletions import delete
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntaxes import syntax_of
from tests.operations.awkward_functions import Source, cases, new_bodies, sources, tags

TYPE_PARAMETERS = "[T: (int, str)]"
"""Not known to every Python that runs these tests."""


def require_parsed(source: Source, text: str) -> None:
    if source.language == "python":
        ast.parse(text.replace(TYPE_PARAMETERS, ""))
    assert Masked(text, syntax_of(source.language)).is_balanced


def changed_part(old: str, new: str) -> tuple[int, int]:
    """The part of the old text that is not in the new one."""
    start = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(new))
    limit = min(len(old), len(new)) - start
    behind = next((count for count in range(limit) if old[-1 - count] != new[-1 - count]), limit)
    return start, len(old) - behind


def own_lines(source: Source, key: str) -> tuple[int, int]:
    """The first and the last line of the symbol, as the tags and the server know them."""
    own = source.symbol(key).range
    lines = source.text.split("\n")
    tagged = {number for number, line in enumerate(lines) if key in {tag[3:] for tag in tags(line)}}
    # One server begins a member of an enum with the comment behind the one before it.
    is_behind_other = bool(lines[own.start.line][: own.start.character].rstrip().endswith(","))
    return min(tagged | {own.start.line + is_behind_other}), max(tagged | {own.end.line})


def require_only_own_lines(source: Source, key: str, new: str) -> None:
    """What changed lies in the lines of the symbol."""
    begin, end = own_lines(source, key)
    first, last = changed_part(source.text, new)
    assert begin <= source.text.count("\n", 0, first)
    assert source.text.count("\n", 0, last) <= end


def code_lines(text: str) -> list[str]:
    """Lines that are not blank, without the mark they end with: a list without its last item ends with another."""
    return [line.rstrip(" ,;") for line in text.split("\n") if line.strip() not in ("", "pass")]


def test_the_table_has_over_forty_functions_in_six_languages() -> None:
    functions = {(sources()[server].language, key) for server, key in cases("in")}
    assert len({language for language, _ in functions}) == 6
    assert len(functions) >= 40


@pytest.mark.parametrize("is_long", [False, True], ids=["one line", "several lines"])
@pytest.mark.parametrize(("server", "key"), cases("in"))
def test_a_body_is_replaced_and_nothing_else(server: str, key: str, *, is_long: bool) -> None:
    source = sources()[server]
    body = new_bodies(source.language, key)[is_long]
    change = replace_body(source.locate(key), body)
    new = change.applied_to(source.text)
    require_parsed(source, new)
    require_only_own_lines(source, key, new)
    assert change.notes == ()
    assert tags(new) == {tag: count for tag, count in tags(source.text).items() if tag != f"in:{key}"}
    assert all(line.strip() in new for line in body.split("\n"))


@pytest.mark.parametrize("form", ["{%s}", "{\n%s\n}", "\n        %s\n\n"])
@pytest.mark.parametrize(("server", "key"), [each for each in cases("in") if each[0] in ("gopls", "clangd", "jdtls")])
def test_a_body_may_come_with_its_braces(server: str, key: str, form: str) -> None:
    source = sources()[server]
    body = new_bodies(source.language, key)[0]
    plain = replace_body(source.locate(key), body).applied_to(source.text)
    assert replace_body(source.locate(key), form % body).applied_to(source.text) == plain


DELETED = [each for each in cases("in", "of") if each != ("gopls", "Zero")]


@pytest.mark.parametrize(("server", "key"), DELETED)
def test_a_symbol_is_deleted_with_all_that_is_its_own(server: str, key: str) -> None:
    source = sources()[server]
    new = delete(source.locate(key)).applied_to(source.text)
    require_parsed(source, new)
    begin, end = own_lines(source, key)
    lines = source.text.split("\n")
    assert code_lines(new) == code_lines("\n".join([*lines[:begin], *lines[end + 1 :]]))


@pytest.mark.parametrize(("server", "key"), DELETED)
def test_no_hole_is_left(server: str, key: str) -> None:
    source = sources()[server]
    new = delete(source.locate(key)).applied_to(source.text)
    most = 3 if source.language == "python" else 2
    assert "\n" * (most + 1) not in new
    assert new.endswith("\n")
    assert not new.endswith("\n\n")
    assert "{\n\n" not in new.replace("public abstract class", "") or "{\n\n" in source.text


def test_a_value_that_others_repeat_is_not_deleted() -> None:
    with pytest.raises(EditConflict, match="repeat its value"):
        delete(sources()["gopls"].locate("Zero"))


TOGETHER = [
    ("gopls", "left"),
    ("gopls", "right"),
    ("gopls", "Store.x"),
    ("gopls", "Store.y"),
    ("clangd", "left"),
    ("clangd", "right"),
]


@pytest.mark.parametrize(("server", "key"), TOGETHER)
def test_what_is_declared_together_is_not_deleted(server: str, key: str) -> None:
    with pytest.raises(EditConflict, match="declared together"):
        delete(sources()[server].locate(key))


def test_one_of_several_in_a_declaration_is_deleted_where_it_stands_for_itself() -> None:
    source = sources()["typescript-language-server"]
    first = delete(source.locate("first")).applied_to(source.text)
    assert "\nconst second = (a: number) => a + first;\n" in first
    second = delete(source.locate("second")).applied_to(source.text)
    assert "\nconst first = 1;\n" in second


@pytest.mark.parametrize("key", ["plain.a", "long_signature.first", "long_signature.rest"])
def test_a_parameter_is_not_deleted(key: str) -> None:
    with pytest.raises(EditConflict, match="within brackets"):
        delete(sources()["pyright"].locate(key))


BODILESS = [
    ("pyright", "LIMITS"),
    ("pyright", "plain.a"),
    ("ty", "Holder.size"),
    ("typescript-language-server", "Shape"),
    ("typescript-language-server", "loaded[1]"),
    ("typescript-language-server", "Holder.names"),
    ("typescript-language-server", "Holder.missing"),
    ("typescript-language-server", "first"),
    ("typescript-language-server", "Colour.Green"),
    ("gopls", "Shape.Area"),
    ("gopls", "Alias"),
    ("gopls", "left"),
    ("rust-analyzer", "Tuple"),
    ("rust-analyzer", "Shape.area"),
    ("rust-analyzer", "Store.items"),
    ("rust-analyzer", "LIMIT"),
    ("clangd", "declared"),
    ("clangd", "Base::pure"),
    ("clangd", "Base::~Base"),
    ("clangd", "Holder::Holder[2]"),
    ("clangd", "Holder::size"),
    ("jdtls", "missing"),
    ("jdtls", "NUMBERS"),
    ("jdtls", "Shape.area"),
    ("jdtls", "GREEN"),
]


@pytest.mark.parametrize(("server", "key"), BODILESS)
def test_what_has_no_body_is_refused(server: str, key: str) -> None:
    source = sources()[server]
    with pytest.raises(InvalidArgument, match="has no body") as refusal:
        replace_body(source.locate(key), new_bodies(source.language, key)[0])
    assert "apply_edit" in refusal.value.hint
