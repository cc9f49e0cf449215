"""Each answer's several forms are read into one."""

import msgspec
import pytest

from groundwire.errors import Wire
from groundwire.protocol.lsp import MarkupContent, Position, Range, decode
from groundwire.protocol.lsp_questions import (
    CodeLens,
    HierarchyItem,
    IncomingCall,
    InlayHint,
    ParameterInformation,
    SelectionRange,
    SignatureHelp,
    SignatureInformation,
    decode_completions,
    documentation_text,
    parameter_text,
)

SPAN = b'{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}'
RANGE = Range(Position(1, 2), Position(1, 5))
ITEM = b'{"name":"f","kind":12,"uri":"file:///a","range":%b,"selectionRange":%b,"data":{"any":[1]}}' % (SPAN, SPAN)


@pytest.mark.parametrize(
    ("raw", "labels", "is_incomplete"),
    [
        (b"null", [], False),
        (b"[]", [], False),
        (b'[{"label":"a"}]', ["a"], False),
        (b'{"isIncomplete":true,"items":[{"label":"a"},{"label":"b"}]}', ["a", "b"], True),
    ],
)
def test_completions_come_as_a_list_with_or_without_its_state_or_as_null(
    raw: bytes, labels: list[str], is_incomplete: bool
) -> None:
    found = decode_completions(raw)
    assert ([item.label for item in found.items], found.is_incomplete) == (labels, is_incomplete)


def test_data_that_all_completions_share_goes_back_with_each_that_has_none_of_its_own() -> None:
    items = b'[{"label":"a"},{"label":"b","data":2}]'
    found = decode_completions(b'{"isIncomplete":false,"itemDefaults":{"data":{"x":1}},"items":%b}' % items)
    assert msgspec.json.encode(found.items) == b'[{"label":"a","data":{"x":1}},{"label":"b","data":2}]'


def test_a_completion_without_data_goes_back_without() -> None:
    assert msgspec.json.encode(decode_completions(b'[{"label":"a"}]').items) == b'[{"label":"a"}]'


def test_completions_of_no_known_form_break_the_protocol() -> None:
    with pytest.raises(Wire, match="textDocument/completion"):
        decode_completions(b'"text"')


def test_completions_are_ordered_as_the_server_wants_them_shown() -> None:
    raw = b'[{"label":"b"},{"label":"z","sortText":"0"},{"label":"last","preselect":true}]'
    items = sorted(decode_completions(raw).items, key=lambda item: item.order)
    assert [item.label for item in items] == ["last", "z", "b"]


@pytest.mark.parametrize(("label", "text"), [("b: int", "b: int"), ((5, 11), "b: int"), ((20, 30), "")])
def test_a_parameter_is_a_part_of_the_label_by_text_or_by_place(label: str | tuple[int, int], text: str) -> None:
    signature = SignatureInformation("f(a, b: int)")
    assert parameter_text(signature, ParameterInformation(label)) == text


def test_the_place_of_a_parameter_counts_in_units_of_the_wire() -> None:
    assert parameter_text(SignatureInformation("f(😀, b)"), ParameterInformation((6, 7))) == "b"


def test_a_signature_help_without_active_members_is_read() -> None:
    found = decode(b'{"signatures":[{"label":"f()"}],"activeParameter":null}', SignatureHelp)
    assert (found.signatures[0].label, found.active_signature, found.active_parameter) == ("f()", None, None)


@pytest.mark.parametrize("label", ['": int"', '[{"value":": "},{"value":"int"}]'])
def test_an_inlay_hint_is_one_text_whichever_form_it_came_in(label: str) -> None:
    raw = f'{{"position":{{"line":1,"character":2}},"label":{label}}}'.encode()
    assert decode(raw, InlayHint).text == ": int"


def test_a_selection_grows_from_the_smallest_to_the_whole() -> None:
    raw = b'{"range":%b,"parent":{"range":%b}}' % (SPAN, SPAN.replace(b"2", b"0"))
    assert decode(raw, SelectionRange).ranges() == [RANGE, Range(Position(1, 0), Position(1, 5))]


def test_a_code_lens_without_a_command_keeps_what_is_needed_to_resolve_it() -> None:
    lens = decode(b'{"range":%b,"data":{"id":7}}' % SPAN, CodeLens)
    assert (lens.command, bytes(lens.data)) == (None, b'{"id":7}')


def test_a_hierarchy_item_goes_back_as_it_came() -> None:
    item = decode(ITEM, HierarchyItem)
    assert msgspec.json.decode(msgspec.json.encode(item)) == msgspec.json.decode(ITEM)
    bare = decode(ITEM.replace(b',"data":{"any":[1]}', b""), HierarchyItem)
    assert "data" not in msgspec.json.decode(msgspec.json.encode(bare))


def test_an_incoming_call_names_its_caller_by_a_word_that_python_reserves() -> None:
    call = decode(b'{"from":%b,"fromRanges":[%b]}' % (ITEM, SPAN), IncomingCall)
    assert (call.from_.name, call.from_ranges) == ("f", [RANGE])


def test_documentation_is_text_in_any_form() -> None:
    forms = (None, "plain", MarkupContent("markdown", "**bold**"))
    assert [documentation_text(form) for form in forms] == ["", "plain", "**bold**"]
