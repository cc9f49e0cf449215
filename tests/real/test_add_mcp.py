"""Another program that registers MCP servers, as a witness: the same files, the same keys, the same entries.

It is no part of the pinned tools: it is used where it is on the PATH (``npm install --global add-mcp``).
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from groundwire.surfaces.setup.agent import Scope
from groundwire.surfaces.setup.launch import Launch
from groundwire.surfaces.setup.members import read
from groundwire.surfaces.setup.planning import Request
from tests.surfaces.setup.worlds import World

NAMES = {
    "claude": "claude-code",
    "claude-desktop": "claude-desktop",
    "cline": "cline",
    "cline-cli": "cline-cli",
    "codex": "codex",
    "copilot": "github-copilot-cli",
    "cursor": "cursor",
    "gemini": "gemini-cli",
    "goose": "goose",
    "kilo": "kilo-code",
    "kiro": "kiro-cli",
    "opencode": "opencode",
    "vscode": "vscode",
    "windsurf": "windsurf",
    "zed": "zed",
}
DEFAULTS: Mapping[str, object] = {"environment": {}, "envs": {}, "env": {}, "enabled": True, "type": "stdio"}
"""Keys that say what is so anyway: either may write them."""


def witness(world: World, name: str, scope: Scope) -> None:
    program = shutil.which("add-mcp")
    if program is None:
        pytest.skip("add-mcp is not on the PATH")
    where = ["-g"] if scope == "user" else []
    subprocess.run(
        [program, "groundwire mcp", "--name", "groundwire", "-a", name, "-y", *where],
        cwd=world.project,
        env={"HOME": str(world.home), "PATH": os.environ["PATH"]},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=50,
        check=True,
    )


@pytest.mark.parametrize("scope", ["project", "user"])
@pytest.mark.parametrize("agent", list(NAMES))
def test_both_write_the_same(tmp_path: Path, agent: str, scope: Scope) -> None:
    ours, theirs = World(tmp_path / "ours"), World(tmp_path / "theirs")
    ours.launch = Launch("groundwire", (), "linux")
    plan = ours.plan(agent, request=Request(scope, has_hooks=False, is_portable=True))
    if not plan.changes:
        pytest.skip(f"{agent} has no file per {scope}")
    (change,) = plan.changes
    witness(theirs, NAMES[agent], scope)
    path = tmp_path / "theirs" / change.path.relative_to(tmp_path / "ours")
    assert essence(read(change.format, change.after.decode())) == essence(read(change.format, path.read_text("utf-8")))


def essence(data: object) -> object:
    """Without what is so anyway, and without the root, which only we say."""
    if isinstance(data, list):
        items = cast("list[object]", data)
        return [item for item in items if item not in ("--root", "${workspaceFolder}")]
    if not isinstance(data, Mapping):
        return data
    members = cast("Mapping[str, object]", data)
    kept = {key: value for key, value in members.items() if key != "description" and DEFAULTS.get(key) != value}
    return {key: essence(value) for key, value in kept.items()}
