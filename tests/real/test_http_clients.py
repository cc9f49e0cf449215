"""Clients of MCP that are not ours, over HTTP: both lines of the TypeScript SDK, and the inspector's command line."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from groundwire.surfaces.mcp.profiles import PROFILES
from tests.real.http_packages import modules, require_packages, run_node
from tests.surfaces.http.front import Front, shared_front

HERE = Path(__file__).parent
SECONDS = 50
MODERN = "2026-07-28"
INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
TOOLS = [tool.name for tool in PROFILES["core"].tools]


class Sdk(NamedTuple):
    """A line of the SDK; ``version`` pins one that has no handshake."""

    line: str
    version: str = ""


SDKS = [Sdk("1"), Sdk("2"), Sdk("2", MODERN)]


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Generator[Front]:
    require_packages()
    with shared_front(tmp_path_factory.mktemp("clients")) as started:
        yield started


@pytest.mark.parametrize("sdk", SDKS, ids=lambda sdk: f"sdk{sdk.line}-{sdk.version or 'handshake'}")
def test_a_typescript_client_lists_calls_listens_and_ends_its_session(front: Front, sdk: Sdk) -> None:
    told = conversation(front, sdk)
    assert told["server"]["name"] == "groundwire"
    assert [tool["name"] for tool in told["tools"]] == TOOLS
    assert "groundwire://status" in [resource["uri"] for resource in told["resources"]]
    assert told["prompts"]
    found, unknown = told["results"]
    assert not found["isError"]
    assert "voices.toy" in found["text"]
    assert "no_such_thing" in unknown["text"]
    assert told["updated"] == "lsp-diagnostics:///a.toy"
    if sdk.version:
        assert (told["version"], told["session"]) == (sdk.version, None)
    else:
        assert told["version"] < MODERN
        assert told["session"]
    assert front.get("/status").json()["front"]["sessions"] == 0


def conversation(front: Front, sdk: Sdk) -> Any:
    """What such a client tells of a whole conversation."""
    front.home.fill(front.home.root, {"a.toy": "wrong\n"})
    job = {
        "modules": str(modules()),
        "sdk": sdk.line,
        "version": sdk.version,
        "url": f"{front.url}/mcp",
        "headers": front.headers,
        "calls": [{"name": "find_references", "arguments": {"symbol": each}} for each in ("shout", "no_such_thing")],
        "watched": {"uri": "lsp-diagnostics:///a.toy", "path": str(front.home.root / "a.toy"), "text": "well\n"},
    }
    return json.loads(run_node([HERE / "http_client.cjs"], given=json.dumps(job), seconds=SECONDS))


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_tools_calls_one_and_reads_a_resource(front: Front, era: str) -> None:
    assert [tool["name"] for tool in inspected(front, era, "tools/list")["tools"]] == TOOLS
    called = inspected(front, era, "tools/call", "--tool-name=find_references", "--tool-arg", "symbol=shout")
    assert "voices.toy" in called["content"][0]["text"]
    read = inspected(front, era, "resources/read", "--uri=groundwire://status")
    assert "well_read" in read["contents"][0]["text"]


def test_the_inspector_is_refused_without_the_token(front: Front) -> None:
    words = [modules() / INSPECTOR, "--cli", f"{front.url}/mcp", "--transport=http", "--method=tools/list"]
    said = run_node([*words, "--stored-auth-only"], seconds=SECONDS, allowed=range(1, 10), environment=places(front))
    assert "find_references" not in said


def inspected(front: Front, era: str, method: str, *words: str) -> Any:
    """What its command line prints of one request."""
    token = f"Authorization: {front.headers['Authorization']}"
    command = ["--cli", f"{front.url}/mcp", "--transport=http", f"--protocol-era={era}", f"--method={method}", *words]
    said = run_node([modules() / INSPECTOR, *command, "--header", token], seconds=SECONDS, environment=places(front))
    return json.loads(said)


def places(front: Front) -> dict[str, str]:
    """A home of its own: it keeps things there."""
    return {"HOME": front.home.environment["HOME"], "NO_COLOR": "1"}
