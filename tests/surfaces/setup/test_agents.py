"""The data of the agents: every place on every system, and what shows that an agent is there."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.agent import System, Target, agents_named, all_agents
from groundwire.surfaces.setup.detection import find_agents
from groundwire.surfaces.setup.machine import Machine
from tests.surfaces.setup.worlds import World

HOME = Path("/home/u")
PROJECT = Path("/src/p")


def machine(system: System, **variables: str) -> Machine:
    return Machine({"HOME": str(HOME), "USERPROFILE": str(HOME), **variables}, system, PROJECT)


def place(agent: str, system: System, **variables: str) -> str:
    target = next(each for each in all_agents()[agent].targets_in("user", system) if each.what == "mcp")
    return str(machine(system, **variables).choose(target.paths))


@pytest.mark.parametrize(
    ("agent", "linux", "darwin", "windows"),
    [
        ("claude", ".claude.json", ".claude.json", ".claude.json"),
        (
            "claude-desktop",
            ".config/Claude/claude_desktop_config.json",
            "Library/Application Support/Claude/claude_desktop_config.json",
            "AppData/Roaming/Claude/claude_desktop_config.json",
        ),
        (
            "vscode",
            ".config/Code/User/mcp.json",
            "Library/Application Support/Code/User/mcp.json",
            "AppData/Roaming/Code/User/mcp.json",
        ),
        ("zed", ".config/zed/settings.json", ".config/zed/settings.json", "AppData/Roaming/Zed/settings.json"),
        (
            "llxprt",
            ".config/llxprt-code/settings.json",
            "Library/Preferences/llxprt-code/settings.json",
            "AppData/Roaming/llxprt-code/Config/settings.json",
        ),
        (
            "goose",
            ".config/goose/config.yaml",
            ".config/goose/config.yaml",
            "AppData/Roaming/Block/goose/config/config.yaml",
        ),
        ("codex", ".codex/config.toml", ".codex/config.toml", ".codex/config.toml"),
        ("crush", ".config/crush/crush.json", ".config/crush/crush.json", ".config/crush/crush.json"),
    ],
)
def test_the_file_of_the_user_is_where_each_system_has_it(agent: str, linux: str, darwin: str, windows: str) -> None:
    assert place(agent, "linux") == str(HOME / linux)
    assert place(agent, "darwin") == str(HOME / darwin)
    assert place(agent, "windows") == str(HOME / windows)


@pytest.mark.parametrize(
    ("agent", "variable", "expected"),
    [
        ("claude", "CLAUDE_CONFIG_DIR", "/elsewhere/.claude.json"),
        ("codex", "CODEX_HOME", "/elsewhere/config.toml"),
        ("copilot", "COPILOT_HOME", "/elsewhere/mcp-config.json"),
        ("llxprt", "LLXPRT_CONFIG_HOME", "/elsewhere/settings.json"),
        ("cline-cli", "CLINE_DIR", "/elsewhere/data/settings/cline_mcp_settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "/elsewhere/opencode/opencode.jsonc"),
    ],
)
def test_a_variable_of_the_agent_moves_its_file(agent: str, variable: str, expected: str) -> None:
    assert place(agent, "linux", **{variable: "/elsewhere"}) == expected
    assert place(agent, "linux", **{variable: "relative"}) == place(agent, "linux")


def test_the_script_for_cline_is_left_out_where_cline_cannot_run_it() -> None:
    cline = all_agents()["cline"]
    assert any(target.what == "hooks" for target in cline.targets_in("project", "darwin"))
    assert not any(target.what == "hooks" for target in cline.targets_in("project", "windows"))


@pytest.mark.parametrize("agent", list(all_agents()))
def test_every_agent_can_be_found_and_has_something_to_write_or_to_tell(agent: str) -> None:
    (known,) = agents_named([agent])
    assert known.commands or known.traces or known.project_traces
    assert known.targets or known.instructions
    for target in known.targets:
        assert bool(target.members) == (target.format != "text"), target.paths
        assert is_in_the_project(target) == (target.scope == "project")


def is_in_the_project(target: Target) -> bool:
    return all(path.is_relative_to(PROJECT) for path in machine("linux").candidates(target.paths))


def test_hooks_are_given_more_time_than_the_hook_takes_for_itself() -> None:
    targets = [target for agent in all_agents().values() for target in agent.targets if target.what == "hooks"]
    text = " ".join(str(member.value) for target in targets for member in target.members)
    times = {word.split("}")[0].rstrip(",]") for word in text.split("'timeout': ")[1:]}
    assert times == {"15", "15000"}


def test_a_name_that_nobody_has_is_told_with_those_that_there_are() -> None:
    with pytest.raises(InvalidArgument, match="'claud'") as caught:
        agents_named(["claud"])
    assert "claude, " in caught.value.hint


def test_nothing_is_found_on_an_empty_machine(tmp_path: Path) -> None:
    assert find_agents(World(tmp_path).machine, "project") == []


def test_agents_are_found_by_program_by_directory_and_by_project(tmp_path: Path) -> None:
    world = World(tmp_path)
    program = tmp_path / "bin/codex"
    world.put(program, "#!/bin/sh\n")
    program.chmod(0o755)
    (world.home / ".cursor").mkdir()
    world.put(world.project / ".mcp.json", "{}")
    found = {each.agent.id: each.why for each in find_agents(world.machine, "project")}
    assert found == {
        "claude": ".mcp.json is in the project",
        "codex": f"{program} is installed",
        "cursor": f"{world.home / '.cursor'} is there",
    }
    assert [each.agent.id for each in find_agents(world.machine, "user")] == ["codex", "cursor"]


@pytest.mark.parametrize("name", list(all_agents()))
def test_the_documentation_names_every_agent_and_where_its_servers_go_in_a_project(name: str) -> None:
    agent = all_agents()[name]
    documentation = (Path(__file__).parents[3] / "docs/agents.md").read_text("utf-8")
    row = next(line for line in documentation.splitlines() if f"(`{name}`)" in line)
    assert agent.title in row
    servers = [target for target in agent.targets_in("project", "linux") if target.what == "mcp"]
    assert all(f"`{machine('linux').candidates(each.paths)[0].relative_to(PROJECT)}`" in row for each in servers)
