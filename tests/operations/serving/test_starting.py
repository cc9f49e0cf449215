"""Servers are started before they are needed, and it is said which are ready."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import (
    FileNotFound,
    InvalidArgument,
    NoServerForExtension,
    OutsideWorkspace,
    ServerUnavailable,
)
from groundwire.operations.answer import Status
from groundwire.operations.operation import Call
from groundwire.operations.results.workspace import StartedServers
from groundwire.operations.serving.starting import StartLsp, start_lsp
from groundwire.pool.pool import Pool
from groundwire.render.workspace import started_page
from groundwire.workspace.rules import ReadinessRule
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio


def states(started: StartedServers) -> list[tuple[str, str, str]]:
    return [(each.server, each.root, each.state) for each in started.servers]


async def test_all_servers_of_the_workspace_run_afterwards_and_have_seen_a_file(tmp_path: Path) -> None:
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        answer = await ask(pool, start_lsp)
        assert (answer.status, answer.reason, answer.servers) == (Status.CONFIRMED, "", ("well_read",))
        assert states(answer.value) == [("well_read", ".", "ready")]
        assert [len(instance.open_files()) for instance in pool.instances()] == [1]
        again = await ask(pool, start_lsp, language_id="toy", server_id="well_read", root_dir=".")
        assert (again.value, log.count("initialize")) == (answer.value, 1)


async def test_a_directory_of_the_workspace_starts_what_lies_there_alone(tmp_path: Path) -> None:
    files = {"one/toy.project": "", "one/a.toy": "def a()\n", "two/toy.project": "", "two/b.toy": "def b()\n"}
    async with zoo(tmp_path, files=files, roots=(("toy.project",),)) as pool:
        assert states((await ask(pool, start_lsp, root_dir="two")).value) == [("well_read", "two", "ready")]
        both = (await ask(pool, start_lsp)).value
        assert states(both) == [("well_read", "one", "ready"), ("well_read", "two", "ready")]


async def test_a_server_that_is_still_loading_when_the_time_is_over_is_not_called_ready(tmp_path: Path) -> None:
    never = ReadinessRule(ready_notification="toy/never", gates_diagnostics=True)
    async with zoo(tmp_path, readiness=never) as pool:
        answer = await ask(pool, start_lsp, ready_timeout_seconds=0.5)
        assert answer.status is Status.UNKNOWN
        assert states(answer.value) == [("well_read", ".", "loading")]
        assert "still loading" in answer.reason
        page = started_page(answer)
        assert page.head == "0 of 1 server ready"
        assert page.sections[0].blocks[0][0].startswith("  loading  well_read  at .  toy: ")


async def test_a_server_that_does_not_come_up_is_told_beside_those_that_do(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_text("fine\n")
    bad = toy_spec("crash_at_start", role="linter")
    catalog = toy_catalog(toy_spec("well_read"), bad)
    async with Pool(tmp_path, catalog=catalog) as pool:
        answer = await ask(pool, start_lsp)
        assert (answer.status, answer.servers) == (Status.PARTIAL, ("well_read",))
        assert states(answer.value) == [("well_read", ".", "ready"), ("crash_at_start", ".", "failed")]
        assert answer.reason.startswith("crash_at_start: ")
        assert started_page(answer).head == "1 of 2 servers ready"


async def test_one_that_takes_too_long_to_start_goes_on_in_the_background(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_text("fine\n")
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec("hang_at_start"))) as pool:
        answer = await ask(pool, start_lsp, ready_timeout_seconds=0.2)
        assert states(answer.value) == [("hang_at_start", ".", "starting")]
        assert [each.state for each in pool.status()] == ["starting"]


async def test_a_program_that_is_missing_is_a_failure_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_text("fine\n")
    missing = msgspec.structs.replace(toy_spec("well_read"), command=("no-such-program-anywhere",))
    async with Pool(tmp_path, catalog=toy_catalog(missing)) as pool:
        answer = await ask(pool, start_lsp)
        assert answer.status is Status.UNKNOWN
        assert "no-such-program-anywhere" in answer.value.servers[0].reason
        with pytest.raises(ServerUnavailable):
            await ask(pool, start_lsp, language_id="toy")


async def test_what_is_waited_for_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    async with zoo(tmp_path) as pool:
        deadline = asyncio.get_running_loop().time() + 20
        await start_lsp.run(Call(pool, deadline, told.append), StartLsp())
    assert told[0] == "well_read is starting"


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"root_dir": ".."}, OutsideWorkspace, "outside the workspace"),
        ({"root_dir": "nowhere"}, FileNotFound, "no directory"),
        ({"root_dir": "lonely.toy"}, FileNotFound, "no directory"),
        ({"root_dir": "a\0b"}, FileNotFound, "no directory"),
        ({"language_id": "tyo"}, InvalidArgument, "no language is called"),
        ({"server_id": "well_raed"}, InvalidArgument, "no server is called"),
        ({"scope": "src"}, InvalidArgument, "scope"),
        ({"ready_timeout_seconds": -1}, InvalidArgument, "ready_timeout_seconds"),
    ],
)
async def test_what_cannot_be_started_is_a_typed_error(
    tmp_path: Path, given: dict[str, object], error: type[Exception], words: str
) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(error, match=words):
            await ask(pool, start_lsp, **given)
        assert pool.instances() == ()


async def test_where_no_file_is_served_that_is_said(tmp_path: Path) -> None:
    async with zoo(tmp_path, files={"notes.unknown": "nothing\n"}) as pool:
        with pytest.raises(NoServerForExtension, match="nothing in project"):
            await ask(pool, start_lsp)


async def test_a_server_that_no_question_would_be_put_to_is_not_started(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_text("fine\n")
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec("well_read"), toy_spec("base"))) as pool:
        with pytest.raises(InvalidArgument, match="base takes care of nothing here; well_read do"):
            await ask(pool, start_lsp, server_id="base")
        assert pool.instances() == ()
