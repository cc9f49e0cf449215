"""The active skill outlives the process that a client was connected to, as long as the conversation lasts."""

import os
import time
from pathlib import Path

import msgspec
import pytest

from groundwire.operations.workflow.phases_kept import KeptPhase, record_of
from groundwire.operations.workflow.phases_watch import ActiveSkill, Phases
from groundwire.operations.workflow.skills import packaged_skills

NAME = "0123456789abcdef"
SKILL = packaged_skills()["lsp-safe-edit"]


def phases(directory: Path, name: str = NAME) -> Phases:
    return Phases(record_of(directory / "phases", name))


def active(directory: Path) -> Phases:
    made = phases(directory)
    made.active = ActiveSkill(SKILL, "block", at=1, is_done=True)
    made.active.history.extend(["preview_edit", "preview_edit"])
    made.changed()
    return made


def test_the_next_one_goes_on_where_the_last_one_was(tmp_path: Path) -> None:
    before = active(tmp_path).active
    after = phases(tmp_path).active
    assert after == before


def test_another_conversation_knows_nothing_of_it(tmp_path: Path) -> None:
    active(tmp_path)
    assert phases(tmp_path, "f" * 16).active is None


@pytest.mark.parametrize("ended", ["deactivated", "gone"])
def test_what_has_ended_is_not_gone_on_with(tmp_path: Path, ended: str) -> None:
    before = active(tmp_path)
    if ended == "gone":
        before.end()
    else:
        before.active = None
        before.changed()
    assert phases(tmp_path).active is None
    assert not list((tmp_path / "phases").iterdir())


@pytest.mark.parametrize("now", [{"skill": "lsp-gone"}, {"phase": "other"}, {"mode": "other"}])
def test_a_skill_that_cannot_be_gone_on_with_is_told_of(tmp_path: Path, now: dict[str, str]) -> None:
    kept = {"skill": SKILL.name, "mode": "warn", "phase": SKILL.phases[0].name, "is_done": False, **now}
    record = record_of(tmp_path, NAME)
    assert record is not None
    record.keep(msgspec.convert(kept, KeptPhase))
    after = Phases(record)
    assert after.active is None
    assert f"the skill {kept['skill']} was active" in after.lost


@pytest.mark.parametrize("content", [b"", b"[]", b'{"skill": 1}', b"\xff\x00"])
def test_a_file_that_is_broken_is_nobodys_skill_and_told_of(tmp_path: Path, content: bytes) -> None:
    active(tmp_path)
    (tmp_path / "phases" / f"{NAME}.json").write_bytes(content)
    after = phases(tmp_path)
    assert after.active is None
    assert "a skill was active, and which one cannot be read" in after.lost


def test_what_is_left_of_those_that_were_killed_is_cleared_away_after_a_week(tmp_path: Path) -> None:
    active(tmp_path)
    old, recent = tmp_path / "phases" / "old.json", tmp_path / "phases" / "recent.json"
    for file, days in ((old, 8), (recent, 6)):
        file.write_bytes(b"{}")
        then = time.time() - days * 86400
        os.utime(file, (then, then))
    active(tmp_path)
    assert (old.exists(), recent.exists()) == (False, True)


@pytest.mark.parametrize("name", ["", "../../etc", "short", "0123456789ABCDEF", "a" * 65, "0123456789abcdef\n"])
def test_a_name_that_no_client_of_ours_gives_itself_keeps_nothing(tmp_path: Path, name: str) -> None:
    assert record_of(tmp_path, name) is None


def test_a_place_that_cannot_be_written_keeps_nobody_from_working(tmp_path: Path) -> None:
    (tmp_path / "phases").write_bytes(b"")
    made = active(tmp_path)
    assert made.active is not None
    made.end()
