"""Every operation as a tool: listed with a closed schema, and callable."""

from pathlib import Path
from typing import cast

import jsonschema
import pytest

from groundwire.operations.table import OPERATIONS, find_operation
from groundwire.surfaces.mcp.profiles import PROFILES
from tests.surfaces.mcp.conversations import ERAS, EXAMPLES, error_of, text_of, zoo_client

pytestmark = pytest.mark.anyio


def test_there_is_an_example_of_every_operation():
    assert set(EXAMPLES) == set(OPERATIONS)


async def test_the_full_profile_lists_every_operation_with_its_summary(tmp_path: Path):
    async with zoo_client(tmp_path, profile="full") as client:
        listed = await client.list_tools()
    assert {tool.name: tool.description for tool in listed.tools} == {
        **{name: operation.summary for name, operation in OPERATIONS.items()},
        "explore": OPERATIONS["explore_symbol"].summary,
    }


async def test_a_second_name_does_what_the_first_does(tmp_path: Path):
    async with zoo_client(tmp_path, profile="full") as client:
        first = await client.call_tool("explore_symbol", {"symbol": "bark"})
        assert text_of(await client.call_tool("explore", {"symbol": "bark"})) == text_of(first)


@pytest.mark.parametrize("profile", sorted(PROFILES))
async def test_schemas_are_closed_and_every_argument_is_described(tmp_path: Path, profile: str):
    async with zoo_client(tmp_path, profile=profile) as client:
        listed = await client.list_tools()
    assert listed.tools
    for tool in listed.tools:
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        properties = cast("dict[str, dict[str, object]]", tool.input_schema["properties"])
        assert all(argument.get("description") for argument in properties.values())


HINTS = {
    "reads": (True, None, None),
    "simulates": (True, None, None),
    "manages": (None, False, True),
    "executes": (None, None, None),
    "writes": (None, None, None),
}
"""Effect → whether it only reads, may destroy, and changes nothing more when repeated. What is left out is
as the protocol has it: it does not only read, it may destroy, it must not be repeated; and what only reads destroys
nothing, however often.
"""


async def test_every_tool_says_what_it_does(tmp_path: Path):
    async with zoo_client(tmp_path, profile="full") as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    for name, annotations in tools.items():
        assert annotations is not None
        told = (annotations.read_only_hint, annotations.destructive_hint, annotations.idempotent_hint)
        assert told == HINTS[find_operation(name).effect], name
        assert annotations.open_world_hint is False


@pytest.mark.parametrize("mode", ERAS)
async def test_every_operation_can_be_called_in_both_eras_of_the_protocol(tmp_path: Path, mode: str):
    async with zoo_client(tmp_path, profile="full", mode=mode) as client:
        for name, arguments in EXAMPLES.items():
            result = await client.call_tool(name, dict(arguments))
            assert not result.is_error, (name, text_of(result))
            assert text_of(result), name
            assert result.structured_content is None


async def test_every_answer_in_json_fits_the_schema_it_was_announced_with(tmp_path: Path):
    async with zoo_client(tmp_path, profile="full", output="json") as client:
        listed = await client.list_tools()
        assert all(tool.output_schema for tool in listed.tools)
        for name, arguments in EXAMPLES.items():
            result = await client.call_tool(name, dict(arguments))  # the client checks it against the schema
            answer = cast("dict[str, object]", result.structured_content)
            assert answer["status"] == "confirmed", (name, answer)
            assert isinstance(answer["result"], dict)


async def test_a_failure_fits_the_schema_too_because_some_clients_check_it(tmp_path: Path):
    async with zoo_client(tmp_path, output="json") as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        result = await client.call_tool("find_references", {"symbol": "none of these"})
        assert error_of(result)["kind"] == "NoSuchSymbol"
        jsonschema.validate(result.structured_content, cast("dict[str, object]", schemas["find_references"]))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"status": "confirmed"}, cast("dict[str, object]", schemas["find_references"]))


async def test_older_names_are_understood_though_not_listed(tmp_path: Path):
    async with zoo_client(tmp_path, profile="full") as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "get_references" not in names
        result = await client.call_tool("get_references", {"symbol": "shout"})
        assert "voices.toy" in text_of(result)


async def test_the_instructions_teach_in_less_than_a_kilobyte(tmp_path: Path):
    for profile in PROFILES:
        async with zoo_client(tmp_path / profile, profile=profile) as client:
            assert client.instructions is not None
            assert len(client.instructions.encode()) < 1024
            assert "confirmed" in client.instructions
