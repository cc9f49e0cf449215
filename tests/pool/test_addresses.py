"""Which addresses are dialled because somebody asks for it."""

import pytest

from groundwire.errors import InvalidArgument, PermissionDenied
from groundwire.pool.addresses import Address, read_address, require_diallable


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:7000", Address("127.0.0.1", 7000)),
        (" localhost:1 ", Address("localhost", 1)),
        ("[::1]:65535", Address("::1", 65535)),
        ("build.example.org:80", Address("build.example.org", 80)),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str, address: Address) -> None:
    assert read_address(text) == address
    assert read_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "localhost", ":7000", "localhost:", "localhost:0", "localhost:65536", "localhost:+1"),
        *("localhost:7\u0660", "::1:7000", "a b:1", "a\nb:1", "localhost:" + "9" * 5000, "\0:1"),
    ],
)
def test_anything_else_is_refused_with_how_to_write_it(text: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        read_address(text)
    assert "127.0.0.1:7000" in raised.value.hint
    assert len(raised.value.message) < 200


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "localhost", "LocalHost", "::1"])
def test_this_machine_may_be_dialled(host: str) -> None:
    address = Address(host, 7000)
    require_diallable(address, [])
    assert address.is_this_machine


@pytest.mark.parametrize(
    "host",
    [
        *("169.254.169.254", "10.0.0.1", "192.168.1.1", "0.0.0.0", "::", "fe80::1", "8.8.8.8", "example.org"),
        *("localhost.example.org", "127.0.0.1.nip.io", "2130706433", "0x7f000001", "127.1", "::ffff:10.0.0.1"),
    ],
)
def test_any_other_address_is_not_dialled_on_request(host: str) -> None:
    with pytest.raises(PermissionDenied, match="not on this machine") as raised:
        require_diallable(Address(host, 80), ["10.0.0.9:80", "example.org:81"])
    assert "configuration" in raised.value.hint


def test_an_address_that_the_configuration_has_may_be_dialled() -> None:
    require_diallable(Address("10.0.0.9", 80), ["127.0.0.1:1", "10.0.0.9:80"])
