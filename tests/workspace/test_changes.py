"""Changes as values: merged per path, and filtered by what a server registered."""

from hypothesis import given
from hypothesis import strategies as st

from groundwire.workspace.changes import ChangeKind, FileChange, Vanished, WatchedFiles, coalesce

CREATED, CHANGED, DELETED = ChangeKind.CREATED, ChangeKind.CHANGED, ChangeKind.DELETED


class EndsWith:
    """A pattern that needs no glob syntax."""

    def __init__(self, ending: str) -> None:
        self.ending = ending
        self.directory_names: frozenset[str] = frozenset()
        self.directories: frozenset[str] = frozenset()
        self.files: frozenset[str] = frozenset()

    def matches(self, path: str, /) -> bool:
        return path.endswith(self.ending)


def merged(*kinds: ChangeKind) -> list[ChangeKind]:
    return [change.kind for change in coalesce(FileChange("/w/a.py", kind) for kind in kinds)]


def test_a_file_created_and_then_changed_was_created() -> None:
    assert merged(CREATED, CHANGED, CHANGED) == [CREATED]


def test_a_file_that_came_and_went_is_left_out() -> None:
    assert merged(CREATED, CHANGED, DELETED) == []


def test_a_file_deleted_and_created_anew_was_changed() -> None:
    assert merged(DELETED, CREATED) == [CHANGED]


def test_a_file_changed_and_then_deleted_was_deleted() -> None:
    assert merged(CHANGED, DELETED) == [DELETED]


def test_a_file_that_came_and_went_and_came_was_created() -> None:
    assert merged(CREATED, DELETED, CREATED) == [CREATED]


def test_paths_stay_in_the_order_of_their_first_appearance() -> None:
    changes = [FileChange("/w/b", CREATED), FileChange("/w/a", CHANGED), FileChange("/w/b", CHANGED)]
    assert coalesce(changes) == [FileChange("/w/b", CREATED), FileChange("/w/a", CHANGED)]


@given(st.lists(st.tuples(st.sampled_from(["/a", "/b"]), st.booleans())), st.frozensets(st.sampled_from(["/a", "/b"])))
def test_merged_changes_lead_to_the_same_files_as_the_single_ones(
    steps: list[tuple[str, bool]], present: frozenset[str]
) -> None:
    files, changes = set(present), list[FileChange]()
    for path, is_removal in steps:
        if not is_removal:
            changes.append(FileChange(path, CHANGED if path in files else CREATED))
            files.add(path)
        elif path in files:
            changes.append(FileChange(path, DELETED))
            files.remove(path)
    replayed = set(present)
    for change in coalesce(changes):
        assert (change.path in replayed) == (change.kind is not CREATED)
        (replayed.discard if change.kind is DELETED else replayed.add)(change.path)
    assert replayed == files


def test_without_a_registration_nothing_is_wanted() -> None:
    assert WatchedFiles().wanted([FileChange("/w/a.py", CHANGED)]) == []


def test_only_paths_that_a_pattern_matches_are_wanted() -> None:
    watched = WatchedFiles()
    watched.register("1", [(EndsWith(".py"), 7)])
    assert watched.wanted([FileChange("/w/a.py", CHANGED), FileChange("/w/a.rs", CHANGED)]) == [
        FileChange("/w/a.py", CHANGED)
    ]


def test_a_pattern_is_asked_only_for_the_kinds_it_was_registered_for() -> None:
    changes = [FileChange(f"/w/{kind.name}", kind) for kind in ChangeKind]
    for bits, expected in ((1, [CREATED]), (2, [CHANGED]), (4, [DELETED]), (5, [CREATED, DELETED])):
        watched = WatchedFiles()
        watched.register("1", [(EndsWith(""), bits)])
        assert [change.kind for change in watched.wanted(changes)] == expected


def test_a_change_that_several_patterns_match_is_told_once() -> None:
    watched = WatchedFiles()
    watched.register("1", [(EndsWith(".py"), 7), (EndsWith("a.py"), 7)])
    watched.register("2", [(EndsWith(""), 7)])
    change = FileChange("/w/a.py", CHANGED)
    assert watched.wanted([change, change]) == [change]


def test_a_repeated_id_adds_to_what_it_stood_for_and_ends_it_all() -> None:
    watched = WatchedFiles()
    watched.register("1", [(EndsWith(".py"), 7)])
    watched.register("1", [(EndsWith(".rs"), 7)])
    changes = [FileChange("/w/a.py", CHANGED), FileChange("/w/a.rs", CHANGED)]
    assert watched.wanted(changes) == changes
    watched.unregister("1")
    assert watched.wanted(changes) == []


def test_an_unregistered_id_wants_nothing_more_and_the_others_still_do() -> None:
    watched = WatchedFiles()
    watched.register("1", [(EndsWith(".py"), 7)])
    watched.register("2", [(EndsWith(".rs"), 7)])
    watched.unregister("1")
    watched.unregister("never registered")
    assert watched.wanted([FileChange("/w/a.py", CHANGED), FileChange("/w/a.rs", CHANGED)]) == [
        FileChange("/w/a.rs", CHANGED)
    ]


def test_a_file_that_vanished_is_noticed_when_it_is_soon_there_again() -> None:
    vanished = Vanished(seconds=10.0)
    gone, back = FileChange("/w/a.go", DELETED), FileChange("/w/a.go", CREATED)
    assert not vanished.have_returned([back], 0.0)
    assert not vanished.have_returned([gone, FileChange("/w/b.go", CREATED)], 1.0)
    assert vanished.have_returned([back], 10.9)
    assert not vanished.have_returned([back], 10.9)
    assert not vanished.have_returned([gone], 20.0)
    assert not vanished.have_returned([back], 30.1)
