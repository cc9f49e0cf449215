"""Which names are ours, which pages may call us, and how fast a token can be guessed."""

from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.surfaces.http.errors_shown import Refused
from groundwire.surfaces.http.guard_hosts import Hosts
from groundwire.surfaces.http.guard_tokens import Failures, Tokens
from groundwire.surfaces.http.settings import ServeSettings

TOKEN = "0123456789abcdef"
SETTINGS = ServeSettings(roots=(Path("/"),), port=8080, token=TOKEN, environment={})


def test_its_own_names_are_ours_at_its_port_only() -> None:
    hosts = Hosts(SETTINGS)
    for host in ("127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"):
        hosts.check(host, None, "")
    for host in ("", "evil.example", "evil.example:8080", "localhost", "localhost:80", "localhost.evil.example:8080"):
        with pytest.raises(Refused) as caught:
            hosts.check(host, None, "")
        assert caught.value.status == 421
    for host in (
        "127.0.0.1:8080@evil.example",
        "localhost:8080:8080",
        "192.0.2.1:8080",
        "localhost:x",
        "[::1]",
        ":8080",
    ):
        with pytest.raises(Refused):
            hosts.check(host, None, "")


def test_at_the_port_of_http_no_port_need_be_said() -> None:
    Hosts(replace(SETTINGS, port=80)).check("localhost", "http://localhost", "")


def test_names_that_were_allowed_are_ours_with_and_without_a_port() -> None:
    hosts = Hosts(replace(SETTINGS, allowed_hosts=("Box.example", "other.example:99")))
    for host in ("box.example", "box.example:8080", "box.example:443", "other.example:99"):
        hosts.check(host, None, "")
    for origin in ("https://box.example", "http://box.example:8080", "http://other.example:99"):
        hosts.check("box.example", origin, "")
    for host in ("box.example:81", "other.example", "other.example:8080"):
        with pytest.raises(Refused):
            hosts.check(host, None, "")


def test_where_it_listens_on_every_address_every_number_is_ours() -> None:
    hosts = Hosts(replace(SETTINGS, listen="0.0.0.0"))
    for host in ("192.0.2.1:8080", "[2001:db8::1]:8080", "192.0.2.1"):
        hosts.check(host, None, "")
    hosts.check("192.0.2.1:8080", "http://192.0.2.1:8080", "")
    for host, origin in (
        ("evil.example:8080", None),
        ("192.0.2.1:8080", "http://192.0.2.9:8080"),
        ("192.0.2.1:9", None),
    ):
        with pytest.raises(Refused):
            hosts.check(host, origin, "")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://localhost:3000",
        "http://localhost",
        "file://",
        "chrome-extension://x",
        "http://127.0.0.1:8080.evil.example",
        "ftp://localhost:8080",
        "http://evil.example:8080",
        "localhost:8080",
    ],
)
def test_pages_of_others_are_kept_out(origin: str) -> None:
    with pytest.raises(Refused) as caught:
        Hosts(SETTINGS).check("localhost:8080", origin, "")
    assert caught.value.status == 403


def test_its_own_page_may_call_it() -> None:
    for origin in ("http://localhost:8080", "http://127.0.0.1:8080", "https://localhost:8080"):
        Hosts(SETTINGS).check("localhost:8080", origin, "same-origin")
    Hosts(SETTINGS).check("localhost:8080", None, "none")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_a_page_of_others_loads_without_saying_its_origin_is_kept_out_too(site: str) -> None:
    with pytest.raises(Refused):
        Hosts(SETTINGS).check("localhost:8080", None, site)


def test_failures_are_counted_by_address_and_forgotten_in_time() -> None:
    now = 0.0
    failures = Failures(3, 60.0, lambda: now)
    assert [failures.count("192.0.2.1") for _ in range(4)] == [0, 0, 0, 60]
    assert failures.count("192.0.2.2") == 0
    now = 59.0
    assert failures.count("192.0.2.1") == 1
    now = 60.0
    assert failures.count("192.0.2.1") == 0


def test_the_addresses_of_one_network_are_one_and_a_mapped_one_is_what_it_maps() -> None:
    failures = Failures(1, 60.0)
    failures.count("2001:db8::1")
    assert failures.count("2001:db8::2") > 0
    failures.count("192.0.2.1")
    assert failures.count("::ffff:192.0.2.1") > 0


def test_only_so_many_addresses_are_remembered() -> None:
    failures = Failures(1, 60.0)
    for number in range(10_000):
        failures.count(f"10.0.{number // 256}.{number % 256}")
    assert len(failures) <= 4096


def test_who_has_the_token_is_never_locked_out() -> None:
    tokens = Tokens(SETTINGS)
    statuses: list[int] = []
    for _ in range(30):
        with pytest.raises(Refused) as caught:
            tokens.check(b"Bearer wrong", b"", "192.0.2.1")
        statuses.append(caught.value.status)
        assert tokens.check(f"Bearer {TOKEN}".encode(), b"", "192.0.2.1")
    assert statuses == [401] * 20 + [429] * 10
