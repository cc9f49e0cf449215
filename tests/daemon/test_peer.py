"""Whose process is at the other end of a socket."""

import os
import socket
import struct
import tempfile
import time

import pytest

from groundwire.daemon.greeting import Greeting
from groundwire.daemon.house import furnish, house_of
from groundwire.daemon.meeting import meet
from groundwire.daemon.peer import is_own, peer_uid, uid_of_xucred
from groundwire.errors import DaemonUnavailable


def test_the_system_tells_whose_it_is() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert peer_uid(ours) == os.getuid()
        assert is_own(ours)


def test_another_user_is_not_us(monkeypatch: pytest.MonkeyPatch) -> None:
    uid = os.getuid()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        monkeypatch.setattr(os, "getuid", lambda: uid + 1)
        assert not is_own(ours)


def test_where_the_system_does_not_tell_a_token_must_do() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as reached:
        assert peer_uid(reached) is None
        assert is_own(reached)


def test_macos_tells_it_after_a_version() -> None:
    raw = struct.pack("=IIh2x16I", 0, 4_000_000_000, 1, *range(16))
    assert uid_of_xucred(raw) == 4_000_000_000


def test_nobody_talks_to_a_socket_that_somebody_else_listens_on(monkeypatch: pytest.MonkeyPatch) -> None:
    uid = os.getuid()
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as impostor:
        environment = {"XDG_STATE_HOME": short}
        house = house_of("/w", environment)
        furnish(house)
        impostor.bind(house.socket)
        impostor.listen()
        monkeypatch.setattr(os, "getuid", lambda: uid + 1)
        with pytest.raises(DaemonUnavailable, match="somebody else"):
            meet(Greeting("mcp", "/w"), environment, time.monotonic() + 5, starts=False)
        monkeypatch.undo()
        accepted, _ = impostor.accept()
        with accepted:
            assert accepted.recv(100) == b""
