"""When a daemon ends by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.daemon.clients import Clients
from groundwire.daemon.greeting import Greeting
from groundwire.daemon.life import Circumstances, makes_room, reason_to_leave

IDLE_EXIT_S = 60.0


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (Circumstances(clients=0, idle_s=59.0), ""),
        (Circumstances(clients=0, idle_s=60.0), "nobody needed it"),
        (Circumstances(clients=1, idle_s=0.0), ""),
        (Circumstances(clients=1, idle_s=0.0, has_workspace=False), "workspace is gone"),
        (Circumstances(clients=0, idle_s=0.0, has_workspace=False), "workspace is gone"),
        (Circumstances(clients=0, idle_s=0.0, has_socket=False), "reach"),
        (Circumstances(clients=1, idle_s=0.0, has_socket=False), ""),
        (Circumstances(clients=0, idle_s=4.0, is_outdated=True), ""),
        (Circumstances(clients=0, idle_s=5.0, is_outdated=True), "configuration"),
        (Circumstances(clients=1, idle_s=0.0, is_outdated=True), ""),
    ],
)
def test_it_leaves_for_a_reason_only(seen: Circumstances, why: str) -> None:
    found = reason_to_leave(seen, IDLE_EXIT_S)
    assert why in found
    assert bool(found) == bool(why)


def test_without_a_limit_it_stays_however_long_nobody_comes() -> None:
    assert not reason_to_leave(Circumstances(clients=0, idle_s=1e9), 0.0)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("0.1.0", "0.2.0"),
        ("0.9.0", "0.10.0"),
        ("1.0", "1.0.1"),
        ("1.0.0rc1", "1.0.0"),
        ("1.0.0.dev3", "1.0.0"),
        ("1.0.0-rc.1", "1.0.0"),
        ("nonsense", "0.0.1"),
        ("", "0.1"),
    ],
)
def test_it_makes_room_for_a_newer_one_and_never_for_an_older(older: str, newer: str) -> None:
    assert makes_room(older, newer, other_clients=0)
    assert not makes_room(newer, older, other_clients=0)
    assert not makes_room(older, newer, other_clients=1)


@given(st.text(), st.text())
def test_of_two_versions_at_most_one_gives_way(one: str, other: str) -> None:
    assert not makes_room(one, one, other_clients=0)
    assert not (makes_room(one, other, other_clients=0) and makes_room(other, one, other_clients=0))


@pytest.mark.parametrize("strange", ["²", "9" * 5000, "1.٣"])
def test_a_strange_version_is_only_another_one(strange: str) -> None:
    assert makes_room("0.1", strange, other_clients=0) != makes_room(strange, "0.1", other_clients=0)


def test_idleness_is_counted_from_the_last_client_and_who_only_looks_is_none() -> None:
    now = [0.0]
    clients = Clients(lambda: now[0])
    now[0] = 10.0
    assert clients.idle_s == 10.0
    with clients.present(Greeting("mcp", "/w", client="mcp 1")), clients.present(Greeting("mcp", "/w")):
        now[0] = 20.0
        assert (len(clients), clients.idle_s) == (2, 0.0)
        assert clients.all[0].client == "mcp 1"
    now[0] = 25.0
    with clients.present(Greeting("control", "/w")):
        assert (len(clients), clients.idle_s) == (0, 5.0)
    now[0] = 30.0
    assert clients.idle_s == 10.0
