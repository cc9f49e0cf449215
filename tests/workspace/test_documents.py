"""What a server is told about documents: order, versions, ranges, and that replaying it gives the text."""

import re
from collections.abc import Mapping, Sequence
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.protocol.capabilities import ServerCapabilities
from groundwire.protocol.lsp import Position, Range, Registration
from groundwire.workspace.documents import Document, Documents
from groundwire.workspace.outgoing import Outgoing
from groundwire.workspace.rules import SettleRule
from tests.thoroughness import examples

URI = "file:///w/a.py"
OTHER = "file:///w/b.py"
OPEN, CHANGE, SAVE, CLOSE = (f"textDocument/did{verb}" for verb in ("Open", "Change", "Save", "Close"))

INCREMENTAL: dict[str, object] = {"textDocumentSync": {"openClose": True, "change": 2, "save": True}}
FULL: dict[str, object] = {"textDocumentSync": {"openClose": True, "change": 1, "save": {"includeText": True}}}
NO_CHANGES: dict[str, object] = {"textDocumentSync": {"openClose": True, "change": 0, "save": False}}
NOTHING: dict[str, object] = {"textDocumentSync": 0}


def documents_for(static: Mapping[str, object]) -> Documents:
    return Documents(ServerCapabilities(static))


def opened(static: Mapping[str, object], text: str = "one\ntwo\n") -> Documents:
    documents = documents_for(static)
    documents.sync(URI, text, "python", 0.0)
    return documents


def methods(messages: Sequence[Outgoing]) -> list[str]:
    return [message.method for message in messages]


def member(message: Outgoing, name: str) -> Mapping[str, object]:
    return cast("Mapping[str, object]", message.params[name])


def changes(message: Outgoing) -> list[Mapping[str, object]]:
    return cast("list[Mapping[str, object]]", message.params["contentChanges"])


def the(documents: Documents, uri: str = URI) -> Document:
    document = documents.get(uri)
    assert document is not None
    return document


def test_the_first_sync_opens_the_document_with_its_text() -> None:
    documents = documents_for(INCREMENTAL)
    sent = documents.sync(URI, "one\n", "python", 0.0)
    assert methods(sent) == [OPEN]
    assert member(sent[0], "textDocument") == {"uri": URI, "languageId": "python", "version": 1, "text": "one\n"}


def test_a_change_is_told_before_the_save() -> None:
    sent = opened(INCREMENTAL).sync(URI, "one\n2\n", "python", 1.0)
    assert methods(sent) == [CHANGE, SAVE]


def test_the_same_content_sends_nothing_and_does_not_tick() -> None:
    documents = opened(INCREMENTAL)
    clock = documents.clock
    assert documents.sync(URI, "one\ntwo\n", "python", 1.0) == []
    assert documents.clock == clock
    assert the(documents).version == 1


def test_a_change_to_a_server_that_takes_ranges_has_only_what_differs() -> None:
    sent = opened(INCREMENTAL).sync(URI, "one\ntwelve\n", "python", 1.0)
    assert changes(sent[0]) == [{"range": Range(Position(1, 2), Position(1, 3)), "text": "elve"}]
    assert member(sent[0], "textDocument") == {"uri": URI, "version": 2}


def test_a_change_to_a_server_that_takes_whole_texts_has_no_range() -> None:
    sent = opened(FULL).sync(URI, "one\n2\n", "python", 1.0)
    assert changes(sent[0]) == [{"text": "one\n2\n"}]


def test_a_server_that_takes_no_changes_hears_of_them_by_closing_and_opening() -> None:
    sent = opened(NO_CHANGES).sync(URI, "one\n2\n", "python", 1.0)
    assert methods(sent) == [CLOSE, OPEN]
    assert member(sent[1], "textDocument")["text"] == "one\n2\n"
    assert member(sent[1], "textDocument")["version"] == 2


def test_a_touch_of_a_server_that_takes_no_changes_opens_anew_too() -> None:
    documents = opened(NO_CHANGES)
    assert methods(documents.touch(URI, 1.0)) == [CLOSE, OPEN]
    assert the(documents).version == 2


def test_a_server_that_wants_nothing_is_told_nothing_but_the_clock_goes_on() -> None:
    documents = documents_for(NOTHING)
    assert documents.sync(URI, "one", "python", 0.0) == []
    assert documents.sync(URI, "two", "python", 1.0) == []
    assert documents.touch(URI, 2.0) == []
    assert documents.close(URI) == []
    assert documents.clock == 3


def test_only_news_makes_another_world() -> None:
    documents = opened(INCREMENTAL)
    documents.sync(OTHER, "other", "python", 0.0)
    documents.close(OTHER, is_news=False)
    assert documents.world == 0
    worlds: list[int] = []
    for news in (lambda: documents.sync(URI, "new", "python", 1.0), documents.tick, lambda: documents.close(URI)):
        news()
        worlds.append(documents.world)
    assert worlds == [1, 2, 3]


def test_a_server_that_asks_for_open_documents_late_is_told_at_the_next_sync() -> None:
    capabilities = ServerCapabilities({})
    documents = Documents(capabilities)
    assert documents.sync(URI, "one", "python", 0.0) == []
    capabilities.register(Registration("1", "textDocument/didOpen"))
    clock = documents.clock
    sent = documents.sync(URI, "one", "python", 1.0)
    assert methods(sent) == [OPEN]
    assert member(sent[0], "textDocument")["text"] == "one"
    assert documents.clock == clock + 1
    assert documents.sync(URI, "one", "python", 2.0) == []


def test_a_save_carries_the_text_when_the_server_wants_it() -> None:
    sent = opened(FULL).sync(URI, "new", "python", 1.0)
    assert sent[1].params == {"textDocument": {"uri": URI}, "text": "new"}


def test_a_save_carries_no_text_when_the_server_does_not_want_it() -> None:
    assert opened(INCREMENTAL).save(URI) == [Outgoing(SAVE, {"textDocument": {"uri": URI}})]


def test_a_server_that_wants_no_saves_gets_none() -> None:
    documents = opened({"textDocumentSync": {"openClose": True, "change": 2}})
    assert methods(documents.sync(URI, "new", "python", 1.0)) == [CHANGE]
    assert documents.save(URI) == []


def test_a_save_of_what_is_not_open_says_nothing() -> None:
    assert documents_for(INCREMENTAL).save(URI) == []


def test_closing_tells_the_server_and_forgets_the_document() -> None:
    documents = opened(INCREMENTAL)
    assert documents.close(URI) == [Outgoing(CLOSE, {"textDocument": {"uri": URI}})]
    assert documents.get(URI) is None
    assert len(documents) == 0


def test_closing_what_is_not_open_says_nothing_and_does_not_tick() -> None:
    documents = documents_for(INCREMENTAL)
    assert documents.close(URI) == []
    assert documents.clock == 0


def test_a_reopened_document_goes_on_with_higher_versions() -> None:
    documents = opened(INCREMENTAL)
    documents.sync(URI, "new", "python", 1.0)
    documents.close(URI)
    sent = documents.sync(URI, "new", "python", 2.0)
    assert member(sent[0], "textDocument")["version"] == 3


def test_versions_of_one_file_do_not_depend_on_how_its_uri_is_spelled() -> None:
    documents = opened(INCREMENTAL)
    documents.close("file://localhost/w/a.py")
    sent = documents.sync("file:///w/%61.py", "new", "python", 1.0)
    assert member(sent[0], "textDocument")["version"] == 2


def test_a_document_is_found_under_every_spelling_of_its_uri_and_told_under_the_first() -> None:
    documents = opened(INCREMENTAL)
    sent = documents.sync("file:///w/%61.py", "new", "python", 1.0)
    assert methods(sent) == [CHANGE, SAVE]
    assert member(sent[0], "textDocument")["uri"] == URI


def test_a_touch_changes_nothing_but_the_version() -> None:
    documents = opened(INCREMENTAL)
    sent = documents.touch(URI, 1.0)
    assert methods(sent) == [CHANGE]
    assert changes(sent[0]) == [{"range": Range(Position(0, 0), Position(0, 0)), "text": ""}]
    assert the(documents).version == 2
    assert the(documents).text == "one\ntwo\n"


def test_a_touch_does_not_tick_the_clock_but_brings_the_document_up_to_it() -> None:
    documents = opened(INCREMENTAL)
    documents.sync(OTHER, "other", "python", 1.0)
    clock = documents.clock
    assert the(documents).told_at < clock
    documents.touch(URI, 2.0)
    assert documents.clock == clock
    assert the(documents).told_at == clock
    assert the(documents).told_time == 2.0


def test_a_touch_of_a_server_without_ranges_sends_the_text_it_has() -> None:
    assert changes(opened(FULL).touch(URI, 1.0)[0]) == [{"text": "one\ntwo\n"}]


def test_extra_members_go_with_every_change() -> None:
    documents = Documents(
        ServerCapabilities(INCREMENTAL), SettleRule(change_extra={"want": True}, touch_extra={"force": True})
    )
    documents.sync(URI, "one", "python", 0.0)
    sent = documents.sync(URI, "two", "python", 1.0)
    assert sent[0].params["want"] is True
    assert "force" not in sent[0].params


def test_extra_members_of_a_touch_come_on_top() -> None:
    documents = Documents(
        ServerCapabilities(INCREMENTAL), SettleRule(change_extra={"want": True}, touch_extra={"force": True})
    )
    documents.sync(URI, "one", "python", 0.0)
    sent = documents.touch(URI, 1.0)
    assert (sent[0].params["want"], sent[0].params["force"]) == (True, True)


def test_a_change_after_something_else_changed_leaves_the_document_behind_until_it_is_touched() -> None:
    documents = documents_for(INCREMENTAL)
    documents.sync(URI, "one", "python", 0.0)
    document = documents.get(URI)
    assert document is not None
    documents.sync(URI, "two", "python", 1.0)
    assert not document.is_behind
    documents.tick()
    documents.sync(URI, "three", "python", 2.0)
    documents.sync(URI, "four", "python", 3.0)
    assert document.is_behind
    documents.touch(URI, 4.0)
    assert not document.is_behind


@pytest.mark.parametrize(
    ("before", "after", "is_behind"),
    [
        ("#a\nb\nc\n", "#a\nb\nd\n", False),
        ("#a\nb\n", "#z\nb\n", True),
        ("#a\nb\n#c\n", "#a\nd\n#c\n", True),
        ("a\nb\n", "a\n#b\n", True),
        ("a\n#b\n", "a\nb\n", True),
        ("#a \\\nb\nc\n", "#a \\\nd\nc\n", True),
        ("#a \\\r\nb\r\nc\r\n", "#a \\\r\nd\r\nc\r\n", True),
        ("#a\rb\rc", "#a\rb\rd", True),
    ],
)
def test_a_change_before_the_last_line_of_a_kind_leaves_the_document_behind(
    before: str, after: str, is_behind: bool
) -> None:
    documents = Documents(ServerCapabilities(INCREMENTAL), SettleRule(unsettled_by="^#"))
    documents.sync(URI, before, "c", 0.0)
    documents.sync(URI, after, "c", 1.0)
    assert the(documents).is_behind == is_behind


def test_a_touch_for_others_leaves_the_document_unsettled_until_the_next_and_its_text_is_told_by_neither() -> None:
    documents = documents_for(INCREMENTAL)
    documents.sync(URI, "one", "python", 0.0)
    documents.sync(URI, "two", "python", 1.0)
    document = documents.get(URI)
    assert document is not None
    assert (document.changed_in, document.is_unsettled) == (document.version, False)
    told = document.version
    documents.tick()
    documents.touch(URI, 2.0)
    assert (document.changed_in, document.version, document.is_unsettled) == (told, told + 1, True)
    documents.touch(URI, 3.0)
    assert (document.changed_in, document.version, document.is_unsettled) == (told, told + 2, False)


def test_a_change_between_the_two_touches_begins_them_anew() -> None:
    documents = documents_for(INCREMENTAL)
    documents.sync(URI, "one", "python", 0.0)
    documents.tick()
    documents.touch(URI, 1.0)
    documents.sync(URI, "two", "python", 2.0)
    document = documents.get(URI)
    assert document is not None
    assert (document.is_behind, document.is_unsettled) == (True, False)
    documents.touch(URI, 3.0)
    assert (document.is_behind, document.is_unsettled) == (False, True)


def test_opening_changing_and_closing_tick_and_saving_does_not() -> None:
    documents = documents_for(INCREMENTAL)
    clocks = [documents.clock]
    documents.sync(URI, "one", "python", 0.0)
    clocks.append(documents.clock)
    documents.sync(URI, "two", "python", 0.0)
    clocks.append(documents.clock)
    documents.save(URI)
    clocks.append(documents.clock)
    documents.close(URI)
    clocks.append(documents.clock)
    assert clocks == [0, 1, 2, 2, 3]


def test_a_tick_gives_the_new_clock_and_leaves_the_documents_behind() -> None:
    documents = opened(INCREMENTAL)
    told_at = the(documents).told_at
    assert documents.tick() == told_at + 1
    assert the(documents).told_at == told_at


def test_a_change_of_one_document_leaves_the_other_as_it_was_told() -> None:
    documents = opened(INCREMENTAL)
    documents.sync(OTHER, "other", "python", 5.0)
    assert (the(documents).told_at, the(documents).told_time) == (1, 0.0)
    assert (the(documents, OTHER).told_at, the(documents, OTHER).told_time) == (2, 5.0)


def test_the_lines_follow_the_text() -> None:
    documents = opened(INCREMENTAL)
    assert the(documents).lines.line(1) == "two"
    documents.sync(URI, "one\n2", "python", 1.0)
    assert the(documents).lines.line(1) == "2"


def uri_number(number: int) -> str:
    return f"file:///w/{number}.py"


def test_the_least_recently_used_are_closed_first() -> None:
    documents = documents_for(INCREMENTAL)
    for number in range(4):
        documents.sync(uri_number(number), "text", "python", float(number))
    documents.sync(uri_number(0), "text", "python", 9.0)
    assert documents.least_used(2) == [uri_number(1), uri_number(2)]


def test_the_one_just_used_is_kept_even_if_the_clock_stands_still() -> None:
    documents = documents_for(INCREMENTAL)
    for number in (0, 1, 0):
        documents.sync(uri_number(number), "text", "python", 0.0)
    assert documents.least_used(1) == [uri_number(1)]


@pytest.mark.parametrize("keep", [2, 3, 100])
def test_nothing_is_closed_while_there_is_room(keep: int) -> None:
    documents = opened(INCREMENTAL)
    documents.sync(OTHER, "other", "python", 0.0)
    assert documents.least_used(keep) == []


def test_documents_may_be_closed_while_they_are_gone_through() -> None:
    documents = opened(INCREMENTAL)
    documents.sync(OTHER, "other", "python", 0.0)
    for document in documents:
        documents.close(document.uri)
    assert len(documents) == 0


class ModelServer:
    """Applies what it is told exactly as the specification says, and objects to what it forbids."""

    def __init__(self, encoding: str) -> None:
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self._encoding = encoding

    def hear(self, message: Outgoing) -> None:
        document = member(message, "textDocument")
        uri = cast("str", document["uri"])
        if message.method == OPEN:
            assert uri not in self.texts
            self._take_version(uri, document)
            self.texts[uri] = cast("str", document["text"])
        elif message.method == CLOSE:
            del self.texts[uri]
        elif message.method == CHANGE:
            self._take_version(uri, document)
            for change in changes(message):
                self.texts[uri] = self._changed(self.texts[uri], change)
        else:
            assert message.method == SAVE
            assert message.params.get("text", self.texts[uri]) == self.texts[uri]

    def _take_version(self, uri: str, document: Mapping[str, object]) -> None:
        version = cast("int", document["version"])
        assert version > self.versions.get(uri, 0)
        self.versions[uri] = version

    def _changed(self, text: str, change: Mapping[str, object]) -> str:
        where, new = change.get("range"), cast("str", change["text"])
        if not isinstance(where, Range):
            return new
        assert where.start <= where.end
        return text[: self._offset(text, where.start)] + new + text[self._offset(text, where.end) :]

    def _offset(self, text: str, position: Position) -> int:
        ends = [0, *(ending.end() for ending in re.finditer("\r\n|\r|\n", text))]
        start = ends[position.line]
        codec, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[self._encoding]
        before = text[start:].encode(codec)[: position.character * size].decode(codec)
        assert not re.search("[\r\n]", before), "a position beyond the end of its line"
        return start + len(before)


pieces = st.sampled_from(["a", "b", "ä", "→", "😀", "e\u0301", "\u2028", "\n", "\r\n", "\r", "word "])
texts = st.lists(pieces, max_size=20).map("".join)
steps = st.lists(
    st.tuples(
        st.sampled_from(["sync", "sync", "sync", "touch", "save", "close", "tick"]),
        st.sampled_from([URI, OTHER]),
        texts,
    ),
    max_size=12,
)


@settings(max_examples=examples(300), deadline=None)
@given(
    steps,
    st.sampled_from(["utf-8", "utf-16", "utf-32"]),
    st.sampled_from([INCREMENTAL, INCREMENTAL, FULL, NO_CHANGES]),
)
def test_a_server_that_applies_every_message_has_exactly_the_texts(
    story: list[tuple[str, str, str]], encoding: str, static: dict[str, object]
) -> None:
    documents = documents_for({**static, "positionEncoding": encoding})
    server = ModelServer(encoding)
    wanted: dict[str, str] = {}
    for number, (action, uri, text) in enumerate(story):
        now, sent = float(number), list[Outgoing]()
        if action == "sync":
            wanted[uri] = text
            sent = documents.sync(uri, text, "python", now)
        elif action == "touch" and uri in wanted:
            sent = documents.touch(uri, now)
        elif action == "save":
            sent = documents.save(uri)
        elif action == "close":
            wanted.pop(uri, None)
            sent = documents.close(uri)
        else:
            documents.tick()
        for message in sent:
            server.hear(message)
        assert server.texts == wanted
        assert {document.uri: document.text for document in documents} == wanted
        assert all(server.versions[document.uri] == document.version for document in documents)


@given(steps)
def test_the_clock_never_goes_back_and_every_document_was_told_by_then(story: list[tuple[str, str, str]]) -> None:
    documents, clock = documents_for(INCREMENTAL), 0
    for action, uri, text in story:
        if action == "close":
            documents.close(uri)
        elif action == "touch" and documents.get(uri) is not None:
            documents.touch(uri, 0.0)
        else:
            documents.sync(uri, text, "python", 0.0)
        assert documents.clock >= clock
        clock = documents.clock
        assert all(document.told_at <= clock for document in documents)
