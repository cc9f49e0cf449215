"""What does not parse takes along what follows it, which the text still declares."""

import pytest

from groundwire.operations.reporting.carriers import Source
from groundwire.operations.reporting.unlisted import unlisted_names
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol

GO = "package x\n\nfunc first(s string) string {\n\treturn s\n}\n\ntype byName []string\n"
BROKEN = GO.replace("return s", "returnOther s")
NOWHERE = Range(Position(0, 0), Position(0, 0))


def source(text: str, *names: str) -> Source:
    """A text and the symbols that a server sees in it."""
    symbols = [Symbol(name=name, kind=12, range=NOWHERE, selection=NOWHERE, path=(name,)) for name in names]
    return Source(Lines(text), symbols, "utf-16", (), ())


def test_a_name_that_the_server_saw_before_and_sees_no_more_is_unlisted_though_the_text_has_it():
    earlier, now = source(GO, "first", "byName"), source(BROKEN, "first")
    assert unlisted_names(GO, earlier, now) == {"byName"}


def test_a_name_that_is_gone_from_the_text_is_not_unlisted():
    after = GO.replace("type byName []string\n", "")
    assert unlisted_names(GO, source(GO, "first", "byName"), source(after, "first")) == set()


@pytest.mark.parametrize("earlier", [None, source("package x\n")], ids=["never asked", "asked about another text"])
def test_where_the_server_was_not_asked_before_the_text_tells_what_it_declared(earlier: Source | None):
    assert unlisted_names(GO, earlier, source(BROKEN, "first")) == {"byName"}
    assert unlisted_names(GO, earlier, source(GO, "first", "byName")) == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("class A:\n    def f(self): ...\n\nasync def g(): ...\n", {"A", "g"}),
        ("export default class B {}\nexport const c = 1\ndeclare function d(): void\n", {"B", "c", "d"}),
        ("pub(crate) struct E;\nstatic F: u8 = 1;\npub fn g() {}\n", {"E", "g"}),
        ("func (e E) h() {}\nvar i = 1\nimport os\nfrom a import b\nx = 1\n", {"i"}),
    ],
)
def test_only_what_is_beyond_doubt_declared_at_the_top_is_expected_of_a_server(text: str, names: set[str]):
    assert unlisted_names(text, None, source(text)) == names


def test_what_was_not_there_before_is_not_expected():
    assert unlisted_names("", None, source(GO)) == set()
