"""Edits that a server asks for (``workspace/applyEdit``): taken only while somebody carries out what may lead to them.

Whoever executes a command takes them for as long as that lasts; at any other time they are refused. Above: ``inbound``,
``operations``. Below: ``protocol.lsp_edits``.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
from msgspec import Raw

from groundwire.protocol.lsp import decode
from groundwire.protocol.lsp_edits import ApplyWorkspaceEditParams

APPLY_EDIT = "workspace/applyEdit"


class ApplyResult(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """The answer to a server that asks for an edit."""

    applied: bool
    failure_reason: str | None = None


TakeEdit = Callable[[ApplyWorkspaceEditParams], Awaitable[ApplyResult]]

_UNWANTED = ApplyResult(applied=False, failure_reason="no edit was asked for")


class EditRequests:
    """Of one server."""

    def __init__(self) -> None:
        self._take: TakeEdit | None = None
        self._one_at_a_time = asyncio.Lock()

    def asked(self, params: Raw) -> ApplyResult | Awaitable[ApplyResult]:
        """The answer, or an awaitable of it. Raises Wire for what is no edit."""
        take = self._take
        return _UNWANTED if take is None else take(decode(params, ApplyWorkspaceEditParams, APPLY_EDIT))

    @asynccontextmanager
    async def taken_by(self, take: TakeEdit) -> AsyncGenerator[None]:
        """Within it the server's edits are handed to ``take``. Others who want them wait."""
        async with self._one_at_a_time:
            self._take = take
            try:
                yield
            finally:
                self._take = None
