"""Whatever a server sends is told apart correctly, or is called malformed with a reason; what we send is exact."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from groundwire.errors import InvalidArgument
from groundwire.protocol import jsonrpc
from groundwire.protocol.jsonrpc import Failure, Glimpse, Malformed, Notification, Request, Response, glimpse, parse


def malformed(body: bytes) -> Malformed:
    message = parse(body)
    assert isinstance(message, Malformed)
    return message


def test_a_request_keeps_its_params_undecoded():
    body = b'{"jsonrpc":"2.0","id":7,"method":"workspace/configuration","params": {"items": []}}'
    assert parse(body) == Request(7, "workspace/configuration", Raw(b'{"items": []}'))


def test_an_id_may_be_text():
    assert parse(b'{"id":"reg-1","method":"m","params":[1]}') == Request("reg-1", "m", Raw(b"[1]"))


def test_params_that_were_left_out_are_null():
    assert parse(b'{"method":"exit"}') == Notification("exit", Raw(b"null"))
    assert parse(b'{"id":1,"method":"shutdown"}') == Request(1, "shutdown", Raw(b"null"))


def test_a_method_with_a_null_id_cannot_be_answered_and_is_a_notification():
    assert parse(b'{"id":null,"method":"m","params":{}}') == Notification("m", Raw(b"{}"))


def test_a_null_result_is_a_result():
    assert parse(b'{"jsonrpc":"2.0","id":1,"result":null}') == Response(1, Raw(b"null"))


def test_members_we_do_not_know_are_ignored():
    assert parse(b'{"id":1,"result":[],"tookMs":{"a":[1,{}]}}') == Response(1, Raw(b"[]"))


def test_members_may_come_in_any_order():
    assert parse(b'{"result":1,"id":2,"jsonrpc":"2.0"}') == Response(2, Raw(b"1"))


def test_a_whole_number_with_a_fraction_part_is_a_good_id():
    message = parse(b'{"id":3.0,"result":1}')
    assert message == Response(3, Raw(b"1"))
    assert isinstance(message, Response)
    assert isinstance(message.id, int)


def test_a_fractional_id_is_malformed():
    assert "fraction" in malformed(b'{"id":1.5,"result":1}').reason


def test_a_failure_keeps_code_message_and_data():
    body = b'{"id":1,"error":{"code":-32801,"message":"content modified","data":{"retry":true}}}'
    assert parse(body) == Failure(1, -32801, "content modified", Raw(b'{"retry":true}'))


def test_an_error_beside_a_null_result_is_a_failure():
    assert parse(b'{"id":1,"result":null,"error":{"code":1,"message":"no"}}') == Failure(1, 1, "no", None)


def test_a_null_error_beside_a_result_is_a_response():
    assert parse(b'{"id":1,"error": null,"result":5}') == Response(1, Raw(b"5"))


def test_a_failure_may_name_no_request():
    assert parse(b'{"id":null,"error":{"code":-32700,"message":"parse error"}}') == Failure(
        None, -32700, "parse error", None
    )


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (b'"boom"', jsonrpc.UNKNOWN_ERROR_CODE, '"boom"'),
        (b'{"message":"no code"}', jsonrpc.UNKNOWN_ERROR_CODE, '{"message":"no code"}'),
        (b'{"code":"E1","message":"x"}', jsonrpc.UNKNOWN_ERROR_CODE, '{"code":"E1","message":"x"}'),
        (b'{"code":5}', 5, "no message"),
        (b'{"code":5.0,"message":"x"}', 5, "x"),
    ],
)
def test_an_error_of_an_odd_shape_is_still_a_failure(error: bytes, code: int, message: str):
    assert parse(b'{"id":1,"error":' + error + b"}") == Failure(1, code, message, None)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   ",
        b"{",
        b"nonsense",
        b"5",
        b"null",
        b'"text"',
        b"{}",
        b'{"jsonrpc":"2.0"}',
        b'[{"id":1,"result":1}]',
        b'{"result":1}',
        b'{"id":null,"result":1}',
        b'{"id":true,"method":"m"}',
        b'{"id":[1],"method":"m"}',
        b'{"id":1,"method":5}',
        b'{"id":1,"method":null}',
        b'{"method":"\xff"}',
        b'{"method":"m"} trailing',
        b'{"id":1,"params":' + b"[" * 100_000,
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_message_is_malformed_with_a_reason_and_a_sample(body: bytes):
    message = malformed(body)
    assert message.reason
    assert message.head == body[:512]
    assert message.answers is None


@pytest.mark.parametrize(
    "body", [b'{"jsonrpc":"2.0","id":4}', b'{"id":4,"error":null}', b'{"jsonrpc":"2.0","id":4,"result":{"a":"cut of']
)
def test_a_malformed_answer_still_tells_which_request_it_answers(body: bytes):
    assert malformed(body).answers == 4


def test_a_malformed_request_of_the_peer_answers_nothing():
    assert malformed(b'{"id":4,"method":"m","params":{"a":').answers is None


@given(st.binary(max_size=300))
def test_no_bytes_make_parse_raise(body: bytes):
    assert isinstance(parse(body), jsonrpc.Message)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
members = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "code", "message", "other"])


@given(values | st.dictionaries(members, values))
def test_no_json_makes_parse_raise(value: object):
    assert isinstance(parse(msgspec.json.encode(value)), jsonrpc.Message)


class Params(msgspec.Struct):
    uri: str


def test_params_that_are_not_given_are_left_out():
    assert jsonrpc.dump_request(1, "shutdown") == b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
    assert jsonrpc.dump_notification("exit") == b'{"jsonrpc":"2.0","method":"exit"}'


def test_params_given_as_none_are_null():
    assert jsonrpc.dump_notification("m", None) == b'{"jsonrpc":"2.0","method":"m","params":null}'


@pytest.mark.parametrize("params", [Params("file:///a"), {"uri": "file:///a"}, Raw(b'{"uri":"file:///a"}')])
def test_params_may_be_a_struct_a_mapping_or_ready_json(params: object):
    expected = b'{"jsonrpc":"2.0","id":"a","method":"m","params":{"uri":"file:///a"}}'
    assert jsonrpc.dump_request("a", "m", params) == expected


def test_a_response_always_has_its_result():
    assert jsonrpc.dump_response(1, None) == b'{"jsonrpc":"2.0","id":1,"result":null}'
    assert jsonrpc.dump_response("x", [1]) == b'{"jsonrpc":"2.0","id":"x","result":[1]}'


def test_a_failure_has_code_and_message():
    body = jsonrpc.dump_failure(1, jsonrpc.METHOD_NOT_FOUND, "no such method")
    assert body == b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}'


def test_what_we_dump_we_parse():
    assert parse(jsonrpc.dump_request(1, "m", [1])) == Request(1, "m", Raw(b"[1]"))
    assert parse(jsonrpc.dump_notification("m")) == Notification("m", Raw(b"null"))
    assert parse(jsonrpc.dump_response("a", {})) == Response("a", Raw(b"{}"))
    assert parse(jsonrpc.dump_failure(None, -1, "why")) == Failure(None, -1, "why", None)


def test_cancelled_and_outdated_requests_may_be_sent_again_and_others_not():
    assert frozenset({-32800, -32801, -32802}) == jsonrpc.RETRYABLE


@pytest.mark.parametrize(
    ("head", "tail", "expected"),
    [
        (b'{"jsonrpc":"2.0","id":5,"result":[{"id":9,', b'{"id":9}]}', Glimpse(5, None, False)),
        (b'{"id":"5","jsonrpc":"2.0","result":{"x":"cut', b'"}}', Glimpse("5", None, False)),
        (b'{"result":[{"id":9,"method":"no"},', b'{"id":9}],"id":5,"jsonrpc":"2.0"}\n', Glimpse(5, None, False)),
        (b'{"result":[{"id":9},', b'{"id":9}]}', Glimpse(None, None, False)),
        (b'{"result":"text, \\"id\\": 9, {\\"id\\":9,', b'\\"id\\":9}"}', Glimpse(None, None, False)),
        (b'{"method":"m","params":{"id":9,', b'"id":9}}', Glimpse(None, "m", True)),
        (b'{"id":5,"method":"m","params":{"id":9,', b'"id":9}}', Glimpse(5, "m", True)),
        (b'{"params":{"a":[', b']},"method":"m","id":5}', Glimpse(5, "m", True)),
        (b'{"error":{"code":1},"id" : 5 , "x":[', b"]}", Glimpse(5, None, False)),
        (b'{"id":12', b"34}", Glimpse(None, None, False)),
        (b"", b"", Glimpse(None, None, False)),
        (b"xxxxx", b"yyyyy", Glimpse(None, None, False)),
        (b"}}]]:::", b":::", Glimpse(None, None, False)),
    ],
)
def test_the_two_ends_of_a_body_tell_whose_it_is_or_nothing(head: bytes, tail: bytes, expected: Glimpse):
    assert glimpse(head, tail) == expected


@given(st.integers(1, 10**9), st.permutations(["jsonrpc", "id", "result"]), values)
def test_a_glimpse_never_names_a_wrong_id(request_id: int, order: list[str], value: object):
    filling = [value, {"id": 0, "method": "inner"}, "x" * 200, {"id": 0}]
    fields = {"jsonrpc": "2.0", "id": request_id, "result": filling}
    body = msgspec.json.encode({name: fields[name] for name in order})
    assert glimpse(body[:64], body[-64:]) in (Glimpse(request_id, None, False), Glimpse(None, None, False))


@pytest.mark.parametrize("text", ["bad\udcff.py", "half \ud83d"])
def test_what_no_json_can_hold_is_a_mistake_of_who_asks_and_not_of_ours(text: str) -> None:
    with pytest.raises(InvalidArgument, match="no UTF-8"):
        jsonrpc.dump_request(1, "m", {"x": text})
    with pytest.raises(InvalidArgument, match="no UTF-8"):
        jsonrpc.dump_notification("m", [text])
