"""What has changed since when, bounded."""

from groundwire.surfaces.hooks.journal import Journal
from groundwire.workspace.changes import ChangeKind, FileChange


def changed(*paths: str) -> list[FileChange]:
    return [FileChange(path, ChangeKind.CHANGED) for path in paths]


def test_what_changed_since_a_position_comes_latest_first_and_once():
    journal = Journal()
    journal.saw(changed("/a", "/b"))
    position = journal.position
    journal.saw(changed("/c", "/b", "/c"))
    assert journal.since(position) == ["/c", "/b"]
    assert journal.since(0) == ["/c", "/b", "/a"]
    assert journal.since(journal.position) == []


def test_of_too_many_files_those_that_changed_longest_ago_are_forgotten():
    journal = Journal(most_files=3)
    journal.saw(changed(*(f"/{number}" for number in range(10))))
    assert journal.since(0) == ["/9", "/8", "/7"]


def test_a_file_that_came_after_the_journal_began_is_new_whatever_becomes_of_it():
    journal = Journal(most_files=2)
    journal.saw([FileChange("/new", ChangeKind.CREATED), FileChange("/new", ChangeKind.DELETED)])
    journal.saw([FileChange("/old", ChangeKind.DELETED), FileChange("/old", ChangeKind.CREATED)])
    assert (journal.is_new("/new"), journal.is_new("/old")) == (True, False)
    journal.saw(changed("/a", "/b"))
    assert not journal.is_new("/new")
