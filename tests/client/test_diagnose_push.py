"""Findings that the server publishes by itself: which of them prove anything, and which are shown as no proof."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from groundwire.client.sync import announce, close_file
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import SettleRule
from tests.client.proof import check, opened, outcome, version_at
from tests.fakes.server import FakeServer, Json, running_session, toy_options

pytestmark = pytest.mark.anyio

CHANGE = "textDocument/didChange"
OPEN = "textDocument/didOpen"
VERSIONED = SettleRule(measured=True, push="versioned", scope="file")
BARRIER = {"documentSymbolProvider": True}


def publish_later(server: FakeServer, delay: float, *messages: str, versioned: bool = True) -> None:
    """After every open or change, publish the messages with the text's own first line."""

    def react(params: Json) -> None:
        uri = params["textDocument"]["uri"]
        opened_document = server.documents[uri]
        texts = [f"{message}: {opened_document.text.strip()}" for message in messages]
        version = opened_document.version if versioned else None
        loop = asyncio.get_running_loop()
        loop.call_later(delay, lambda: server.publish(uri, *texts, version=version))

    server.handlers[OPEN] = server.handlers[CHANGE] = react


async def test_a_publish_of_the_current_version_is_proof(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settle=VERSIONED)) as (session, server):
        publish_later(server, 1, "wrong")
        found = await check(session, opened(session))
        assert outcome(found) == ("confirmed", "version", ["wrong: one"])
        found = await check(session, opened(session, "two\n"))
        assert outcome(found) == ("confirmed", "version", ["wrong: two"])
        assert found.version == 2


async def test_a_publish_of_an_older_version_is_waited_out_and_never_shown(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settle=VERSIONED)) as (session, server):
        opened(session, "one\n")
        document = opened(session, "two\n")
        server.publish(document.uri, "old", version=1)
        found = await check(session, document, 3)
        assert outcome(found) == ("unknown", "", [])
        assert "version 2" in found.reason
        checking = asyncio.ensure_future(check(session, document))
        await asyncio.sleep(1)
        server.publish(document.uri, version=2)
        assert outcome(await checking) == ("confirmed", "version", [])


async def test_an_older_version_that_comes_late_takes_no_proof_back_to_the_past(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settle=VERSIONED)) as (session, server):
        opened(session, "one\n")
        document = opened(session, "two\n")
        server.publish(document.uri, "new", version=2)
        server.publish(document.uri, "old", version=1)
        await server.caught_up()
        found = await check(session, document, 2)
        assert "old" not in outcome(found)[2]


async def test_a_version_that_was_never_told_proves_nothing(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settle=VERSIONED)) as (session, server):
        document = opened(session)
        server.publish(document.uri, version=77)
        assert outcome(await check(session, document, 2)) == ("unknown", "", [])


async def test_a_publish_without_a_version_from_a_server_that_sends_them_proves_nothing(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settle=VERSIONED)) as (session, server):
        document = opened(session, "one\n")
        close_file(session, document.uri)
        document = opened(session, "one\n")
        server.publish(document.uri)
        found = await check(session, document, 2)
        assert outcome(found) == ("unknown", "", [])
        assert "version 2" in found.reason


async def test_a_second_publish_of_the_same_version_is_waited_for_where_one_is_known_to_follow(tmp_path: Path):
    rule = SettleRule(measured=True, push="versioned", tail_ms=100)
    async with running_session(toy_options(tmp_path, settle=rule)) as (session, server):
        document = opened(session)
        checking = asyncio.ensure_future(check(session, document))
        await asyncio.sleep(1)
        server.publish(document.uri, version=1)
        await asyncio.sleep(0.05)
        server.publish(document.uri, "after all", version=1)
        began = session.now()
        assert outcome(await checking) == ("confirmed", "version", ["after all"])
        assert session.now() - began == pytest.approx(0.1)


async def test_another_files_change_makes_the_server_look_again_by_a_touch(tmp_path: Path):
    rule = SettleRule(measured=True, push="versioned", touch=True, touch_extra={"forceRebuild": True})
    async with running_session(toy_options(tmp_path, settle=rule)) as (session, server):
        publish_later(server, 0.1, "wrong")
        document = opened(session)
        await check(session, document)
        announce(session, [FileChange(str(tmp_path / "b.toy"), ChangeKind.CHANGED)])
        found = await check(session, document)
        assert outcome(found) == ("confirmed", "version", ["wrong: one"])
        touched = server.all(CHANGE)
        assert len(touched) == 1
        assert touched[0]["forceRebuild"] is True
        assert touched[0]["contentChanges"][0]["text"] == ""
        assert version_at(server, document) == found.version == 2
        assert server.documents[document.uri].text == "one\n"


async def test_a_server_that_cannot_be_touched_leaves_the_file_unproven_after_anothers_change(tmp_path: Path):
    rule = SettleRule(measured=True, push="versioned")
    async with running_session(toy_options(tmp_path, settle=rule)) as (session, server):
        publish_later(server, 0.1, "wrong")
        document = opened(session)
        await check(session, document)
        announce(session, [FileChange(str(tmp_path / "b.toy"), ChangeKind.CHANGED)])
        found = await check(session, document)
        assert outcome(found) == ("partial", "quiet", ["wrong: one"])
        assert "other files changed" in found.reason


ORDERED = SettleRule(measured=True, push="unversioned", debounce_ms=200, publishes_unchanged=True, scope="file")


async def test_a_publish_without_version_is_proof_after_the_debounce_and_a_barrier(tmp_path: Path):
    options = toy_options(tmp_path, settle=ORDERED)
    async with running_session(options, {"textDocument/documentSymbol": []}, BARRIER) as (session, server):
        publish_later(server, 0.2, "wrong", versioned=False)
        assert outcome(await check(session, opened(session))) == ("confirmed", "ordered", ["wrong: one"])
        assert server.all("textDocument/documentSymbol") == [{"textDocument": {"uri": (tmp_path / "a.toy").as_uri()}}]


async def test_a_publish_before_the_debounce_is_over_belongs_to_the_text_before(tmp_path: Path):
    options = toy_options(tmp_path, settle=ORDERED)
    async with running_session(options, {"textDocument/documentSymbol": []}, BARRIER) as (session, server):
        document = opened(session)
        checking = asyncio.ensure_future(check(session, document))
        await asyncio.sleep(0.1)
        server.publish(document.uri, "early")
        await asyncio.sleep(0.15)
        server.publish(document.uri, "true")
        assert outcome(await checking) == ("confirmed", "ordered", ["true"])


async def test_a_publish_before_the_barrier_is_answered_proves_nothing(tmp_path: Path):
    async def slow(_: Json) -> list[object]:
        await asyncio.sleep(1)
        return []

    options = toy_options(tmp_path, settle=ORDERED)
    async with running_session(options, {"textDocument/documentSymbol": slow}, BARRIER) as (session, server):
        document = opened(session)
        checking = asyncio.ensure_future(check(session, document, 3))
        await asyncio.sleep(0.5)
        server.publish(document.uri, "while it works")
        found = await checking
        assert outcome(found) == ("unknown", "", [])
        assert "not been published" in found.reason


async def test_only_an_early_publish_ends_in_no_proof_and_is_not_shown(tmp_path: Path):
    options = toy_options(tmp_path, settle=ORDERED)
    async with running_session(options, {"textDocument/documentSymbol": []}, BARRIER) as (session, server):
        publish_later(server, 0.05, "early", versioned=False)
        assert outcome(await check(session, opened(session), 2)) == ("unknown", "", [])


@pytest.mark.parametrize("capabilities", [{}, {"hoverProvider": True}, {"foldingRangeProvider": True}])
async def test_the_barrier_is_whatever_the_server_offers_or_its_refusal(tmp_path: Path, capabilities: Json):
    async with running_session(toy_options(tmp_path, settle=ORDERED), capabilities=capabilities) as (session, server):
        publish_later(server, 0.2, "wrong", versioned=False)
        assert outcome(await check(session, opened(session))) == ("confirmed", "ordered", ["wrong: one"])


async def test_a_barrier_that_is_never_answered_ends_in_no_proof(tmp_path: Path):
    async def never(_: Json) -> None:
        await asyncio.get_running_loop().create_future()

    options = toy_options(tmp_path, settle=ORDERED)
    async with running_session(options, {"textDocument/documentSymbol": never}, BARRIER) as (session, server):
        publish_later(server, 0.2, "wrong", versioned=False)
        found = await check(session, opened(session), 2)
        assert outcome(found) == ("unknown", "", [])
        assert "documentSymbol" in found.reason


@pytest.mark.parametrize("push", ["unknown", "unversioned"])
async def test_quiet_after_a_publish_shows_it_but_never_confirms_it(
    tmp_path: Path, push: Literal["unknown", "unversioned"]
):
    rule = SettleRule(push=push, quiet_ms=400)
    async with running_session(toy_options(tmp_path, settle=rule)) as (session, server):
        publish_later(server, 0.1, "wrong", versioned=False)
        began = session.now()
        found = await check(session, opened(session))
        assert outcome(found) == ("partial", "quiet", ["wrong: one"])
        assert "no sign" in found.reason
        assert session.now() - began == pytest.approx(0.5)


async def test_quiet_without_a_word_is_unknown_never_clean(tmp_path: Path):
    async with running_session(toy_options(tmp_path)) as (session, _):
        found = await check(session, opened(session))
        assert outcome(found) == ("unknown", "quiet", [])
        assert found.reason


async def test_after_quiet_a_publish_about_the_text_before_is_not_shown(tmp_path: Path):
    async with running_session(toy_options(tmp_path)) as (session, server):
        document = opened(session, "one\n")
        server.publish(document.uri, "about one")
        await server.caught_up()
        await asyncio.sleep(1)
        found = await check(session, opened(session, "two\n"))
        assert outcome(found) == ("unknown", "quiet", [])


async def test_a_server_that_publishes_nothing_when_nothing_changed_is_never_taken_for_clean(tmp_path: Path):
    rule = SettleRule(measured=True, push="unversioned", debounce_ms=100, publishes_unchanged=False)
    async with running_session(toy_options(tmp_path, settle=rule)) as (session, server):
        publish_later(server, 0.15, "wrong", versioned=False)
        assert outcome(await check(session, opened(session, "one\n"))) == ("confirmed", "ordered", ["wrong: one"])
        del server.handlers[CHANGE]
        found = await check(session, opened(session, "two\n"))
        assert outcome(found) == ("unknown", "quiet", [])


async def test_a_server_known_to_report_nothing_reliable_says_so_at_once(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settle=SettleRule(push="never"))) as (session, _):
        began = session.now()
        found = await check(session, opened(session), 30)
        assert found.proof == "unknown"
        assert "relied on" in found.reason
        assert session.now() == began
