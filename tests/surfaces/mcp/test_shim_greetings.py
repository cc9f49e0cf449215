"""What the shim answers to ``initialize`` is what the server of that profile would answer."""

import asyncio
import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.profiles import PROFILES
from groundwire.surfaces.mcp.server import build_server
from groundwire.surfaces.mcp.shim import Wanted
from groundwire.surfaces.mcp.shim_command import read_options
from groundwire.surfaces.mcp.shim_memory import Memory


async def said_by_the_server(pool: Pool, profile: str, params: dict[str, Any]) -> Any:
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](1)
    server = build_server(pool, profile=profile)
    running = asyncio.ensure_future(server.run(incoming, outgoing, server.create_initialization_options()))
    request = JSONRPCRequest(jsonrpc="2.0", id=1, method="initialize", params=params)
    await to_server.send(SessionMessage(request))
    with anyio.fail_after(20):
        reply = (await from_server.receive()).message
    to_server.close()
    await running
    from_server.close()
    assert isinstance(reply, JSONRPCResponse)
    return reply.result


@pytest.mark.anyio
@pytest.mark.parametrize("profile", PROFILES)
async def test_initialize_is_answered_as_the_server_would_in_every_version(tmp_path: Path, profile: str) -> None:
    async with Pool(tmp_path) as pool:
        for version in (*HANDSHAKE_PROTOCOL_VERSIONS, "1999-01-01"):
            params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
            answer = json.loads(Memory(profile).heard(line))
            assert answer == {"jsonrpc": "2.0", "id": 1, "result": await said_by_the_server(pool, profile, params)}


def test_its_few_options_are_read_by_hand_and_everything_else_is_left_to_the_parser(tmp_path: Path) -> None:
    here, inside = str(tmp_path), tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "link").symlink_to(inside)
    plain = Wanted(str(tmp_path.resolve()), "core", "json")
    rows: list[tuple[list[str], Wanted | None]] = [
        ([], plain),
        (["--root", "inside"], plain._replace(root=str(inside))),
        (["--root=link", "--profile", "full"], plain._replace(root=str(inside), profile="full")),
        (["--output=text", "--profile=single"], plain._replace(output="text", profile="single")),
        (["--root", "missing"], None),
        (["--profile", "nonsense"], None),
        (["--output", "yaml"], None),
        (["--profile"], None),
        (["--no-daemon"], None),
        (["--help"], None),
        (["inside"], None),
    ]
    for words, wanted in rows:
        assert read_options(words, "json", here) == wanted, words
    assert read_options([], "nonsense", here) is None
    assert {each for each in PROFILES if read_options(["--profile", each], "text", here)} == set(PROFILES)
