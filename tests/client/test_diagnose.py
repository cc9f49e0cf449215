"""Findings proven by what the server answers: a pull, or a synchronous command of its own."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from groundwire.client.diagnose import UNMEASURED
from groundwire.client.sync import announce, close_file
from groundwire.errors import ServerError
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import SettleRule
from tests.client.proof import check, opened, outcome, uri_below
from tests.fakes.server import PULL, FakeServer, Json, finding, full_report, running_session, toy_options

pytestmark = pytest.mark.anyio

DIAGNOSTIC = "textDocument/diagnostic"
MEASURED = SettleRule(measured=True)


async def test_a_pull_is_proof_for_the_content_that_was_told_before_it(tmp_path: Path):
    handlers: dict[str, object] = {DIAGNOSTIC: full_report("wrong")}
    async with running_session(toy_options(tmp_path), handlers, PULL) as (session, server):
        document = opened(session)
        found = await check(session, document)
        assert outcome(found) == ("confirmed", "pull", ["wrong"])
        assert (found.version, found.text, found.reason) == (1, document.text, "")
        assert server.methods[2:] == ["textDocument/didOpen", DIAGNOSTIC]


async def test_findings_that_are_no_text_are_not_known_and_the_answer_says_so(tmp_path: Path):
    sent = msgspec.json.encode(full_report("caf?")).replace(b"?", b"\xe9")
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: Raw(sent)}, PULL) as (session, _):
        found = await check(session, opened(session))
        assert (found.proof, found.diagnostics) == ("unknown", ())
        assert found.reason.startswith("textDocument/diagnostic: not the expected shape: 'utf-8' codec can't decode")


async def test_what_was_proven_and_has_not_changed_is_not_asked_again(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: full_report("wrong")}, PULL) as (session, server):
        document = opened(session)
        await check(session, document)
        assert outcome(await check(session, document)) == ("confirmed", "pull", ["wrong"])
        assert len(server.all(DIAGNOSTIC)) == 1


async def test_after_a_change_only_a_new_pull_is_proof(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: full_report("wrong")}, PULL) as (session, server):
        await check(session, opened(session, "one\n"))
        server.handlers[DIAGNOSTIC] = full_report()
        found = await check(session, opened(session, "two\n"))
        assert outcome(found) == ("confirmed", "pull", [])
        assert found.version == 2


async def test_a_change_of_another_file_makes_a_pull_old(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: full_report("wrong")}, PULL) as (session, server):
        document = opened(session)
        await check(session, document)
        announce(session, [FileChange(str(tmp_path / "b.toy"), ChangeKind.CHANGED)])
        server.handlers[DIAGNOSTIC] = full_report("wrong because of b")
        assert outcome(await check(session, document)) == ("confirmed", "pull", ["wrong because of b"])


async def test_a_file_that_changes_while_it_is_pulled_is_pulled_again(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities=PULL) as (session, server):

        async def answer(_: Json) -> Json:
            text = server.documents[document.uri].text
            if text == "one\n":
                opened(session, "two\n")
                await server.until_heard("textDocument/didChange")
            return full_report(f"about {text.strip()}")

        server.handlers[DIAGNOSTIC] = answer
        document = opened(session, "one\n")
        found = await check(session, document)
        assert outcome(found) == ("confirmed", "pull", ["about two"])
        assert found.version == 2


async def test_a_server_nobody_measured_confirms_nothing_and_its_silence_counts_only_once_it_has_spoken(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule())
    async with running_session(options, {DIAGNOSTIC: full_report()}, PULL) as (session, server):
        found = await check(session, opened(session, "one\n"))
        assert outcome(found) == ("unknown", "quiet", [])
        assert "its silence proves nothing" in found.reason
        server.handlers[DIAGNOSTIC] = full_report("wrong")
        assert outcome(await check(session, opened(session, "two\n"))) == ("partial", "pull", ["wrong"])
        server.handlers[DIAGNOSTIC] = full_report()
        found = await check(session, opened(session, "three\n"))
        assert outcome(found) == ("partial", "pull", [])
        assert found.reason == UNMEASURED


async def test_pull_that_is_registered_late_is_waited_for(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(pull="expected", measured=True), registration_wait=10.0)
    async with running_session(options) as (session, server):
        document = opened(session)
        checking = asyncio.ensure_future(check(session, document, 30))
        await asyncio.sleep(7)
        server.handlers[DIAGNOSTIC] = full_report("wrong")
        await server.register(DIAGNOSTIC, {"identifier": "late"})
        assert outcome(await checking) == ("confirmed", "pull", ["wrong"])
        assert server.all(DIAGNOSTIC)[-1]["identifier"] == "late"


async def test_pull_that_is_answered_before_it_is_registered_needs_no_registration(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(pull="expected", measured=True))
    async with running_session(options, {DIAGNOSTIC: full_report("wrong")}) as (session, _):
        began = session.now()
        assert outcome(await check(session, opened(session))) == ("confirmed", "pull", ["wrong"])
        assert session.now() == began


async def test_pull_that_is_never_registered_ends_in_no_proof(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(pull="expected", measured=True, push="never"))
    async with running_session(options) as (session, _):
        found = await check(session, opened(session), 30)
        assert outcome(found) == ("unknown", "quiet", [])
        assert found.reason


async def test_every_identifier_is_pulled_and_the_findings_are_joined(tmp_path: Path):
    def answer(params: Json) -> Json:
        return full_report(f"from {params.get('identifier')}")

    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: answer}, PULL) as (session, server):
        await server.register(DIAGNOSTIC, {"identifier": "types"}, id="1")
        await server.register(DIAGNOSTIC, {"identifier": "lint"}, id="2")
        found = await check(session, opened(session))
        assert outcome(found) == ("confirmed", "pull", ["from None", "from types", "from lint"])


async def test_one_identifier_that_fails_leaves_the_whole_unproven(tmp_path: Path):
    def answer(params: Json) -> Json:
        if params.get("identifier") == "lint":
            raise ServerError(-32603, "the linter broke")
        return full_report("wrong")

    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: answer}, PULL) as (session, server):
        await server.register(DIAGNOSTIC, {"identifier": "lint"})
        found = await check(session, opened(session))
        assert found.proof == "unknown"
        assert "the linter broke" in found.reason


def with_result_ids(server: FakeServer) -> None:
    """Unchanged for whoever names the right id, full otherwise; the id is the text's length."""

    def answer(params: Json) -> Json:
        text = server.documents[params["textDocument"]["uri"]].text
        result_id = str(len(text))
        if params.get("previousResultId") == result_id:
            return {"kind": "unchanged", "resultId": result_id}
        return full_report(f"about {text.strip()}", resultId=result_id)

    server.handlers[DIAGNOSTIC] = answer


async def test_an_unchanged_report_confirms_what_is_known(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities=PULL) as (session, server):
        with_result_ids(server)
        document = opened(session)
        await check(session, document)
        announce(session, [FileChange(str(tmp_path / "b.toy"), ChangeKind.CHANGED)])
        assert outcome(await check(session, document)) == ("confirmed", "pull", ["about one"])
        assert [params.get("previousResultId") for params in server.all(DIAGNOSTIC)] == [None, "4"]


async def test_an_unchanged_report_about_something_else_is_never_taken_for_the_findings(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: full_report("wrong", resultId="a")}, PULL) as (
        session,
        server,
    ):
        document = opened(session)
        await check(session, document)
        answers = iter([{"kind": "unchanged", "resultId": "b"}, full_report("right")])
        server.handlers[DIAGNOSTIC] = lambda _: next(answers)
        found = await check(session, opened(session, "two\n"))
        assert outcome(found) == ("confirmed", "pull", ["right"])
        assert [params.get("previousResultId") for params in server.all(DIAGNOSTIC)] == [None, "a", None]


async def test_a_server_that_says_unchanged_to_the_first_question_is_asked_once_and_believed_nothing(tmp_path: Path):
    unchanged = {"kind": "unchanged", "resultId": "a"}
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: unchanged}, PULL) as (session, server):
        found = await check(session, opened(session))
        assert outcome(found) == ("unknown", "", [])
        assert "unchanged" in found.reason
        assert len(server.all(DIAGNOSTIC)) == 1


async def test_a_closed_file_is_asked_for_anew_without_the_old_result_id(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities=PULL) as (session, server):
        with_result_ids(server)
        document = opened(session)
        await check(session, document)
        close_file(session, document.uri)
        assert outcome(await check(session, opened(session))) == ("confirmed", "pull", ["about one"])
        assert [params.get("previousResultId") for params in server.all(DIAGNOSTIC)] == [None, None]


async def test_a_report_that_comes_with_that_of_another_file_saves_its_question(tmp_path: Path):
    related = {uri_below(tmp_path, "b.toy"): full_report("b is wrong")}
    report = full_report("a is wrong", relatedDocuments=related)
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: report}, PULL) as (session, server):
        b = opened(session, name="b.toy")
        a = opened(session, name="a.toy")
        assert outcome(await check(session, a)) == ("confirmed", "pull", ["a is wrong"])
        assert outcome(await check(session, b)) == ("confirmed", "pull", ["b is wrong"])
        assert len(server.all(DIAGNOSTIC)) == 1


async def test_after_a_refresh_the_file_is_pulled_again(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {DIAGNOSTIC: full_report("wrong")}, PULL) as (session, server):
        document = opened(session)
        await check(session, document)
        server.handlers[DIAGNOSTIC] = full_report("right")
        await server.ask("workspace/diagnostic/refresh")
        assert outcome(await check(session, document)) == ("confirmed", "pull", ["right"])


async def test_a_report_whose_kind_is_empty_is_a_full_one(tmp_path: Path):
    reports: list[Json] = [
        {"kind": "", "items": [finding("wrong")]},
        {"kind": "", "items": [finding("wrong")], "relatedDocuments": {"file:///b": {"kind": "", "items": []}}},
    ]
    for report in reports:
        async with running_session(toy_options(tmp_path), {DIAGNOSTIC: report}, PULL) as (session, _):
            assert outcome(await check(session, opened(session))) == ("confirmed", "pull", ["wrong"])


@pytest.mark.parametrize(
    "report",
    [
        None,
        {},
        [],
        {"items": []},
        {"kind": ""},
        {"kind": "new", "items": []},
        {"kind": "full"},
        {"kind": "full", "items": [{"message": 1}]},
    ],
)
async def test_an_answer_that_is_no_report_is_never_a_clean_file(tmp_path: Path, report: Json):
    options = toy_options(tmp_path, settle=MEASURED)
    async with running_session(options, {DIAGNOSTIC: report}, PULL) as (session, _):
        found = await check(session, opened(session))
        assert outcome(found) == ("unknown", "", [])
        assert DIAGNOSTIC in found.reason


async def test_a_first_pull_that_may_be_a_false_clean_is_repeated_after_a_while(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(measured=True, repeat_first_pull_ms=250))
    answers = iter([full_report(), full_report("wrong"), full_report("still wrong")])
    async with running_session(options, {DIAGNOSTIC: lambda _: next(answers)}, PULL) as (session, server):
        began = session.now()
        assert outcome(await check(session, opened(session))) == ("confirmed", "pull", ["wrong"])
        assert session.now() - began == pytest.approx(0.25)
        assert outcome(await check(session, opened(session, "two\n"))) == ("confirmed", "pull", ["still wrong"])
        assert len(server.all(DIAGNOSTIC)) == 3


COMMAND = {"executeCommandProvider": {"commands": ["typescript.tsserverRequest"]}}
BY_COMMAND = SettleRule(measured=True, sync_command="tsserver")


def tsserver(params: Json) -> Json:
    kind, _ = params["arguments"]
    place = {"line": 2, "offset": 5}
    found = {"text": kind, "category": "warning", "code": 2304, "start": place, "end": place}
    return {"body": [found], "success": True}


async def test_the_servers_own_command_is_proof_and_its_places_are_counted_from_one(tmp_path: Path):
    options = toy_options(tmp_path, settle=BY_COMMAND)
    async with running_session(options, {"workspace/executeCommand": tsserver}, COMMAND) as (session, server):
        found = await check(session, opened(session))
        messages = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"]
        assert outcome(found) == ("confirmed", "command", messages)
        start = found.diagnostics[0].range.start
        assert (start.line, start.character, found.diagnostics[0].severity) == (1, 4, 2)
        assert found.diagnostics[0].code_text == "2304"
        asked = server.all("workspace/executeCommand")[0]["arguments"]
        assert asked[1] == {"file": str(tmp_path / "a.toy")}


@pytest.mark.parametrize("reply", [None, {}, {"success": False, "message": "No Project."}, {"body": None}])
async def test_a_command_that_gives_no_findings_proves_nothing(tmp_path: Path, reply: Json):
    options = toy_options(tmp_path, settle=BY_COMMAND)
    async with running_session(options, {"workspace/executeCommand": reply}, COMMAND) as (session, _):
        found = await check(session, opened(session))
        assert outcome(found) == ("unknown", "", [])
        assert "DiagnosticsSync" in found.reason
