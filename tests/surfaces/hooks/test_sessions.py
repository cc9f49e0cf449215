"""What is remembered of sessions, and how much."""

from pathlib import Path

from groundwire.operations.answer import Finding
from groundwire.operations.reporting.dependents import Edited
from groundwire.surfaces.hooks.sessions import Session, Sessions

A = Path("/w/a.toy")


def finding(line: int) -> Finding:
    return Finding(severity="error", line=line, column=1, end_line=line, end_column=2, message="wrong")


def test_a_file_that_is_edited_twice_is_kept_once_with_what_it_was_at_first():
    session = Session(0)
    session.keep([Edited(A, "1", "2")])
    session.keep([Edited(A, "2", "3")])
    assert [each.edit for each in session.take().values()] == [Edited(A, "1", "")]
    assert session.take() == {}


def test_what_was_tried_often_enough_is_not_kept_any_longer():
    session = Session(0)
    session.keep([Edited(A, "1", "2")], {A: 2})
    assert len(session.leftovers) == 1
    session.keep([Edited(A, "1", "2")], {A: 3})
    assert session.take()[A].tries == 2
    session.keep([Edited(A, "1", "2")], {A: 3})
    assert session.take() == {}


def test_only_so_much_of_the_past_is_kept_and_nothing_of_the_present():
    session = Session(0)
    session.keep(Edited(Path(f"/w/{number}.toy"), "x" * 900_000, "y" * 900_000) for number in range(4))
    kept = [each.edit for each in session.take().values()]
    assert [len(edit.before or "") for edit in kept] == [900_000, 900_000, 0, 0]
    assert [edit.after for edit in kept] == [""] * 4


def test_a_file_that_is_gone_is_kept_as_gone():
    session = Session(0)
    session.keep([Edited(A, "1", None)])
    assert session.take()[A].edit == Edited(A, "1", None)


def test_only_so_many_files_are_kept():
    session = Session(0)
    session.keep(Edited(Path(f"/w/{number}.toy"), "", "x") for number in range(1_000))
    assert list(session.leftovers) == [Path(f"/w/{number}.toy") for number in range(800, 1_000)]


def test_findings_are_heard_once_for_one_content():
    session = Session(0)
    assert session.unheard("a.toy", "c1", [finding(1)]) == (finding(1),)
    session.heard("a.toy", "c1", [finding(1)])
    assert session.unheard("a.toy", "c1", [finding(1), finding(2)]) == (finding(2),)
    session.heard("a.toy", "c1", [finding(2)])
    assert session.unheard("a.toy", "c1", [finding(1), finding(2)]) == ()
    assert session.unheard("a.toy", "c2", [finding(1)]) == (finding(1),)


def test_what_was_not_heard_after_all_can_be_heard_again():
    session = Session(0)
    session.heard("a.toy", "c1", [finding(1)])
    session.unhear(["a.toy"])
    assert session.unheard("a.toy", "c1", [finding(1)]) == (finding(1),)


def test_a_session_is_found_again_by_its_host_and_name():
    sessions = Sessions()
    one = sessions.get("claude", "s", 0.0, 5)
    assert sessions.get("claude", "s", 1.0, 9) is one
    assert one.position == 5
    assert sessions.get("codex", "s", 1.0, 9) is not one
    assert sessions.get("claude", "t", 1.0, 9) is not one


def test_only_the_sessions_that_were_used_last_are_remembered():
    sessions = Sessions(most=2)
    first = sessions.get("claude", "1", 0.0, 0)
    second = sessions.get("claude", "2", 0.0, 0)
    assert sessions.get("claude", "1", 1.0, 0) is first
    sessions.get("claude", "3", 2.0, 0)
    assert sessions.get("claude", "2", 3.0, 0) is not second
    assert len(sessions) == 2


def test_a_session_that_was_not_used_for_long_begins_anew():
    sessions = Sessions(forgotten_after_s=10.0)
    first = sessions.get("claude", "1", 0.0, 0)
    assert sessions.get("claude", "1", 10.0, 0) is first
    assert sessions.get("claude", "1", 20.1, 0) is not first
