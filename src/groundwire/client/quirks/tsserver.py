"""tsserver's own synchronous diagnostics, reached through typescript-language-server's pass-through command.

Reason: its pushes carry no version and are not sent at all when nothing changed, so they prove nothing; the command is
ordered after the last change and is an order of magnitude faster. Positions are 1-based lines and UTF-16 offsets.
Above: ``diagnose``, ``reloading``. Below: ``protocol``.
"""

import asyncio
from collections.abc import Awaitable
from typing import Protocol

import msgspec
from msgspec import Raw

from groundwire.errors import Wire
from groundwire.protocol.lsp import Position, Range, Shape, decode
from groundwire.protocol.lsp_diagnostics import Diagnostic

COMMAND = "typescript.tsserverRequest"
RELOAD: dict[str, object] = {"command": COMMAND, "arguments": ["reloadProjects", {}]}
"""Makes it forget what it has looked for in vain, and look again."""

_SEVERITIES = {"error": 1, "warning": 2, "message": 3, "suggestion": 4}


class Request(Protocol):
    """``Session.request``."""

    def __call__(self, method: str, params: object, *, timeout: float | None = None) -> Awaitable[Raw]:
        """Ask the server."""
        ...


class _Point(Shape, frozen=True):
    line: int
    offset: int

    def as_position(self) -> Position:
        return Position(max(self.line - 1, 0), max(self.offset - 1, 0))


class _Finding(Shape, frozen=True):
    text: str
    category: str = "error"
    code: int | None = None
    start: _Point = _Point(1, 1)
    end: _Point = _Point(1, 1)

    def as_diagnostic(self) -> Diagnostic:
        return Diagnostic(
            range=Range(self.start.as_position(), self.end.as_position()),
            message=self.text,
            severity=_SEVERITIES.get(self.category, 1),
            code=Raw(msgspec.json.encode(self.code)) if self.code is not None else Raw(),
            source="typescript",
        )


class _Reply(Shape, frozen=True):
    body: list[_Finding] | None = None
    success: bool = True
    message: str = ""


async def synchronous_diagnostics(request: Request, path: str, timeout: float) -> list[Diagnostic]:
    """Syntax and type findings of one file, for everything the server was told before this call."""
    replies = await asyncio.gather(
        _ask(request, "syntacticDiagnosticsSync", path, timeout),
        _ask(request, "semanticDiagnosticsSync", path, timeout),
    )
    return [finding.as_diagnostic() for found in replies for finding in found]


async def _ask(request: Request, command: str, path: str, timeout: float) -> list[_Finding]:
    params = {"command": COMMAND, "arguments": [command, {"file": path}]}
    reply = decode(await request("workspace/executeCommand", params, timeout=timeout), _Reply, command)
    if not reply.success or reply.body is None:
        raise Wire(f"{command} failed: {reply.message or 'no findings in the answer'}")
    return reply.body
