"""Edits that a server asks for: refused, unless somebody is carrying out what may lead to them."""

import asyncio
from pathlib import Path

import pytest

from groundwire.client.edit_requests import ApplyResult
from groundwire.errors import ServerError
from groundwire.protocol.lsp_edits import ApplyWorkspaceEditParams
from tests.fakes.server import Json, running_session, toy_options

pytestmark = pytest.mark.anyio

OPTIONS = toy_options(Path("/project"))
EDIT: Json = {"edit": {"changes": {}}, "label": "mine"}
REFUSED = {"applied": False, "failureReason": "no edit was asked for"}


async def test_an_edit_is_taken_while_somebody_takes_them_and_refused_before_and_after() -> None:
    taken: list[str | None] = []

    async def take(asked: ApplyWorkspaceEditParams) -> ApplyResult:
        taken.append(asked.label)
        return ApplyResult(applied=True)

    async with running_session(OPTIONS) as (session, server):
        assert await server.ask("workspace/applyEdit", EDIT) == REFUSED
        async with session.edit_requests.taken_by(take):
            assert await server.ask("workspace/applyEdit", EDIT) == {"applied": True}
        assert await server.ask("workspace/applyEdit", EDIT) == REFUSED
    assert taken == ["mine"]


async def test_what_is_no_edit_is_refused_and_the_conversation_goes_on() -> None:
    async def take(_: ApplyWorkspaceEditParams) -> ApplyResult:
        return ApplyResult(applied=True)

    async with running_session(OPTIONS) as (session, server), session.edit_requests.taken_by(take):
        with pytest.raises(ServerError, match="not the expected shape"):
            await server.ask("workspace/applyEdit", {"edit": 3})
        assert await server.ask("workspace/applyEdit", EDIT) == {"applied": True}


async def test_one_takes_them_at_a_time() -> None:
    order: list[str] = []

    def taking(name: str):
        async def take(_: ApplyWorkspaceEditParams) -> ApplyResult:
            order.append(name)
            return ApplyResult(applied=True)

        return take

    async with running_session(OPTIONS) as (session, server):

        async def work(name: str) -> None:
            async with session.edit_requests.taken_by(taking(name)):
                order.append(f"{name} begins")
                await server.ask("workspace/applyEdit", EDIT)
                await asyncio.sleep(0)
                order.append(f"{name} ends")

        await asyncio.gather(work("one"), work("two"))
    assert order == ["one begins", "one", "one ends", "two begins", "two", "two ends"]
