"""What would be written where, and what is left out or left to the user, and why."""

import json
from pathlib import Path
from typing import cast

import pytest

from groundwire.surfaces.setup.agent import Scope, System, all_agents
from groundwire.surfaces.setup.planning import Request
from tests.surfaces.setup.worlds import PROGRAM, World


def entry(world: World, path: Path, *keys: str) -> object:
    data = json.loads(next(each for each in world.plan(*AGENT_OF[path.name]).changes if each.path == path).after)
    for key in keys:
        data = data[key]
    return data


AGENT_OF = {"mcp.json": ("cursor",), ".mcp.json": ("claude",), "settings.json": ("claude",), "hooks.json": ("cursor",)}


def test_a_client_that_starts_elsewhere_is_told_the_project(tmp_path: Path) -> None:
    world = World(tmp_path)
    found = entry(world, world.project / ".cursor/mcp.json", "mcpServers", "groundwire")
    assert found == {"command": PROGRAM, "args": ["mcp", "--root", str(world.project)]}


def test_a_client_that_starts_in_the_project_is_told_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    found = entry(world, world.project / ".mcp.json", "mcpServers", "groundwire")
    assert found == {"command": PROGRAM, "args": ["mcp"]}


def test_a_portable_file_names_no_path_of_this_machine(tmp_path: Path) -> None:
    world = World(tmp_path)
    plan = world.plan("cursor", "zed", "vscode", request=Request("project", is_portable=True, has_hooks=False))
    texts = {change.path.parent.name: change.after.decode() for change in plan.changes}
    assert '"${workspaceFolder}"' in texts[".cursor"]
    assert "--root" not in texts[".zed"]
    assert all(str(tmp_path) not in text for text in texts.values())


def test_the_hook_is_one_line_for_the_shell_with_its_own_deadline_well_within(tmp_path: Path) -> None:
    world = World(tmp_path)
    found = entry(world, world.project / ".claude/settings.json", "hooks")
    command = "'/opt/ground wire/bin/groundwire' hook --agent claude"
    handler = {"type": "command", "command": command, "timeout": 15}
    assert found == {
        "PostToolUse": [{"matcher": "Edit|Write|MultiEdit|NotebookEdit|Bash", "hooks": [handler]}],
        "Stop": [{"hooks": [handler]}],
        "SessionStart": [{"hooks": [handler]}],
    }


@pytest.mark.parametrize(("no", "names"), [("hooks", {".mcp.json"}), ("mcp", {"settings.json"})])
def test_either_kind_can_be_left_out(tmp_path: Path, no: str, names: set[str]) -> None:
    request = Request("project", has_mcp=no != "mcp", has_hooks=no != "hooks")
    plan = World(tmp_path).plan("claude", request=request)
    assert {change.path.name for change in plan.changes} == names


def test_two_agents_that_share_a_file_get_one_change(tmp_path: Path) -> None:
    plan = World(tmp_path).plan("claude", "copilot", "vscode")
    changes = {change.path.name: change for change in plan.changes}
    assert changes[".mcp.json"].agents == ("claude", "copilot")
    hooks = json.loads(changes["groundwire.json"].after)
    assert changes["groundwire.json"].agents == ("copilot", "vscode")
    assert len(hooks["hooks"]["postToolUse"]) == 1
    assert hooks["version"] == 1


def test_a_hook_of_ours_among_others_in_one_group_is_left_as_it_is(tmp_path: Path) -> None:
    world = World(tmp_path)
    group = {"hooks": [{"type": "command", "command": "lint"}, {"type": "command", "command": "groundwire hook"}]}
    world.put(world.project / ".claude/settings.json", json.dumps({"hooks": {"PostToolUse": [group]}}))
    assert entry(world, world.project / ".claude/settings.json", "hooks", "PostToolUse") == [group]


def test_a_hook_of_ours_by_another_path_is_replaced(tmp_path: Path) -> None:
    world = World(tmp_path)
    old = {"matcher": "Edit", "hooks": [{"type": "command", "command": '"/old/groundwire" hook'}]}
    other = {"hooks": [{"type": "command", "command": "lint"}]}
    world.put(world.project / ".claude/settings.json", json.dumps({"hooks": {"PostToolUse": [other, old]}}))
    found = cast("list[object]", entry(world, world.project / ".claude/settings.json", "hooks", "PostToolUse"))
    assert found[0] == other
    assert len(found) == 2
    assert PROGRAM in str(found[1])


@pytest.mark.parametrize("lsp", ["true", '{"gopls": {}}'])
def test_where_an_agent_reports_errors_itself_our_hook_is_left_out(tmp_path: Path, lsp: str) -> None:
    world = World(tmp_path)
    world.put(world.project / ".llxprt/settings.json", f'{{"lsp": {lsp}}} // on')
    plan = world.plan("llxprt")
    (change,) = plan.changes
    assert b"hooks" not in change.after
    assert b"mcpServers" in change.after
    assert any("own `lsp` is on" in note.text for note in plan.left_out)


@pytest.mark.parametrize("lsp", ["false", "{}", '{"gopls": {"disabled": true}}'])
def test_where_that_is_off_the_hook_is_written_and_what_is_to_be_confirmed_told(tmp_path: Path, lsp: str) -> None:
    world = World(tmp_path)
    world.put(world.project / ".llxprt/settings.json", f'{{"lsp": {lsp}}}')
    plan = world.plan("llxprt")
    assert b"AfterTool" in plan.changes[0].after
    assert any("hooksConfig" in note.text for note in plan.confirm)


def test_a_file_that_cannot_be_edited_is_told_with_what_to_add_and_the_others_go_on(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(world.project / ".mcp.json", '{"mcpServers": [1]}')
    plan = world.plan("claude", "cursor")
    (by_hand,) = plan.by_hand
    assert by_hand.path == world.project / ".mcp.json"
    assert json.loads(by_hand.addition) == {"mcpServers": {"groundwire": {"command": PROGRAM, "args": ["mcp"]}}}
    assert {change.path.name for change in plan.changes} == {"settings.json", "mcp.json", "hooks.json"}


@pytest.mark.parametrize("content", [b'{"a": "\xff\xfe"}', '{"a": 1}'.encode("utf-16")])
def test_a_file_in_another_encoding_is_left_to_the_user(tmp_path: Path, content: bytes) -> None:
    world = World(tmp_path)
    (world.project / ".mcp.json").write_bytes(content)
    assert "not in UTF-8" in world.plan("claude").by_hand[0].why


def test_a_script_of_the_user_is_left_to_the_user(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(world.project / ".clinerules/hooks/PostToolUse", "#!/bin/sh\nnpm test\n")
    (by_hand,) = world.plan("cline").by_hand
    assert "of yours" in by_hand.why
    assert "hook --agent cline" in by_hand.addition


def test_a_project_cannot_lead_the_writing_out_of_itself(tmp_path: Path) -> None:
    world = World(tmp_path)
    secret = world.home / "settings.json"
    world.put(secret, "{}")
    (world.project / ".claude").symlink_to(world.home, target_is_directory=True)
    (world.project / ".mcp.json").symlink_to(world.home / "new.json")
    plan = world.plan("claude")
    assert plan.changes == []
    assert ["leads out of the project" in each.why for each in plan.by_hand] == [True, True]


def test_an_agent_without_a_file_in_this_scope_is_told(tmp_path: Path) -> None:
    plan = World(tmp_path).plan("claude-desktop")
    assert plan.changes == []
    assert "--scope user" in plan.left_out[0].text


def test_an_agent_that_only_its_user_can_set_up_gets_instructions(tmp_path: Path) -> None:
    (by_hand,) = World(tmp_path).plan("jetbrains").by_hand
    assert by_hand.path is None
    assert "Settings" in by_hand.why
    assert PROGRAM in by_hand.addition


def test_the_newer_layout_of_opencode_is_kept(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(world.project / "opencode.json", '{"mcp": {"servers": {}}}')
    data = json.loads(world.plan("opencode").changes[0].after)
    assert data == {"mcp": {"servers": {"groundwire": {"type": "local", "command": [PROGRAM, "mcp"]}}}}


def test_a_server_that_is_called_servers_is_no_layout(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(world.project / "opencode.json", '{"mcp": {"servers": {"type": "remote", "url": "u"}}}')
    data = json.loads(world.plan("opencode").changes[0].after)
    assert set(data["mcp"]) == {"servers", "groundwire"}


@pytest.mark.parametrize(("agent", "scope"), [("opencode", "project"), ("opencode", "user"), ("kilo", "user")])
def test_a_plugin_is_written_with_the_command_in_use(tmp_path: Path, agent: str, scope: Scope) -> None:
    plan = World(tmp_path).plan(agent, scope=scope)
    (plugin,) = (change.after.decode() for change in plan.changes if change.path.name == "groundwire.js")
    assert f'command = ["{PROGRAM}"]' in plugin
    assert "$command" not in plugin


@pytest.mark.parametrize("system", ["linux", "darwin", "windows"])
@pytest.mark.parametrize("scope", ["project", "user"])
def test_on_every_system_all_agents_together_get_their_files_and_give_them_back(
    tmp_path: Path, system: System, scope: Scope
) -> None:
    world = World(tmp_path, system)
    plan = world.init(*all_agents(), scope=scope)
    assert {agent for change in plan.changes for agent in change.agents} >= {"claude", "codex", "zed", "crush"}
    assert [each.path for each in plan.by_hand] == [None]
    assert world.plan(*all_agents(), scope=scope).changes == []
    world.undo()
    assert world.everything() == {}


def test_on_windows_a_hook_is_quoted_as_its_shells_take_it(tmp_path: Path) -> None:
    world = World(tmp_path, "windows")
    hooks = next(change for change in world.plan("claude").changes if change.path.name == "settings.json")
    command = json.loads(hooks.after)["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command == f'"{PROGRAM}" hook --agent claude'
