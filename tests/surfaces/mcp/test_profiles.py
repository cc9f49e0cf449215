"""The same operations under several sets of names."""

import re
from pathlib import Path
from typing import cast

import msgspec
import pytest
from mcp_types import ListToolsResult

from groundwire.errors import InvalidArgument
from groundwire.operations.table import OPERATIONS
from groundwire.surfaces.mcp.profiles import PROFILES, find_profile
from groundwire.surfaces.mcp.server import build_server
from groundwire.surfaces.mcp.tools import listed
from tests.operations.toy_project import zoo
from tests.surfaces.mcp.conversations import client_of, error_of, text_of, zoo_client

pytestmark = pytest.mark.anyio

PLACES = {
    "navigation": ("lsp_goto_definition", "lsp_find_references", {"file_path": "animals.toy", "line": 5, "column": 13}),
    "opta": ("lsp_definition", "lsp_references", {"path": "animals.toy", "line": 5, "character": 12}),
}


def test_the_core_profile_takes_at_most_twelve_kilobytes_on_the_wire():
    tools = ListToolsResult(tools=[listed(tool, with_output=False) for tool in PROFILES["core"].tools])
    assert len(tools.model_dump_json(by_alias=True, exclude_none=True).encode()) <= 12 * 1024
    assert len(tools.tools) <= 12


@pytest.mark.parametrize(
    ("profile", "kept"),
    [
        ("core", "apply_edit"),
        ("full", "blast_radius"),
        ("navigation", "lsp_diagnostics"),
        ("opta", ""),
        ("single", "Lsp"),
    ],
)
async def test_who_finds_the_way_otherwise_is_offered_no_tools_for_it(tmp_path: Path, profile: str, kept: str):
    async with zoo(tmp_path) as pool:
        pool.settings = msgspec.structs.replace(pool.settings, offers_navigation=False)
        async with client_of(pool, profile=profile) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names.isdisjoint({"find_references", "lsp_goto_definition", "lsp_definition"})
            assert kept in names or not (kept or names)
            refused = await client.call_tool("find_references", {"symbol": "bark"})
            assert "there is no tool" in text_of(refused)


@pytest.mark.parametrize("profile", sorted(PLACES))
async def test_a_position_means_the_same_under_every_set_of_names(tmp_path: Path, profile: str):
    definition, references, place = PLACES[profile]
    async with zoo_client(tmp_path, profile=profile, output="json") as client:
        found = await client.call_tool(definition, place)
        assert _places(found.structured_content) == ["voices.toy:5:5"]
        uses = await client.call_tool(references, place)
        assert "animals.toy:10:13" in _places(uses.structured_content)
        hover = await client.call_tool("lsp_hover", place)
        assert "Makes noise." in text_of(hover)


async def test_references_hold_the_declaration_where_that_is_the_custom(tmp_path: Path):
    async with zoo_client(tmp_path, profile="opta", output="json") as client:
        place = PLACES["opta"][2]
        both = await client.call_tool("lsp_references", place)
        assert "voices.toy:5:5" in _places(both.structured_content)
        uses = await client.call_tool("lsp_references", {**place, "include_declaration": False})
        assert "voices.toy:5:5" not in _places(uses.structured_content)


@pytest.mark.parametrize(
    ("profile", "workspace", "document", "arguments"),
    [
        ("navigation", "lsp_workspace_symbols", "lsp_document_symbols", {"file_path": "voices.toy"}),
        ("opta", "lsp_symbols", "lsp_document_symbols", {"path": "voices.toy"}),
    ],
)
async def test_symbols_are_found_by_name_and_by_file(
    tmp_path: Path, profile: str, workspace: str, document: str, arguments: dict[str, object]
):
    async with zoo_client(tmp_path, profile=profile) as client:
        assert "voices.toy" in text_of(await client.call_tool(workspace, {"query": "bark"}))
        assert "shout" in text_of(await client.call_tool(document, arguments))


async def test_one_tool_answers_every_kind_of_question(tmp_path: Path):
    place = {"file": "animals.toy", "line": 5, "character": 13}
    async with zoo_client(tmp_path, profile="single") as client:
        (tool,) = (await client.list_tools()).tools
        assert tool.name == "Lsp"
        kinds = cast("dict[str, dict[str, list[str]]]", tool.input_schema["properties"])["kind"]["enum"]
        assert kinds == ["go_to_def", "hover", "references", "workspace_symbol", "diagnostics"]
        assert "voices.toy" in text_of(await client.call_tool("Lsp", {"kind": "go_to_def", **place}))
        assert "Makes noise." in text_of(await client.call_tool("Lsp", {"kind": "hover", **place}))
        assert "animals.toy" in text_of(await client.call_tool("Lsp", {"kind": "references", **place}))
        assert "voices.toy" in text_of(await client.call_tool("Lsp", {"kind": "workspace_symbol", "query": "bark"}))
        found = text_of(await client.call_tool("Lsp", {"kind": "diagnostics", "file": "voices.toy"}))
        assert found == "voices.toy: no findings (confirmed by well_read)"


async def test_findings_of_a_file_and_of_all_that_are_open(tmp_path: Path):
    async with zoo(tmp_path) as pool, client_of(pool, profile="navigation") as client:
        (pool.workspace / "voices.toy").write_text("this is wrong\n", "utf-8")
        one = text_of(await client.call_tool("lsp_diagnostics", {"file_path": "voices.toy"}))
        assert "ERROR [1:9] this is wrong" in one
        await client.call_tool("lsp_diagnostics", {"file_path": "lonely.toy"})
        known = text_of(await client.call_tool("lsp_diagnostics", {}))
        assert known.startswith("Checked 2 open files: 1 error in 1 file, no findings in 1 file (confirmed by")
        outside = await client.call_tool("lsp_diagnostics", {"file_path": "../other.toy"})
        assert error_of(outside)["kind"] == "OutsideWorkspace"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"kind": "rename"},
        {"kind": 7},
        {"kind": "hover"},
        {"kind": "hover", "file": "a", "line": 0, "character": 1},
        {"kind": "diagnostics"},
        {"kind": "diagnostics", "file": ""},
    ],
)
async def test_one_tool_refuses_what_is_no_question(tmp_path: Path, arguments: dict[str, object]):
    async with zoo_client(tmp_path, profile="single") as client:
        assert error_of(await client.call_tool("Lsp", arguments))["kind"] == "InvalidArgument"


async def test_mistakes_are_told_in_the_names_that_the_client_knows(tmp_path: Path):
    async with zoo_client(tmp_path, profile="opta") as client:
        error = error_of(await client.call_tool("lsp_hover", {"path": "animals.toy", "line": 5, "character": "x"}))
        assert "lsp_hover" in str(error["error"])
        assert "character" in str(error["error"])
        error = error_of(await client.call_tool("lsp_hover", {"path": "animals.toy", "line": 5, "column": 1}))
        assert "path" in str(error["hint"])


async def test_navigation_refuses_files_outside_the_workspace(tmp_path: Path):
    (tmp_path / "other.toy").write_text("def elsewhere()\n")
    async with zoo(tmp_path) as pool, client_of(pool, profile="navigation") as client:
        (pool.workspace / "link.toy").symlink_to(tmp_path / "other.toy")
        for file in ("../other.toy", str(tmp_path / "other.toy"), "link.toy"):
            result = await client.call_tool("lsp_document_symbols", {"file_path": file})
            assert error_of(result)["kind"] == "OutsideWorkspace"


async def test_the_hint_for_the_next_step_names_only_tools_that_are_there(tmp_path: Path):
    async with zoo_client(tmp_path, profile="opta") as client:
        text = text_of(await client.call_tool("lsp_symbols", {"query": "shout"}))
    assert "voices.toy" in text
    assert not set(OPERATIONS) & set(re.findall(r"\w+", text))


def test_an_unknown_profile_or_output_is_refused_with_those_that_exist():
    with pytest.raises(InvalidArgument) as raised:
        find_profile("everything")
    assert "core" in raised.value.hint


async def test_an_unknown_output_is_refused(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument) as raised:
            build_server(pool, output="yaml")
        assert "json" in raised.value.hint


def _places(answer: object) -> list[str]:
    envelope = cast("dict[str, dict[str, list[dict[str, object]]]]", answer)
    return [f"{place['file']}:{place['line']}:{place['column']}" for place in envelope["result"]["locations"]]
