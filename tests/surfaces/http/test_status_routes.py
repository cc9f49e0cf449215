"""Status, events, metrics, symbols and actions over HTTP, from a real front over real daemons."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from groundwire.version import VERSION
from tests.daemon.homes import Home, within
from tests.surfaces.http.front import Front, serving


class Listener:
    """What comes by ``/events``."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.comments = 0

    def next(self, *kinds: str) -> dict[str, Any]:
        """The data of the next event of one of the kinds."""
        while True:
            kind, data = self._event()
            if kind in kinds:
                assert data["kind"] == kind
                return data

    def _event(self) -> tuple[str, dict[str, Any]]:
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line and "data" in fields:
                assert int(fields["id"]) > 0
                return fields["event"], json.loads(fields["data"])
            name, _, value = line.partition(": ")
            self.comments += not name and bool(value)
            fields[name] = value
        raise AssertionError("it ended")


@contextmanager
def listening(front: Front, path: str = "/events") -> Generator[Listener]:
    with front.client() as client, client.stream("GET", path) as response:
        assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
        yield Listener(response.iter_lines())


def test_what_is_and_what_happens_is_told_by_status_and_by_events(front: Front, home: Home) -> None:
    """In one life of all of them."""
    _status_tells_of_the_service_and_of_every_workspace(front, home)
    _a_name_with_line_breaks_begins_no_event_of_its_own(front, home)
    _findings_and_crashes_are_told_as_they_happen(front, home)


def _status_tells_of_the_service_and_of_every_workspace(front: Front, home: Home) -> None:
    told = front.get("/status").json()
    assert (told["front"]["version"], told["front"]["is_open"], told["front"]["sessions"]) == (VERSION, False, 0)
    assert [(each["root"], each["is_running"]) for each in told["workspaces"]] == [(str(home.root), False)]
    assert home.status() is None
    home.start()
    assert within(lambda: front.get("/status").json()["workspaces"][0]["is_running"])
    home.run("check", "animals.toy")
    assert within(lambda: _states(front) == ["active"])  # the service looks four times a second
    snapshot = front.get("/status").json()["workspaces"][0]["snapshot"]
    assert snapshot["calls"][0]["operation"] == "command_check_files"


def _states(front: Front) -> list[str]:
    snapshot = front.get("/status").json()["workspaces"][0]["snapshot"]
    return [each["state"] for each in snapshot["servers"]]


def test_health_and_readiness_need_no_token(common: Front) -> None:
    assert common.get("/health", Authorization="").json() == {"status": "ok"}
    assert common.get("/ready", Authorization="").json() == {"status": "ready"}


def test_a_front_whose_root_is_gone_lives_but_is_not_ready(home: Home) -> None:
    root = home.directory / "other"
    root.mkdir()
    with serving(Front(home, roots=(root,))) as front:
        root.rmdir()
        assert (front.get("/ready").status_code, front.get("/ready").json()) == (503, {"status": "not ready"})
        assert front.get("/health").status_code == 200


def test_nothing_is_told_without_the_token(common: Front) -> None:
    for path in ("/status", "/events", "/metrics", "/symbols?workspace=x&q=y", "/openapi.json"):
        answer = common.get(path, Authorization="Bearer of-nothing-at-all-0123456789")
        assert (path, answer.status_code, answer.json()["error"]["kind"]) == (path, 401, "Unauthorized")


def _findings_and_crashes_are_told_as_they_happen(front: Front, home: Home) -> None:
    home.check("animals.toy")
    with listening(front) as events:
        first = events.next("snapshot", "stopped")
        first = first if first["kind"] == "snapshot" else events.next("snapshot")
        assert first["workspace"] == first["root"] == str(home.root)
        (home.root / "animals.toy").write_text("this is wrong <script>\r\n", "utf-8")
        found = events.next("findings")
        assert found["files"][0]["findings"][0]["text"] == "this is wrong <script>"
        (home.root / "animals.toy").write_text("fine\n", "utf-8")
        while found["files"][0].get("findings"):
            found = events.next("findings")
        for server in home.language_servers():
            server.kill()
        crashed = events.next("servers")
        while crashed["servers"][0]["state"] != "idle":
            crashed = events.next("servers")
        assert (crashed["counts"][0]["crashes"], crashed["workspace"]) == (1, str(home.root))
        home.check("animals.toy")
        while crashed["servers"][0]["state"] != "active":
            crashed = events.next("servers")
        assert crashed["counts"][0]["restarts"] == 1
        home.stop()
        assert events.next("stopped")["workspace"] == str(home.root)


def _a_name_with_line_breaks_begins_no_event_of_its_own(front: Front, home: Home) -> None:
    evil = home.root / "a\nevent: snapshot\ndata: {}\n\n.toy"
    evil.write_text("wrong\n", "utf-8")
    home.check(evil.name)
    with listening(front) as events:
        snapshot = events.next("snapshot")
        while not (found := snapshot.get("findings") or snapshot.get("files")):
            snapshot = events.next("snapshot", "findings")
        assert [each["file"] for each in found] == [evil.name]
        evil.unlink()
        while found[0].get("findings"):
            found = events.next("findings")["files"]


def test_events_of_one_workspace_and_comments_that_keep_them_alive(home: Home) -> None:
    with serving(Front(home, limits={"keep_alive_s": 0.05})) as front:
        assert front.get("/events?workspace=/elsewhere").status_code == 404
        with listening(front, f"/events?workspace={home.root}") as events:
            events.next("stopped")
            home.start()
            events.next("snapshot")
        assert events.comments


def test_metrics_are_those_that_prometheus_reads(front: Front, home: Home) -> None:
    home.start()
    home.check("animals.toy")
    (home.root / "animals.toy").write_text("wrong\n", "utf-8")
    home.check("animals.toy")
    assert within(
        lambda: 'severity="error"' in front.get("/metrics").text and _value(front, "groundwire_findings") == 1
    )
    text = front.get("/metrics").text
    families = {family.name: family for family in text_string_to_metric_families(text)}
    root = str(home.root)
    assert _of(families["groundwire_calls"], "groundwire_calls_total") == {
        (("operation", "command_check_files"), ("outcome", "confirmed"), ("workspace", root)): 2.0
    }
    assert list(_of(families["groundwire_server_starts"], "groundwire_server_starts_total").values()) == [1.0]
    latency = _of(families["groundwire_operation_seconds"], "groundwire_operation_seconds_count")
    assert list(latency.values()) == [2.0]
    assert list(_of(families["groundwire_workspace_up"], "groundwire_workspace_up").values()) == [1.0]
    requests = _of(families["groundwire_http_requests"], "groundwire_http_requests_total")
    assert requests[(("method", "GET"), ("route", "/metrics"), ("status", "200"))] >= 1
    for name in ("crashes", "restarts", "timeouts", "memory_bytes", "state", "open_documents"):
        assert f"groundwire_server_{name}" in families
    openmetrics = front.get("/metrics", Accept="application/openmetrics-text")
    assert openmetrics.headers["content-type"].startswith("application/openmetrics-text")


def test_what_is_asked_for_makes_no_names_of_metrics(common: Front) -> None:
    for number in range(20):
        common.get(f"/no/such/place/{number}")
    assert "such/place" not in common.get("/metrics").text


def _value(front: Front, name: str) -> float:
    families = text_string_to_metric_families(front.get("/metrics").text)
    return next((sum(sample.value for sample in family.samples) for family in families if family.name == name), -1.0)


def _of(family: Any, name: str) -> dict[tuple[tuple[str, str], ...], float]:
    return {tuple(sorted(each.labels.items())): each.value for each in family.samples if each.name == name}
