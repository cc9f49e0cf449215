"""Whatever fails, and whenever: everything was written, or nothing. Every single step is made to fail once."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from groundwire.edits.files import Disk
from groundwire.edits.plan import Plan
from groundwire.edits.steps import inverted
from groundwire.edits.write import apply
from groundwire.errors import EditConflict, GroundwireError, PartlyWritten, WriteFailed
from tests.edits.failing_files import NEEDS_ROOM, FailingFiles, When
from tests.edits.projects import Project, text_edit


def fill(project: Project) -> Plan:
    """A bit of everything, and an edit that does everything to it."""
    project.put("a.py", "one\ntwo\n", 0o640)
    os.link(project.put("linked.py", "shared\n", 0o664), project / "other_name.py")
    project.put("target.py", "t\n")
    (project / "link.py").symlink_to("target.py")
    project.put("old.py", "old\n", 0o755)
    project.put("in_the_way.py", "in the way\n", 0o600)
    project.put("gone/deep/x.py", "x\n", 0o600)
    project.put("gone/y.bin", b"\0\1\2")
    (project / "gone/link").symlink_to("../a.py")
    (project / "gone").chmod(0o750)
    project.put("package/m.py", "m\n")
    return project.plan(
        project.change("a.py", text_edit(0, 0, 3, "ONE")),
        project.change("linked.py", text_edit(0, 0, 0, "more ")),
        project.change("link.py", text_edit(0, 0, 1, "T")),
        project.create("new/deep/n.py"),
        project.change("new/deep/n.py", text_edit(0, 0, 0, "new\n")),
        project.rename("old.py", "in_the_way.py", overwrite=True),
        project.change("in_the_way.py", text_edit(0, 0, 3, "renamed")),
        project.delete("gone", recursive=True),
        project.rename("package", "packet"),
        project.change("packet/m.py", text_edit(0, 0, 1, "M")),
        project.create("gone"),
    )


AFTER: dict[str, bytes | str | None] = {
    "a.py": b"ONE\ntwo\n",
    "linked.py": b"more shared\n",
    "other_name.py": b"more shared\n",
    "target.py": b"T\n",
    "link.py": "target.py",
    "in_the_way.py": b"renamed\n",
    "new": None,
    "new/deep": None,
    "new/deep/n.py": b"new\n",
    "packet": None,
    "packet/m.py": b"M\n",
    "gone": b"",
}


def calls_of(plan: Plan) -> list[str]:
    """What is done to the disk for this plan, which is taken back again."""
    files = FailingFiles()
    apply(plan, files)
    apply(Plan(tuple(inverted(plan.steps))))
    return files.calls


def test_a_bit_of_everything_is_done(project: Project):
    plan = fill(project)
    applied = apply(plan)
    assert project.contents() == AFTER
    assert applied.leftovers == ()
    assert (project / "in_the_way.py").stat().st_mode & 0o777 == 0o755


def attempt(plan: Plan, files: FailingFiles) -> GroundwireError | None:
    try:
        apply(plan, files)
    except GroundwireError as error:
        return error
    return None


@pytest.mark.parametrize("when", ["before", "after", "half"])
def test_whichever_step_fails_everything_is_as_before_or_all_is_done(project: Project, when: When):
    plan = fill(project)
    before = project.contents()
    failures: list[GroundwireError] = []
    for number in range(1, len(calls_of(plan)) + 1):
        state = project.state()
        error = attempt(plan, FailingFiles(number, when=when))
        if error is None:  # the failure was in clearing up, which was tried again
            assert project.contents() == AFTER, f"call {number}"
            apply(Plan(tuple(inverted(plan.steps))))
        else:
            failures.append(error)
            assert project.state() == state, f"call {number}"
        assert project.contents() == before
    assert len(failures) > 100
    assert not [error for error in failures if isinstance(error, PartlyWritten)]


def test_whichever_step_of_an_undo_fails_everything_is_as_before_or_all_is_done(project: Project):
    plan = fill(project)
    before = project.contents()
    apply(plan)
    back = Plan(tuple(inverted(plan.steps)))
    for number in range(1, len(calls_of(back)) + 1):
        state = project.state()
        error = attempt(back, FailingFiles(number))
        assert not isinstance(error, PartlyWritten)
        if error is None:
            assert project.contents() == before, f"call {number}"
            apply(plan)
        else:
            assert project.state() == state, f"call {number}"
        assert project.contents() == AFTER


def test_a_disk_that_stays_full_leaves_everything_as_it_was(project: Project):
    plan = fill(project)
    for number in range(1, len(calls_of(plan)) + 1):
        state = project.state()
        # What is written in place needs room to be put back too; nothing can be done about that.
        files = FailingFiles(number, errno.ENOSPC, ever_after=True, only=NEEDS_ROOM - {"overwrite"})
        error = attempt(plan, files)
        if error is None:
            apply(Plan(tuple(inverted(plan.steps))))
        else:
            assert isinstance(error, WriteFailed)
            assert ("No space left" in error.message, "Free some space" in error.hint) == (True, True)
            assert project.state() == state, f"call {number}"


def test_when_nothing_works_any_more_what_is_not_as_it_was_is_told_and_no_content_is_lost(tmp_path: Path):
    told: list[PartlyWritten] = []
    for number in range(1, 1000):
        project = Project(tmp_path / str(number))
        project.root.mkdir()
        plan = fill(project)
        before = project.contents()
        error = attempt(plan, FailingFiles(number, ever_after=True))
        if error is None:
            break
        if not isinstance(error, PartlyWritten):
            assert project.contents() == before
            continue
        told.append(error)
        after = project.contents()
        # The other name of a file and what a link leads to are told of under one name.
        named = {str(project / "other_name.py"), *re.split("[ ,]", " ".join(error.left))}
        for name in before:
            places = (project / name, *(project / name).parents)
            assert after.get(name) == before[name] or named & set(map(str, places)), error.left
        assert {content for content in before.values() if isinstance(content, bytes)} <= set(after.values())
    assert len(told) > 50


def test_an_interruption_takes_everything_back_too(project: Project):
    class Interrupted(Disk):
        def sync_directory(self, path: Path, /) -> None:
            raise KeyboardInterrupt

    plan = fill(project)
    state = project.state()
    with pytest.raises(KeyboardInterrupt):
        apply(plan, Interrupted())
    assert project.state() == state


class Meddling(Disk):
    """Somebody else does something right after the first call of one kind; at the end the disk may fail."""

    def __init__(self, after: Literal["link", "replace"], meddle: Callable[[], object], *, fails: bool = False) -> None:
        self._after = after
        self._meddles = [meddle]
        self._fails = fails

    def _meddle(self, after: str) -> None:
        if after == self._after and self._meddles:
            self._meddles.pop()()

    def link(self, old: Path, new: Path, /) -> None:
        super().link(old, new)
        self._meddle("link")

    def replace(self, old: Path, new: Path, /) -> None:
        super().replace(old, new)
        self._meddle("replace")

    def sync_directory(self, path: Path, /) -> None:
        if self._fails:
            raise OSError(errno.EIO, "broken", str(path))


def rewrite(path: Path, content: str | None) -> None:
    path.unlink()
    if content is not None:
        path.write_text(content)


@pytest.mark.parametrize(("content", "complaint"), [("mine\n", "changed by somebody else"), (None, "vanished")])
def test_a_file_that_changed_or_vanished_meanwhile_is_a_conflict_and_nothing_is_written(
    project: Project, content: str | None, complaint: str
):
    project.put("a.py", "a\n")
    project.put("b.py", "b\n")
    plan = project.plan(
        project.change("a.py", text_edit(0, 0, 1, "A")), project.change("b.py", text_edit(0, 0, 1, "B"))
    )
    with pytest.raises(EditConflict, match=rf"b\.py.*{complaint}.*nothing was changed"):
        apply(plan, Meddling("link", lambda: rewrite(project / "b.py", content)))
    left = {"a.py": b"a\n"} if content is None else {"a.py": b"a\n", "b.py": b"mine\n"}
    assert project.contents() == left


def test_a_file_made_meanwhile_is_not_overwritten(project: Project):
    plan = project.plan(project.create("a.py"))
    project.put("a.py", "mine")
    with pytest.raises(EditConflict, match="made by somebody else"):
        apply(plan)
    assert project.contents() == {"a.py": b"mine"}


def test_a_directory_that_appears_in_the_way_is_a_conflict(project: Project):
    project.put("a.py", "a")
    plan = project.plan(project.rename("a.py", "b.py"))
    (project / "b.py").mkdir()
    with pytest.raises(EditConflict, match="made by somebody else"):
        apply(plan)
    assert project.contents() == {"a.py": b"a", "b.py": None}


def test_a_file_that_became_a_directory_is_a_conflict(project: Project):
    path = project.put("a.py", "a")
    plan = project.plan(project.change("a.py", text_edit(0, 0, 1, "b")))
    path.unlink()
    path.mkdir()
    with pytest.raises(EditConflict, match=r"a\.py"):
        apply(plan)
    assert project.contents() == {"a.py": None}


def test_a_file_put_into_a_directory_that_is_being_deleted_saves_it(project: Project):
    project.put("d/a.py", "a")
    plan = project.plan(project.delete("d", recursive=True))
    project.put("d/b.py", "b")
    with pytest.raises(EditConflict, match=r"not empty: b\.py"):
        apply(plan)
    assert project.contents() == {"d": None, "d/a.py": b"a", "d/b.py": b"b"}


def test_a_directory_that_became_a_link_out_of_the_workspace_is_not_followed(project: Project, tmp_path: Path):
    project.put("d/a.py", "a")
    plan = project.plan(project.change("d/a.py", text_edit(0, 0, 1, "b")), project.create("d/new.py"))
    (project / "d").rename(tmp_path / "outside")
    (project / "d").symlink_to(tmp_path / "outside")
    with pytest.raises(EditConflict, match="replaced by a link"):
        apply(plan)
    assert Project(tmp_path / "outside").contents() == {"a.py": b"a"}


def test_a_link_that_leads_elsewhere_by_now_is_not_removed(project: Project):
    (project / "link").symlink_to("a.py")
    plan = project.plan(project.delete("link"))
    (project / "link").unlink()
    (project / "link").symlink_to("b.py")
    with pytest.raises(EditConflict, match="leads elsewhere"):
        apply(plan)
    assert project.contents() == {"link": "b.py"}


def test_a_move_is_only_made_of_what_was_planned(project: Project):
    path = project.put("a.py", "a")
    plan = project.plan(project.rename("a.py", "b.py"))
    path.write_text("other")
    with pytest.raises(EditConflict, match="changed by somebody else"):
        apply(plan)
    path.unlink()
    with pytest.raises(EditConflict, match="vanished"):
        apply(plan)


def test_permissions_changed_meanwhile_are_a_conflict(project: Project):
    project.put("a.py", "a\n")
    path = project.put("b.py", "b\n", 0o644)
    plan = project.plan(
        project.change("a.py", text_edit(0, 0, 1, "A")), project.change("b.py", text_edit(0, 0, 1, "B"))
    )
    with pytest.raises(EditConflict, match=r"permissions or links of .*b\.py changed"):
        apply(plan, Meddling("link", lambda: path.chmod(0o600)))
    assert project.contents() == {"a.py": b"a\n", "b.py": b"b\n"}


def test_what_somebody_put_in_the_place_of_a_new_file_is_not_taken_away(project: Project):
    plan = project.plan(project.create("a.py"))
    with pytest.raises(WriteFailed, match="broken"):
        apply(plan, Meddling("replace", lambda: rewrite(project / "a.py", "mine"), fails=True))
    assert project.contents() == {"a.py": b"mine"}


def test_what_somebody_put_in_the_place_of_a_removed_file_is_kept_and_the_old_content_too(project: Project):
    path = project.put("a.py", "old")
    plan = project.plan(project.delete("a.py"))
    with pytest.raises(PartlyWritten, match=r"a\.py could not be put back .*old content is in (.*)") as failed:
        apply(plan, Meddling("replace", lambda: path.write_text("mine"), fails=True))
    (kept,) = (name for name in project.contents() if name != "a.py")
    assert str(project / kept) in failed.value.message
    assert project.contents() == {"a.py": b"mine", kept: b"old"}


def test_what_somebody_wrote_into_a_file_since_is_kept_and_the_old_content_too(project: Project):
    path = project.put("a.py", "old")
    plan = project.plan(project.change("a.py", text_edit(0, 0, 3, "new")))
    with pytest.raises(PartlyWritten, match=r"a\.py could not be put back \(somebody else wrote"):
        apply(plan, Meddling("replace", lambda: path.write_text("mine"), fails=True))
    assert sorted(map(str, project.contents().values())) == ["b'mine'", "b'old'"]


def test_a_file_put_into_a_directory_while_it_goes_saves_it(project: Project):
    path = project / "d"
    path.mkdir()
    plan = project.plan(project.delete("d"))

    class Late(Disk):
        def replace(self, old: Path, new: Path, /) -> None:
            if old == path:
                (path / "mine.py").write_text("mine")
            super().replace(old, new)

    with pytest.raises(EditConflict, match=r"put into .*meanwhile"):
        apply(plan, Late())
    assert project.contents() == {"d": None, "d/mine.py": b"mine"}


def test_when_renaming_stops_to_work_old_contents_are_kept_and_told(project: Project):
    project.put("a.py", "a\n")
    project.put("b.py", "b\n")
    plan = project.plan(
        project.change("a.py", text_edit(0, 0, 1, "A")), project.change("b.py", text_edit(0, 0, 1, "B"))
    )
    second = [number for number, call in enumerate(calls_of(plan), 1) if call == "replace"][1]
    error = attempt(plan, FailingFiles(second, ever_after=True, only=frozenset({"replace"})))
    assert isinstance(error, PartlyWritten)
    after = project.contents()
    kept = {name: content for name, content in after.items() if name.startswith(".groundwire-")}
    assert set(kept.values()) == {b"a\n", b"b\n"}
    assert all(name in " ".join(error.left) for name in kept)
