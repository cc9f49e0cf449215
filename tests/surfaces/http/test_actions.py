"""What people can ask and do through the service: symbols, restart, stop; and who may."""

from tests.daemon.homes import Home, within
from tests.surfaces.http.front import Front, serving

_CHOICES = {
    b"{": 400,
    b"\xff": 400,
    b"[]": 422,
    b'{"server": "ty"}': 422,
    b'{"workspace": "/w", "server": ""}': 422,
    b'{"workspace": "/w", "server": "ty", "also": 1}': 422,
    b'{"workspace": "/w", "server": "ty", "root": "a\\u0000b"}': 422,
    b'{"workspace": "/w", "server": "ty"}': 404,
}


def _choice(home: Home, **more: str) -> dict[str, str]:
    return {"workspace": str(home.root), "server": "well_read", "root": str(home.root), **more}


def test_symbols_are_found_with_how_far_that_is_proven(common: Front) -> None:
    common.home.start()
    with common.client() as client:
        found = client.get("/symbols", params={"workspace": str(common.home.root), "q": "bark"}).json()
        nothing = client.get("/symbols", params={"workspace": str(common.home.root), "q": "zebra"}).json()
    assert (found["status"], found["total"], found["symbols"][0]["file"]) == ("confirmed", 1, "voices.toy")
    assert (nothing["status"], nothing["symbols"]) == ("confirmed", [])


def test_nobody_is_started_to_be_asked(front: Front, home: Home) -> None:
    with front.client() as client:
        asked = client.get("/symbols", params={"workspace": str(home.root), "q": "bark"})
        stopped = client.post("/servers/stop", json=_choice(home))
    assert (asked.status_code, asked.json()["error"]["kind"]) == (409, "NotRunning")
    assert (stopped.status_code, stopped.json()["error"]["kind"]) == (409, "NotRunning")
    assert home.status() is None


def test_symbols_of_what_is_no_workspace_or_of_no_name_are_refused(common: Front) -> None:
    with common.client() as client:
        assert client.get("/symbols", params={"workspace": "/", "q": "bark"}).status_code == 404
        assert client.get("/symbols", params={"q": "bark"}).status_code == 404
        for query in ("", "x" * 201):
            assert client.get("/symbols", params={"workspace": str(common.home.root), "q": query}).status_code == 422


def test_a_server_is_restarted_and_stopped_for_who_has_the_token(front: Front, home: Home) -> None:
    home.start()
    home.check("animals.toy")
    (before,) = home.language_servers()
    with front.client() as client:
        restarted = client.post("/servers/restart", json=_choice(home))
        assert (restarted.status_code, restarted.json()["status"]) == (200, "confirmed")
        assert [(each["server"], each["state"]) for each in restarted.json()["servers"]] == [("well_read", "active")]
        (after,) = home.language_servers()
        assert after.pid != before.pid
        assert client.post("/servers/stop", json=_choice(home)).json() == {"stopped": 1}
        assert within(lambda: not home.language_servers())
        assert client.post("/servers/stop", json=_choice(home)).json() == {"stopped": 0}
        assert within(lambda: _state(front) == ("idle", "somebody stopped it"))
    home.check("animals.toy")
    assert within(lambda: _state(front)[0] == "active")


def _state(front: Front) -> tuple[str, str]:
    (workspace,) = front.get("/status").json()["workspaces"]
    if workspace["snapshot"] is None or not workspace["snapshot"]["servers"]:  # not looked at yet
        return "", ""
    (server,) = workspace["snapshot"]["servers"]
    return server["state"], server["reason"]


def test_an_open_service_changes_nothing(home: Home) -> None:
    home.start()
    with serving(Front(home, "--no-auth", token="")) as front, front.client() as client:
        assert client.get("/status").status_code == 200
        for action in ("restart", "stop"):
            refused = client.post(f"/servers/{action}", json=_choice(home))
            assert (refused.status_code, refused.json()["error"]["kind"]) == (403, "PermissionDenied")


def test_a_choice_that_does_not_fit_is_refused(common: Front) -> None:
    with common.client(**{"Content-Type": "application/json"}) as client:
        for body, status in _CHOICES.items():
            refused = client.post("/servers/stop", content=body)
            assert (body, refused.status_code) == (body, status)
            assert refused.json()["error"]["message"]


def test_what_a_form_can_send_is_not_taken(common: Front) -> None:
    with common.client() as client:
        refused = client.post("/servers/stop", data=_choice(common.home))
    assert refused.status_code == 415


def test_a_server_that_nobody_knows_and_a_root_outside_are_refused(common: Front) -> None:
    common.home.start()
    with common.client() as client:
        assert client.post("/servers/stop", json=_choice(common.home, server="nobody")).status_code == 422
        outside = client.post("/servers/restart", json=_choice(common.home, root="/"))
    assert (outside.status_code, outside.json()["error"]["kind"]) == (403, "OutsideWorkspace")
