"""The ladder of evidence: every branch of the decision."""

import msgspec
import pytest

from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.workspace.diagnostics import COMMAND, Asked, FileRecord, Publication, Pulled
from groundwire.workspace.documents import Document
from groundwire.workspace.rules import SettleRule
from groundwire.workspace.settle import (
    Ask,
    Barrier,
    Proven,
    Situation,
    Step,
    Touch,
    Unproven,
    Wait,
    needed_clock,
    next_step,
)

ERROR = Diagnostic(Range(Position(0, 0), Position(0, 1)), "wrong")
OTHER_ERROR = Diagnostic(Range(Position(1, 0), Position(1, 1)), "also wrong")

TOLD_AT, TOLD_TIME, VERSION = 5, 100.0, 3

DOCUMENT = Document(
    uri="file:///w/a.py",
    language="python",
    version=VERSION,
    text="",
    told_at=TOLD_AT,
    told_time=TOLD_TIME,
    read_at=TOLD_TIME,
)
BASE = Situation(
    rule=SettleRule(measured=True),
    document=DOCUMENT,
    record=FileRecord(),
    clock=TOLD_AT,
    refreshes=0,
    pull_identifiers=(),
    has_command=False,
    registration_deadline=0.0,
    barrier_answered=None,
    refused_pull=False,
    ever_reported=True,
    now=TOLD_TIME,
)

VERSIONED = SettleRule(measured=True, push="versioned")
UNVERSIONED = SettleRule(measured=True, push="unversioned", debounce_ms=200, quiet_ms=400)
ALWAYS_PUBLISHES = SettleRule(measured=True, push="unversioned", debounce_ms=200, publishes_unchanged=True)


def step(**changed: object) -> Step:
    return next_step(msgspec.structs.replace(BASE, **changed))


def pulled(clock: int = TOLD_AT, *found: Diagnostic, refreshes: int = 0) -> Pulled:
    return Pulled(diagnostics=found, result_id=None, asked=Asked(clock, refreshes))


def asked(**answers: Pulled) -> FileRecord:
    """A record of pulls by identifier; ``none`` stands for the pull without one."""
    return FileRecord(pulled={None if name == "none" else name: answer for name, answer in answers.items()})


def published(*found: Diagnostic, version: int | None = None, received: float = TOLD_TIME) -> FileRecord:
    return FileRecord(pushed=Publication(diagnostics=found, version=version, clock=TOLD_AT, received=received))


def test_a_file_that_was_never_pulled_is_pulled() -> None:
    assert step(pull_identifiers=(None,)) == Ask("pull", (None,))


def test_a_pull_asked_at_the_present_clock_is_proof() -> None:
    assert step(pull_identifiers=(None,), record=asked(none=pulled(TOLD_AT, ERROR))) == Proven("pull", (ERROR,))


def test_a_pull_asked_before_the_last_change_is_asked_again() -> None:
    assert step(pull_identifiers=(None,), record=asked(none=pulled(TOLD_AT - 1, ERROR))) == Ask("pull", (None,))


def test_a_pull_asked_before_another_file_changed_is_asked_again() -> None:
    assert step(pull_identifiers=(None,), clock=TOLD_AT + 1, record=asked(none=pulled())) == Ask("pull", (None,))


def test_a_pull_is_asked_again_after_other_changes_even_if_the_server_looks_at_one_file_only() -> None:
    rule = SettleRule(measured=True, scope="file")
    assert step(rule=rule, pull_identifiers=(None,), clock=9, record=asked(none=pulled())) == Ask("pull", (None,))


def test_a_pull_asked_before_a_refresh_is_asked_again() -> None:
    assert step(pull_identifiers=(None,), refreshes=1, record=asked(none=pulled())) == Ask("pull", (None,))


def test_a_pull_asked_after_the_last_refresh_is_proof() -> None:
    record = asked(none=pulled(refreshes=1))
    assert step(pull_identifiers=(None,), refreshes=1, record=record) == Proven("pull", ())


def test_only_the_identifiers_that_are_missing_are_asked() -> None:
    record = asked(fresh=pulled(), stale=pulled(TOLD_AT - 1))
    assert step(pull_identifiers=("fresh", "stale", "new"), record=record) == Ask("pull", ("stale", "new"))


def test_the_findings_of_all_identifiers_are_given_together() -> None:
    record = asked(a=pulled(TOLD_AT, ERROR), b=pulled(TOLD_AT, OTHER_ERROR))
    assert step(pull_identifiers=("a", "b"), record=record) == Proven("pull", (ERROR, OTHER_ERROR))


def test_an_identifier_that_is_not_offered_any_more_is_left_out() -> None:
    record = asked(a=pulled(TOLD_AT, ERROR), gone=pulled(TOLD_AT, OTHER_ERROR))
    assert step(pull_identifiers=("a",), record=record) == Proven("pull", (ERROR,))


def test_a_publish_does_not_stand_in_for_a_pull() -> None:
    assert step(pull_identifiers=(None,), record=published(ERROR, version=VERSION)) == Ask("pull", (None,))


def test_a_server_that_is_never_pulled_is_not_pulled() -> None:
    rule = SettleRule(measured=True, pull="never", push="versioned")
    result = step(rule=rule, pull_identifiers=(None,), record=published(ERROR, version=VERSION))
    assert result == Proven("version", (ERROR,))


def test_a_command_is_preferred_to_a_pull() -> None:
    rule = SettleRule(measured=True, sync_command="tsserver")
    assert step(rule=rule, has_command=True, pull_identifiers=(None,)) == Ask("command", (COMMAND,))


def test_a_command_asked_at_the_present_clock_is_proof() -> None:
    rule = SettleRule(measured=True, sync_command="tsserver")
    record = FileRecord(pulled={COMMAND: pulled(TOLD_AT, ERROR)})
    assert step(rule=rule, has_command=True, record=record) == Proven("command", (ERROR,))


def test_a_command_asked_before_the_last_change_is_asked_again() -> None:
    rule = SettleRule(measured=True, sync_command="tsserver")
    record = FileRecord(pulled={COMMAND: pulled(TOLD_AT - 1)})
    assert step(rule=rule, has_command=True, record=record) == Ask("command", (COMMAND,))


def test_a_command_that_is_not_known_to_the_rule_is_not_used() -> None:
    assert isinstance(step(has_command=True, pull_identifiers=(None,)), Ask)
    assert step(has_command=True, pull_identifiers=(None,)) == Ask("pull", (None,))


EXPECTED = SettleRule(measured=True, pull="expected", push="versioned")


def test_an_expected_pull_is_asked_before_it_is_announced() -> None:
    assert step(rule=EXPECTED, registration_deadline=TOLD_TIME + 2) == Ask("pull", (None,))


def test_an_expected_pull_that_was_answered_is_proof() -> None:
    assert step(rule=EXPECTED, record=asked(none=pulled(TOLD_AT, ERROR))) == Proven("pull", (ERROR,))


def test_an_expected_pull_that_was_refused_is_not_asked_again_but_its_announcement_is_waited_for() -> None:
    result = step(rule=EXPECTED, refused_pull=True, registration_deadline=TOLD_TIME + 2)
    assert result == Wait(TOLD_TIME + 2, "the server has not announced its diagnostics yet")


def test_a_command_that_is_announced_late_is_waited_for() -> None:
    rule = SettleRule(measured=True, sync_command="tsserver")
    result = step(rule=rule, registration_deadline=TOLD_TIME + 2)
    assert result == Wait(TOLD_TIME + 2, "the server has not announced its diagnostics yet")


def test_after_the_wait_for_an_announcement_a_publish_has_to_do() -> None:
    record = published(ERROR, version=VERSION)
    result = step(rule=EXPECTED, refused_pull=True, registration_deadline=TOLD_TIME, record=record)
    assert result == Proven("version", (ERROR,))


def test_a_pull_is_asked_with_the_identifiers_of_its_announcement_once_that_has_come() -> None:
    record = asked(none=pulled(TOLD_AT, ERROR))
    result = step(rule=EXPECTED, registration_deadline=TOLD_TIME + 2, pull_identifiers=("late",), record=record)
    assert result == Ask("pull", ("late",))


def test_an_announcement_nobody_expects_is_not_waited_for() -> None:
    assert step(registration_deadline=TOLD_TIME + 2) == Barrier()


def test_a_publish_of_the_current_version_is_proof() -> None:
    assert step(rule=VERSIONED, record=published(ERROR, version=VERSION)) == Proven("version", (ERROR,))


def test_an_empty_publish_of_the_current_version_proves_that_there_is_nothing() -> None:
    assert step(rule=VERSIONED, record=published(version=VERSION)) == Proven("version", ())


@pytest.mark.parametrize("version", [0, 1, VERSION - 1])
def test_a_publish_of_an_older_version_is_waited_past(version: int) -> None:
    result = step(rule=VERSIONED, record=published(ERROR, version=version))
    assert result == Wait(None, "findings for version 3 have not been published yet")


def test_a_publish_of_a_version_that_was_never_told_proves_nothing() -> None:
    assert isinstance(step(rule=VERSIONED, record=published(ERROR, version=VERSION + 1)), Wait)


def test_no_publish_yet_is_waited_for() -> None:
    assert step(rule=VERSIONED) == Wait(None, "findings for version 3 have not been published yet")


def test_a_publish_without_a_version_from_a_server_that_gives_versions_is_waited_past() -> None:
    assert isinstance(step(rule=VERSIONED, record=published(received=TOLD_TIME + 9), now=TOLD_TIME + 9), Wait)


def test_a_second_publish_that_is_known_to_follow_is_waited_for() -> None:
    rule = SettleRule(measured=True, push="versioned", tail_ms=20)
    record = published(ERROR, version=VERSION, received=100.0)
    assert step(rule=rule, record=record, now=100.01) == Wait(100.02, "a second publish of this version may follow")
    assert step(rule=rule, record=record, now=100.03) == Proven("version", (ERROR,))


def test_a_version_is_proof_from_a_server_nobody_measured() -> None:
    assert step(rule=SettleRule(), record=published(ERROR, version=VERSION)) == Proven("version", (ERROR,))


def test_another_change_since_makes_a_file_be_touched_where_that_helps() -> None:
    rule = SettleRule(measured=True, push="versioned", touch=True)
    assert step(rule=rule, clock=TOLD_AT + 1, record=published(ERROR, version=VERSION)) == Touch()


def test_a_change_told_after_others_is_followed_by_a_touch_where_its_first_findings_may_go_by_old_ones() -> None:
    behind = msgspec.structs.replace(DOCUMENT, is_behind=True)
    rule = SettleRule(measured=True, push="versioned", touch=True, touch_after_others=True)
    record = published(ERROR, version=VERSION)
    assert step(rule=rule, document=behind, record=record) == Touch()
    assert step(rule=rule, record=record) == Proven("version", (ERROR,))
    without = SettleRule(measured=True, push="versioned", touch=True)
    assert step(rule=without, document=behind, record=record) == Proven("version", (ERROR,))


def test_a_change_is_published_before_the_file_is_touched_for_others() -> None:
    rule = SettleRule(measured=True, push="versioned", touch=True, touch_after_others=True)
    told = msgspec.structs.replace(DOCUMENT, changed_in=VERSION)
    for document, clock in ((told, TOLD_AT + 1), (msgspec.structs.replace(told, is_behind=True), TOLD_AT)):
        early = step(rule=rule, clock=clock, document=document, record=published(version=VERSION - 1))
        assert isinstance(early, Wait)
        assert isinstance(step(rule=rule, clock=clock, document=document), Wait)
        assert step(rule=rule, clock=clock, document=document, record=published(version=VERSION)) == Touch()
    plain = SettleRule(measured=True, push="versioned", touch=True)
    assert step(rule=plain, clock=TOLD_AT + 1, document=told) == Touch()


def test_a_file_that_was_touched_for_others_is_touched_again_once_that_is_published() -> None:
    rule = SettleRule(measured=True, push="versioned", touch=True, touch_after_others=True)
    touched = msgspec.structs.replace(DOCUMENT, changed_in=VERSION - 1, is_unsettled=True)
    assert isinstance(step(rule=rule, document=touched, record=published(version=VERSION - 1)), Wait)
    assert step(rule=rule, document=touched, record=published(ERROR, version=VERSION)) == Touch()
    again = msgspec.structs.replace(touched, is_unsettled=False)
    assert step(rule=rule, document=again, record=published(ERROR, version=VERSION)) == Proven("version", (ERROR,))


def test_a_file_is_not_touched_when_nothing_else_changed() -> None:
    rule = SettleRule(measured=True, push="versioned", touch=True)
    assert step(rule=rule, record=published(ERROR, version=VERSION)) == Proven("version", (ERROR,))


def test_a_file_is_not_touched_for_others_when_the_server_looks_at_one_file_only() -> None:
    rule = SettleRule(measured=True, push="versioned", scope="file", touch=True)
    result = step(rule=rule, clock=TOLD_AT + 1, record=published(ERROR, version=VERSION))
    assert result == Proven("version", (ERROR,))


def test_another_change_since_is_never_proven_where_touching_does_not_help() -> None:
    result = step(rule=VERSIONED, clock=TOLD_AT + 1, record=published(ERROR, version=VERSION))
    assert isinstance(result, Unproven)
    assert "other files changed" in result.reason
    assert result.diagnostics == (ERROR,)


@pytest.mark.parametrize(
    "record",
    [
        FileRecord(),
        published(ERROR, version=VERSION - 1),
        published(ERROR, version=VERSION + 1),
        published(ERROR, received=TOLD_TIME - 1),
    ],
)
def test_findings_of_older_content_are_not_shown_even_as_unproven(record: FileRecord) -> None:
    result = step(rule=VERSIONED, clock=TOLD_AT + 1, record=record)
    assert isinstance(result, Unproven)
    assert result.diagnostics == ()


def test_a_server_that_cannot_be_relied_on_is_said_to_be_so() -> None:
    rule = SettleRule(measured=True, push="never")
    result = step(rule=rule, record=published(ERROR, version=VERSION))
    assert isinstance(result, Unproven)
    assert result.diagnostics == ()


def test_without_versions_a_barrier_comes_first() -> None:
    assert step(rule=UNVERSIONED) == Barrier()
    assert step(rule=UNVERSIONED, record=published(ERROR, received=TOLD_TIME + 9)) == Barrier()


def test_a_publish_after_the_debounce_and_the_barrier_is_proof() -> None:
    record = published(ERROR, received=100.2)
    assert step(rule=UNVERSIONED, barrier_answered=100.01, record=record, now=100.2) == Proven("ordered", (ERROR,))


def test_a_publish_a_little_before_the_debounce_is_over_counts() -> None:
    record = published(ERROR, received=100.185)
    assert isinstance(step(rule=UNVERSIONED, barrier_answered=100.01, record=record, now=100.185), Proven)


@pytest.mark.parametrize("rule", [UNVERSIONED, ALWAYS_PUBLISHES])
def test_a_publish_before_the_debounce_belongs_to_the_text_before(rule: SettleRule) -> None:
    record = published(ERROR, received=100.1)
    assert isinstance(step(rule=rule, barrier_answered=100.01, record=record, now=100.1), Wait)


@pytest.mark.parametrize("received", [100.3, 100.5])
@pytest.mark.parametrize("rule", [UNVERSIONED, ALWAYS_PUBLISHES])
def test_a_publish_not_later_than_the_answer_to_the_barrier_is_no_proof(rule: SettleRule, received: float) -> None:
    record = published(ERROR, received=received)
    assert isinstance(step(rule=rule, barrier_answered=100.5, record=record, now=100.5), Wait)


def test_a_server_that_always_publishes_is_waited_for_as_long_as_there_is_time() -> None:
    result = step(rule=ALWAYS_PUBLISHES, barrier_answered=100.01, now=999.0)
    assert result == Wait(None, "findings for the current content have not been published yet")


def test_a_server_that_may_stay_silent_is_waited_for_until_it_is_quiet() -> None:
    result = step(rule=UNVERSIONED, barrier_answered=100.01, now=100.1)
    assert isinstance(result, Wait)
    assert result.until == pytest.approx(100.41)


def test_the_quiet_time_starts_again_with_every_publish() -> None:
    result = step(rule=UNVERSIONED, barrier_answered=100.01, record=published(received=100.1), now=100.45)
    assert isinstance(result, Wait)
    assert result.until == pytest.approx(100.5)


def test_the_quiet_time_is_at_least_the_debounce() -> None:
    rule = SettleRule(measured=True, push="unversioned", debounce_ms=1000, quiet_ms=400)
    result = step(rule=rule, barrier_answered=100.01, now=100.5)
    assert isinstance(result, Wait)
    assert result.until == pytest.approx(101.01)


@pytest.mark.parametrize("push", ["unknown", "unversioned"])
def test_quiet_is_never_proof(push: str) -> None:
    rule = msgspec.convert({"measured": True, "push": push}, SettleRule)
    result = step(rule=rule, barrier_answered=100.01, now=999.0)
    assert result == Unproven("the server gives no sign of when its check is complete", ())


def test_what_came_after_the_change_is_shown_when_it_is_quiet_but_not_as_proven() -> None:
    rule = SettleRule(measured=True)
    result = step(rule=rule, barrier_answered=100.01, record=published(ERROR, received=100.1), now=999.0)
    assert isinstance(result, Unproven)
    assert result.diagnostics == (ERROR,)


@pytest.mark.parametrize(("version", "found"), [(1, (ERROR,)), (2, ())])
def test_what_came_before_the_debounce_is_shown_only_of_a_file_that_has_had_one_text(
    version: int, found: tuple[Diagnostic, ...]
) -> None:
    document = msgspec.structs.replace(DOCUMENT, version=version)
    record = published(ERROR, received=100.1)
    result = step(rule=UNVERSIONED, document=document, barrier_answered=100.05, record=record, now=999.0)
    assert result == Unproven("the server gives no sign of when its check is complete", found)


def test_what_came_before_a_file_was_told_of_is_never_shown() -> None:
    document = msgspec.structs.replace(DOCUMENT, version=1)
    record = published(ERROR, received=99.99)
    result = step(rule=UNVERSIONED, document=document, barrier_answered=100.05, record=record, now=999.0)
    assert isinstance(result, Unproven)
    assert result.diagnostics == ()


@pytest.mark.parametrize("received", [99.0, 99.99])
def test_what_came_before_the_change_is_not_shown_when_it_is_quiet(received: float) -> None:
    result = step(barrier_answered=100.01, record=published(ERROR, received=received), now=999.0)
    assert isinstance(result, Unproven)
    assert result.diagnostics == ()


def test_a_publish_without_a_version_proves_nothing_where_no_debounce_is_known() -> None:
    for push in ("unknown", "unversioned"):
        rule = msgspec.convert({"measured": True, "push": push, "debounce-ms": 0}, SettleRule)
        result = step(rule=rule, barrier_answered=100.01, record=published(ERROR, received=100.1), now=999.0)
        assert isinstance(result, Unproven)


SILENCES = [
    {"pull_identifiers": (None,), "record": asked(none=pulled())},
    {"record": published(version=VERSION)},
]


@pytest.mark.parametrize("silence", SILENCES)
def test_silence_of_a_server_that_nobody_measured_and_that_never_reported_proves_nothing(
    silence: dict[str, object],
) -> None:
    result = step(rule=SettleRule(), ever_reported=False, **silence)
    assert result == Unproven("this server has not reported anything yet, so its silence proves nothing", ())


@pytest.mark.parametrize("silence", SILENCES)
def test_silence_of_a_server_that_has_reported_before_is_proof(silence: dict[str, object]) -> None:
    assert isinstance(step(rule=SettleRule(), ever_reported=True, **silence), Proven)


@pytest.mark.parametrize("silence", SILENCES)
def test_silence_of_a_measured_server_is_proof(silence: dict[str, object]) -> None:
    assert isinstance(step(ever_reported=False, **silence), Proven)


def test_the_first_findings_of_a_server_that_nobody_measured_are_proof() -> None:
    record = asked(none=pulled(TOLD_AT, ERROR))
    assert isinstance(step(rule=SettleRule(), ever_reported=False, pull_identifiers=(None,), record=record), Proven)


def test_what_is_needed_is_the_clock_or_the_last_time_the_file_was_told() -> None:
    later = msgspec.structs.replace(BASE, clock=9)
    assert needed_clock(later) == 9
    alone = msgspec.structs.replace(later, rule=SettleRule(scope="file"))
    assert needed_clock(alone) == TOLD_AT
