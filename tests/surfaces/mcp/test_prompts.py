"""Skills as prompts: listed shortly, given in full, and refused in the protocol's own way."""

from pathlib import Path
from typing import cast

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PromptReference, TextContent

from groundwire.operations.workflow.skills import packaged_skills
from tests.operations.toy_project import zoo
from tests.surfaces.mcp.conversations import ERAS, client_of, error_of, text_of, zoo_client

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("mode", ERAS)
async def test_every_skill_is_listed_with_its_arguments(tmp_path: Path, mode: str) -> None:
    async with zoo_client(tmp_path, mode=mode) as client:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
    assert set(prompts) == set(packaged_skills())
    assert all(prompt.description and "\n" not in prompt.description for prompt in prompts.values())
    rename = {argument.name: argument.required for argument in prompts["lsp-rename"].arguments or ()}
    assert rename == {"symbol": True, "new_name": True}
    fix_all = {argument.name: argument.required for argument in prompts["lsp-fix-all"].arguments or ()}
    assert fix_all == {"file_path": False}


@pytest.mark.parametrize("mode", ERAS)
async def test_a_skill_is_given_in_full_with_what_was_said_and_what_servers_can_do(tmp_path: Path, mode: str) -> None:
    given = {"symbol": "bark", "new_name": "woof"}
    async with zoo_client(tmp_path, mode=mode, profile="full") as client:
        early = cast("TextContent", (await client.get_prompt("lsp-rename", given)).messages[0].content).text
        await client.call_tool("find_references", {"symbol": "bark"})
        (message,) = (await client.get_prompt("lsp-rename", given)).messages
    text = cast("TextContent", message.content).text
    assert "Servers at hand: not known yet" in early
    assert message.role == "user"
    assert text.startswith("Arguments: symbol=bark, new_name=woof\nServers at hand: supported.\n\n# Renaming\n")
    assert text.endswith(packaged_skills()["lsp-rename"].body)


async def test_what_no_server_at_hand_offers_is_said(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/rename") as pool, client_of(pool) as client:
        await client.call_tool("find_references", {"symbol": "bark"})
        result = await client.get_prompt("lsp-rename", {"symbol": "bark", "new_name": "woof"})
    text = cast("TextContent", result.messages[0].content).text
    assert "Servers at hand: unsupported: no server at hand offers textDocument/rename." in text
    assert "Not among the tools of the profile core: go_to_symbol, prepare_rename" in text


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("lsp-renam", {}, "there is no skill 'lsp-renam'"),
        ("lsp-rename", {"symbol": "bark"}, "lsp-rename needs new_name"),
        ("lsp-rename", {"symbol": " ", "new_name": "b"}, "lsp-rename needs symbol"),
        ("lsp-onboard", {"symbol": "bark"}, "lsp-onboard has no argument 'symbol'"),
        ("lsp-docs", {"symbol": "x" * 5000}, "too long"),
    ],
)
@pytest.mark.parametrize("mode", ERAS)
async def test_a_wrong_prompt_or_argument_is_refused(
    name: str, given: dict[str, str], why: str, mode: str, tmp_path: Path
) -> None:
    async with zoo_client(tmp_path, mode=mode) as client:
        with pytest.raises(MCPError, match=why) as raised:
            await client.get_prompt(name, given)
    assert raised.value.error.code == INVALID_PARAMS
    assert cast("dict[str, object]", raised.value.error.data)["kind"] == "InvalidArgument"


@pytest.mark.parametrize("mode", ERAS)
async def test_arguments_of_a_prompt_are_completed(tmp_path: Path, mode: str) -> None:
    async with zoo_client(tmp_path, mode=mode) as client:
        impact = PromptReference(type="ref/prompt", name="lsp-fix-all")
        files = await client.complete(impact, {"name": "file_path", "value": "ani"})
        docs = PromptReference(type="ref/prompt", name="lsp-docs")
        symbols = await client.complete(docs, {"name": "symbol", "value": "bar"})
        with pytest.raises(MCPError, match="no argument 'dance'"):
            await client.complete(docs, {"name": "dance", "value": ""})
        unknown = PromptReference(type="ref/prompt", name="nothing-like-it")
        with pytest.raises(MCPError, match="there is no skill"):
            await client.complete(unknown, {"name": "symbol", "value": ""})
    assert files.completion.values == ["animals.toy"]
    assert symbols.completion.values == ["bark"]


@pytest.mark.parametrize("mode", ERAS)
async def test_phases_hold_for_tools_by_any_of_their_names(tmp_path: Path, mode: str) -> None:
    edit = {"file_path": "lonely.toy", "old_text": "nobody", "new_text": "somebody"}
    async with zoo_client(tmp_path, mode=mode, profile="full") as client:
        await client.call_tool("activate_skill", {"skill_name": "lsp-explore", "mode": "block"})
        for name in ("apply_edit", "safe_apply_edit", "safe_edit"):
            assert error_of(await client.call_tool(name, edit))["kind"] == "PhaseViolation"
        seen = await client.call_tool("explore", {"symbol": "bark"})
        assert not seen.is_error
        await client.call_tool("deactivate_skill", {})
        assert "Edited lonely.toy" in text_of(await client.call_tool("apply_edit", edit))
