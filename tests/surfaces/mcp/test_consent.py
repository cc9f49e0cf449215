"""A tool that a person is to be asked about runs when they agree, and only then."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from mcp_types import ElicitRequestFormParams, ElicitResult, ErrorData

from groundwire.pool.pool import Pool
from tests.operations.toy_project import zoo
from tests.surfaces.mcp.conversations import ERAS, client_of, error_of, text_of

pytestmark = pytest.mark.anyio

EDIT = {"file_path": "animals.toy", "old_text": "use bark(volume, 2)", "new_text": "use bark(volume, 3)"}


class Person:
    """Says what it is to say, and remembers what it was asked."""

    def __init__(self, said: Literal["accept", "decline", "cancel"] | None) -> None:
        self._said: Literal["accept", "decline", "cancel"] | None = said
        self.asked: list[str] = []

    async def __call__(self, _: object, params: object) -> ElicitResult | ErrorData:
        assert isinstance(params, ElicitRequestFormParams)
        self.asked.append(params.message)
        if self._said is None:
            return ErrorData(code=-32603, message="the window is broken")
        return ElicitResult(action=self._said, content={} if self._said == "accept" else None)


def ask_about(pool: Pool, *names: str) -> Pool:
    pool.settings = msgspec.structs.replace(pool.settings, asked=frozenset(names))
    return pool


async def edited(pool: Pool, era: str, person: Person | None) -> tuple[Sequence[str], bool]:
    """What the person was asked, and whether the file was changed."""
    options: dict[str, Any] = {"elicitation_callback": person} if person is not None else {}
    file = pool.workspace / "animals.toy"
    before = file.read_text()
    async with client_of(pool, mode=era, **options) as client:
        result = await client.call_tool("apply_edit", EDIT)
    is_changed = file.read_text() != before
    assert is_changed is not result.is_error
    if result.is_error:
        assert error_of(result)["kind"] == "PermissionDenied", text_of(result)
    return person.asked if person is not None else (), is_changed


@pytest.mark.parametrize("era", ERAS)
async def test_who_agrees_is_asked_once_and_the_edit_is_made(tmp_path: Path, era: str):
    async with zoo(tmp_path) as pool:
        asked, is_changed = await edited(ask_about(pool, "apply_edit"), era, Person("accept"))
    assert is_changed
    (question,) = asked
    assert "apply_edit" in question
    assert "use bark(volume, 3)" in question


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("said", ["decline", "cancel"])
async def test_who_does_not_agree_keeps_the_file_as_it_is(tmp_path: Path, era: str, said: Literal["decline", "cancel"]):
    async with zoo(tmp_path) as pool:
        asked, is_changed = await edited(ask_about(pool, "apply_edit"), era, Person(said))
    assert (len(asked), is_changed) == (1, False)


async def test_a_client_that_fails_to_ask_has_no_agreement(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        asked, is_changed = await edited(ask_about(pool, "apply_edit"), "legacy", Person(None))
    assert (len(asked), is_changed) == (1, False)


@pytest.mark.parametrize("era", ERAS)
async def test_where_nobody_can_be_asked_nobody_has_agreed(tmp_path: Path, era: str):
    async with zoo(tmp_path) as pool:
        assert await edited(ask_about(pool, "apply_edit"), era, None) == ((), False)


@pytest.mark.parametrize("era", ERAS)
async def test_nobody_is_asked_about_other_tools(tmp_path: Path, era: str):
    async with zoo(tmp_path) as pool:
        person = Person("decline")
        assert await edited(ask_about(pool, "rename_symbol"), era, person) == ([], True)
