"""Clients of MCP that are not ours: one that lists and calls every tool over real pipes, and two that only judge what
is listed: the schemas by JSON Schema 2020-12, and the list by a linter for MCP servers.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from mcp_types import ListToolsResult

from groundwire.operations.table import OPERATIONS
from groundwire.surfaces.mcp.profiles import PROFILES
from groundwire.surfaces.mcp.tools import listed
from tests.interaction.questions import QUESTIONS, Question, without_next_step, write_project, write_user_config
from tests.real.conftest import server_environment, servers_directory, why_unavailable

HERE = Path(__file__).parent
CLIENT = "mcp-client"
SECONDS = 50
OUTPUTS = ("text", "json")

# Nothing is told of the budget of a profile that shows everything there is to whoever asks for that.
LINTING = {"ignore": ["context-budget"]}

LISTS = [(profile, output) for profile in PROFILES for output in OUTPUTS]


class Heard(NamedTuple):
    """The result of one call."""

    is_error: bool
    text: str
    structured: Mapping[str, Any] | None


@pytest.fixture(autouse=True)
def client() -> None:
    """It is there, or why not."""
    missing = why_unavailable(CLIENT)
    if missing:
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)


def asks_a_server(question: Question) -> bool:
    """Whether its answer depends on the project alone, and not on what was called before."""
    operation = OPERATIONS[question.operation]
    return bool(operation.needs) and operation.effect == "reads"


CALLS = sorted(QUESTIONS, key=lambda question: not asks_a_server(question))
"""What depends on earlier calls comes last."""


@pytest.mark.parametrize("output", OUTPUTS)
def test_it_lists_and_calls_every_tool(tmp_path: Path, output: str) -> None:
    told = conversation(tmp_path, output)
    assert told["server"]["name"] == "groundwire"
    assert [tool["name"] for tool in told["tools"]] == [tool.name for tool in PROFILES["full"].tools]
    heard = [(row["name"], Heard(row["isError"], row["text"], row["structured"])) for row in told["results"]]
    assert [name for name, _ in heard] == [question.operation for question in CALLS]
    wrong = [
        said for question, (_, result) in zip(CALLS, heard, strict=True) if (said := what_is_wrong(question, result))
    ]
    assert wrong == []


def what_is_wrong(question: Question, heard: Heard) -> str:
    """Empty when the answer is the one that every surface gives."""
    if heard.is_error or not heard.text:
        return f"{question.operation}: {heard.text}"
    if heard.structured is not None:
        is_right = json.loads(heard.text) == heard.structured and heard.structured["status"] == "confirmed"
        return "" if is_right else f"{question.operation}: {heard.text}"
    is_right = without_next_step(heard.text) == question.text or not asks_a_server(question)
    return "" if is_right else f"{question.operation}: {heard.text}"


def conversation(tmp_path: Path, output: str) -> Any:
    """What the client tells of a whole conversation with a server of the profile ``full``."""
    write_user_config(tmp_path / "config/groundwire")
    options = ["mcp", "--no-daemon", "--profile", "full", "--output", output]
    places = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state")}
    server = {
        "command": sys.executable,
        "args": ["-m", "groundwire", *options],
        "cwd": str(write_project(tmp_path / "project")),
        "env": {**os.environ, **places},
    }
    calls = [{"name": question.operation, "arguments": question.given} for question in CALLS]
    return run_node("foreign_client.cjs", {"server": server, "calls": calls})


def run_node(script: str, job: Mapping[str, object]) -> Any:
    """What the script prints."""
    modules = servers_directory() / "npm" / CLIENT / "node_modules"
    given = json.dumps({"modules": str(modules), **job})
    return json.loads(run(["node", str(HERE / script)], given))


def run(command: Sequence[str], given: str, *, allowed: Sequence[int] = (0,)) -> str:
    environment = server_environment(CLIENT)
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment
    )
    assert done.returncode in allowed, done.stderr
    return done.stdout


def tools_of(profile: str, output: str) -> list[dict[str, Any]]:
    """``tools/list`` as it goes over the wire."""
    tools = [listed(tool, with_output=output == "json") for tool in PROFILES[profile].tools]
    shown = ListToolsResult(tools=tools).model_dump(mode="json", by_alias=True, exclude_none=True)
    return cast("list[dict[str, Any]]", shown["tools"])


def test_every_schema_of_every_profile_is_strict_json_schema() -> None:
    tools = [
        {**tool, "name": f"{profile} {output} {tool['name']}"}
        for profile, output in LISTS
        for tool in tools_of(profile, output)
    ]
    assert run_node("strict_schemas.cjs", {"tools": tools}) == []


def test_the_strict_check_finds_what_is_wrong() -> None:
    wrong = {"name": "tool", "inputSchema": {"type": "object", "propertys": 1}}
    assert "propertys" in "".join(run_node("strict_schemas.cjs", {"tools": [wrong]}))


@pytest.mark.parametrize(("profile", "output"), LISTS)
def test_a_linter_of_mcp_servers_has_nothing_against_what_is_listed(tmp_path: Path, profile: str, output: str) -> None:
    assert findings(tmp_path, tools_of(profile, output)) == []


def test_the_linter_finds_what_is_wrong(tmp_path: Path) -> None:
    wrong = {"name": "two words", "description": "Does a thing, some day.", "inputSchema": {"type": "objekt"}}
    assert len(findings(tmp_path, [wrong])) == 3


def findings(tmp_path: Path, tools: list[dict[str, Any]]) -> list[str]:
    """What the linter finds, but for mere remarks."""
    config = tmp_path / "linting.json"
    config.write_text(json.dumps(LINTING), "utf-8")
    command = [str(servers_directory() / "bin" / "oh-my-mcp"), "--stdin", "--json", "--config", str(config)]
    report = json.loads(run(command, json.dumps({"tools": tools}), allowed=(0, 1)))
    found = [*report["global"], *(each for tool in report["tools"] for each in tool["findings"])]
    return [f"{each.get('tool', '')}: {each['message']}" for each in found if each["severity"] != "info"]
