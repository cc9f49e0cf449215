"""Where a daemon lives: a path that a socket can have, and directories that nobody else can look into."""

import os
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.daemon import house as houses
from groundwire.daemon.house import LONGEST_SOCKET, furnish, house_of
from groundwire.errors import DaemonUnavailable

_NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=60)
_PATHS = st.lists(_NAMES, min_size=1, max_size=12).map(lambda names: "/" + "/".join(names))


@given(root=_PATHS, home=_PATHS)
def test_a_socket_fits_however_deep_the_workspace_and_the_home_are(root: str, home: str) -> None:
    found = house_of(root, {"HOME": home, "XDG_STATE_HOME": f"{home}/state"})
    assert len(os.fsencode(found.socket)) <= LONGEST_SOCKET


@given(root=_PATHS, other=_PATHS, home=_PATHS)
def test_every_workspace_has_its_own_house_and_always_the_same(root: str, other: str, home: str) -> None:
    environment = {"XDG_STATE_HOME": home}
    first, second = house_of(root, environment), house_of(other, environment)
    assert first == house_of(root, dict(environment))
    assert (first.socket == second.socket) == (root == other)
    assert (first.directory == second.directory) == (root == other)


@given(root=_PATHS, home=_PATHS, other=_PATHS)
def test_two_homes_have_two_sockets_for_one_workspace(root: str, home: str, other: str) -> None:
    sockets = {house_of(root, {"XDG_STATE_HOME": each}).socket for each in (home, other)}
    assert len(sockets) == len({os.path.normpath(home), os.path.normpath(other)})


def test_the_runtime_directory_holds_the_socket_where_there_is_one(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        there = {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_RUNTIME_DIR": short}
        assert Path(house_of("/w", there).socket).parent == Path(short)
    for elsewhere in (str(tmp_path / "missing"), "relative", ""):
        without = {"XDG_STATE_HOME": "/state", "XDG_RUNTIME_DIR": elsewhere}
        assert Path(house_of("/w", without).socket).parent == Path(house_of("/w", without).directory)


def test_what_is_made_is_private_whatever_the_umask_is(tmp_path: Path) -> None:
    house = house_of("/w", {"XDG_STATE_HOME": str(tmp_path / "state")})
    before = os.umask(0)
    try:
        furnish(house)
    finally:
        os.umask(before)
    assert _mode(house.directory) == 0o700
    assert _mode(str(Path(house.directory).parent)) == 0o700


def test_a_directory_that_others_can_look_into_is_made_private(tmp_path: Path) -> None:
    house = house_of("/w", {"XDG_STATE_HOME": str(tmp_path)})
    Path(house.directory).mkdir(parents=True)
    Path(house.directory).chmod(0o755)
    furnish(house)
    assert _mode(house.directory) == 0o700


def test_a_directory_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = house_of("/w", {"XDG_STATE_HOME": str(tmp_path)})
    Path(house.directory).mkdir(parents=True)
    somebody = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: somebody)
    with pytest.raises(DaemonUnavailable, match="somebody else") as refused:
        furnish(house)
    assert "XDG_STATE_HOME" in refused.value.hint


def test_a_link_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    house = house_of("/w", {"XDG_STATE_HOME": str(tmp_path / "state")})
    Path(house.directory).parent.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    Path(house.directory).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DaemonUnavailable):
        furnish(house)


def test_the_short_directory_is_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(houses, "_short_directory", lambda: str(tmp_path / "short"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "short").symlink_to(tmp_path / "elsewhere")
    house = house_of("/w", {"XDG_STATE_HOME": str(tmp_path / ("d" * 100))})
    assert house.socket.startswith(str(tmp_path / "short"))
    with pytest.raises(DaemonUnavailable):
        furnish(house)


def test_a_place_where_nothing_can_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DaemonUnavailable, match="no place"):
        furnish(house_of("/w", {"XDG_STATE_HOME": str(tmp_path / "file")}))


def _mode(path: str) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)
