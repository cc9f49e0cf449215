"""What a server asks of us or tells us: every request of the specification gets a sensible answer."""

from pathlib import Path

import pytest

from groundwire.client.inbound import lookup_section
from groundwire.client.sync import announce
from groundwire.errors import ServerError
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import ReadinessRule
from tests.fakes.server import Json, running_session, toy_options

pytestmark = pytest.mark.anyio

DIAGNOSTIC = "textDocument/diagnostic"
WATCHED = "workspace/didChangeWatchedFiles"
ROOT = Path("/project")
OPTIONS = toy_options(ROOT)

ODD: list[Json] = [None, {}, [], {"uri": 3, "quiescent": "yes"}, {"token": "t", "value": {"kind": "odd"}}]

ANSWERS: list[tuple[str, Json, Json]] = [
    ("workspace/workspaceFolders", None, [{"uri": "file:///project", "name": "project"}]),
    ("workspace/configuration", {"items": [{"section": "toy"}, {}]}, [{}, {}]),
    ("workspace/applyEdit", {"edit": {}}, {"applied": False, "failureReason": "no edit was asked for"}),
    ("workspace/diagnostic/refresh", None, None),
    ("workspace/codeLens/refresh", None, None),
    ("workspace/foldingRange/refresh", None, None),
    ("workspace/inlayHint/refresh", None, None),
    ("workspace/inlineValue/refresh", None, None),
    ("workspace/semanticTokens/refresh", None, None),
    ("workspace/textDocumentContent/refresh", {"uri": "toy:x"}, None),
    ("window/workDoneProgress/create", {"token": "t"}, None),
    ("window/showMessageRequest", {"type": 1, "message": "Restart?", "actions": [{"title": "Yes"}]}, None),
    ("window/showDocument", {"uri": "file:///project/a.toy"}, {"success": False}),
    ("client/registerCapability", {"registrations": [{"id": "1", "method": DIAGNOSTIC}]}, None),
    ("client/unregisterCapability", {"unregisterations": [{"id": "1", "method": DIAGNOSTIC}]}, None),
    ("toy/nobodyKnowsThis", {"x": 1}, None),
    ("$/toy/nobodyKnowsThisEither", None, None),
]


@pytest.mark.parametrize(("method", "params", "answer"), ANSWERS, ids=[method for method, _, _ in ANSWERS])
async def test_every_request_of_a_server_gets_a_sensible_answer(method: str, params: Json, answer: Json):
    async with running_session(OPTIONS) as (_, server):
        assert await server.ask(method, params) == answer


@pytest.mark.parametrize(
    "method", ["workspace/configuration", "client/registerCapability", "client/unregisterCapability"]
)
async def test_a_request_of_the_wrong_shape_is_refused_and_the_conversation_goes_on(method: str):
    async with running_session(OPTIONS) as (_, server):
        with pytest.raises(ServerError, match="not the expected shape"):
            await server.ask(method, {"items": 3, "registrations": 3, "unregisterations": 3})
        assert await server.ask("workspace/configuration", {"items": []}) == []


async def test_configuration_is_answered_item_by_item():
    settings = {"toy": {"lint": {"level": "high"}, "paths": ["a"], "off": False}, "other.tool": {"x": 1}}
    async with running_session(toy_options(ROOT, settings=settings)) as (_, server):
        sections = ["toy", "toy.lint", "toy.lint.level", "toy.off", "other.tool", "toy.unknown", "nothing.at.all"]
        items = [{"section": section, "scopeUri": "file:///project/a.toy"} for section in sections]
        answer = await server.ask("workspace/configuration", {"items": [*items, {}]})
    assert answer == [settings["toy"], {"level": "high"}, "high", False, {"x": 1}, {}, {}, settings]


def test_a_section_below_something_that_is_no_table_is_unknown():
    assert lookup_section({"toy": {"level": "high"}}, "toy.level.deeper") == {}


async def test_registrations_come_late_are_replaced_by_id_and_go():
    async with running_session(OPTIONS) as (session, server):
        capabilities = session.state.capabilities
        assert not capabilities.supports(DIAGNOSTIC)
        await server.register(DIAGNOSTIC, {"identifier": "old"}, id="a")
        await server.register(DIAGNOSTIC, {"identifier": "new"}, id="a")
        await server.register(DIAGNOSTIC, {"identifier": "lint"}, id="b")
        assert capabilities.pull_identifiers("/project/a.toy", "toy") == ("new", "lint")
        await server.ask("client/unregisterCapability", {"unregisterations": [{"id": "a", "method": DIAGNOSTIC}]})
        assert capabilities.pull_identifiers("/project/a.toy", "toy") == ("lint",)


@pytest.mark.parametrize("spelling", ["unregisterations", "unregistrations"])
async def test_both_spellings_of_unregister_are_understood(spelling: str):
    async with running_session(OPTIONS) as (session, server):
        await server.register(DIAGNOSTIC, {"identifier": "x"}, id="a")
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*.toy"}]}, id="b")
        gone = [{"id": "a", "method": DIAGNOSTIC}, {"id": "b", "method": WATCHED}, {"id": "never", "method": "x"}]
        await server.ask("client/unregisterCapability", {spelling: gone})
        assert not session.state.capabilities.supports(DIAGNOSTIC)
        assert session.state.watched.wanted([FileChange("/project/a.toy", ChangeKind.CHANGED)]) == []


async def test_a_registration_for_other_files_is_not_one_for_this_file():
    async with running_session(OPTIONS) as (session, server):
        selector = [{"language": "toy", "scheme": "file", "pattern": "**/*.toy"}]
        await server.register(DIAGNOSTIC, {"documentSelector": selector, "identifier": "x"})
        capabilities = session.state.capabilities
        assert capabilities.pull_identifiers("/project/a.toy", "toy") == ("x",)
        assert capabilities.pull_identifiers("/project/a.txt", "text") == ()


async def test_watched_files_are_told_by_pattern_and_kind():
    async with running_session(OPTIONS) as (session, server):
        relative = {"baseUri": "file:///project/lib", "pattern": "*.cfg"}
        folder = {"baseUri": {"uri": "file:///project/etc", "name": "etc"}, "pattern": "**"}
        watchers: list[dict[str, object]] = [
            {"globPattern": "**/*.toy", "kind": 4},
            {"globPattern": relative},
            {"globPattern": folder},
        ]
        await server.register(WATCHED, {"watchers": watchers})
        announce(
            session,
            [
                FileChange("/project/a.toy", ChangeKind.CHANGED),
                FileChange("/project/b.toy", ChangeKind.DELETED),
                FileChange("/project/lib/x.cfg", ChangeKind.CREATED),
                FileChange("/project/x.cfg", ChangeKind.CREATED),
                FileChange("/project/etc/deep/y", ChangeKind.CHANGED),
            ],
        )
        told = await server.until_heard(WATCHED)
        assert told["changes"] == [
            {"uri": "file:///project/b.toy", "type": 3},
            {"uri": "file:///project/lib/x.cfg", "type": 1},
            {"uri": "file:///project/etc/deep/y", "type": 2},
        ]


async def test_what_the_server_logs_and_shows_is_kept_for_people_to_read():
    async with running_session(OPTIONS) as (session, server):
        server.tell("window/logMessage", {"type": 4, "message": "loading"})
        server.tell("window/showMessage", {"type": 1, "message": "no compiler"})
        await server.ask("window/showMessageRequest", {"type": 1, "message": "Restart?"})
        assert list(session.state.log) == ["loading", "no compiler", "Restart?"]


async def test_notifications_of_any_shape_and_name_hurt_nothing():
    async with running_session(OPTIONS) as (session, server):
        for method in ("textDocument/publishDiagnostics", "$/progress", "window/logMessage", "toy/unknown"):
            for params in ODD:
                server.tell(method, params)
        server.tell("window/logMessage", {"type": 4, "message": "still here"})
        await server.caught_up()
        assert list(session.state.log) == ["still here"]


async def test_a_status_notification_of_any_shape_opens_no_gate():
    rule = ReadinessRule(status_method="toy/status", gates_diagnostics=True)
    async with running_session(toy_options(ROOT, readiness=rule)) as (session, server):
        for params in ODD:
            server.tell("toy/status", params)
        await server.caught_up()
        assert not session.state.readiness.gate("diagnostics", session.now()).is_open
        server.tell("toy/status", {"quiescent": True})
        await server.caught_up()
        assert session.state.readiness.gate("diagnostics", session.now()).is_open


async def test_what_a_server_is_known_to_ask_for_is_answered_from_its_data(tmp_path: Path):
    options = toy_options(
        tmp_path,
        unknown_settings="null",
        answers={"toy/question": {"yes": True}},
        message_choices=("Import",),
    )
    async with running_session(options) as (_, server):
        assert await server.ask("toy/question", {}) == {"yes": True}
        assert await server.ask("workspace/configuration", {"items": [{"section": "nobody"}]}) == [None]
        question = {"type": 1, "message": "Which?", "actions": [{"title": "Later"}, {"title": "Import"}]}
        assert await server.ask("window/showMessageRequest", question) == {"title": "Import"}


async def test_files_a_server_forgets_to_watch_are_told_all_the_same(tmp_path: Path):
    async with running_session(toy_options(tmp_path, watches=("**/*.conf",))) as (session, server):
        announce(session, [FileChange(str(tmp_path / "a.conf"), ChangeKind.CHANGED)])
        await server.caught_up()
        assert server.methods[-1] == "workspace/didChangeWatchedFiles"
