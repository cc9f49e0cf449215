"""Taking back: the bytes where nobody touched the file, else only what is ours, and never what is the user's."""

import json
import os
import sys
from pathlib import Path

import pytest

from groundwire.errors import PermissionDenied
from groundwire.surfaces.setup.launch import Launch
from tests.surfaces.setup.worlds import PROGRAM, World


def test_files_and_directories_that_were_made_are_gone_again(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("claude", "cursor", "goose", "continue", "copilot", "cline")
    assert (world.project / ".agents/plugins/groundwire/hooks/hooks.json").is_file()
    world.undo()
    assert world.everything() == {}


@pytest.mark.skipif(sys.platform != "linux", reason="file systems elsewhere have no such names")
def test_a_project_whose_name_is_no_utf_8_is_taken_back_too(tmp_path: Path) -> None:
    world = World(tmp_path / os.fsdecode(b"caf\xe9"))
    world.init("claude")
    world.undo()
    assert world.everything() == {}


def test_a_directory_that_somebody_uses_stays(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("cursor")
    world.put(world.project / ".cursor/rules.md", "be kind")
    world.undo()
    assert world.everything() == {
        str(world.project / ".cursor"): None,
        str(world.project / ".cursor/rules.md"): b"be kind",
    }


def test_a_file_of_ours_to_which_the_user_has_added_keeps_just_that(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("claude")
    path = world.project / ".mcp.json"
    data = json.loads(path.read_text("utf-8"))
    data["mcpServers"]["mine"] = {"command": "x"}
    path.write_text(json.dumps(data, indent=2), "utf-8")
    states = {each.file.name: each.state for each in world.undo()}
    assert states[".mcp.json"] == "edited"
    assert json.loads(path.read_text("utf-8")) == {"mcpServers": {"mine": {"command": "x"}}}


def test_a_file_of_ours_that_was_only_reformatted_is_gone(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("cursor")
    path = world.project / ".cursor/hooks.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8"))), "utf-8")
    assert {each.state for each in world.undo()} == {"removed"}
    assert world.everything() == {}


def test_an_older_entry_comes_back(tmp_path: Path) -> None:
    world = World(tmp_path)
    old = {
        "mcpServers": {
            "groundwire": {"command": "/old/groundwire", "args": ["mcp", "--profile", "full"], "env": {"A": "b"}}
        }
    }
    path = world.project / ".mcp.json"
    world.put(path, json.dumps(old))
    world.init("claude")
    now = json.loads(path.read_text("utf-8"))["mcpServers"]["groundwire"]
    assert now == {"command": PROGRAM, "args": ["mcp", "--profile", "full"], "env": {"A": "b"}}
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    world.undo()
    assert json.loads(path.read_text("utf-8")) == old


def test_several_writes_to_one_file_are_taken_back_one_after_the_other(tmp_path: Path) -> None:
    world = World(tmp_path)
    path = world.project / ".gemini/settings.json"
    before = world.put(path, '{"ui": {}} // mine')
    world.init("gemini")
    world.launch = Launch("/moved/groundwire", (), "linux")
    world.init("gemini")
    assert PROGRAM not in path.read_text("utf-8")
    assert [each.state for each in world.undo()] == ["restored", "restored"]
    assert path.read_bytes() == before


def test_several_writes_to_a_file_that_changed_since_leave_nothing_of_ours(tmp_path: Path) -> None:
    world = World(tmp_path)
    path = world.project / ".gemini/settings.json"
    world.put(path, '{"ui": {}}')
    world.init("gemini")
    world.launch = Launch("/moved/groundwire", (), "linux")
    world.init("gemini")
    path.write_text(path.read_text("utf-8") + "// mine", "utf-8")
    assert [each.state for each in world.undo()] == ["edited", "edited"]
    assert path.read_text("utf-8") == '{"ui": {}}// mine'


def test_a_script_that_the_user_changed_is_left_and_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("cline")
    script = world.project / ".clinerules/hooks/PostToolUse"
    script.write_text(script.read_text("utf-8") + "# mine\n", "utf-8")
    (undone,) = world.undo()
    assert undone.state == "failed"
    assert undone.problem is not None
    assert "changed since" in undone.problem.message
    assert script.exists()
    assert len(world.records.all()) == 1


def test_a_file_that_can_no_longer_be_read_is_left_and_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("claude")
    path = world.project / ".mcp.json"
    path.write_text('{"mcpServers": {"groundwire": ', "utf-8")
    failed = [each for each in world.undo() if each.problem]
    assert [each.file for each in failed] == [path]
    assert failed[0].problem is not None
    assert "by hand" in failed[0].problem.hint
    assert [record.file for record in world.records.all()] == [str(path)]


def test_what_the_user_deleted_stays_deleted(tmp_path: Path) -> None:
    world = World(tmp_path)
    path = world.project / ".mcp.json"
    world.put(path, "{}")
    world.init("claude")
    path.unlink()
    world.undo()
    assert world.everything() == {}


def test_a_record_that_cannot_be_read_is_told_and_not_passed_over(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.init("claude")
    (world.records.directory / "0.json").write_text("{", "utf-8")
    with pytest.raises(PermissionDenied, match=r"0\.json cannot be read"):
        world.records.all()
