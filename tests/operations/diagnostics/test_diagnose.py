"""Checking files through a pool of real processes: what is said is about the disk as it is now, or says why not."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.client.session import Session
from groundwire.errors import FileNotFound, NotAFile
from groundwire.operations.answer import FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from groundwire.registry.spec import ServerSpec
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import WELL_BEHAVED, ToyLog, is_running, toy_catalog, toy_spec

pytestmark = pytest.mark.anyio

DIAGNOSTIC = "textDocument/diagnostic"


@asynccontextmanager
async def project(tmp_path: Path, files: Mapping[str, str], *specs: ServerSpec) -> AsyncGenerator[Pool]:
    """A pool over those files."""
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    async with Pool(root, catalog=toy_catalog(*specs)) as pool:
        yield pool


async def check_one(pool: Pool, name: str = "a.toy", wait_s: float = 20.0) -> FileFindings:
    answer = await check_files(pool, [Path(name)], wait_s=wait_s)
    assert len(answer.value) == 1
    assert answer.status == answer.value[0].status
    return answer.value[0]


def messages(found: FileFindings) -> list[str]:
    return [finding.message for finding in found.diagnostics]


async def test_a_finding_is_confirmed_with_its_place_counted_from_one(tmp_path: Path):
    async with project(tmp_path, {"src/a.toy": "right\n😀 wrong\n"}, toy_spec(WELL_BEHAVED)) as pool:
        found = await check_one(pool, "src/a.toy")
        assert (found.file, found.status, found.reason) == ("src/a.toy", Status.CONFIRMED, "")
        assert (found.evidence, found.servers) == ("pull", (WELL_BEHAVED,))
        finding = found.diagnostics[0]
        assert (finding.line, finding.severity, finding.message) == (2, "error", "😀 wrong")


async def test_a_clean_file_is_confirmed_clean(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "right\n"}, toy_spec(WELL_BEHAVED)) as pool:
        found = await check_one(pool)
        assert (found.status, found.diagnostics) == (Status.CONFIRMED, ())


async def test_an_edit_between_two_checks_is_seen_by_the_second(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "wrong\n"}, toy_spec(WELL_BEHAVED)) as pool:
        assert messages(await check_one(pool)) == ["wrong"]
        (pool.workspace / "a.toy").write_text("now it is wrong\n")
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.CONFIRMED, ["now it is wrong"])


async def test_a_server_that_may_be_asked_a_moment_later_is_asked_about_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with project(tmp_path, {"a.toy": "wrong\n", "b.toy": "wrong\n"}, toy_spec(WELL_BEHAVED)) as pool:
        await check_one(pool)
        names_places = iter([True])

        def is_naming_places(session: Session) -> bool:
            del session
            return next(names_places, False)

        monkeypatch.setattr("groundwire.pool.instance.is_naming_places", is_naming_places)
        answer = await check_files(pool, [Path("a.toy"), Path("b.toy")], wait_s=20.0)
        assert [(found.status, found.reason) for found in answer.value] == [(Status.CONFIRMED, "")] * 2


async def test_several_files_cost_one_start_and_one_question_each(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    files = {f"{name}.toy": f"{name} is wrong\n" for name in "abcdefgh"}
    async with project(tmp_path, files, toy_spec(WELL_BEHAVED, log)) as pool:
        answer = await check_files(pool, [Path(name) for name in files])
        assert answer.status is Status.CONFIRMED
        assert [messages(found) for found in answer.value] == [[f"{name} is wrong"] for name in "abcdefgh"]
        heard = [method for _, method in log.heard()]
        assert heard.count("initialize") == 1
        assert heard.count(DIAGNOSTIC) == 8
        # Everything is told before anything is asked: no file waits for the answer about another.
        last_told = max(at for at, method in enumerate(heard) if method == "textDocument/didOpen")
        assert last_told < heard.index(DIAGNOSTIC)


async def test_more_files_than_a_server_may_hold_open_are_all_proven_and_the_surplus_closed(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    files = {f"{number}.toy": f"{number} is wrong\n" for number in range(210)}
    async with project(tmp_path, files, toy_spec(WELL_BEHAVED, log)) as pool:
        answer = await check_files(pool, [Path(name) for name in files])
        assert answer.status is Status.CONFIRMED
        assert [messages(found) for found in answer.value] == [[f"{number} is wrong"] for number in range(210)]
        assert len(pool.instances()[0].session.state.documents) == 200


async def test_several_files_of_a_server_that_pushes_wait_together(tmp_path: Path):
    rule = SettleRule(measured=True, push="versioned", scope="file")
    files = {f"{number}.toy": "wrong\n" for number in range(8)}
    async with project(tmp_path, files, toy_spec("publishes_old_version", settle=rule)) as pool:
        await check_one(pool, "0.toy")
        answer = await check_files(pool, [Path(name) for name in files])
        assert answer.status is Status.CONFIRMED
        assert answer.elapsed_ms < 8 * 200


@pytest.mark.parametrize("habit", ["crash_at_start", "crash_mid_request", "null_results"])
async def test_a_linter_that_fails_leaves_the_findings_of_the_other_as_a_part(tmp_path: Path, habit: str):
    linter = toy_spec(habit, role="linter")
    async with project(tmp_path, {"a.toy": "wrong\n"}, toy_spec(WELL_BEHAVED), linter) as pool:
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.PARTIAL, ["wrong"])
        assert found.reason.startswith(f"{habit}: ")
        assert found.servers == (WELL_BEHAVED, habit)


async def test_a_primary_that_fails_leaves_the_findings_of_the_linter_as_a_part(tmp_path: Path):
    linter = toy_spec(WELL_BEHAVED, role="linter")
    async with project(tmp_path, {"a.toy": "wrong\n"}, toy_spec("crash_at_start"), linter) as pool:
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.PARTIAL, ["wrong"])
        assert "cannot find libtoy" in found.reason


async def test_a_linter_that_hangs_costs_the_wait_but_not_the_findings(tmp_path: Path):
    linter = toy_spec("hang_at_start", role="linter")
    async with project(tmp_path, {"a.toy": "wrong\n"}, toy_spec(WELL_BEHAVED), linter) as pool:
        found = await check_one(pool, wait_s=1.0)
        assert (found.status, messages(found)) == (Status.PARTIAL, ["wrong"])
        assert "hang_at_start: it is still starting" in found.reason


async def test_a_file_that_is_edited_while_it_is_checked_is_checked_again(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with project(tmp_path, {"a.toy": "once and wrong\n"}, toy_spec("edits_the_file", log)) as pool:
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.CONFIRMED, ["this is wrong"])
        assert log.count(DIAGNOSTIC) == 2


async def test_a_file_that_changes_after_it_was_proven_while_another_is_checked_again_is_not_forgotten(tmp_path: Path):
    files = {"a.toy": "right\n", "b.toy": "twice\n"}
    async with project(tmp_path, files, toy_spec("edits_the_file")) as pool:
        answer = await check_files(pool, [Path("a.toy"), Path("b.toy")])
        assert (answer.value[0].status, messages(answer.value[0])) == (Status.CONFIRMED, ["meanwhile wrong"])


async def test_what_writes_more_files_than_a_check_is_repeated_at_once_is_waited_for(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "build\nwrong\n"}, toy_spec("edits_the_file")) as pool:
        found = await check_one(pool)
        assert (found.status, found.reason, messages(found)) == (Status.CONFIRMED, "", ["wrong"])


async def test_files_that_keep_changing_beside_the_checked_one_make_its_findings_partial(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "log\nwrong\n"}, toy_spec("edits_the_file")) as pool:
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.PARTIAL, ["wrong"])
        assert "other files kept changing" in found.reason


async def test_a_file_that_never_stops_changing_is_unknown_and_nothing_old_is_shown(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "always\n"}, toy_spec("edits_the_file")) as pool:
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.UNKNOWN, [])
        assert "kept changing" in found.reason


async def test_a_file_that_is_deleted_while_it_is_checked_is_unknown(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "delete wrong\n"}, toy_spec("edits_the_file")) as pool:
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.UNKNOWN, [])
        assert "does not exist" in found.reason


async def test_a_server_that_was_killed_is_started_again_by_the_next_check(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with project(tmp_path, {"a.toy": "wrong\n"}, toy_spec(WELL_BEHAVED, log)) as pool:
        await check_one(pool)
        killed = log.pids()[0]
        os.kill(killed, signal.SIGKILL)
        (pool.workspace / "a.toy").write_text("still wrong\n")
        first = await check_one(pool)  # its death may not have been noticed yet
        assert first.status is Status.CONFIRMED or "SIGKILL" in first.reason
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.CONFIRMED, ["still wrong"])
        assert len(log.pids()) == 2
        assert not is_running(killed)


async def test_a_server_that_crashes_on_every_question_is_unknown_every_time(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "wrong\n"}, toy_spec("crash_mid_request")) as pool:
        for _ in range(2):
            found = await check_one(pool)
            assert (found.status, messages(found)) == (Status.UNKNOWN, [])
            assert "segmentation fault" in found.reason


async def test_a_kind_of_file_that_nobody_serves_is_unsupported(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "wrong\n", "b.txt": "wrong\n"}, toy_spec(WELL_BEHAVED)) as pool:
        found = await check_one(pool, "b.txt")
        assert (found.status, found.servers) == (Status.UNSUPPORTED, ())
        assert "b.txt" in found.reason
        answer = await check_files(pool, [Path("a.toy"), Path("b.txt")])
        assert [each.status for each in answer.value] == [Status.CONFIRMED, Status.UNSUPPORTED]
        assert answer.status is Status.UNSUPPORTED


async def test_a_program_that_is_missing_is_unknown_with_how_to_install_it(tmp_path: Path):
    missing = toy_spec("toy", command=("no-such-toy-server",), install={"pip": "pip install toy-server"})
    async with project(tmp_path, {"a.toy": "wrong\n"}, missing) as pool:
        found = await check_one(pool)
        assert (found.status, found.diagnostics) == (Status.UNKNOWN, ())
        assert "pip install toy-server" in found.reason


async def test_a_file_that_cannot_be_checked_at_all_is_typed(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "wrong\n"}, toy_spec(WELL_BEHAVED)) as pool:
        with pytest.raises(FileNotFound, match="nowhere"):
            await check_files(pool, [Path("nowhere.toy")])
        (pool.workspace / "d.toy").mkdir()
        with pytest.raises(NotAFile):
            await check_files(pool, [Path("d.toy")])
        (pool.workspace / "b.toy").write_bytes(b"\0\1\2")
        found = await check_one(pool, "b.toy")
        assert found.status is Status.UNKNOWN
        assert "binary" in found.reason


async def test_an_open_file_that_becomes_binary_does_not_disturb_the_check_of_another(tmp_path: Path):
    async with project(tmp_path, {"a.toy": "wrong\n", "b.toy": "right\n"}, toy_spec(WELL_BEHAVED)) as pool:
        await check_one(pool, "b.toy")
        (pool.workspace / "b.toy").write_bytes(b"\0\1\2")
        found = await check_one(pool)
        assert (found.status, messages(found)) == (Status.CONFIRMED, ["wrong"])


async def test_checks_at_the_same_time_share_the_server_and_are_all_right(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    files = {f"{number}.toy": f"{number} is wrong\n" for number in range(5)}
    async with project(tmp_path, files, toy_spec(WELL_BEHAVED, log)) as pool:
        answers = await asyncio.gather(*(check_one(pool, name) for name in files))
        assert [messages(found) for found in answers] == [[f"{number} is wrong"] for number in range(5)]
        assert {found.status for found in answers} == {Status.CONFIRMED}
        assert len(log.pids()) == 1
