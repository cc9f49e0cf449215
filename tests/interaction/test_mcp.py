"""Every operation as a tool of an MCP client: the same text as everywhere, JSON on request."""

from pathlib import Path
from typing import cast

import msgspec
import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Result
from groundwire.operations.table import OPERATIONS
from groundwire.render.answers import render_answer
from tests.interaction.questions import QUESTIONS, Question, toy_pool, without_next_step
from tests.surfaces.mcp.conversations import ERAS, client_of, text_of
from tests.thoroughness import share

pytestmark = pytest.mark.anyio


def each_question(turn: int) -> pytest.MarkDecorator:
    """In the quick part some of them: all of them go through the Python API."""
    return pytest.mark.parametrize("question", share(QUESTIONS, turn), ids=lambda question: question.operation)


@each_question(2)
@pytest.mark.parametrize("mode", ERAS)
async def test_a_tool_answers_in_text(question: Question, mode: str, tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool, client_of(pool, profile="full", mode=mode) as client:
        result = await client.call_tool(question.operation, dict(question.given))
    assert (result.is_error, without_next_step(text_of(result))) == (False, question.text)


@each_question(3)
async def test_a_tool_answers_in_json(question: Question, tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool, client_of(pool, profile="full", output="json") as client:
        result = await client.call_tool(question.operation, dict(question.given))
    told = cast("dict[str, object]", result.structured_content)
    assert msgspec.json.decode(text_of(result)) == told
    operation = OPERATIONS[question.operation]
    answer = Answer(
        value=cast("Result", msgspec.convert(told["result"], operation.result)),
        status=Status(cast("str", told["status"])),
        reason=cast("str", told["reason"]),
        servers=tuple(cast("list[str]", told["servers"])),
    )
    assert without_next_step(render_answer(operation, answer)) == question.text
