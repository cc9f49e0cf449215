"""Items are given out with the name of their server, and given back as that server gave them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.errors import ServerError
from groundwire.surfaces.lsp.handles import RUN_COMMAND, Handles, Origin
from groundwire.surfaces.lsp.json_shapes import Members, inside, items, members
from tests.operations.toy_project import zoo

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def origin(tmp_path: Path) -> AsyncGenerator[Origin]:
    async with zoo(tmp_path) as pool:
        chosen = pool.route(pool.workspace / "voices.toy").primary
        assert chosen is not None
        session = await pool.instance(chosen).ready(asyncio.get_running_loop().time() + 30)
        yield Origin(session, "file:///voices.toy")


async def test_an_item_comes_back_as_it_was_with_its_data_or_without(tmp_path: Path):
    async with origin(tmp_path) as toy:
        handles = Handles()
        plain: list[object] = [{"label": "a", "data": {"x": 1}}, {"label": "b"}, {"label": "c", "data": None}]
        wrapped = items(handles.wrapped(plain, toy, "list"))
        assert [handles.unwrapped(members(each)) for each in wrapped] == [(each, toy) for each in plain]


async def test_what_a_list_says_for_all_is_said_by_each_item(tmp_path: Path):
    async with origin(tmp_path) as toy:
        handles = Handles()
        where: Members = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        defaults: Members = {"data": 5, "commitCharacters": ["."], "editRange": where}
        listed: list[object] = [{"label": "a"}, {"label": "b", "data": 6, "textEdit": {}, "commitCharacters": []}]
        given: Members = {"isIncomplete": True, "itemDefaults": defaults, "items": listed}
        wrapped = members(handles.wrapped(given, toy, "completion"))
        assert set(wrapped) == {"isIncomplete", "items"}
        first, second = (handles.unwrapped(members(each))[0] for each in items(wrapped["items"]))
        edit: Members = {"range": where, "newText": "a"}
        assert first == {"label": "a", "data": 5, "commitCharacters": ["."], "textEdit": edit}
        assert second == listed[1]


async def test_a_command_of_the_server_is_run_by_it_and_one_for_editors_is_left(tmp_path: Path):
    async with origin(tmp_path) as toy:
        handles = Handles()
        own: Members = {"title": "t", "command": "toy.echo", "arguments": [1]}
        foreign: Members = {"title": "t", "command": "editor.look"}
        actions = items(handles.wrapped([{"title": "a", "command": own}, own, foreign], toy, "actions"))
        for command in (members(inside(actions[0], "command")), members(actions[1])):
            assert command["command"] == RUN_COMMAND
            assert handles.command(command) == ({"command": "toy.echo", "arguments": [1]}, toy)
        assert actions[2] == foreign


async def test_what_came_from_a_server_that_has_ended_is_not_given_to_another(tmp_path: Path):
    handles = Handles()
    async with origin(tmp_path) as toy:
        (item,) = items(handles.wrapped([{"label": "a"}], toy, "list"))
    with pytest.raises(ServerError, match="ask again"):
        handles.unwrapped(members(item))
