"""The protocol library's own client over HTTP, in both eras."""

import asyncio
from typing import Literal

import pytest
from mcp_types import ElicitResult

from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import ERAS, sdk_client
from tests.surfaces.mcp.conversations import text_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_of_either_era_lists_tools_calls_them_and_reads_resources(common: Front, era: str) -> None:
    async with sdk_client(common, era) as client:
        assert "find_references" in [tool.name for tool in (await client.list_tools()).tools]
        answer = await client.call_tool("find_references", {"symbol": "shout"})
        assert "voices.toy" in text_of(answer)
        assert not answer.is_error
        read = await client.read_resource("groundwire://status")
        assert "well_read" in str(read.contents)
        refused = await client.call_tool("find_references", {"symbol": "no_such_thing"})
        assert "no_such_thing" in text_of(refused)


async def test_many_calls_at_once_on_one_session_each_get_their_own_answer(common: Front) -> None:
    async with sdk_client(common, "legacy") as client:
        symbols = ["shout", "bark", "nobody", "Animal"] * 16

        async def ask(symbol: str) -> str:
            return text_of(await client.call_tool("find_symbol", {"query": symbol}))

        answers = await asyncio.gather(*map(ask, symbols))
        assert len(answers) == 64
        assert all(symbol in answer for symbol, answer in zip(symbols, answers, strict=True))


async def test_a_person_is_asked_through_the_service_before_a_tool_that_needs_it(home: Home) -> None:
    home.configure('permissions.apply_edit = "ask"')
    with serving(Front(home)) as front:
        for era in ERAS:
            await _a_person_is_asked(front, era, "decline")
            await _a_person_is_asked(front, era, "accept")


async def _a_person_is_asked(front: Front, era: str, said: Literal["accept", "decline"]) -> None:
    async def person(_: object, params: object) -> ElicitResult:
        questions.append(params)
        return ElicitResult(action=said, content={} if said == "accept" else None)

    questions: list[object] = []
    front.home.fill(front.home.root)
    edit = {"file_path": "animals.toy", "old_text": "use bark(volume, 2)", "new_text": "use bark(volume, 3)"}
    async with sdk_client(front, era, elicitation_callback=person) as client:
        result = await client.call_tool("apply_edit", edit)
    assert (len(questions), result.is_error) == (1, said == "decline"), (era, said)
    assert ("volume, 3" in (front.home.root / "animals.toy").read_text()) is (said == "accept"), (era, said)
