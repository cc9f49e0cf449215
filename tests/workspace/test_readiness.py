"""How far a server has loaded: each kind of sign over time, and what is said meanwhile."""

import pytest

from groundwire.protocol.lsp import WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport
from groundwire.workspace.readiness import GateKind, Readiness
from groundwire.workspace.rules import ReadinessRule

STATUS = ReadinessRule(status_method="experimental/serverStatus", gates_diagnostics=True)
TYPES = ReadinessRule(status_method="language/status", ready_types=("ServiceReady",), gates_diagnostics=True)
NOTIFIED = ReadinessRule(ready_notification="$/ready", gates_diagnostics=True)
PROGRESS = ReadinessRule(progress_titles=("Indexing", "load/"), gates_diagnostics=True, start_grace_ms=1500)
AT_OPEN = ReadinessRule(progress_titles=("Indexing",), progress_starts="at-first-open", gates_diagnostics=True)
RELOADS = ReadinessRule(
    status_method="experimental/serverStatus",
    gates_diagnostics=True,
    reloads_on_new=(".rs",),
    reloads_on_change=("Cargo.toml",),
    reload_grace_ms=3000,
)


def started(rule: ReadinessRule) -> Readiness:
    readiness = Readiness(rule)
    readiness.initialized(10.0)
    return readiness


def begin(readiness: Readiness, token: str, title: str, percentage: float | None = None) -> None:
    readiness.progress(token, WorkDoneProgressBegin(title=title, percentage=percentage))


def end(readiness: Readiness, token: str) -> None:
    readiness.progress(token, WorkDoneProgressEnd())


def is_open(readiness: Readiness, now: float = 10.0, kind: GateKind = "diagnostics") -> bool:
    return readiness.gate(kind, now).is_open


def reason(readiness: Readiness, now: float = 10.0, kind: GateKind = "diagnostics") -> str:
    return readiness.gate(kind, now).reason


@pytest.mark.parametrize("kind", ["diagnostics", "references"])
def test_a_server_of_which_nothing_is_known_is_ready_at_once(kind: GateKind) -> None:
    gate = started(ReadinessRule()).gate(kind, 10.0)
    assert gate.is_open
    assert gate.reason == ""


def test_diagnostics_are_not_held_back_where_loading_does_not_matter_to_them() -> None:
    readiness = started(ReadinessRule(status_method="experimental/serverStatus"))
    assert is_open(readiness)
    assert not is_open(readiness, kind="references")


def test_references_are_not_held_back_where_the_server_waits_by_itself() -> None:
    readiness = started(ReadinessRule(progress_titles=("Indexing",), gates_references=False))
    assert is_open(readiness, kind="references")


def test_a_status_opens_the_gate_when_the_server_is_quiescent_and_only_then() -> None:
    readiness = started(STATUS)
    assert not is_open(readiness, now=9999.0)
    readiness.notified("experimental/serverStatus", {"health": "ok", "quiescent": False})
    assert not is_open(readiness)
    readiness.notified("experimental/serverStatus", {"health": "ok", "quiescent": True})
    assert is_open(readiness)


def test_a_server_that_is_busy_again_closes_the_gate_again() -> None:
    readiness = started(STATUS)
    readiness.notified("experimental/serverStatus", {"quiescent": True})
    readiness.notified("experimental/serverStatus", {"quiescent": False})
    assert not is_open(readiness)


def test_a_status_that_says_nothing_of_loading_changes_nothing() -> None:
    readiness = started(STATUS)
    readiness.notified("experimental/serverStatus", {"quiescent": True})
    readiness.notified("experimental/serverStatus", {"health": "warning", "message": "no sources"})
    assert is_open(readiness)


def test_each_time_the_server_becomes_quiescent_is_counted_once() -> None:
    readiness = started(STATUS)
    for quiescent in (False, True, True, False, False, True):
        readiness.notified("experimental/serverStatus", {"quiescent": quiescent})
    assert readiness.loads == 2


def test_the_health_is_kept_for_people_while_it_is_not_well() -> None:
    readiness = started(STATUS)
    readiness.notified("experimental/serverStatus", {"health": "warning", "quiescent": True, "message": "no sources"})
    assert readiness.health == "warning: no sources"
    assert is_open(readiness)
    readiness.notified("experimental/serverStatus", {"health": "ok", "quiescent": True})
    assert readiness.health == ""


def test_a_notification_that_is_not_the_sign_changes_nothing() -> None:
    readiness = started(STATUS)
    readiness.notified("other/status", {"quiescent": True})
    assert not is_open(readiness)


def test_a_type_that_means_ready_opens_the_gate() -> None:
    readiness = started(TYPES)
    readiness.notified("language/status", {"type": "Starting", "message": "12 %"})
    assert not is_open(readiness)
    readiness.notified("language/status", {"type": "ServiceReady"})
    assert is_open(readiness)


def test_types_that_tell_of_other_things_do_not_close_the_gate_again() -> None:
    readiness = started(TYPES)
    readiness.notified("language/status", {"type": "ServiceReady"})
    readiness.notified("language/status", {"type": "ProjectStatus", "message": "OK"})
    assert is_open(readiness)


@pytest.mark.parametrize("params", [{}, {"type": None}, {"type": ["ServiceReady"]}, {"quiescent": "true"}])
def test_a_status_of_a_strange_form_does_not_open_the_gate(params: dict[str, object]) -> None:
    readiness = started(TYPES)
    readiness.notified("language/status", params)
    assert not is_open(readiness)


def test_a_notification_alone_may_mean_ready() -> None:
    readiness = started(NOTIFIED)
    assert not is_open(readiness, now=9999.0)
    readiness.notified("$/ready", {})
    assert is_open(readiness)


def test_progress_opens_the_gate_when_it_ends() -> None:
    readiness = started(PROGRESS)
    begin(readiness, "1", "Indexing")
    assert not is_open(readiness, now=9999.0)
    end(readiness, "1")
    assert is_open(readiness)
    assert reason(readiness) == ""


def test_progress_is_known_by_its_token_too() -> None:
    readiness = started(PROGRESS)
    begin(readiness, "load/0", "")
    assert not is_open(readiness, now=9999.0)
    end(readiness, "load/0")
    assert is_open(readiness)


def test_progress_of_other_work_neither_opens_nor_closes_the_gate() -> None:
    readiness = started(PROGRESS)
    begin(readiness, "1", "Formatting")
    end(readiness, "1")
    assert not is_open(readiness)
    begin(readiness, "2", "Indexing")
    end(readiness, "2")
    begin(readiness, "3", "Formatting")
    assert is_open(readiness)


def test_one_phase_that_hands_over_to_the_next_keeps_the_gate_closed() -> None:
    readiness = started(PROGRESS)
    begin(readiness, "1", "Indexing a")
    begin(readiness, "2", "Indexing b")
    end(readiness, "1")
    assert not is_open(readiness, now=9999.0)
    end(readiness, "2")
    assert is_open(readiness)


def test_loading_that_begins_anew_closes_the_gate_until_it_ends() -> None:
    readiness = started(PROGRESS)
    for _ in range(2):
        begin(readiness, "1", "Indexing")
        assert not is_open(readiness)
        end(readiness, "1")
        assert is_open(readiness)


def test_an_end_without_a_beginning_is_not_an_end_of_loading() -> None:
    readiness = started(PROGRESS)
    end(readiness, "1")
    assert not is_open(readiness)


def test_a_report_without_a_beginning_is_ignored() -> None:
    readiness = started(PROGRESS)
    readiness.progress("1", WorkDoneProgressReport(percentage=50))
    assert reason(readiness) == "the server is still loading"


def test_progress_that_has_not_begun_is_waited_for_and_then_given_up_with_the_reason() -> None:
    readiness = started(PROGRESS)
    early = readiness.gate("diagnostics", 11.0)
    assert (early.is_open, early.until) == (False, 11.5)
    late = readiness.gate("diagnostics", 11.5)
    assert late.is_open
    assert late.reason == "the server has not said that it loaded the workspace"


def test_progress_that_begins_after_it_was_given_up_closes_the_gate() -> None:
    readiness = started(PROGRESS)
    assert is_open(readiness, now=12.0)
    begin(readiness, "1", "Indexing")
    assert not is_open(readiness, now=12.0)


def test_a_server_that_loads_at_the_first_open_is_not_ready_before_it() -> None:
    gate = started(AT_OPEN).gate("diagnostics", 9999.0)
    assert not gate.is_open
    assert "no document yet" in gate.reason


def test_the_wait_for_progress_counts_from_the_first_open() -> None:
    readiness = started(AT_OPEN)
    readiness.opened_document(50.0)
    readiness.opened_document(60.0)
    assert readiness.gate("diagnostics", 51.0).until == 51.5
    assert is_open(readiness, now=51.5)


def test_the_reason_names_the_work_and_how_far_it_is() -> None:
    readiness = started(PROGRESS)
    begin(readiness, "1", "Indexing", percentage=0)
    assert reason(readiness) == "the server is still loading: Indexing 0 %"
    readiness.progress("1", WorkDoneProgressReport(percentage=42.7))
    assert reason(readiness) == "the server is still loading: Indexing 43 %"
    readiness.progress("1", WorkDoneProgressReport(message="a.py"))
    assert reason(readiness) == "the server is still loading: Indexing 43 %"


def test_the_reason_names_other_work_while_a_status_is_awaited() -> None:
    readiness = started(STATUS)
    begin(readiness, "1", "Building", percentage=10)
    assert reason(readiness) == "the server is still loading: Building 10 %"
    end(readiness, "1")
    assert reason(readiness) == "the server is still loading"


def test_references_wait_for_the_first_findings_where_they_need_them() -> None:
    readiness = started(ReadinessRule(references_need="first-diagnostics"))
    assert is_open(readiness)
    assert not is_open(readiness, kind="references")
    assert reason(readiness, kind="references") == "the server has not finished its first check yet"
    readiness.gave_diagnostics()
    assert readiness.gate("references", 10.0).reason == ""
    assert is_open(readiness, kind="references")


def test_references_of_a_server_that_caps_them_are_given_with_the_reason() -> None:
    gate = started(ReadinessRule(references_need="never-complete")).gate("references", 10.0)
    assert gate.is_open
    assert gate.reason == "this server does not search the whole workspace"


def test_references_wait_for_the_load_before_anything_else() -> None:
    readiness = started(ReadinessRule(progress_titles=("Indexing",), references_need="never-complete"))
    assert not is_open(readiness, kind="references")


def test_the_reason_of_an_open_gate_reaches_references_too() -> None:
    readiness = started(ReadinessRule(progress_titles=("Indexing",)))
    gate = readiness.gate("references", 99.0)
    assert gate.is_open
    assert gate.reason == "the server has not said that it loaded the workspace"


def quiescent(rule: ReadinessRule) -> Readiness:
    readiness = started(rule)
    readiness.notified("experimental/serverStatus", {"quiescent": True})
    return readiness


@pytest.mark.parametrize(
    ("path", "is_new_or_gone", "reloads"),
    [
        ("/w/src/new.rs", True, True),
        ("/w/src/lib.rs", False, False),
        ("/w/Cargo.toml", False, True),
        ("/w/sub/Cargo.toml", True, True),
        ("/w/notes.md", True, False),
        ("/w/NotCargo.toml", False, False),
    ],
)
def test_files_that_make_the_server_load_anew_close_the_gate_for_a_while(
    path: str, is_new_or_gone: bool, reloads: bool
) -> None:
    readiness = quiescent(RELOADS)
    readiness.changed_on_disk(path, is_new_or_gone=is_new_or_gone, now=20.0)
    gate = readiness.gate("diagnostics", 20.0)
    assert gate.is_open is not reloads
    assert gate.until == (23.0 if reloads else None)


def test_a_load_that_was_announced_opens_the_gate_when_it_is_over() -> None:
    readiness = quiescent(RELOADS)
    readiness.changed_on_disk("/w/Cargo.toml", is_new_or_gone=False, now=20.0)
    readiness.notified("experimental/serverStatus", {"quiescent": False})
    assert not is_open(readiness, now=99.0)
    readiness.notified("experimental/serverStatus", {"quiescent": True})
    assert is_open(readiness, now=20.1)


def test_the_end_of_an_earlier_load_is_not_taken_for_the_announced_one() -> None:
    readiness = started(RELOADS)
    readiness.notified("experimental/serverStatus", {"quiescent": False})
    readiness.changed_on_disk("/w/Cargo.toml", is_new_or_gone=False, now=20.0)
    readiness.notified("experimental/serverStatus", {"quiescent": True})
    assert not is_open(readiness, now=20.1)
    assert is_open(readiness, now=23.0)


def test_a_server_without_such_files_is_never_expected_to_load_anew() -> None:
    readiness = quiescent(STATUS)
    readiness.changed_on_disk("/w/Cargo.toml", is_new_or_gone=True, now=20.0)
    assert is_open(readiness, now=20.0)


def test_people_read_cold_then_the_work_then_ready() -> None:
    readiness = started(PROGRESS)
    described = [readiness.describe(10.0)]
    begin(readiness, "1", "Indexing")
    described.append(readiness.describe(10.0))
    readiness.progress("1", WorkDoneProgressReport(percentage=43))
    described.append(readiness.describe(10.0))
    end(readiness, "1")
    described.append(readiness.describe(10.0))
    assert described == ["cold", "Indexing", "Indexing 43 %", "ready"]


def test_people_read_ready_of_a_server_that_needs_no_loading() -> None:
    assert started(ReadinessRule()).describe(10.0) == "ready"


RESCANS = ReadinessRule(rescans_on_new=(".py",), rescan_log=("Found ", "No source"), rescan_grace_ms=2000)


def rescanning() -> Readiness:
    readiness = started(RESCANS)
    readiness.changed_on_disk("/w/new.py", is_new_or_gone=True, now=20.0)
    return readiness


def test_references_wait_until_the_server_has_looked_for_new_files() -> None:
    readiness = rescanning()
    gate = readiness.gate("references", 20.0)
    assert (gate.is_open, gate.until) == (False, None)
    readiness.read(readiness.rescans, 20.0)
    gate = readiness.gate("references", 20.0)
    assert (gate.is_open, gate.until) == (False, 22.0)
    assert readiness.is_rescan_expected
    readiness.logged("Found 3 source files")
    assert not readiness.is_rescan_expected
    assert readiness.gate("references", 20.0).is_open
    assert reason(readiness, 20.0, "references") == ""


def test_findings_do_not_wait_for_the_search_for_new_files() -> None:
    assert is_open(rescanning(), now=20.0)


def test_references_are_given_with_the_reason_when_the_server_never_says_that_it_looked() -> None:
    readiness = rescanning()
    assert not is_open(readiness, now=22.0, kind="references")  # it is too busy to read
    readiness.read(readiness.rescans, 22.0)
    assert not is_open(readiness, now=22.0, kind="references")
    gate = readiness.gate("references", 24.0)
    assert gate.is_open
    assert gate.reason == "the server has not said that it looked for new files"


def test_a_server_that_has_given_the_sign_before_is_only_slow_and_gets_longer() -> None:
    readiness = started(RESCANS)
    readiness.logged("Found 3 source files")
    readiness.changed_on_disk("/w/new.py", is_new_or_gone=True, now=20.0)
    readiness.read(readiness.rescans, 20.0)
    assert not is_open(readiness, now=29.9, kind="references")
    assert readiness.gate("references", 30.0).reason == "the server has not said that it looked for new files"


def test_another_log_message_is_no_sign_of_having_looked() -> None:
    readiness = rescanning()
    readiness.read(readiness.rescans, 20.0)
    readiness.logged("Loading configuration")
    assert not is_open(readiness, now=20.0, kind="references")


def test_a_sign_that_was_under_way_before_the_server_had_read_of_the_file_is_none() -> None:
    readiness = rescanning()
    readiness.logged("Found 3 source files")
    assert not is_open(readiness, now=20.6, kind="references")
    assert readiness.read(readiness.rescans, 20.0)
    readiness.logged("Found 4 source files")
    assert is_open(readiness, now=20.6, kind="references")


def test_one_sign_is_enough_for_two_new_files_when_the_server_had_read_of_both() -> None:
    readiness = rescanning()
    first = readiness.rescans
    readiness.changed_on_disk("/w/newer.py", is_new_or_gone=True, now=20.5)
    second = readiness.rescans
    assert not readiness.read(first, 20.5)
    assert not readiness.read(second, 20.5)
    readiness.logged("Found 4 source files")
    assert is_open(readiness, now=20.6, kind="references")


@pytest.mark.parametrize(("path", "is_new_or_gone"), [("/w/old.py", False), ("/w/new.txt", True)])
def test_files_that_need_no_search_leave_the_gate_open(path: str, is_new_or_gone: bool) -> None:
    readiness = started(RESCANS)
    readiness.changed_on_disk(path, is_new_or_gone=is_new_or_gone, now=20.0)
    assert is_open(readiness, now=20.0, kind="references")


def test_a_sign_nobody_waits_for_changes_nothing() -> None:
    readiness = started(RESCANS)
    readiness.logged("Found 3 source files")
    readiness.changed_on_disk("/w/new.py", is_new_or_gone=True, now=20.0)
    assert not is_open(readiness, now=20.0, kind="references")


def test_the_time_a_load_may_take_to_begin_counts_from_the_handshake_not_from_the_start_of_the_process() -> None:
    readiness = Readiness(ReadinessRule(progress_titles=("Indexing",), start_grace_ms=1500, gates_diagnostics=True))
    readiness.initialized(60.0)
    assert not is_open(readiness, 61.4)
    assert is_open(readiness, 61.6)
