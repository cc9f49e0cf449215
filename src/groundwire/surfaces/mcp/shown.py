"""Answers and failures as results of a tool: text that a model acts on, or the JSON that programs read.

Above: ``calls``, ``resources``. Below: ``render``.
"""

import json
from collections.abc import Callable
from typing import Literal

from mcp_types import CallToolResult, TextContent

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.operations.operation import R
from groundwire.operations.table import AnyOperation
from groundwire.render.answers import render_answer
from groundwire.render.failure import render_failure
from groundwire.render.json import render_json
from groundwire.render.page import HARD_CAP

Output = Literal["text", "json"]

_LONGEST_MESSAGE = 4_000
"""A failure that quotes what it was given must not be as long as that."""


def find_output(name: str) -> Output:
    """The form of that name. Raises InvalidArgument."""
    if name not in ("text", "json"):
        raise InvalidArgument(f"there is no output {name!r}", hint="Outputs: text, json.")
    return name


def show_text(text: str) -> CallToolResult:
    """The answer to a call, as it is read."""
    return CallToolResult(content=[TextContent(text=_sendable(text))])


def show_json(answer: Answer[R]) -> CallToolResult:
    """The answer to a call, as programs take it."""
    envelope = render_json(answer)
    return CallToolResult(content=[TextContent(text=_sendable(as_json(envelope)))], structured_content=envelope)


def show_error(error: GroundwireError) -> CallToolResult:
    """Why there is no answer, and what to do about it."""
    text = _cut(_sendable(render_failure(error)))
    return CallToolResult(content=[TextContent(text=text)], structured_content=error_dict(error), is_error=True)


def error_dict(error: GroundwireError) -> dict[str, object]:
    """The JSON of a failure, of a length that can be read."""
    return {
        name: _cut(_sendable(value)) if isinstance(value, str) else value for name, value in error.as_dict().items()
    }


def as_text(
    operation: AnyOperation, answer: Answer[R], *, max_chars: int = HARD_CAP, speak: Callable[[str], str] = str
) -> str:
    """The answer as it is read. ``speak`` gives the name by which the client knows an operation, or nothing."""
    return render_answer(operation, answer, max_chars=max_chars, speak=speak)


def as_json(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_MESSAGE:
        return text
    half = _LONGEST_MESSAGE // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters … {text[-half:]}"


def _sendable(text: str) -> str:
    """Halves of characters, which a client may send and a file name may hold, cannot be sent on."""
    return text.encode("utf-8", "replace").decode("utf-8")
