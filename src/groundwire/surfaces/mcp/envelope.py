"""A line of input: a message, or the answer to something that is none.

Above: ``lines``. Below: nothing.
"""

import re
from typing import NamedTuple

from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from groundwire.errors import GroundwireError, MessageTooLarge, Wire

MAX_LINE = 32 * 1024 * 1024
_PARSE_ERROR = -32700
_INVALID_REQUEST = -32600

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_ID = re.compile(rb'\s*:\s*(?:(?P<number>-?\d{1,18})(?![\d.eE])|"(?P<text>[^"\\]{0,200})")')


class Parsed(NamedTuple):
    """A message for the server, or ours to the client."""

    message: SessionMessage
    is_reply: bool = False


def parse_line(line: bytes) -> Parsed | None:
    """What a line holds; nothing when it is empty."""
    if not line.strip():
        return None
    try:
        return Parsed(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
    except ValidationError as problem:
        return _refused(line, problem)


def too_long(size: int) -> Parsed:
    """The answer to a line that was not read to its end."""
    return _reply(None, _INVALID_REQUEST, MessageTooLarge(size, MAX_LINE))


def _refused(line: bytes, problem: ValidationError) -> Parsed:
    first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return _reply(find_id(line), _PARSE_ERROR, Wire(f"the message cannot be read: {first['msg']}"))
    return _reply(find_id(line), _INVALID_REQUEST, Wire("the message is neither a request nor a notification"))


def _reply(request: int | str | None, code: int, error: GroundwireError) -> Parsed:
    told = ErrorData(code=code, message=error.message, data=error.as_dict())
    return Parsed(SessionMessage(JSONRPCError(jsonrpc="2.0", id=request, error=told)), is_reply=True)


def find_id(line: bytes) -> int | str | None:
    """The id of a message that could not be read, be it nested too deeply or broken behind it."""
    depth = 0
    for token in _TOKEN.finditer(line):
        word = token[0]
        if word in b"{[":
            depth += 1
        elif word in b"}]":
            depth -= 1
        elif depth == 1 and word == b'"id"' and (found := _ID.match(line, token.end())):
            text = found["text"]
            return int(found["number"]) if text is None else text.decode("utf-8", "replace")
    return None
