"""What becomes of servers, told once each."""

from groundwire.pool.status import ServerCounts, ServerStatus, State
from groundwire.surfaces.mcp.notices_health import Notice, ServerHealth


def status(state: State = "active", indexing: str = "ready", reason: str = "") -> ServerStatus:
    return ServerStatus(server="toy", root="/zoo", state=state, indexing=indexing, reason=reason)


def counts(starts: int = 1, crashes: int = 0) -> ServerCounts:
    return ServerCounts(server="toy", root="/zoo", starts=starts, crashes=crashes)


def said(notices: list[Notice]) -> list[tuple[str, object]]:
    return [(each.level, each.data.get("status", each.data["type"])) for each in notices]


def test_what_was_so_at_the_first_look_is_no_news():
    health = ServerHealth()
    assert health.look([status()], [counts(crashes=2)]) == []
    assert health.look([status()], [counts(crashes=2)]) == []


def test_a_server_that_has_loaded_is_told_of_once_a_start():
    health = ServerHealth()
    health.look([], [])
    assert health.look([status("starting", "")], [counts()]) == []
    assert health.look([status(indexing="indexing 43 %")], [counts()]) == []
    (ready,) = health.look([status()], [counts()])
    assert ready == Notice(
        "info",
        {"type": "workspace_ready", "server": "toy", "root": "/zoo", "message": "toy has loaded the workspace."},
    )
    assert health.look([status(indexing="indexing 1 %")], [counts()]) == []
    assert health.look([status()], [counts()]) == []
    assert said(health.look([status()], [counts(starts=2)])) == [("info", "workspace_ready")]


def test_a_crash_and_the_recovery_from_it_are_told():
    health = ServerHealth()
    health.look([status()], [counts()])
    (crash,) = health.look([status("idle", "", "it went away")], [counts(crashes=1)])
    assert (crash.level, crash.data["status"], crash.data["server"]) == ("error", "crashed", "toy")
    assert "it went away" in str(crash.data["message"])
    assert health.look([status("starting", "")], [counts(2, 1)]) == []
    assert said(health.look([status()], [counts(2, 1)])) == [("info", "recovered"), ("info", "workspace_ready")]
    assert health.look([status()], [counts(2, 1)]) == []


def test_a_crash_between_two_looks_is_told_although_the_server_runs_again():
    health = ServerHealth()
    health.look([status()], [counts()])
    both = health.look([status(indexing="cold")], [counts(2, 1)])
    assert said(both) == [("error", "crashed"), ("info", "recovered")]


def test_a_server_that_stays_down_is_said_to():
    health = ServerHealth()
    health.look([status()], [counts()])
    (crash,) = health.look([status("broken", "", "no memory")], [counts(4, 4)])
    assert crash.data["message"] == "toy crashed too often and is not started again: no memory"
