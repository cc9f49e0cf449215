"""Documents are kept open until they are closed, and every answer is about the disk all the same."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import FileNotFound, InvalidArgument, NoServerForExtension, NotAFile, SessionDead
from groundwire.operations.answer import Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.serving.opened import close_document, open_document
from groundwire.pool.pinned import MOST_PINNED
from groundwire.pool.pool import Pool
from groundwire.render.workspace import closed_page, opened_page
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio

OPENED, CLOSED = "textDocument/didOpen", "textDocument/didClose"


def open_names(pool: Pool) -> set[str]:
    return {Path(path).name for instance in pool.instances() for path in instance.open_files()}


async def test_it_is_open_with_every_server_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_text("fine\n")
    catalog = toy_catalog(toy_spec("well_read"), toy_spec("base", role="linter"))
    async with Pool(tmp_path, catalog=catalog) as pool:
        answer = await ask(pool, open_document, file_path="a.toy", language_id="toy", text="fine\n")
        assert (answer.status, answer.servers) == (Status.CONFIRMED, ("well_read", "base"))
        assert [set(instance.open_files()) for instance in pool.instances()] == [{str(tmp_path / "a.toy")}] * 2
        again = await ask(pool, open_document, file_path="a.toy")
        assert (answer.value.already_open, again.value.already_open) == (False, True)
        assert opened_page(again).head == "a.toy (toy) was and stays open with well_read and base (confirmed)"


async def test_it_stays_open_when_others_have_to_go_and_those_go_instead(tmp_path: Path) -> None:
    files = {f"f{number}.toy": f"def f{number}()\n" for number in range(12)}
    async with zoo(tmp_path, files=files) as pool:
        await ask(pool, open_document, file_path="f0.toy")
        (instance,) = pool.instances()
        session = instance.session
        session.options = msgspec.structs.replace(session.options, max_open_documents=4)
        for name in files:
            await ask(pool, list_symbols, file_path=name)
        assert open_names(pool) == {"f0.toy", "f9.toy", "f10.toy", "f11.toy"}
        await ask(pool, close_document, file_path="f0.toy")
        assert "f0.toy" not in open_names(pool)


async def test_it_is_open_again_after_a_restart(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, open_document, file_path="voices.toy")
        await pool.restart()
        await ask(pool, list_symbols, file_path="lonely.toy")
        assert open_names(pool) == {"voices.toy", "lonely.toy"}


async def test_what_changes_on_disk_afterwards_is_in_the_next_answer(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, open_document, file_path="voices.toy")
        (pool.workspace / "voices.toy").write_text("def shout(what)\n\ndef whisper(what)\n")
        answer = await ask(pool, list_symbols, file_path="voices.toy")
        assert [symbol.path for symbol in answer.value.symbols] == ["shout", "whisper"]


@pytest.mark.parametrize(
    ("text", "line"), [("def other()\n", 1), (ZOO["voices.toy"] + "more\n", 6), (ZOO["voices.toy"][:-16], 5), ("", 1)]
)
async def test_a_text_that_is_not_on_disk_is_refused_and_nothing_is_opened(
    tmp_path: Path, text: str, line: int
) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match=f"differs from voices.toy on disk, from line {line} on") as raised:
            await ask(pool, open_document, file_path="voices.toy", text=text)
        assert "on disk" in raised.value.hint
        assert (pool.instances(), list(pool.pinned)) == ((), [])


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"file_path": "nowhere.toy"}, FileNotFound),
        ({"file_path": "."}, NotAFile),
        ({"file_path": "a\0b/c.toy"}, FileNotFound),
        ({"file_path": "binary.toy"}, NotAFile),
        ({"file_path": "notes.unknown"}, NoServerForExtension),
        ({"file_path": "lonely.toy", "language_id": "python"}, InvalidArgument),
    ],
)
async def test_what_cannot_be_opened_is_a_typed_error(
    tmp_path: Path, given: dict[str, object], error: type[Exception]
) -> None:
    async with zoo(tmp_path, files={**ZOO, "binary.toy": "a\0b", "notes.unknown": "text\n"}) as pool:
        with pytest.raises(error):
            await ask(pool, open_document, **given)
        assert list(pool.pinned) == []


async def test_no_more_documents_are_kept_open_than_leave_room_for_others(tmp_path: Path) -> None:
    files = {f"f{number}.toy": "def f()\n" for number in range(MOST_PINNED + 1)}
    async with zoo(tmp_path, files=files) as pool:
        for number in range(MOST_PINNED):
            await ask(pool, open_document, file_path=f"f{number}.toy")
        with pytest.raises(InvalidArgument, match="kept open"):
            await ask(pool, open_document, file_path=f"f{MOST_PINNED}.toy")
        await ask(pool, open_document, file_path="f0.toy")
        await ask(pool, close_document, file_path="f0.toy")
        await ask(pool, open_document, file_path=f"f{MOST_PINNED}.toy")


async def test_a_server_that_fails_beside_another_is_said_and_alone_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_text("fine\n")
    crashing = toy_spec("crash_at_start", role="linter")
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec("well_read"), crashing)) as pool:
        answer = await ask(pool, open_document, file_path="a.toy")
        assert (answer.status, answer.servers) == (Status.PARTIAL, ("well_read",))
        assert "crash_at_start" in answer.reason
        assert "; not everywhere: " in opened_page(answer).head
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec("crash_at_start"))) as pool:
        with pytest.raises(SessionDead):
            await ask(pool, open_document, file_path="a.toy")
        assert list(pool.pinned) == []


async def test_closing_tells_the_server_and_what_was_not_open_is_said(tmp_path: Path) -> None:
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        unknown = await ask(pool, close_document, file_path="lonely.toy")
        assert (unknown.value.closed, unknown.servers) == (False, ())
        await ask(pool, open_document, file_path="lonely.toy")
        answer = await ask(pool, close_document, file_path="lonely.toy")
        assert (answer.value.closed, answer.servers) == (True, ("well_read",))
        assert closed_page(answer).head == "lonely.toy is closed (confirmed)"
        await ask(pool, list_symbols, file_path="voices.toy")  # answered after what was told before
        assert (log.count(OPENED), log.count(CLOSED)) == (2, 1)


async def test_a_file_that_is_gone_can_still_be_closed(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, open_document, file_path="lonely.toy")
        (pool.workspace / "lonely.toy").unlink()
        assert (await ask(pool, close_document, file_path="lonely.toy")).value.closed
        with pytest.raises(FileNotFound):
            await ask(pool, close_document, file_path="a\0b/c")


async def test_a_question_that_is_under_way_while_its_document_is_closed_never_confirms_a_part(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        for _ in range(10):
            question = asyncio.ensure_future(ask(pool, find_references, symbol="shout"))
            while not question.done():
                await ask(pool, close_document, file_path="voices.toy")
                await asyncio.sleep(0)
            answer = await question
            assert answer.value.total == 3 or answer.status is not Status.CONFIRMED
        assert (await ask(pool, find_references, symbol="shout")).value.total == 3
