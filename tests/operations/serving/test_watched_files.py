"""Changes that an agent tells of: checked against the disk, then told to those whom they concern."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, GroundwireError, InvalidArgument, OutsideWorkspace
from groundwire.operations.answer import Status
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.serving.watched_files import did_change_watched_files
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

TOLD = "workspace/didChangeWatchedFiles"


async def test_where_no_server_runs_nobody_is_told(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, did_change_watched_files, changes=[{"file_path": "lonely.toy", "type": 2}])
        assert (answer.status, answer.value.changes, answer.value.told) == (Status.CONFIRMED, 1, ())


async def test_a_server_that_runs_is_told(tmp_path: Path) -> None:
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        await ask(pool, list_symbols, file_path="lonely.toy")
        uri = (pool.workspace / "voices.toy").as_uri()
        changes = [{"uri": uri, "type": 1}, {"file_path": "gone.toy", "type": "deleted"}]
        answer = await ask(pool, did_change_watched_files, changes=changes)
        (told,) = answer.value.told
        assert (told.server, told.root, told.files, told.state) == ("well_read", ".", 2, "told")
        assert answer.servers == ("well_read",)
        await ask(pool, list_symbols, file_path="lonely.toy")  # answered, so all before it was read
        assert log.count(TOLD) == 1


async def test_without_changes_only_the_disk_is_looked_at(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, list_symbols, file_path="lonely.toy")
        (told,) = (await ask(pool, did_change_watched_files)).value.told
        assert told.files == 0


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"file_path": "lonely.toy", "type": 3}, InvalidArgument),
        ({"file_path": "gone.toy", "type": "created"}, FileNotFound),
        ({"file_path": "../x.toy", "type": "deleted"}, OutsideWorkspace),
        ({"uri": "file:///x.toy", "type": 3}, OutsideWorkspace),
        ({"uri": "https://example.invalid/x.toy", "type": 3}, InvalidArgument),
        ({"type": 3}, InvalidArgument),
        ({"file_path": "lonely.toy", "uri": "file:///x", "type": 2}, InvalidArgument),
        ({"file_path": "lonely.toy", "type": 4}, InvalidArgument),
        ({"file_path": "lonely.toy", "type": "moved"}, InvalidArgument),
        ({"file_path": "lonely.toy"}, InvalidArgument),
        ({"file_path": "a\0b", "type": 3}, FileNotFound),
    ],
)
async def test_what_is_not_so_is_refused_and_nothing_is_told(
    tmp_path: Path, change: dict[str, object], error: type[GroundwireError]
) -> None:
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        await ask(pool, list_symbols, file_path="lonely.toy")
        with pytest.raises(error):
            await ask(pool, did_change_watched_files, changes=[{"file_path": "voices.toy", "type": 2}, change])
        await ask(pool, list_symbols, file_path="lonely.toy")
        assert log.count(TOLD) == 0
