"""Lines of input: messages, and answers to what is none."""

import json
from typing import cast

import pytest
from mcp_types import JSONRPCError, JSONRPCRequest

from groundwire.surfaces.mcp.envelope import find_id, parse_line, too_long

DEEP = b'{"a":' * 10_000 + b"1" + b"}" * 10_000


def refused(line: bytes) -> JSONRPCError:
    parsed = parse_line(line)
    assert parsed is not None
    assert parsed.is_reply
    assert isinstance(parsed.message.message, JSONRPCError)
    return parsed.message.message


def test_a_request_comes_out_as_it_is():
    parsed = parse_line(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r')
    assert parsed is not None
    assert not parsed.is_reply
    assert isinstance(parsed.message.message, JSONRPCRequest)


def test_an_empty_line_is_nothing():
    assert parse_line(b"") is None
    assert parse_line(b" \r") is None


@pytest.mark.parametrize("line", [b"nonsense", b"{", b'"text', b"\xff\xfe", b"[" * 100_000, b'{"id": 1' + b"\0"])
def test_what_is_no_json_is_a_parse_error(line: bytes):
    assert refused(line).error.code == -32700


@pytest.mark.parametrize(
    "line", [b"7", b"[]", b"{}", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"1.0","id":1,"method":"ping"}']
)
def test_json_that_is_no_message_is_an_invalid_request(line: bytes):
    assert refused(line).error.code == -32600


def test_a_request_that_is_nested_too_deeply_is_answered_by_its_id():
    line = b'{"jsonrpc":"2.0","id":42,"method":"tools/call","params":%b}' % DEEP
    reply = refused(line)
    assert reply.id == 42
    assert cast("dict[str, object]", reply.error.data)["kind"] == "Wire"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"id": 7, "x": [', 7),
        (b'{"params": {"id": 1}, "id": "a b"', "a b"),
        (b'{"params": {"id": 1}', None),
        (b'{"text": "\\"id\\": 5", "id" : -3 }', -3),
        (b'{"id": 1.5}', None),
        (b'{"id": null}', None),
        (b'{"id": {"id": 1}}', None),
        (b'{"params": %b, "id": 9}' % DEEP, 9),
        (b"", None),
    ],
)
def test_the_id_is_that_of_the_message_and_not_one_within_it(line: bytes, found: object):
    assert find_id(line) == found


def test_a_line_that_is_too_long_is_answered_with_its_limit():
    message = too_long(10**9).message.message
    assert isinstance(message, JSONRPCError)
    assert "1,000,000,000" in json.dumps(message.model_dump())
