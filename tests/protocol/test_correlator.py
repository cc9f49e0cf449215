"""Each answer reaches its question exactly once, and none is lost without a word."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from groundwire.errors import ServerError
from groundwire.protocol import jsonrpc
from groundwire.protocol.correlator import NOISE, Answered, Asked, Correlator, Failed, Refused, Strange, Told
from groundwire.protocol.framing import Body, FrameDecoder, encode_frame


def sent(data: bytes | None) -> object:
    assert data is not None
    (frame,) = FrameDecoder().feed(data)
    assert isinstance(frame, Body)
    return msgspec.json.decode(frame.data)


def small_correlator() -> Correlator:
    return Correlator(FrameDecoder(max_body=100))


def test_a_request_is_framed_and_pending():
    correlator = Correlator()
    request_id, data = correlator.request("textDocument/hover", {"a": 1})
    assert sent(data) == {"jsonrpc": "2.0", "id": request_id, "method": "textDocument/hover", "params": {"a": 1}}
    assert correlator.pending == {request_id: "textDocument/hover"}


def test_ids_are_never_zero_and_never_used_twice():
    correlator = Correlator()
    ids = [correlator.request("m")[0] for _ in range(5)]
    assert len(set(ids)) == 5
    assert all(ids)


def test_a_request_that_cannot_be_encoded_is_not_pending():
    correlator = Correlator()
    with pytest.raises(TypeError):
        correlator.request("m", object())
    assert not correlator.pending


def test_a_notification_is_framed_and_not_pending():
    correlator = Correlator()
    assert sent(correlator.notify("exit")) == {"jsonrpc": "2.0", "method": "exit"}
    assert not correlator.pending


def test_a_result_reaches_its_request():
    correlator = Correlator()
    first, _ = correlator.request("a")
    second, _ = correlator.request("b")
    assert correlator.feed(correlator.respond(second, {"x": 1})) == [Answered(second, "b", Raw(b'{"x":1}'))]
    assert correlator.pending == {first: "a"}


def test_a_failure_reaches_its_request_and_can_be_raised():
    correlator = Correlator()
    request_id, _ = correlator.request("m")
    body = b'{"id":%d,"error":{"code":-32801,"message":"content modified","data":[1]}}' % request_id
    (event,) = correlator.feed(encode_frame(body))
    assert event == Failed(request_id, "m", -32801, "content modified", Raw(b"[1]"))
    assert isinstance(event, Failed)
    error = event.as_error()
    assert isinstance(error, ServerError)
    assert (error.code, error.server_message, error.data) == (-32801, "content modified", b"[1]")
    assert not correlator.pending


def test_an_id_that_comes_back_as_text_is_matched():
    correlator = Correlator()
    request_id, _ = correlator.request("m")
    assert correlator.feed(correlator.respond(str(request_id), 1)) == [Answered(request_id, "m", Raw(b"1"))]


def test_a_cancelled_request_is_forgotten_and_the_server_is_told():
    correlator = Correlator()
    request_id, _ = correlator.request("m")
    assert sent(correlator.cancel(request_id)) == {
        "jsonrpc": "2.0",
        "method": "$/cancelRequest",
        "params": {"id": request_id},
    }
    assert not correlator.pending


def test_what_is_not_pending_cannot_be_cancelled():
    correlator = Correlator()
    request_id, _ = correlator.request("m")
    correlator.cancel(request_id)
    assert correlator.cancel(request_id) is None
    assert correlator.cancel(99) is None


def test_late_answers_to_a_cancelled_request_are_counted_and_say_nothing():
    correlator = Correlator()
    ids = [correlator.request("m")[0] for _ in range(3)]
    for request_id in ids:
        correlator.cancel(request_id)
    late = correlator.respond(ids[0], 1) + correlator.respond(str(ids[1]), 1) + correlator.refuse(ids[2], -32800, "")
    assert correlator.feed(late) == []
    assert correlator.late_answers == 3


@pytest.mark.parametrize("message_id", [0, 2, -1, "x", "9" * 50, "\N{ARABIC-INDIC DIGIT ONE}"])
def test_an_answer_to_what_was_never_asked_is_strange(message_id: int | str):
    correlator = Correlator()
    correlator.request("m")
    (result,) = correlator.feed(correlator.respond(message_id, 1))
    (failure,) = correlator.feed(correlator.refuse(message_id, 1, "no"))
    assert isinstance(result, Strange)
    assert result == failure == Strange(result.reason, str(message_id))
    assert len(correlator.pending) == 1


def test_a_request_of_the_server_is_asked_and_can_be_answered_under_its_own_id():
    correlator = Correlator()
    data = encode_frame(jsonrpc.dump_request("reg-1", "client/registerCapability", {}))
    assert correlator.feed(data) == [Asked("reg-1", "client/registerCapability", Raw(b"{}"))]
    assert sent(correlator.respond("reg-1", None)) == {"jsonrpc": "2.0", "id": "reg-1", "result": None}
    assert sent(correlator.refuse("reg-1", jsonrpc.METHOD_NOT_FOUND, "no")) == {
        "jsonrpc": "2.0",
        "id": "reg-1",
        "error": {"code": -32601, "message": "no"},
    }


def test_a_request_of_the_server_under_an_id_of_ours_does_not_touch_ours():
    correlator = Correlator()
    request_id, _ = correlator.request("m")
    data = encode_frame(jsonrpc.dump_request(request_id, "workspace/configuration"))
    assert correlator.feed(data) == [Asked(request_id, "workspace/configuration", Raw(b"null"))]
    assert correlator.pending == {request_id: "m"}


def test_a_notification_is_told_and_so_is_a_cancellation_by_the_server():
    correlator = Correlator()
    data = correlator.notify("window/logMessage", {}) + correlator.notify("$/cancelRequest", {"id": 1})
    assert correlator.feed(data) == [
        Told("window/logMessage", Raw(b"{}")),
        Told("$/cancelRequest", Raw(b'{"id":1}')),
    ]


def test_noise_is_strange_and_carries_the_text():
    assert Correlator().feed(b"listening\n") == [Strange(NOISE, "listening")]


def test_a_malformed_body_is_strange_and_carries_a_sample():
    (event,) = Correlator().feed(encode_frame(b"[1, 2]"))
    assert isinstance(event, Strange)
    assert event.reason.startswith("malformed message: ")
    assert event.sample == "[1, 2]"


def test_a_failure_without_an_id_is_strange_and_fails_nothing():
    correlator = Correlator()
    correlator.request("m")
    (event,) = correlator.feed(encode_frame(jsonrpc.dump_failure(None, -32700, "cannot parse")))
    assert event == Strange("a failure that names no request (-32700)", "cannot parse")
    assert len(correlator.pending) == 1


def test_an_answer_that_is_no_answer_fails_its_request_at_once():
    correlator = Correlator()
    request_id, _ = correlator.request("m")
    (event,) = correlator.feed(encode_frame(b'{"jsonrpc":"2.0","id":%d}' % request_id))
    assert isinstance(event, Failed)
    assert (event.id, event.method, event.code) == (request_id, "m", jsonrpc.PARSE_ERROR)
    assert not correlator.pending


def test_a_malformed_answer_to_nothing_of_ours_is_strange():
    (event,) = Correlator().feed(encode_frame(b'{"jsonrpc":"2.0","id":1}'))
    assert isinstance(event, Strange)


def test_an_answer_over_the_limit_refuses_only_its_own_request():
    correlator = small_correlator()
    first, _ = correlator.request("a")
    second, _ = correlator.request("b")
    data = correlator.respond(first, "x" * 200)
    (event,) = correlator.feed(data)
    assert isinstance(event, Refused)
    assert event == Refused((first,), event.size, 100, method="a")
    assert event.size > 200
    assert correlator.pending == {second: "b"}


def test_an_answer_over_the_limit_with_its_id_at_the_end_is_recognised():
    correlator = Correlator(FrameDecoder(max_body=20_000))
    correlator.request("a")
    second, _ = correlator.request("b")
    body = b'{"result":"%b","id":%d}' % (b"x" * 30_000, second)
    assert correlator.feed(encode_frame(body)) == [Refused((second,), len(body), 20_000, method="b")]


def test_an_answer_over_the_limit_that_names_nobody_refuses_all_pending():
    correlator = small_correlator()
    first, _ = correlator.request("a")
    second, _ = correlator.request("b")
    assert correlator.feed(encode_frame(b"[" * 101)) == [Refused((first, second), 101, 100)]
    assert not correlator.pending
    assert correlator.feed(correlator.respond(second, 1)) == []
    assert correlator.late_answers == 1


def test_a_notification_over_the_limit_refuses_no_request():
    correlator = small_correlator()
    request_id, _ = correlator.request("a")
    (event,) = correlator.feed(correlator.notify("textDocument/publishDiagnostics", {"id": 1, "x": "y" * 200}))
    assert isinstance(event, Refused)
    assert (event.ids, event.asked, event.method) == ((), None, "textDocument/publishDiagnostics")
    assert correlator.pending == {request_id: "a"}


def test_a_request_of_the_server_over_the_limit_can_still_be_answered():
    correlator = small_correlator()
    request_id, _ = correlator.request("a")
    (event,) = correlator.feed(encode_frame(jsonrpc.dump_request(1, "workspace/applyEdit", "y" * 200)))
    assert isinstance(event, Refused)
    assert (event.ids, event.asked, event.method) == ((), 1, "workspace/applyEdit")
    assert correlator.pending == {request_id: "a"}


def test_a_late_answer_over_the_limit_is_only_counted():
    correlator = small_correlator()
    request_id, _ = correlator.request("a")
    correlator.cancel(request_id)
    assert correlator.feed(correlator.respond(request_id, "x" * 200)) == []
    assert correlator.late_answers == 1


def test_the_stream_is_in_step_after_a_refused_body():
    correlator = small_correlator()
    first, _ = correlator.request("a")
    second, _ = correlator.request("b")
    events = correlator.feed(correlator.respond(first, "x" * 200) + correlator.respond(second, 1))
    assert events[1:] == [Answered(second, "b", Raw(b"1"))]


def test_a_stream_that_ends_inside_a_message_is_strange_and_leaves_requests_pending():
    correlator = Correlator()
    request_id, _ = correlator.request("a")
    correlator.feed(b'Content-Length: 40\r\n\r\n{"id":1,')
    assert correlator.close() == [Strange("the stream ended after 8 of 40 bytes of a message", '{"id":1,')]
    assert correlator.pending == {request_id: "a"}


def test_abandoning_all_names_each_pending_request_once():
    correlator = Correlator()
    ids = [correlator.request("m")[0] for _ in range(3)]
    correlator.cancel(ids[1])
    assert correlator.abandon_all() == [ids[0], ids[2]]
    assert correlator.abandon_all() == []
    assert not correlator.pending


def test_the_pending_table_cannot_be_changed_from_outside():
    assert not hasattr(Correlator().pending, "__setitem__")


@given(st.permutations(range(8)), st.sets(st.integers(0, 7)), st.integers(1, 50))
def test_every_request_ends_exactly_once_in_any_order_and_chunking(order: list[int], cancelled: set[int], size: int):
    correlator = Correlator()
    ids = [correlator.request(f"m{index}")[0] for index in range(8)]
    for index in cancelled:
        correlator.cancel(ids[index])
    stream = b"".join(correlator.respond(ids[index], index) for index in order)
    events = [event for start in range(0, len(stream), size) for event in correlator.feed(stream[start : start + size])]
    expected = [index for index in order if index not in cancelled]
    assert events == [Answered(ids[index], f"m{index}", Raw(str(index).encode())) for index in expected]
    assert correlator.late_answers == len(cancelled)
    assert not correlator.pending


@given(st.lists(st.binary(max_size=80)))
def test_no_bodies_whatsoever_make_it_raise(stream: list[bytes]):
    correlator = Correlator(FrameDecoder(max_body=40))
    correlator.request("m")
    events = [event for body in stream for event in correlator.feed(encode_frame(body))] + correlator.close()
    assert len(events) + correlator.late_answers == len(stream)
