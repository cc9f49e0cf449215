"""Save-triggered runs: which of them prove what, and that no order of events makes them prove too much."""

from collections import deque

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundwire.workspace.rules import SaveCheck
from groundwire.workspace.save_check import SaveCheckRuns
from tests.thoroughness import examples

TOKEN = "checker/0"
LATER = 1_000.0


def new_runs(tail_ms: int = 50, doubt_ms: int = 750) -> SaveCheckRuns:
    rule = SaveCheck(name="the checker", token_prefix="checker/", tail_ms=tail_ms, doubt_ms=doubt_ms)
    return SaveCheckRuns(rule)


def save_and_read(runs: SaveCheckRuns, clock: int, now: float = 0.0) -> None:
    runs.saved(clock, now)
    runs.read(runs.told)


def run_through(runs: SaveCheckRuns, ended: float = 0.0) -> None:
    runs.began(TOKEN)
    runs.ended(TOKEN, ended)


@pytest.mark.parametrize(("token", "is_ours"), [("checker/0", True), ("other/0", False), (7, False), ("", False)])
def test_only_tokens_with_the_prefix_are_runs_of_the_checker(token: int | str, is_ours: bool) -> None:
    assert new_runs().is_token(token) is is_ours


def test_nothing_is_settled_before_any_run() -> None:
    assert not new_runs().is_settled(0, LATER)


def test_a_run_that_begins_after_the_save_was_read_proves_its_clock() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    run_through(runs)
    assert runs.is_settled(3, LATER)


def test_a_run_proves_nothing_newer_than_the_save() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    run_through(runs)
    assert not runs.is_settled(4, LATER)


def test_a_run_that_is_heard_before_the_save_was_surely_read_proves_nothing() -> None:
    runs = new_runs()
    runs.saved(3, 0.0)
    run_through(runs)
    assert not runs.is_settled(3, LATER)


def test_a_save_that_is_read_only_during_the_run_proves_nothing() -> None:
    runs = new_runs()
    runs.saved(3, 0.0)
    runs.began(TOKEN)
    runs.read(runs.told)
    runs.ended(TOKEN, 0.0)
    assert not runs.is_settled(3, LATER)


def test_two_saves_before_one_beginning_are_proven_by_it_when_both_were_read() -> None:
    runs = new_runs()
    runs.saved(3, 0.0)
    save_and_read(runs, 4)
    run_through(runs)
    assert runs.is_settled(4, LATER)


def test_two_saves_of_which_one_was_read_are_not_proven_by_the_next_run() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    runs.saved(4, 0.0)
    run_through(runs)
    assert not runs.is_settled(3, LATER)
    assert not runs.is_settled(4, LATER)


def test_a_run_during_which_a_save_was_told_proves_nothing_as_it_may_be_cut_short() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    runs.began(TOKEN)
    save_and_read(runs, 3)
    runs.ended(TOKEN, 0.0)
    assert not runs.is_settled(3, LATER)


def test_the_run_that_replaces_one_cut_short_proves_the_newer_save() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    runs.began(TOKEN)
    save_and_read(runs, 4)
    runs.ended(TOKEN, 0.0)
    run_through(runs)
    assert runs.is_settled(4, LATER)


def test_a_beginning_left_over_from_an_earlier_save_does_not_prove_a_later_one() -> None:
    runs = new_runs()
    runs.saved(1, 0.0)
    runs.saved(2, 0.0)
    runs.began(TOKEN)  # of the first save
    runs.saved(3, 0.0)
    runs.ended(TOKEN, 0.0)
    run_through(runs)  # of the second
    assert not runs.is_settled(3, LATER)


def test_a_run_under_way_is_not_settled() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    run_through(runs)
    runs.began(TOKEN)
    assert not runs.is_settled(3, LATER)


def test_a_run_nobody_asked_for_that_begins_within_the_tail_takes_the_proof_back_until_it_ends() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    run_through(runs, ended=10.0)
    runs.began(TOKEN)
    assert not runs.is_settled(3, LATER)
    runs.ended(TOKEN, 11.0)
    assert runs.is_settled(3, LATER)


def test_a_later_run_that_is_cut_short_takes_the_proof_of_an_earlier_one_with_it() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    run_through(runs)
    runs.began(TOKEN)
    runs.saved(3, 0.0)
    runs.ended(TOKEN, 0.0)
    assert not runs.is_settled(3, LATER)


def settled_after(runs: SaveCheckRuns, clock: int) -> float:
    """How long after an end at 100 it is settled, and that it is looked at again just then."""
    settles = runs.look_again(100.0)
    assert settles is not None
    assert not runs.is_settled(clock, settles - 0.001)
    assert runs.is_settled(clock, settles)
    assert runs.look_again(settles) is None
    return settles - 100.0


def test_a_run_of_a_save_told_while_nothing_was_under_way_settles_after_the_tail() -> None:
    runs = new_runs(tail_ms=50, doubt_ms=750)
    save_and_read(runs, 1)
    run_through(runs, ended=0.0)
    save_and_read(runs, 2, now=99.0)
    run_through(runs, ended=100.0)
    assert settled_after(runs, 2) == pytest.approx(0.05)


def test_the_first_run_of_all_settles_after_the_doubt_as_the_server_may_have_begun_it_by_itself() -> None:
    runs = new_runs(tail_ms=50, doubt_ms=750)
    save_and_read(runs, 1, now=99.0)
    run_through(runs, ended=100.0)
    assert settled_after(runs, 1) == pytest.approx(0.75)


def test_a_run_of_a_save_told_during_another_settles_after_the_doubt() -> None:
    runs = new_runs(tail_ms=50, doubt_ms=750)
    save_and_read(runs, 1)
    run_through(runs, ended=0.0)
    runs.began(TOKEN)
    save_and_read(runs, 2, now=99.0)
    runs.ended(TOKEN, 99.5)
    run_through(runs, ended=100.0)
    assert settled_after(runs, 2) == pytest.approx(0.75)


def test_a_run_of_a_save_told_while_another_waited_for_its_run_settles_after_the_doubt() -> None:
    runs = new_runs(tail_ms=50, doubt_ms=750)
    save_and_read(runs, 1)
    run_through(runs, ended=0.0)
    save_and_read(runs, 2, now=98.0)
    save_and_read(runs, 3, now=99.0)
    run_through(runs, ended=100.0)
    assert settled_after(runs, 3) == pytest.approx(0.75)


def test_a_save_told_right_after_an_end_leaves_a_doubt_too() -> None:
    runs = new_runs(tail_ms=50, doubt_ms=750)
    save_and_read(runs, 1)
    run_through(runs, ended=0.0)
    save_and_read(runs, 2, now=98.0)
    run_through(runs, ended=99.0)
    save_and_read(runs, 3, now=99.01)
    run_through(runs, ended=100.0)
    assert settled_after(runs, 3) == pytest.approx(0.75)


def test_all_runs_must_have_ended_when_several_go_on_at_once() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    runs.began("checker/0")
    runs.began("checker/1")
    runs.ended("checker/0", 0.0)
    assert not runs.is_settled(3, LATER)
    runs.ended("checker/1", 0.0)
    assert runs.is_settled(3, LATER)


def test_an_end_whose_beginning_was_never_heard_proves_nothing() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    runs.ended(TOKEN, 0.0)
    assert not runs.is_settled(3, LATER)


def test_an_answer_to_an_older_request_takes_nothing_back() -> None:
    runs = new_runs()
    runs.saved(3, 0.0)
    runs.saved(4, 0.0)
    runs.read(2)
    runs.read(1)
    run_through(runs)
    assert runs.is_settled(4, LATER)


def test_a_save_is_needed_when_none_was_told() -> None:
    assert new_runs().needs_save(0)


def test_no_save_is_needed_while_one_waits_for_its_run_even_if_that_never_begins() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    assert not runs.needs_save(3)
    assert not runs.is_settled(3, LATER)


def test_no_save_is_needed_during_a_run() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    runs.began(TOKEN)
    assert not runs.needs_save(3)


def test_no_save_is_needed_once_it_is_proven() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    run_through(runs)
    assert not runs.needs_save(3)


def test_a_save_is_needed_when_the_world_has_moved_on_since_the_proof() -> None:
    runs = new_runs()
    save_and_read(runs, 3)
    run_through(runs)
    assert runs.needs_save(4)


def test_a_save_is_needed_after_a_run_that_proved_nothing() -> None:
    runs = new_runs()
    runs.saved(3, 0.0)
    run_through(runs)
    assert runs.needs_save(3)


class Workshop:
    """A server with a checker, and us, joined by two wires on which messages take any time but keep their order.

    The server reads in order, waits a while before it begins so that several saves make one run, reads the disk when it
    begins, cuts a run short for a newer save, and sometimes runs the checker without being asked.
    """

    def __init__(self) -> None:
        self.disk = 0
        self.clock = 0
        self.runs = new_runs(tail_ms=0, doubt_ms=0)
        self.shown: int | None = None
        """The state of the disk that the findings are about which have reached us; none while they are replaced."""
        self._to_server: deque[int | None] = deque()
        self._to_us: deque[tuple[str, int]] = deque()
        self._is_due = False
        self._running: int | None = None

    def write(self) -> None:
        self.disk += 1

    def tell(self) -> None:
        self.clock = self.disk
        self._to_server.append(None)
        self.runs.saved(self.clock, 0.0)

    def ask(self) -> None:
        self._to_server.append(self.runs.told)

    def read(self) -> None:
        if not self._to_server:
            return
        asked = self._to_server.popleft()
        if asked is None:
            self.start_by_itself()
        else:
            self._to_us.append(("answer", asked))

    def start_by_itself(self) -> None:
        if self._running is not None:
            self._to_us.append(("end", 0))
        self._running = None
        self._is_due = True

    def begin(self) -> None:
        if self._is_due:
            self._is_due, self._running = False, self.disk
            self._to_us.append(("begin", 0))

    def finish(self) -> None:
        if self._running is not None:
            self._to_us.append(("findings", self._running))
            self._to_us.append(("end", 0))
            self._running = None

    def hear(self) -> None:
        if not self._to_us:
            return
        match self._to_us.popleft():
            case ("answer", told):
                self.runs.read(told)
            case ("begin", _):
                self.shown = None
                self.runs.began(TOKEN)
            case ("findings", disk):
                self.shown = disk
            case _:
                self.runs.ended(TOKEN, 0.0)

    def let_everything_happen(self) -> None:
        while self._to_server:
            self.read()
        self.begin()
        self.finish()
        while self._to_us:
            self.hear()


ACTIONS = {
    "write": Workshop.write,
    "tell": Workshop.tell,
    "ask": Workshop.ask,
    "read": Workshop.read,
    "begin": Workshop.begin,
    "finish": Workshop.finish,
    "hear": Workshop.hear,
}
BY_ITSELF = {**ACTIONS, "start by itself": Workshop.start_by_itself}
stories = st.lists(st.sampled_from(sorted(ACTIONS)), max_size=50)
stories_by_itself = st.lists(st.sampled_from(sorted(BY_ITSELF)), max_size=40)
ONE_RUN = ["read", "begin", "hear", "finish", "hear", "hear"]
A_LEFTOVER_BEGINNING = [
    *["write", "tell", "read", "begin", "write", "tell", "hear", "read", "hear", "begin", "write", "tell"],
    *["hear", "finish", "hear", "hear"],
]


@settings(max_examples=examples(600), deadline=None)
@given(stories)
@example(["write", "tell", "ask", "read", *ONE_RUN, "hear"])
@example(A_LEFTOVER_BEGINNING)
def test_settled_is_never_said_of_findings_about_an_older_disk(story: list[str]) -> None:
    workshop = Workshop()
    for action in story:
        ACTIONS[action](workshop)
        if workshop.runs.is_settled(workshop.clock, LATER):
            assert workshop.shown is not None
            assert workshop.shown >= workshop.clock


@settings(max_examples=examples(400), deadline=None)
@given(stories_by_itself)
@example(["start by itself", "begin", "finish", "write", "tell", "hear", "hear", "hear"])
def test_a_run_that_the_server_began_by_itself_never_settles_an_older_disk(story: list[str]) -> None:
    workshop = Workshop()
    for action in story:
        BY_ITSELF[action](workshop)
        # A run cut short without our doing is taken back only when the next is heard of: the tail is for that.
        if workshop.runs.is_settled(workshop.clock, LATER) and workshop.shown is not None:
            assert workshop.shown >= workshop.clock


@settings(max_examples=examples(200), deadline=None)
@given(stories_by_itself)
def test_saving_when_it_is_needed_always_comes_to_an_end(story: list[str]) -> None:
    workshop = Workshop()
    for action in story:
        BY_ITSELF[action](workshop)
    for _ in range(4):
        workshop.let_everything_happen()
        if workshop.runs.needs_save(workshop.clock):
            workshop.tell()
            workshop.ask()
    assert workshop.runs.is_settled(workshop.clock, LATER)
    assert workshop.shown is not None
