"""Writing for agents: interrupted anywhere, every file is the old one or the new one, and all can be taken back."""

import stat
from pathlib import Path

import pytest

from groundwire.edits.files import Disk
from groundwire.errors import GroundwireError, PermissionDenied
from tests.edits.failing_files import FailingFiles
from tests.surfaces.setup.worlds import World

AGENTS = ("claude", "cursor", "codex", "gemini", "cline")


def world_with_files(directory: Path) -> World:
    world = World(directory)
    world.put(world.project / ".mcp.json", '{"mcpServers": {"x": {"command": "y"}}}')
    world.put(world.project / ".codex/config.toml", "model = 'o5' # mine\n")
    return world


def steps_of_a_whole_run(directory: Path) -> int:
    world, files = world_with_files(directory), FailingFiles()
    world.init(*AGENTS, files=files)
    return len(files.calls)


def test_a_failure_at_any_step_leaves_each_file_old_or_new_and_all_can_be_taken_back(tmp_path: Path) -> None:
    steps = steps_of_a_whole_run(tmp_path / "whole")
    failures = 0
    for step in range(1, steps + 1):
        world = world_with_files(tmp_path / str(step))
        before = world.everything()
        plan = world.plan(*AGENTS)
        try:
            world.apply(plan, files=FailingFiles(step))
        except GroundwireError:
            failures += 1
        for change in plan.changes:
            assert (change.real.read_bytes() if change.real.exists() else None) in (change.before, change.after)
        assert all(each.problem is None for each in world.undo())
        assert world.everything() == before
    assert failures > 50  # clearing away is tried twice, so not every failure is one


class Killed(BaseException):
    """As good as a signal."""


class Ended(Disk):
    """The process ends before a file gets its name, so nothing is taken back."""

    def replace(self, old: Path, new: Path, /) -> None:
        if new.name == "hooks.json":
            raise Killed
        super().replace(old, new)


def test_what_was_recorded_but_never_written_is_taken_back_as_nothing(tmp_path: Path) -> None:
    world = world_with_files(tmp_path)
    before = world.everything()
    with pytest.raises(Killed):
        world.init("codex", files=Ended())
    assert len(world.records.all()) == 2
    assert sorted(each.state for each in world.undo()) == ["restored", "unchanged"]
    assert world.everything() == before


def test_nothing_is_written_that_could_not_be_recorded(tmp_path: Path) -> None:
    world = world_with_files(tmp_path)
    before = world.everything()
    (tmp_path / "state").write_text("in the way", "utf-8")
    with pytest.raises(PermissionDenied, match="cannot be written"):
        world.init("claude")
    assert world.everything() == before


def test_a_hook_that_is_a_program_can_be_run(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("cline")
    script = world.project / ".clinerules/hooks/PostToolUse"
    assert script.stat().st_mode & stat.S_IXUSR
    assert script.read_text("utf-8") == "#!/bin/sh\nexec '/opt/ground wire/bin/groundwire' hook --agent cline\n"


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    world = World(tmp_path)
    real = world.home / "dotfiles/claude.json"
    before = world.put(real, '{"oauth": "secret"}')
    real.chmod(0o600)
    (world.home / ".claude.json").symlink_to(real)
    world.init("claude", scope="user")
    assert (world.home / ".claude.json").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert b"groundwire" in real.read_bytes()
    world.undo()
    assert real.read_bytes() == before


def test_what_is_kept_of_a_private_file_is_private(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(world.home / ".claude.json", '{"oauth": "secret"}')
    world.init("claude", scope="user")
    assert stat.S_IMODE(world.records.directory.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in world.records.directory.iterdir()} == {0o600}
