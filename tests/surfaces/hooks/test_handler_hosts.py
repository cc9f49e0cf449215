"""One broken edit told through the hook of every host, in the form and at the moment in which that host listens."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from groundwire.surfaces.hooks.output import silence
from tests.surfaces.hooks.hosting import BROKEN, OWN_ERROR, Host, hosted
from tests.surfaces.hooks.payloads import EDITS, Payload, crush, cursor, goose, windsurf

pytestmark = pytest.mark.anyio

_MUTE = ("cursor afterFileEdit", "windsurf post_write_code", "goose PostToolUse", "goose AfterFileEdit")


def placed(payload: Payload, root: Path) -> Payload:
    """The payload, with the project and the file of the test in place of its own."""
    text = json.dumps(payload).replace("/w/a.py", "/w/library.toy").replace("/w", str(root))
    return cast("Payload", json.loads(text))


async def begun(host: Host, payload: Payload) -> Payload:
    """The host has looked at the file once, and then broken it."""
    event = placed(payload, host.pool.workspace)
    await host.send(event)
    host.write("library.toy", BROKEN)
    return event


@pytest.mark.parametrize("name", sorted(EDITS.keys() - set(_MUTE)))
async def test_a_host_that_listens_after_edits_hears_of_it_then(name: str, tmp_path: Path):
    async with hosted(tmp_path) as host:
        event = await begun(host, EDITS[name].payload)
        assert OWN_ERROR in await host.send(event)
        assert await host.send(event) == ""
        assert host.reply.output == silence(EDITS[name].agent)


_CHANGE = {"old_string": "shout(what)", "new_string": "shout(what, how)", "path": "/w/library.toy"}
_LATER: Mapping[str, tuple[Payload, Payload]] = {
    "cursor": (
        cursor("afterFileEdit", file_path="/w/library.toy", edits=[_CHANGE]),
        cursor("stop", status="completed", loop_count=0),
    ),
    "goose": (goose("PostToolUse", tool_name="developer__edit", tool_input=_CHANGE), goose("Stop")),
}


@pytest.mark.parametrize("name", sorted(_LATER))
async def test_a_host_that_does_not_listen_after_edits_hears_of_it_when_the_turn_ends(name: str, tmp_path: Path):
    async with hosted(tmp_path) as host:
        host.write("library.toy", BROKEN)
        edited, ended = (placed(payload, host.pool.workspace) for payload in _LATER[name])
        assert await host.send(edited) == ""
        told = await host.send(ended)
        assert OWN_ERROR in told
        assert "caller.toy" in told
        assert await host.send(ended) == ""


async def test_crush_hears_before_its_next_tool_what_the_last_one_broke(tmp_path: Path):
    async with hosted(tmp_path) as host:
        looks = crush(tool_name="view", tool_input={"file_path": "/w/library.toy"})
        event = await begun(host, looks)
        assert OWN_ERROR in await host.send(event)


async def test_windsurf_never_listens_and_is_told_nothing(tmp_path: Path):
    async with hosted(tmp_path) as host:
        event = await begun(host, EDITS["windsurf post_write_code"].payload)
        assert await host.send(event) == ""
        ended = windsurf("post_cascade_response", tool_info={"cwd": "/w", "response": "done"})
        assert await host.send(placed(ended, host.pool.workspace)) == ""
