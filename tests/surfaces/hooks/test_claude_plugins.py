"""The plugin folders for Claude Code say what they should, and nothing that groundwire does not know."""

import json
from importlib.resources import files
from typing import cast

from groundwire import __version__
from groundwire.registry.catalog import load_catalog
from tests.surfaces.hooks.payloads import claude, read

PLUGINS = files("groundwire") / "surfaces/hooks/plugins"


def content(path: str) -> dict[str, object]:
    return cast("dict[str, object]", json.loads((PLUGINS / path).read_text("utf-8")))


def test_both_plugins_are_of_this_version():
    for name in ("claude", "claude-lsp"):
        assert content(f"{name}/.claude-plugin/plugin.json")["version"] == __version__


def test_the_hooks_run_our_command_at_events_that_we_understand():
    hooks = cast("dict[str, list[dict[str, object]]]", content("claude/hooks/hooks.json")["hooks"])
    commands = {
        (handler["type"], handler["command"])
        for entries in hooks.values()
        for entry in entries
        for handler in cast("list[dict[str, object]]", entry["hooks"])
    }
    assert commands == {("command", "groundwire hook --agent claude")}
    moments = {name: read(claude(name, tool_name="Bash", tool_input={})).moment for name in hooks}
    assert moments == {"PostToolUse": "ran", "Stop": "stop", "SessionStart": "start"}


def test_the_tools_of_the_matcher_are_edits_or_may_be_anything():
    hooks = cast("dict[str, list[dict[str, str]]]", content("claude/hooks/hooks.json")["hooks"])
    tools = hooks["PostToolUse"][0]["matcher"].split("|")
    given = {"file_path": "/w/a.py", "notebook_path": "/w/a.py"}
    moments = {read(claude("PostToolUse", tool_name=tool, tool_input=given)).moment for tool in tools}
    assert moments == {"edited", "ran"}


def test_the_plugin_starts_the_mcp_server():
    assert content("claude/.mcp.json") == {"mcpServers": {"groundwire": {"command": "groundwire", "args": ["mcp"]}}}


def test_the_language_server_is_for_files_that_the_catalogue_has_servers_for():
    entry = cast("dict[str, dict[str, object]]", content("claude-lsp/.lsp.json"))["groundwire"]
    assert (entry["command"], entry["args"]) == ("groundwire", ["lsp"])
    catalog = load_catalog()
    named = cast("dict[str, str]", entry["extensionToLanguage"])
    assert all(catalog.servers_for(language) for language in named.values())
    assert all(ending in catalog.languages[language].extensions for ending, language in named.items())
    assert {"python", "typescript", "go", "rust", "java", "c", "cpp", "ruby", "php"} <= set(named.values())
