"""The audit log: whole lines, bounded in memory and on disk, private, and never in anybody's way."""

import fcntl
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import cast

import pytest

from groundwire.pool.audit_log import MOST_WAITING, AuditLog, AuditSettings
from groundwire.pool.opening import open_pool
from tests.pool.repositories import Project

pytestmark = pytest.mark.timeout(60)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_records_are_lines_of_json_in_their_order_in_a_file_of_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "new/state/audit.jsonl"
    log = AuditLog(AuditSettings(path))
    for number in range(10):
        log.write({"number": number, "text": "ü\n😀"})
    assert log.close()
    assert lines(path) == [{"number": number, "text": "ü\n😀"} for number in range(10)]
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    log.write({"number": 10})
    assert log.close()
    assert lines(path)[-1] == {"number": 10}


@contextmanager
def held(path: Path) -> Generator[None]:
    """Somebody else has the file, as a slow disk would."""
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_what_does_not_fit_is_dropped_and_the_next_record_tells_how_many(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(AuditSettings(path))
    total = 2 * MOST_WAITING + 7  # some are being written, and as many more wait
    with held(path):
        for number in range(total):
            log.write({"number": number})
    assert log.close(30)
    log.write({"number": "next"})
    assert log.close(30)
    *written, last = lines(path)
    assert last["number"] == "next"
    expected = 0  # when the queue is emptied is up to the system: wherever records are missing, the next one tells
    for record in [*written, {**last, "number": total}]:
        expected += cast("int", record.get("dropped", 0))
        assert record["number"] == expected
        expected += 1
    assert total - len(written) >= 7


def test_closing_does_not_wait_for_a_disk_that_hangs(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(AuditSettings(path))
    with held(path):
        log.write({"number": 1})
        assert not log.close(0.05)
    assert log.close(30)
    assert lines(path) == [{"number": 1}]


def test_a_full_file_is_put_aside_and_the_oldest_goes(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(AuditSettings(path, max_bytes=40, keep=2))
    for number in range(8):
        log.write({"number": number, "x": "x" * 20})
    assert log.close()
    kept = [lines(each)[0]["number"] for each in (path, Path(f"{path}.1"), Path(f"{path}.2"))]
    assert kept == [7, 6, 5]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]
    assert Path(f"{path}.1").stat().st_mode & 0o777 == 0o600


def test_with_no_file_to_be_kept_a_full_one_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(AuditSettings(path, max_bytes=40, keep=0))
    for number in range(3):
        log.write({"number": number, "x": "x" * 20})
    assert log.close()
    assert ([each.name for each in tmp_path.iterdir()], lines(path)[0]["number"]) == (["audit.jsonl"], 2)


def _write_many(path: str, writer: int) -> None:
    log = AuditLog(AuditSettings(Path(path), max_bytes=2_000, keep=100))
    for number in range(50):
        log.write({"writer": writer, "number": number, "x": "x" * 50})
    assert log.close()


def test_several_processes_lose_nothing_and_tear_no_line(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    context = get_context("spawn")
    writers = [context.Process(target=_write_many, args=(str(path), number)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(50)
    found = [record for file in tmp_path.iterdir() for record in lines(file)]
    assert sorted((record["writer"], record["number"]) for record in found) == [
        (writer, number) for writer in range(3) for number in range(50)
    ]


@pytest.mark.parametrize("kind", ["directory", "link", "pipe", "below a file"])
def test_a_log_that_cannot_be_written_is_told_once_and_raises_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "audit.jsonl"
    (tmp_path / "file").write_text("mine", "utf-8")
    if kind == "directory":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(tmp_path / "file")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path = tmp_path / "file/audit.jsonl"
    log = AuditLog(AuditSettings(path))
    for _ in range(2):
        log.write({})
        assert log.close()
    assert str(path) in log.take_failure()
    assert log.take_failure() == ""
    assert (tmp_path / "file").read_text("utf-8") == "mine"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("config", "variables", "expected"),
    [
        ("", {}, "home/.local/state/groundwire/audit.jsonl"),
        ("", {"GROUNDWIRE_AUDIT_LOG": "/var/x.jsonl"}, "/var/x.jsonl"),
        ("[audit]\npath = '~/my.jsonl'", {"GROUNDWIRE_AUDIT_LOG": "/var/x.jsonl"}, "home/my.jsonl"),
        ("[audit]\npath = 'logs/my.jsonl'\n", {}, "project/logs/my.jsonl"),
        ("[audit]\nenabled = false", {"GROUNDWIRE_AUDIT_LOG": "/var/x.jsonl"}, None),
    ],
)
async def test_the_path_is_the_configured_one_else_that_of_the_environment_else_the_users(
    tmp_path: Path, config: str, variables: dict[str, str], expected: str | None
) -> None:
    project = Project(tmp_path)
    file = tmp_path / "home/.config/groundwire/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(config, "utf-8")
    async with open_pool(project.workspace, environment={**project.environment, **variables}) as pool:
        found = pool.settings.audit
    assert (found.path if found else None) == (tmp_path / expected if expected else None)


@pytest.mark.anyio
async def test_an_untrusted_project_decides_nothing_about_the_log(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("groundwire.toml", "[audit]\nenabled = false\npath = '/etc/x'\nkeep = 0\n")
    assert [value.key for value in project.load().guarded] == [
        ("audit", "enabled"),
        ("audit", "path"),
        ("audit", "keep"),
    ]
    async with open_pool(project.workspace, environment=project.environment) as pool:
        assert pool.settings.audit == AuditSettings(tmp_path / "home/.local/state/groundwire/audit.jsonl")
        assert len(pool.settings.withheld) == 3


def test_a_name_that_is_no_text_is_written_as_it_is_shown(tmp_path: Path) -> None:
    log = AuditLog(AuditSettings(tmp_path / "audit.jsonl"))
    log.write({"file": "bad\udcff.py", "root": Path("/caf\udce9")})
    assert log.close()
    assert lines(tmp_path / "audit.jsonl") == [{"file": r"bad\xff.py", "root": r"/caf\xe9"}]
