"""Where managed servers are: the directory of each platform, the pointer, and what does not count."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.registry.managed import (
    Receipt,
    current_installation,
    installed,
    make_current,
    managed_bin_directories,
    managed_directory,
    server_directory,
    write_receipt,
)

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def installation(data: Path, server: str, name: str, *, claims: str = "") -> Path:
    path = data / "servers" / server / name
    path.mkdir(parents=True)
    receipt = Receipt(id=claims or server, version=name, method="npm", packages=("x@1",), commands=("x",), when=WHEN)
    write_receipt(path, receipt)
    return path


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"GROUNDWIRE_DATA_DIR": "/d", "XDG_DATA_HOME": "/x", "HOME": "/h"}, "linux", "/d"),
        ({"XDG_DATA_HOME": "/x", "HOME": "/h"}, "linux", "/x/groundwire"),
        ({"XDG_DATA_HOME": "/x", "HOME": "/h"}, "darwin", "/x/groundwire"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/h"}, "linux", "/h/.local/share/groundwire"),
        ({"HOME": "/h"}, "linux", "/h/.local/share/groundwire"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/groundwire"),
        ({"LOCALAPPDATA": "/local", "USERPROFILE": "/u"}, "win32", "/local/groundwire"),
        ({"USERPROFILE": "/u"}, "win32", "/u/AppData/Local/groundwire"),
    ],
)
def test_the_directory_follows_the_variables_and_then_the_platform(
    environment: dict[str, str], platform: str, expected: str
) -> None:
    assert managed_directory(environment, platform) == Path(expected)


def test_without_a_home_variable_the_home_of_the_user_is_taken() -> None:
    assert managed_directory({}, "linux") == Path.home() / ".local" / "share" / "groundwire"


def test_a_relative_data_directory_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="relative"):
        managed_directory({"GROUNDWIRE_DATA_DIR": "data"})


def test_nothing_is_installed_where_there_is_no_directory(tmp_path: Path) -> None:
    environment = {"GROUNDWIRE_DATA_DIR": str(tmp_path / "nowhere")}
    assert (installed(environment), managed_bin_directories(environment)) == ([], [])


@pytest.mark.parametrize("by_link", [True, False])
def test_the_installation_that_the_pointer_names_is_the_one_that_counts(tmp_path: Path, by_link: bool) -> None:
    environment = {"GROUNDWIRE_DATA_DIR": str(tmp_path)}
    old, new = installation(tmp_path, "toy", "1.0-a"), installation(tmp_path, "toy", "2.0-b")
    make_current(old, by_link=by_link)
    assert [each.version for each in installed(environment)] == ["1.0-a"]
    make_current(new, by_link=by_link)
    assert [(each.id, each.version, each.path, each.when) for each in installed(environment)] == [
        ("toy", "2.0-b", new, WHEN)
    ]
    assert managed_bin_directories(environment) == [new / "bin"]
    assert sorted(path.name for path in new.parent.iterdir()) == ["1.0-a", "2.0-b", "current"]
    assert (new.parent / "current").is_symlink() == by_link


def test_a_link_may_take_the_place_of_a_file_and_a_file_that_of_a_link(tmp_path: Path) -> None:
    path = installation(tmp_path, "toy", "1.0-a")
    for by_link in (True, False, True):
        make_current(path, by_link=by_link)
        found = current_installation(path.parent)
        assert found is not None
        assert found.path == path


def test_servers_come_by_id(tmp_path: Path) -> None:
    for server in ("zls", "ada"):
        make_current(installation(tmp_path, server, "1"))
    assert [each.id for each in installed({"GROUNDWIRE_DATA_DIR": str(tmp_path)})] == ["ada", "zls"]


@pytest.mark.parametrize("name", ["../elsewhere/1", "/etc", "..", ".", "", "no-such-version"])
def test_a_pointer_that_leads_elsewhere_or_nowhere_does_not_count(tmp_path: Path, name: str) -> None:
    installation(tmp_path, "elsewhere", "1", claims="toy")
    (installation(tmp_path, "toy", "1").parent / "current").write_text(name, "utf-8")
    assert installed({"GROUNDWIRE_DATA_DIR": str(tmp_path)}) == []


def test_an_installation_without_a_sound_receipt_of_its_own_server_does_not_count(tmp_path: Path) -> None:
    foreign = installation(tmp_path, "toy", "1", claims="other")
    make_current(foreign)
    broken = installation(tmp_path, "torn", "1")
    make_current(broken)
    (broken / "receipt.json").write_text('{"id": "torn"', "utf-8")
    assert installed({"GROUNDWIRE_DATA_DIR": str(tmp_path)}) == []


def test_a_server_directory_that_is_a_link_does_not_count(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    make_current(installation(elsewhere, "toy", "1"))
    (tmp_path / "data" / "servers").mkdir(parents=True)
    (tmp_path / "data" / "servers" / "toy").symlink_to(elsewhere / "servers" / "toy")
    assert installed({"GROUNDWIRE_DATA_DIR": str(tmp_path / "data")}) == []


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "/etc", "-x", ".hidden", "a\\b", "x\n"])
def test_only_a_plain_name_has_a_directory(name: str) -> None:
    with pytest.raises(InvalidArgument, match="leads out of"):
        server_directory({"GROUNDWIRE_DATA_DIR": "/data"}, name)


def test_a_server_has_a_directory_of_its_own() -> None:
    environment = {"GROUNDWIRE_DATA_DIR": "/data"}
    assert server_directory(environment, "rust-analyzer") == Path("/data/servers/rust-analyzer")
