"""``groundwire skills``: shown, put where agents look for them, and taken away, without touching anything else."""

import json
from pathlib import Path

import pytest

from groundwire.errors import OutsideWorkspace
from groundwire.operations.workflow.skills import packaged_skills
from groundwire.surfaces.cli.main import main
from groundwire.surfaces.cli.skill_folders import MARK, REPLACED, require_inside, state_of
from tests.daemon.in_thread import serving
from tests.interaction.questions import write_project, write_user_config

Capture = pytest.CaptureFixture[str]

NAME = "lsp-rename"
OURS = (Path(packaged_skills()[NAME].folder) / "SKILL.md").read_bytes()


def tree(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def test_every_skill_is_listed_and_shown(toy_project: Path, capsys: Capture) -> None:
    assert toy_project.is_dir()
    assert main(["skills", "list"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name}" in shown for name in packaged_skills())
    assert "lsp-rename <symbol> <new name> [not known yet: textDocument/references" in shown
    assert main(["skills", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["result"]["skills"]
    assert {skill["name"]: skill["status"] for skill in listed}["lsp-safe-edit"] == "supported"
    assert main(["skills", "show", "rename"]) == 0
    assert capsys.readouterr().out.encode() == OURS
    assert main(["skills", "show", "dance"]) == 2


def test_they_are_copied_into_a_project_and_taken_away(toy_project: Path, capsys: Capture) -> None:
    (toy_project / ".claude").mkdir()
    before = tree(toy_project)
    assert main(["skills", "install"]) == 0
    assert f"{len(packaged_skills())} installed" in capsys.readouterr().out
    folder = toy_project / ".claude/skills"
    assert (folder / NAME / "SKILL.md").read_bytes() == OURS
    assert main(["skills", "install"]) == 0
    assert f"{len(packaged_skills())} current" in capsys.readouterr().out
    assert main(["skills", "remove"]) == 0
    assert tree(toy_project) == before
    assert not folder.exists()
    assert main(["skills", "remove"]) == 0
    assert "Nothing of ours is there." in capsys.readouterr().out


def test_they_are_linked_for_a_user(toy_project: Path, tmp_path: Path) -> None:
    assert main(["skills", "install", NAME, "--user", "--agent", "claude"]) == 0
    link = tmp_path / "home/.claude/skills" / NAME
    assert link.is_symlink()
    assert (link / "SKILL.md").read_bytes() == OURS
    assert main(["skills", "install", NAME, "--user", "--agent", "claude", "--copy"]) == 0
    assert not link.is_symlink()
    assert main(["skills", "install", NAME, "--user", "--agent", "claude", "--link"]) == 0
    assert link.is_symlink()
    assert main(["skills", "remove", "--user"]) == 0
    assert not link.exists()
    assert (toy_project / "a.toy").exists()
    assert (Path(packaged_skills()[NAME].folder) / "SKILL.md").read_bytes() == OURS


def test_what_is_not_ours_is_kept_unless_forced_and_then_put_back(toy_project: Path, capsys: Capture) -> None:
    theirs = toy_project / ".claude/skills" / NAME
    (theirs / "deep").mkdir(parents=True)
    (theirs / "SKILL.md").write_bytes(b"theirs\r\n")
    (theirs / "deep/more").write_bytes(b"\x00\xff")
    (theirs.parent / "other").mkdir()
    (theirs.parent / "other/SKILL.md").write_bytes(b"other")
    before = tree(toy_project)
    assert main(["skills", "install", NAME, "--agent", "claude"]) == 1
    assert "it is not from groundwire; --force replaces it" in capsys.readouterr().out
    assert main(["skills", "remove", NAME, "--agent", "claude"]) == 0
    assert tree(toy_project) == before
    assert main(["skills", "install", NAME, "--agent", "claude", "--force"]) == 0
    assert (theirs / "SKILL.md").read_bytes() == OURS
    assert (theirs.parent / REPLACED / NAME / "deep/more").read_bytes() == b"\x00\xff"
    assert main(["skills", "remove", NAME, "--agent", "claude"]) == 0
    assert tree(toy_project) == before


def test_what_was_edited_is_kept_unless_forced(toy_project: Path, capsys: Capture) -> None:
    assert main(["skills", "install", NAME, "--agent", "cursor"]) == 0
    place = toy_project / ".cursor/skills" / NAME
    (place / "SKILL.md").write_bytes(OURS + b"my own words\n")
    assert state_of(place, NAME) == "changed"
    assert main(["skills", "install", NAME, "--agent", "cursor"]) == 1
    assert main(["skills", "remove", NAME, "--agent", "cursor"]) == 1
    assert "it was edited since" in capsys.readouterr().out
    assert main(["skills", "install", NAME, "--agent", "cursor", "--force"]) == 0
    assert (place / "SKILL.md").read_bytes() == OURS
    assert main(["skills", "remove", NAME, "--agent", "cursor"]) == 0
    assert (place / "SKILL.md").read_bytes() == OURS + b"my own words\n"
    assert not (place / MARK).exists()


def test_files_that_others_put_beside_ours_stay(toy_project: Path) -> None:
    assert main(["skills", "install", NAME, "--agent", "claude"]) == 0
    place = toy_project / ".claude/skills" / NAME
    (place / "notes.md").write_bytes(b"notes")
    assert main(["skills", "remove", "--agent", "claude"]) == 0
    assert [file.name for file in place.iterdir()] == ["notes.md"]


def test_a_link_of_somebody_elses_is_foreign(toy_project: Path, tmp_path: Path) -> None:
    place = toy_project / ".claude/skills" / NAME
    place.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / MARK).write_bytes(b"theirs")
    place.symlink_to(tmp_path / "elsewhere")
    assert state_of(place, NAME) == "foreign"
    assert main(["skills", "install", NAME, "--agent", "claude", "--force"]) == 0
    assert main(["skills", "remove", NAME, "--agent", "claude"]) == 0
    assert place.resolve() == tmp_path / "elsewhere"
    assert (tmp_path / "elsewhere" / MARK).read_bytes() == b"theirs"


def test_a_folder_that_leads_out_of_the_project_is_refused(toy_project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (toy_project / ".claude").symlink_to(tmp_path / "outside")
    with pytest.raises(OutsideWorkspace):
        require_inside(toy_project / ".claude/skills", toy_project)
    assert main(["skills", "install", "--agent", "claude"]) == 2
    assert list((tmp_path / "outside").iterdir()) == []
    assert main(["skills", "install", NAME, "--agent", "cursor"]) == 0
    assert main(["skills", "remove"]) == 0
    assert not (toy_project / ".cursor/skills").exists()


def test_commands_to_one_daemon_share_a_skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    write_user_config(tmp_path / "config/groundwire")
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.delenv("GROUNDWIRE_NO_DAEMON", raising=False)
    root = write_project(tmp_path / "project")
    monkeypatch.chdir(root)
    edit = ["edit", "lonely.toy", "--old-text", "nobody", "--new-text", "somebody"]
    with serving(root):
        assert main(["activate-skill", "lsp-impact", "--mode", "block"]) == 0
        assert main(edit) == 2
        assert "hint: Allowed now: what only reads." in capsys.readouterr().err
        assert main(["refs", "shout"]) == 0
        assert main(["skills", "list", "--json"]) == 0
        listed = json.loads(capsys.readouterr().out.splitlines()[-1])["result"]["skills"]
        assert {skill["name"]: skill["status"] for skill in listed}["lsp-rename"] == "supported"
        assert main(["deactivate-skill"]) == 0
        assert main(edit) == 0
    assert (root / "lonely.toy").read_text("utf-8") == "def somebody()\n"


def test_an_agent_that_has_no_folder_for_skills_is_said_to_have_none(toy_project: Path, capsys: Capture) -> None:
    assert main(["skills", "install", "--agent", "zed"]) == 2
    assert "no folder is known where Zed looks for skills" in capsys.readouterr().err
    assert main(["skills", "install"]) == 2
    assert "no agent that looks for skills is there" in capsys.readouterr().err
    assert main(["skills", "install", "--agent", "claude", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert {each["did"] for each in told["skills"]} == {"installed"}
    assert Path(told["skills"][0]["path"]).is_relative_to(toy_project)
