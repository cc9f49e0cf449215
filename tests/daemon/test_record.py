"""Who the daemon is, as it wrote it down."""

import stat
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.daemon.house import House, furnish, house_of
from groundwire.daemon.record import Record, all_records, read_record, write_record

DEEP = b"[" * 100_000


def _house(tmp_path: Path, root: str = "/w") -> House:
    house = house_of(root, {"XDG_STATE_HOME": str(tmp_path)})
    furnish(house)
    return house


def test_a_record_is_private_and_replaces_the_one_before(tmp_path: Path) -> None:
    house = _house(tmp_path)
    write_record(house, Record(3, "/w", port=1, token="a" * 1000))
    write_record(house, Record(2, "/w", port=2, token="b"))
    assert read_record(house.record) == Record(2, "/w", port=2, token="b")
    assert stat.S_IMODE(Path(house.record).stat().st_mode) == 0o600
    assert [file.name for file in Path(house.directory).iterdir()] == ["daemon.json"]


@given(
    st.binary()
    | st.sampled_from([b"{}", b"[]", b'{"pid": "2"}', b'{"pid": 2}', DEEP])
    | st.sampled_from(["true", "0", "-1", "1", "2.5"]).map(lambda pid: f'{{"pid": {pid}, "root": ""}}'.encode())
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_no_record_is_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(content)
    assert read_record(str(path)) is None


def test_all_daemons_of_a_user_are_found(tmp_path: Path) -> None:
    for number, root in enumerate(("/one", "/two"), 2):
        write_record(_house(tmp_path, root), Record(number, root))
    (tmp_path / "groundwire/daemons/stray").mkdir()
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    assert {record.root for record in all_records(environment)} == {"/one", "/two"}
    assert all_records({"XDG_STATE_HOME": str(tmp_path / "missing")}) == []
