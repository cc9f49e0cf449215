"""Answers and failures as results of a tool: text that a model acts on, or the JSON that programs read.

Above: ``calls``, ``resources``. Below: ``render``.
"""

import json
from typing import Literal

from mcp_types import CallToolResult, TextContent

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.operations.operation import R
from groundwire.operations.table import AnyOperation
from groundwire.render.json import render_json

Output = Literal["text", "json"]

_LONGEST_MESSAGE = 4_000
"""A failure that quotes what it was given must not be as long as that."""


def find_output(name: str) -> Output:
    """The form of that name. Raises InvalidArgument."""
    if name not in ("text", "json"):
        raise InvalidArgument(f"there is no output {name!r}", hint="Outputs: text, json.")
    return name


def show_answer(operation: AnyOperation, answer: Answer[R], output: Output) -> CallToolResult:
    """The answer to a call."""
    if output == "json":
        envelope = render_json(answer)
        return CallToolResult(content=[_text(as_json(envelope))], structured_content=envelope)
    return CallToolResult(content=[_text(as_text(operation, answer))])


def show_error(error: GroundwireError) -> CallToolResult:
    """Why there is no answer, and what to do about it."""
    shown = error_dict(error)
    hint = f"\nHint: {shown['hint']}" if "hint" in shown else ""
    text = f"{shown['kind']}: {shown['error']}{hint}"
    return CallToolResult(content=[_text(text)], structured_content=shown, is_error=True)


def error_dict(error: GroundwireError) -> dict[str, object]:
    """The JSON of a failure, of a length that can be read."""
    return {name: _cut(value) if isinstance(value, str) else value for name, value in error.as_dict().items()}


def as_text(operation: AnyOperation, answer: Answer[R]) -> str:
    """The answer as it is read."""
    return as_json({"operation": operation.name, **render_json(answer)})


def as_json(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_MESSAGE:
        return text
    half = _LONGEST_MESSAGE // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters … {text[-half:]}"


def _text(text: str) -> TextContent:
    # What was read from a damaged file may hold halves of characters, which JSON on the wire cannot.
    return TextContent(text=text.encode("utf-8", "replace").decode("utf-8"))
