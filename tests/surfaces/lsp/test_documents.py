"""The documents of a client: changes apply as the protocol says, and what is unsaved is known."""

from pathlib import Path

import pytest

from groundwire.errors import ServerError
from groundwire.protocol.lsp import Position, Range, TextDocumentContentChangeEvent, TextDocumentItem
from groundwire.protocol.positions import PositionEncoding
from groundwire.surfaces.lsp.documents import ClientDocuments, DidChange, Identifier


class Buffers:
    """A client's documents over one directory."""

    def __init__(self, root: Path, encoding: PositionEncoding = "utf-16") -> None:
        self.root = root.resolve()
        self.documents = ClientDocuments(self.root, 1000)
        self.documents.encoding = encoding

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str) -> None:
        self.documents.open(TextDocumentItem(self.uri(name), "toy", 1, text))

    def change(self, name: str, *changes: TextDocumentContentChangeEvent) -> str:
        return self.documents.change(DidChange(Identifier(self.uri(name), 2), list(changes))).text

    def unsaved(self) -> list[tuple[str, str, bool]]:
        return [(each.file.name, each.text, each.is_gone) for each in self.documents.unsaved()]


def at(line: int, start: int, end: int, text: str) -> TextDocumentContentChangeEvent:
    return TextDocumentContentChangeEvent(text, Range(Position(line, start), Position(line, end)))


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_changes_are_applied_one_after_the_other_in_the_units_of_the_client(
    tmp_path: Path, encoding: PositionEncoding, column: int
):
    buffers = Buffers(tmp_path, encoding)
    buffers.open("a.toy", "😀x\r\ny\r\n")
    assert buffers.change("a.toy", at(0, column, column + 1, "zz"), at(1, 0, 0, "-")) == "😀zz\r\n-y\r\n"
    assert buffers.change("a.toy", TextDocumentContentChangeEvent("all"), at(0, 3, 99, "!")) == "all!"


def test_text_that_was_seen_on_disk_follows_the_disk_until_the_client_changes_it(tmp_path: Path):
    buffers = Buffers(tmp_path)
    (tmp_path / "a.toy").write_text("one", "utf-8")
    buffers.open("a.toy", "one")
    assert buffers.unsaved() == []
    (tmp_path / "a.toy").write_text("two", "utf-8")
    assert buffers.unsaved() == []
    buffers.change("a.toy", at(0, 0, 0, "z"))
    assert buffers.unsaved() == [("a.toy", "zone", False)]
    (tmp_path / "a.toy").write_text("zone", "utf-8")
    assert buffers.unsaved() == []


def test_a_file_that_is_not_there_too_large_or_closed(tmp_path: Path):
    buffers = Buffers(tmp_path)
    buffers.open("new.toy", "text")
    (tmp_path / "large.toy").write_text("x" * 2000, "utf-8")
    buffers.open("large.toy", "x" * 2000)
    assert buffers.unsaved() == [("new.toy", "text", True), ("large.toy", "x" * 2000, False)]
    buffers.documents.close(buffers.uri("new.toy"))
    buffers.documents.close(buffers.uri("large.toy"))
    assert buffers.unsaved() == []


def test_a_document_is_known_however_its_address_is_spelled(tmp_path: Path):
    (tmp_path / "a b").mkdir()
    buffers = Buffers(tmp_path)
    spelled = buffers.uri("a b/c.toy").replace("c.toy", "%63.toy")
    buffers.documents.open(TextDocumentItem(spelled, "toy", 1, "text"))
    assert buffers.documents.spelled(buffers.uri("a b/c.toy")) == spelled
    assert buffers.documents.uri_of(spelled) == buffers.uri("a b/c.toy")
    assert buffers.documents.get(buffers.root / "a b/c.toy") is not None


def test_what_is_no_file_is_not_taken_and_what_is_not_open_cannot_be_changed(tmp_path: Path):
    buffers = Buffers(tmp_path)
    assert buffers.documents.open(TextDocumentItem("untitled:1", "toy", 1, "")) is None
    with pytest.raises(ServerError):
        buffers.change("a.toy", TextDocumentContentChangeEvent("x"))
