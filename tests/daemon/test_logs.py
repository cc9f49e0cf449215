"""The log of a daemon: put aside when it grows, and never a reason to fail."""

import contextlib
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.daemon.house import House, furnish, house_of
from groundwire.daemon.logs import begin_log

LINE = "x" * 10_000


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers = []  # pytest's own would be closed
    made = house_of("/w", {"XDG_STATE_HOME": str(tmp_path)})
    furnish(made)
    yield made
    for handler in root.handlers:
        with contextlib.suppress(OSError):  # what a full disk did not take
            handler.close()
    root.handlers, root.level = before, level


def test_it_is_put_aside_when_it_is_large_and_only_two_are_kept(house: House) -> None:
    begin_log(house)
    for number in range(450):
        logging.getLogger("groundwire.test").info("%d %s", number, LINE)
    files = sorted(Path(house.directory).glob("*log*"))
    assert [file.name for file in files] == ["daemon.log", "daemon.log.1", "daemon.log.2"]
    assert all(file.stat().st_size <= 1024 * 1024 for file in files)
    assert f"449 {LINE}" in Path(house.log).read_text("utf-8")


def test_a_log_that_cannot_be_opened_is_no_failure(house: House) -> None:
    Path(house.log).mkdir()
    begin_log(house)
    logging.getLogger("groundwire.test").error("nobody reads this")
    assert not list(Path(house.log).iterdir())


def test_a_disk_that_is_full_is_no_failure(house: House, capfd: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no disk that is always full")
    Path(house.log).symlink_to("/dev/full")
    begin_log(house)
    logging.getLogger("groundwire.test").error("lost")
    assert capfd.readouterr().err == ""


def test_a_directory_that_is_gone_is_no_failure(house: House) -> None:
    begin_log(house)
    shutil.rmtree(house.directory)
    for _ in range(120):
        logging.getLogger("groundwire.test").error(LINE)
    assert not Path(house.directory).exists()


def test_half_a_character_in_a_message_is_no_failure(house: House) -> None:
    begin_log(house)
    logging.getLogger("groundwire.test").error("half \ud800")
    assert "half \\ud800" in Path(house.log).read_text("utf-8")
