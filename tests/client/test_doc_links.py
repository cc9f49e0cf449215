"""Names in comments that nobody has to find, and errors that everybody has."""

import pytest

from groundwire.client.quirks.doc_links import without_doc_links
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.positions import Lines


def left(text: str, marked: str, message: str) -> int:
    """How many findings are left of one that stands where ``marked`` last stands."""
    lines = Lines(text)
    start = text.rindex(marked)
    where = lines.range(start, start + len(marked), "utf-16")
    return len(without_doc_links([Diagnostic(range=where, message=message)], lines))


@pytest.mark.parametrize("link", ["{@link Config.wait}", "{@linkcode Config.wait it}", "\n * @see Config.wait\n "])
def test_a_name_that_a_link_in_a_comment_gives_need_not_be_found(link: str) -> None:
    text = f"/** 😀 Use {link} */\nexport function other() {{}}\n"
    assert left(text, "Config", "Cannot find name 'Config'.") == 0
    assert left(text, "wait", "Property 'wait' does not exist on type 'Config'.") == 0


@pytest.mark.parametrize("declaration", ["export function other", "class other", "  public static\n  other", "other"])
@pytest.mark.parametrize("what", ["name", "namespace"])
def test_that_the_declaration_below_the_comment_is_blamed_for_it_makes_no_difference(
    declaration: str, what: str
) -> None:
    text = f"/** Use {{@link Config#wait}}. */\n{declaration}() {{}}\n"
    assert left(text, "other", f"Cannot find {what} 'Config'.") == 0


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("/** {@link Config#wait} */\nexport function f() { return Config }\n", "Config"),
        ("/** {@link Config#wait} */\nexport const f = () => <div/>\n", "div"),
        ("/** {@link Other#wait} {@link Config} */\nexport function f(a: Config) {}\n", "Config"),
        ("/** {@link Other#wait} Config */\nexport function f() {}\n", "f"),
        ("/** {@link Config#wait} */\nexport function f() {}\n/** Of it. */\nexport function g() {}\n", "g"),
        ("/** @param {Config} a {@link Other.it} */\nexport function f(a) {}\n", "Config"),
        ("/** {@link Other} */\n@see Config\n", "Config"),
    ],
)
def test_an_error_that_the_compiler_would_have_too_is_kept(text: str, marked: str) -> None:
    assert left(text, marked, "Cannot find name 'Config'.") == 1


def test_any_other_error_at_a_declaration_with_a_link_above_it_is_kept() -> None:
    text = "/** {@link Config#wait} */\nexport function other() {}\n"
    assert left(text, "other", "Duplicate function implementation.") == 1
    assert left(text, "other", "Cannot find name 'Config2'.") == 1


def test_a_finding_at_the_very_start_of_a_text_is_kept() -> None:
    lines = Lines("x /** {@link Config.wait} */")
    found = Diagnostic(range=Range(Position(0, 0), Position(0, 1)), message="Cannot find name 'x'.")
    assert without_doc_links([found], lines) == [found]
