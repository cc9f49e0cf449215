"""Questions that span files: asked once the server can answer completely, or answered with why it may not be."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from groundwire.client.ask import Reply, ask_across_files, require
from groundwire.client.session import Session
from groundwire.errors import CapabilityMissing, RequestTimeout, SessionDead
from groundwire.workspace.documents import Document
from groundwire.workspace.rules import ReadinessRule, SettleRule, TangleRule
from tests.client.proof import opened
from tests.fakes.server import PULL, Json, full_report, running_session, toy_options

pytestmark = pytest.mark.anyio

REFERENCES = "textDocument/references"
DIAGNOSTIC = "textDocument/diagnostic"
OFFERED: Json = {**PULL, "referencesProvider": True}
INDEXING = ReadinessRule(progress_titles=("Indexing",), start_grace_ms=1000)
NEEDS_FINDINGS = ReadinessRule(references_need="first-diagnostics")


async def ask(session: Session, document: Document, seconds: float = 20.0) -> Reply[Raw]:
    return await ask_across_files(session, REFERENCES, {}, document, session.now() + seconds)


def places(reply: Reply[Raw]) -> Json:
    return msgspec.json.decode(reply.result)


async def test_what_nobody_measured_is_not_called_complete(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule())
    async with running_session(options, {REFERENCES: ["here"]}, OFFERED) as (session, _):
        reply = await ask(session, opened(session))
        assert places(reply) == ["here"]
        assert "nobody has measured" in reply.incomplete


async def test_a_server_that_is_ready_is_asked_at_once(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True))
    async with running_session(options, {REFERENCES: ["here"]}, OFFERED) as (session, server):
        reply = await ask(session, opened(session))
        assert (places(reply), reply.incomplete) == (["here"], "")
        assert server.methods[2:] == ["textDocument/didOpen", REFERENCES]


TANGLES = TangleRule(message="^circle", ending=".toy", head_ends="^(body)", binding="^needs", notice="made/notice")


async def test_uses_may_be_hidden_as_long_as_files_need_each_other(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True, tangles=TANGLES), languages={".toy": "toy"})
    other = tmp_path / "other.toy"
    other.write_text("needs this\n")
    handlers: Json = {REFERENCES: [], DIAGNOSTIC: full_report("circle of files")}
    async with running_session(options, handlers, OFFERED) as (session, server):
        document = opened(session)
        assert (await ask(session, document)).incomplete == ""
        server.publish(other.as_uri(), "circle of files")
        await server.caught_up()
        assert (await ask(session, document)).incomplete == "other.toy: circle of files, which may hide uses"
        server.handlers[DIAGNOSTIC] = full_report()
        other.write_text("needs nothing\n")
        assert (await ask(session, document)).incomplete == ""


async def test_a_tangle_of_a_file_that_is_gone_hides_nothing(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True, tangles=TANGLES), languages={".toy": "toy"})
    async with running_session(options, {REFERENCES: []}, OFFERED) as (session, server):
        server.publish((tmp_path / "gone.toy").as_uri(), "circle of files")
        await server.caught_up()
        assert (await ask(session, opened(session))).incomplete == ""


async def test_a_server_that_does_not_offer_it_is_not_asked(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities=PULL) as (session, server):
        with pytest.raises(CapabilityMissing, match="fake does not offer textDocument/references"):
            await ask(session, opened(session))
        assert REFERENCES not in server.methods


async def test_an_offer_for_some_files_is_no_offer_for_others(tmp_path: Path):
    async with running_session(toy_options(tmp_path)) as (session, server):
        await server.register(REFERENCES, {"documentSelector": [{"pattern": f"{tmp_path}/src/**/*.toy"}]})
        (tmp_path / "src").mkdir()
        require(session, REFERENCES, opened(session, name="src/a.toy"))
        with pytest.raises(CapabilityMissing):
            require(session, REFERENCES, opened(session, name="a.toy"))


async def test_the_question_waits_for_the_end_of_loading(tmp_path: Path):
    options = toy_options(tmp_path, readiness=INDEXING, settle=SettleRule(measured=True))
    async with running_session(options, {REFERENCES: ["one"]}, OFFERED) as (session, server):
        server.begin("t", "Indexing", 5)
        await server.caught_up()
        asking = asyncio.ensure_future(ask(session, opened(session)))
        await asyncio.sleep(10)
        assert REFERENCES not in server.methods
        server.handlers[REFERENCES] = ["one", "two"]
        server.end("t")
        reply = await asking
        assert (places(reply), reply.incomplete) == (["one", "two"], "")


async def test_loading_that_never_ends_gives_a_partial_answer_with_the_reason_in_time(tmp_path: Path):
    async def slow(_: Json) -> list[str]:
        await asyncio.sleep(2)
        return ["one"]

    options = toy_options(tmp_path, readiness=INDEXING)
    async with running_session(options, {REFERENCES: slow}, OFFERED) as (session, server):
        server.begin("t", "Indexing", 5)
        await server.caught_up()
        began = session.now()
        reply = await ask(session, opened(session), 20)
        assert places(reply) == ["one"]
        assert reply.incomplete == "the server is still loading: Indexing 5 %"
        assert session.now() - began < 20


async def test_loading_that_never_began_gives_an_answer_that_says_so(tmp_path: Path):
    options = toy_options(tmp_path, readiness=INDEXING)
    async with running_session(options, {REFERENCES: ["one"]}, OFFERED) as (session, _):
        reply = await ask(session, opened(session))
        assert places(reply) == ["one"]
        assert "has not said that it loaded" in reply.incomplete


async def test_a_server_that_is_complete_only_after_its_first_check_is_checked_first(tmp_path: Path):
    options = toy_options(tmp_path, readiness=NEEDS_FINDINGS, settle=SettleRule(measured=True))
    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: full_report()}
    async with running_session(options, handlers, OFFERED) as (session, server):
        document = opened(session)
        reply = await ask(session, document)
        assert (places(reply), reply.incomplete) == (["one"], "")
        assert server.methods[2:] == ["textDocument/didOpen", DIAGNOSTIC, REFERENCES]
        await ask(session, document)
        assert server.methods[5:] == [REFERENCES]


async def test_a_first_check_that_proves_nothing_makes_the_answer_partial(tmp_path: Path):
    options = toy_options(tmp_path, readiness=NEEDS_FINDINGS)
    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: None}
    async with running_session(options, handlers, OFFERED) as (session, _):
        reply = await ask(session, opened(session))
        assert places(reply) == ["one"]
        assert "first check" in reply.incomplete
        assert DIAGNOSTIC in reply.incomplete


async def test_a_first_check_while_it_still_loads_does_not_spin(tmp_path: Path):
    rule = ReadinessRule(progress_titles=("Indexing",), references_need="first-diagnostics")
    options = toy_options(tmp_path, readiness=rule, settle=SettleRule(measured=True))
    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: full_report()}
    async with running_session(options, handlers, OFFERED) as (session, server):
        server.begin("t", "Indexing")
        await server.caught_up()
        asking = asyncio.ensure_future(ask(session, opened(session)))
        await asyncio.sleep(3)
        server.end("t")
        assert (await asking).incomplete == ""


async def test_a_server_that_never_searches_everything_says_so_with_every_answer(tmp_path: Path):
    options = toy_options(tmp_path, readiness=ReadinessRule(references_need="never-complete"))
    async with running_session(options, {REFERENCES: ["one"]}, OFFERED) as (session, _):
        reply = await ask(session, opened(session))
        assert places(reply) == ["one"]
        assert "does not search the whole workspace" in reply.incomplete


async def test_a_change_while_the_answer_is_computed_makes_it_partial(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities=OFFERED) as (session, server):

        def answer(_: Json) -> Json:
            opened(session, "two\n")
            return ["one"]

        server.handlers[REFERENCES] = answer
        reply = await ask(session, opened(session))
        assert "files changed" in reply.incomplete


async def test_a_document_that_is_opened_meanwhile_as_it_is_on_disk_changes_nothing(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True))
    async with running_session(options, capabilities=OFFERED) as (session, server):

        def answer(_: Json) -> Json:
            opened(session, "two\n", name="b.toy")
            return ["one"]

        server.handlers[REFERENCES] = answer
        reply = await ask(session, opened(session))
        assert (reply.incomplete, reply.world) == ("", session.state.documents.world)


async def test_a_change_while_loading_is_waited_for_makes_it_partial(tmp_path: Path):
    options = toy_options(tmp_path, readiness=INDEXING)
    async with running_session(options, {REFERENCES: ["one"]}, OFFERED) as (session, server):
        server.begin("t", "Indexing")
        await server.caught_up()
        document = opened(session)
        asking = asyncio.ensure_future(ask(session, document))
        await asyncio.sleep(1)
        opened(session, "zero\none\n")
        server.end("t")
        assert "files changed" in (await asking).incomplete


async def test_a_question_that_is_never_answered_is_a_timeout_and_a_crash_is_a_death(tmp_path: Path):
    async def never(_: Json) -> None:
        await asyncio.get_running_loop().create_future()

    async with running_session(toy_options(tmp_path), {REFERENCES: never}, OFFERED) as (session, server):
        document = opened(session)
        with pytest.raises(RequestTimeout, match=REFERENCES):
            await ask(session, document, 3)
        asking = asyncio.ensure_future(ask(session, document))
        await server.until_heard(REFERENCES, times=2)
        server.crash("gone")
        with pytest.raises(SessionDead, match="gone"):
            await asking


async def test_a_crash_while_loading_ends_the_wait(tmp_path: Path):
    options = toy_options(tmp_path, readiness=INDEXING)
    async with running_session(options, {REFERENCES: []}, OFFERED) as (session, server):
        server.begin("t", "Indexing")
        await server.caught_up()
        asking = asyncio.ensure_future(ask(session, opened(session)))
        await asyncio.sleep(1)
        server.crash("gone")
        with pytest.raises(SessionDead, match="gone"):
            await asking


def changed(session: Session, tmp_path: Path, name: str = "b.toy") -> Path:
    """A file that the server must be shown before it answers across files."""
    file = tmp_path / name
    file.write_text("new\n", "utf-8")
    session.state.unchecked[str(file)] = "toy"
    return file


async def test_whoever_asks_while_changed_files_are_checked_waits_for_that_too(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True))
    checked = asyncio.Event()

    async def check(_: Json) -> Json:
        await checked.wait()
        return full_report()

    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: check}
    async with running_session(options, handlers, OFFERED) as (session, server):
        document = opened(session)
        changed(session, tmp_path)
        first = asyncio.ensure_future(ask(session, document))
        await server.until_heard(DIAGNOSTIC)
        second = asyncio.ensure_future(ask(session, document))
        await asyncio.sleep(1)
        assert REFERENCES not in server.methods
        checked.set()
        assert [(await first).incomplete, (await second).incomplete] == ["", ""]
        assert session.state.unchecked == {}


async def test_what_changes_while_it_is_checked_is_checked_again(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True))
    async with running_session(options, {REFERENCES: ["one"]}, OFFERED) as (session, server):
        document = opened(session)
        changed(session, tmp_path)

        def check(params: Json) -> Json:
            asked = params["textDocument"]["uri"].rpartition("/")[2]
            if asked == "b.toy" and "c.toy" not in {Path(path).name for path in session.state.unchecked}:
                changed(session, tmp_path, "c.toy")
                session.state.documents.tick()
            return full_report()

        server.handlers[DIAGNOSTIC] = check
        reply = await ask(session, document)
        assert (reply.incomplete, session.state.unchecked) == ("", {})
        assert (tmp_path / "c.toy").as_uri() in [document.uri for document in session.state.documents]


async def test_a_changed_file_that_is_gone_again_is_not_waited_for(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True))
    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: full_report()}
    async with running_session(options, handlers, OFFERED) as (session, _):
        document = opened(session)
        changed(session, tmp_path).unlink()
        assert ((await ask(session, document)).incomplete, session.state.unchecked) == ("", {})


async def test_a_changed_file_that_is_not_checked_in_time_stays_listed_and_is_the_reason(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True))

    async def never(_: Json) -> None:
        await asyncio.get_running_loop().create_future()

    async with running_session(options, {REFERENCES: ["one"], DIAGNOSTIC: never}, OFFERED) as (session, _):
        document = opened(session)
        file = changed(session, tmp_path)
        reply = await ask(session, document, 4)
        assert reply.incomplete
        assert str(file) in session.state.unchecked
