"""Findings of a checker that runs on the disk after a save: which of its runs are about the present content."""

import asyncio
from pathlib import Path

import pytest

from groundwire.client.options import SessionOptions
from groundwire.workspace.rules import SaveCheck, SettleRule
from tests.client.proof import check, opened, outcome
from tests.fakes.server import PULL, FakeServer, Json, full_report, running_session, toy_options

pytestmark = pytest.mark.anyio

DIAGNOSTIC = "textDocument/diagnostic"
SAVE = "textDocument/didSave"
RULE = SettleRule(measured=True, save_check=SaveCheck(name="toy check", token_prefix="toy/check", tail_ms=50))


def options(root: Path) -> SessionOptions:
    return toy_options(root, settle=RULE)


class Checker:
    """Runs for a while after every save and publishes one finding about the text as it was when the run began."""

    def __init__(self, server: FakeServer, *, takes: float = 1.0, starts_after: float = 0.1) -> None:
        self._server = server
        self._takes = takes
        self._starts_after = starts_after
        self.runs = 0
        server.handlers[SAVE] = self.saved

    def saved(self, params: Json) -> None:
        uri = params["textDocument"]["uri"]
        asyncio.get_running_loop().call_later(self._starts_after, self._begin, uri)

    def _begin(self, uri: str) -> None:
        self.runs += 1
        token = f"toy/check/{self.runs}"
        text = self._server.documents[uri].text.strip()
        self._server.begin(token, "toy check")
        asyncio.get_running_loop().call_later(self._takes, self._end, uri, token, text)

    def _end(self, uri: str, token: str, text: str) -> None:
        self._server.publish(uri, f"checked {text}")
        self._server.end(token)


async def test_findings_of_the_save_check_join_the_others_once_its_run_is_over(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report("native")}, PULL) as (session, server):
        checker = Checker(server)
        found = await check(session, opened(session), 30)
        assert sorted(outcome(found)[2]) == ["checked one", "native"]
        assert (found.proof, found.evidence) == ("confirmed", "pull")
        assert checker.runs == 1


async def test_a_run_that_proved_this_content_is_not_asked_for_again(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report()}, PULL) as (session, server):
        checker = Checker(server)
        document = opened(session)
        await check(session, document, 30)
        assert outcome(await check(session, document, 30)) == ("confirmed", "pull", ["checked one"])
        assert checker.runs == 1


async def test_without_save_checks_nobody_waits_for_them(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report("native")}, PULL) as (session, server):
        Checker(server)
        began = session.now()
        found = await check(session, opened(session), 30, save_checks=False)
        assert outcome(found) == ("confirmed", "pull", ["native"])
        assert session.now() == began
        await server.caught_up()
        assert SAVE not in server.methods


async def test_a_run_that_never_begins_leaves_the_rest_partial(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report("native")}, PULL) as (session, _):
        began = session.now()
        found = await check(session, opened(session), 10)
        assert outcome(found) == ("partial", "pull", ["native"])
        assert "toy check" in found.reason
        assert session.now() - began == pytest.approx(10)


async def test_a_run_that_never_ends_leaves_the_rest_partial(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report("native")}, PULL) as (session, server):
        Checker(server, takes=3600)
        found = await check(session, opened(session), 10)
        assert outcome(found) == ("partial", "pull", ["native"])
        assert "toy check" in found.reason


async def test_a_server_that_takes_no_saves_leaves_the_rest_partial(tmp_path: Path):
    capabilities = {**PULL, "textDocumentSync": {"openClose": True, "change": 2}}
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report("native")}, capabilities) as (session, _):
        began = session.now()
        found = await check(session, opened(session), 10)
        assert outcome(found) == ("partial", "pull", ["native"])
        assert session.now() - began <= 10.01


async def test_of_two_saves_ten_milliseconds_apart_only_the_second_ones_run_is_proof(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report()}, PULL) as (session, server):
        Checker(server, starts_after=0.005)
        opened(session, "one\n")
        opened(session, "two\n")
        await asyncio.sleep(0.01)
        found = await check(session, opened(session, "three\n"), 60)
        assert outcome(found) == ("confirmed", "pull", ["checked three"])


async def test_a_run_that_a_newer_save_cuts_short_proves_nothing(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report()}, PULL) as (session, server):
        runs = 0

        def cut_short(params: Json) -> None:
            nonlocal runs
            runs += 1
            uri, text, token = params["textDocument"]["uri"], "", f"toy/check/{runs}"
            text = server.documents[uri].text.strip()
            loop = asyncio.get_running_loop()
            if runs > 1:  # the run before is cut short: it ends without a word
                server.end(f"toy/check/{runs - 1}")
            loop.call_later(0.01, server.begin, token, "toy check")
            loop.call_later(2, server.publish, uri, f"checked {text}")
            loop.call_later(2, server.end, token)

        server.handlers[SAVE] = cut_short
        document = opened(session, "one\n")
        checking = asyncio.ensure_future(check(session, document, 60))
        await asyncio.sleep(1)
        opened(session, "two\n")
        found = await checking
        assert "checked one" not in outcome(found)[2] or found.proof != "confirmed"
        assert outcome(await check(session, document, 60)) == ("confirmed", "pull", ["checked two"])


async def test_a_file_that_changes_while_its_run_is_waited_for_is_not_confirmed_with_old_findings(tmp_path: Path):
    async with running_session(options(tmp_path), capabilities=PULL) as (session, server):
        server.handlers[DIAGNOSTIC] = lambda params: full_report(
            f"native {server.documents[params['textDocument']['uri']].text.strip()}"
        )
        Checker(server)
        document = opened(session, "one\n")
        checking = asyncio.ensure_future(check(session, document, 60))
        await asyncio.sleep(0.5)
        opened(session, "two\n")
        found = await checking
        if found.proof == "confirmed":
            assert sorted(outcome(found)[2]) == ["checked two", "native two"]
        assert found.text == document.text


async def test_a_crash_while_the_run_is_waited_for_is_unknown_with_the_reason(tmp_path: Path):
    async with running_session(options(tmp_path), {DIAGNOSTIC: full_report("native")}, PULL) as (session, server):
        server.handlers[SAVE] = lambda _: server.crash("out of memory")
        found = await check(session, opened(session), 30)
        assert found.proof == "unknown"
        assert "out of memory" in found.reason
