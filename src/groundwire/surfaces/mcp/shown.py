"""Answers and failures as results of a tool: text that a model acts on, or the JSON that programs read.

Above: ``calls``, ``resources``. Below: ``render``.
"""

import json
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import msgspec
from mcp_types import CallToolResult, ContentBlock, TextContent

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.operations.operation import R
from groundwire.operations.table import AnyOperation
from groundwire.protocol.names import shown
from groundwire.render.answers import render_answer
from groundwire.render.failure import render_failure
from groundwire.render.json import render_json, sendable
from groundwire.render.page import HARD_CAP

Output = Literal["text", "json"]

_LONGEST_MESSAGE = 4_000
"""A failure that quotes what it was given must not be as long as that."""


def find_output(name: str) -> Output:
    """The form of that name. Raises InvalidArgument."""
    if name not in ("text", "json"):
        raise InvalidArgument(f"there is no output {name!r}", hint="Outputs: text, json.")
    return name


class Shown(NamedTuple):
    """What a client is given for a call, before it is put into the words of the protocol."""

    texts: tuple[str, ...]
    structured: Mapping[str, object] | None = None
    is_error: bool = False

    def as_result(self) -> CallToolResult:
        """As the library takes it."""
        content: list[ContentBlock] = [TextContent(text=text) for text in self.texts]
        structured = dict(self.structured) if self.structured is not None else None
        return CallToolResult(content=content, structured_content=structured, is_error=self.is_error)

    def as_json(self) -> bytes:
        """As the library would say it in a conversation that a handshake has opened."""
        told: dict[str, object] = {"content": [{"type": "text", "text": text} for text in self.texts]}
        if self.structured is not None:
            told["structuredContent"] = self.structured
        return _dump({**told, "isError": self.is_error})


_dump = msgspec.json.Encoder().encode


def show_text(text: str) -> Shown:
    """The answer to a call, as it is read."""
    return Shown((text,))


def show_json(answer: Answer[R]) -> Shown:
    """The answer to a call, as programs take it."""
    envelope = render_json(answer)
    return Shown((as_json(envelope),), envelope)


def show_error(error: GroundwireError) -> Shown:
    """Why there is no answer, and what to do about it."""
    return Shown((_cut(shown(render_failure(error))),), error_dict(error), is_error=True)


def error_dict(error: GroundwireError) -> dict[str, object]:
    """The JSON of a failure, of a length that can be read."""
    return {name: _cut(shown(value)) if isinstance(value, str) else value for name, value in error.as_dict().items()}


def as_text(
    operation: AnyOperation, answer: Answer[R], *, max_chars: int = HARD_CAP, speak: Callable[[str], str] = str
) -> str:
    """The answer as it is read. ``speak`` gives the name by which the client knows an operation, or nothing."""
    return shown(render_answer(operation, answer, max_chars=max_chars, speak=speak))


def as_json(value: object) -> str:
    """JSON on one line."""
    return json.dumps(sendable(value), ensure_ascii=False, separators=(",", ":"))


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_MESSAGE:
        return text
    half = _LONGEST_MESSAGE // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters … {text[-half:]}"
