"""Positions are translated wherever they stand in a message, each by the text of the file that it belongs to."""

from groundwire.protocol.positions import Lines
from groundwire.surfaces.lsp.json_shapes import Members
from groundwire.surfaces.lsp.translation import Translation, flat_symbols, uris_in

TEXTS = {"a": Lines("😀x\n"), "b": Lines("éx\n"), "plain": Lines("abcdef\n")}


def at(character: int, line: int = 0) -> Members:
    return {"line": line, "character": character}


def span(character: int) -> Members:
    return {"start": at(character), "end": at(character)}


def translated(value: object, uri: str = "a") -> object:
    to_utf_16 = Translation("utf-8", "utf-16", TEXTS.get, lambda uri: uri.replace("b", "B"))
    return to_utf_16.translate(value, uri)


def test_a_position_belongs_to_the_document_asked_about_or_to_the_file_named_beside_it():
    assert translated(span(4)) == span(2)
    assert translated([{"uri": "b", "range": span(2)}]) == [{"uri": "B", "range": span(1)}]
    assert translated({"range": span(5)}, "plain") == {"range": span(5)}
    assert translated(span(9), "unknown") == span(9)


def test_a_link_has_a_target_and_an_origin():
    link = {"targetUri": "b", "targetRange": span(2), "targetSelectionRange": span(3), "originSelectionRange": span(4)}
    own = {"targetUri": "B", "targetRange": span(1), "targetSelectionRange": span(2), "originSelectionRange": span(2)}
    assert translated(link) == own


def test_edits_belong_to_the_files_they_are_listed_under():
    assert translated({"changes": {"b": [{"range": span(2)}]}}) == {"changes": {"B": [{"range": span(1)}]}}
    change = {"textDocument": {"uri": "b", "version": 3}, "edits": [{"range": span(2), "newText": ""}]}
    own = {"textDocument": {"uri": "B", "version": 3}, "edits": [{"range": span(1), "newText": ""}]}
    assert translated({"documentChanges": [change]}) == {"documentChanges": [own]}


def test_calls_lie_in_the_file_of_the_caller():
    incoming = {"from": {"uri": "b", "selectionRange": span(2)}, "fromRanges": [span(2)]}
    assert translated(incoming) == {"from": {"uri": "B", "selectionRange": span(1)}, "fromRanges": [span(1)]}
    outgoing = {"to": {"uri": "b", "selectionRange": span(2)}, "fromRanges": [span(4)]}
    assert translated(outgoing) == {"to": {"uri": "B", "selectionRange": span(1)}, "fromRanges": [span(2)]}


def test_folds_are_translated_and_what_only_the_server_understands_is_not():
    fold = {"startLine": 0, "startCharacter": 4, "endLine": 0, "endCharacter": 5}
    assert translated(fold) == {"startLine": 0, "startCharacter": 2, "endLine": 0, "endCharacter": 3}
    assert translated({"data": at(4), "arguments": [at(4)]}) == {"data": at(4), "arguments": [at(4)]}


def test_the_files_that_a_message_names():
    message: list[object] = [{"uri": "a"}, {"targetUri": "b"}, {"edit": {"changes": {"c": []}}}, {"data": {"uri": "d"}}]
    assert uris_in(message) == {"a", "b", "c"}


def test_a_tree_of_symbols_as_a_list():
    inner: Members = {"name": "in", "kind": 6, "range": span(1), "selectionRange": span(1)}
    outer: Members = {**inner, "name": "out", "children": [inner]}
    assert flat_symbols([outer], "a") == [
        {"name": "out", "kind": 6, "location": {"uri": "a", "range": span(1)}},
        {"name": "in", "kind": 6, "location": {"uri": "a", "range": span(1)}, "containerName": "out"},
    ]
