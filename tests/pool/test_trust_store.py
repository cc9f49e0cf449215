"""The file of what is trusted: private, whole, and safe to share between processes."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.errors import PermissionDenied
from groundwire.pool.trust_store import TrustRecord, TrustStore, user_trust_store

RECORD = TrustRecord(values="abc", programs={"bin/x": "def"})


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return user_trust_store({"XDG_STATE_HOME": str(tmp_path / "state")})


def test_what_is_trusted_is_remembered_and_forgotten_by_workspace(store: TrustStore, tmp_path: Path) -> None:
    store.trust(tmp_path / "a", RECORD)
    store.trust(tmp_path / "b", TrustRecord(values="x"))
    assert store.record(tmp_path / "a").programs == {"bin/x": "def"}
    assert list(store.all()) == [str(tmp_path / "a"), str(tmp_path / "b")]
    assert store.revoke(tmp_path / "a")
    assert not store.revoke(tmp_path / "a")
    assert store.record(tmp_path / "a") == TrustRecord()
    assert store.record(tmp_path / "b").values == "x"


def test_the_file_is_the_users_alone(store: TrustStore, tmp_path: Path) -> None:
    store.trust(tmp_path, RECORD)
    assert stat.S_IMODE(store.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.file.parent.stat().st_mode) == 0o700
    assert [file.name for file in sorted(store.file.parent.iterdir())] == ["trust.json", "trust.lock"]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_could_have_written_trusts_nothing(store: TrustStore, tmp_path: Path, mode: int) -> None:
    store.trust(tmp_path, RECORD)
    store.file.chmod(mode)
    assert store.record(tmp_path) == TrustRecord()
    with pytest.raises(PermissionDenied):
        store.trust(tmp_path, RECORD)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"workspaces": 7}', '{"version": 99, "workspaces": {}}'])
def test_a_damaged_file_trusts_nothing_and_is_not_overwritten(store: TrustStore, tmp_path: Path, text: str) -> None:
    store.trust(tmp_path, RECORD)
    store.file.write_text(text, "utf-8")
    assert store.record(tmp_path) == TrustRecord()
    with pytest.raises(PermissionDenied) as refused:
        store.trust(tmp_path, RECORD)
    assert "remove it" in refused.value.hint
    assert store.file.read_text("utf-8") == text


def test_a_place_that_cannot_be_written_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(PermissionDenied):
        TrustStore(tmp_path / "file/trust.json").trust(tmp_path, RECORD)


def test_a_relative_state_directory_is_not_followed_into_the_project(tmp_path: Path) -> None:
    store = user_trust_store({"XDG_STATE_HOME": ".", "HOME": str(tmp_path)})
    assert store.file == tmp_path / ".local/state/groundwire/trust.json"


def test_many_processes_lose_nothing_of_what_each_other_trusts(store: TrustStore) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom groundwire.pool.trust_store import TrustRecord, TrustStore\n"
        "for number in range(20):\n"
        "    TrustStore(Path(sys.argv[1])).trust(Path('/w', sys.argv[2], str(number)), TrustRecord(values='x'))\n"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(store.file), name], env=environment) for name in "abc"
    ]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert len(store.all()) == 60
    assert json.loads(store.file.read_text("utf-8"))["version"] == 1
