"""One client over toy servers: who is answered what."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.reporting.test_edit_report import LIBRARY, call_of, project
from tests.operations.toy_project import ZOO, zoo
from tests.surfaces.lsp.editor import RICH, RefusedError, editor

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

BROKEN = LIBRARY.replace("shout(what)", "shout(what, how)")


def messages(diagnostics: list[Any]) -> list[str]:
    return [each["message"] for each in diagnostics]


async def refusal(asked: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        await asked
    return caught.value


async def test_findings_follow_opening_changes_on_disk_and_unsaved_text(tmp_path: Path):
    async with project(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.open("caller0.toy")
        client.open("library.toy")
        assert await client.diagnostics("caller0.toy", version=1) == []
        assert await client.diagnostics("library.toy", version=1) == []
        # Unsaved: both documents are judged by it, and nobody else is.
        client.change("library.toy", BROKEN)
        assert messages(await client.diagnostics("library.toy", version=2)) == ["shout takes 2, not 1"]
        assert messages(await client.diagnostics("caller0.toy", version=1, after=1)) == ["shout takes 2, not 1"]
        files = [pool.workspace / "caller0.toy", pool.workspace / "library.toy"]
        on_disk = await prove_files(pool, files, deadline=call_of(pool).deadline)
        assert [(each.findings.status, each.findings.diagnostics) for each in on_disk] == [(Status.CONFIRMED, ())] * 2
        # Taken back by the client.
        client.change("library.toy", LIBRARY)
        assert await client.diagnostics("library.toy", version=3) == []
        assert await client.diagnostics("caller0.toy", version=1, after=2) == []
        # Written by somebody else: the documents follow the disk, which is no version of the client's.
        (pool.workspace / "library.toy").write_text(BROKEN, "utf-8")
        assert messages(await client.diagnostics("library.toy", version=None)) == ["shout takes 2, not 1"]
        assert messages(await client.diagnostics("caller0.toy", version=1, after=3)) == ["shout takes 2, not 1"]
        # The client reads it: now it is its version.
        client.change("library.toy", BROKEN)
        assert messages(await client.diagnostics("library.toy", version=4)) == ["shout takes 2, not 1"]


async def test_of_quick_changes_nothing_is_published_for_a_text_that_was_followed_by_another(tmp_path: Path):
    async with project(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.open("library.toy")
        assert await client.diagnostics("library.toy", version=1) == []
        for number in range(10):
            client.change("library.toy", BROKEN if number % 2 else LIBRARY + f"# {number}\n")
            await asyncio.sleep(0.05)  # as fast as somebody types: some of it falls into a check
        assert messages(await client.diagnostics("library.toy", version=11)) == ["shout takes 2, not 1"]
        published = client.published("library.toy")
        assert [each["version"] for each in published] == sorted(each["version"] for each in published)
        for each in published[1:]:
            assert bool(each["diagnostics"]) == bool(each["version"] % 2), each


async def test_questions_about_the_disk_and_about_unsaved_text(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        initialized = await client.initialize()
        assert initialized["capabilities"]["positionEncoding"] == "utf-16"
        client.open("voices.toy")
        client.open("animals.toy")
        definition = await client.ask_at("textDocument/definition", "animals.toy", 8, 16)
        assert [each.get("targetUri", each.get("uri")) for each in definition] == [client.uri("voices.toy")]
        references = await client.ask_at(
            "textDocument/references", "voices.toy", 4, 5, context={"includeDeclaration": True}
        )
        assert len(references) == 4
        # A line more in front, unsaved: every place in that file moves, and the answer is about what the client has.
        start = {"line": 0, "character": 0}
        client.change("voices.toy", {"range": {"start": start, "end": start}, "text": "# new\n"})
        moved = await client.ask_at("textDocument/definition", "animals.toy", 8, 16)
        (place,) = moved
        span = place.get("targetSelectionRange", place.get("range"))
        assert span["start"] == {"line": 1, "character": 4}
        assert (pool.workspace / "voices.toy").read_text("utf-8") == ZOO["voices.toy"]
        symbols = await client.ask("textDocument/documentSymbol", textDocument={"uri": client.uri("voices.toy")})
        assert [each["range"]["start"]["line"] for each in symbols][:1] == [1]


async def test_columns_are_in_the_units_that_the_client_asked_for(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        answer = await client.initialize({"general": {"positionEncodings": ["utf-8"]}})
        assert answer["capabilities"]["positionEncoding"] == "utf-8"
        line = ZOO["animals.toy"].splitlines()[8]
        in_bytes = len(line[: line.index("bark")].encode())
        highlights = await client.ask_at("textDocument/documentHighlight", "animals.toy", 8, in_bytes)
        assert [each["range"]["start"]["character"] for each in highlights] == [in_bytes]
        assert in_bytes != line.index("bark")


async def test_items_find_their_way_back_to_their_server(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        (item,) = await client.ask_at("textDocument/prepareCallHierarchy", "voices.toy", 4, 5)
        incoming = await client.ask("callHierarchy/incomingCalls", item=item)
        assert sorted(each["from"]["name"] for each in incoming) == ["bark", "speak", "speak"]
        completions = await client.ask_at("textDocument/completion", "voices.toy", 1, 8)
        first = completions[0]
        resolved = await client.ask("completionItem/resolve", **first)
        assert resolved["label"] == first["label"]
        stranger = await refusal(client.ask("completionItem/resolve", label="x"))
        assert stranger.code == -32602


async def test_what_a_server_lacks_is_null_or_an_error_as_the_method_wants(tmp_path: Path):
    async with zoo(tmp_path, habits="lacks=textDocument/references") as pool, editor(pool) as client:
        await client.initialize()
        lacking = await refusal(
            client.ask_at("textDocument/references", "voices.toy", 4, 5, context={"includeDeclaration": True})
        )
        assert lacking.code == -32803
        assert "does not offer" in str(lacking)
        outside = {"uri": (tmp_path / "elsewhere.toy").as_uri()}
        assert await client.ask("textDocument/documentSymbol", textDocument=outside) is None
        assert "outside the workspace" in client.logged()


async def test_symbols_of_the_workspace_are_those_of_all_servers(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        found = await client.ask("workspace/symbol", query="bark")
        assert [(each["name"], each["location"]["uri"]) for each in found] == [("bark", client.uri("voices.toy"))]


async def test_a_rename_is_an_edit_for_the_client_and_writes_nothing(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        await client.initialize({"workspace": {}})
        client.open("voices.toy")
        edit = await client.ask_at("textDocument/rename", "voices.toy", 0, 5, newName="howl")
        assert set(edit) == {"changes"}
        assert {client.uri("voices.toy"), client.uri("animals.toy")} == set(edit["changes"])
        assert (pool.workspace / "voices.toy").read_text("utf-8") == ZOO["voices.toy"]


async def test_a_client_that_pulls_is_not_pushed_to(tmp_path: Path):
    async with project(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.open("other.toy")
        report = await client.ask("textDocument/diagnostic", textDocument={"uri": client.uri("other.toy")})
        assert report["kind"] == "full"
        assert messages(report["items"]) == ["nowhere is not declared"]
        (pool.workspace / "library.toy").write_text(BROKEN, "utf-8")
        await client.until(lambda: ("workspace/diagnostic/refresh", None) in client.asked)
        assert all(each["diagnostics"] == [] for each in client.published("other.toy"))


async def test_messages_out_of_order_unknown_or_broken_are_answered(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        assert (await refusal(client.ask("textDocument/hover"))).code == -32002
        await client.initialize()
        assert (await refusal(client.ask("textDocument/nothing"))).code == -32601
        client.send_bytes(b'{"jsonrpc": "2.0", "id": 7, "method": ')
        await client.until(lambda: any(method == "error" for method, _ in client.told))
        assert await client.ask("shutdown") is None
        assert (await refusal(client.ask("textDocument/hover"))).code == -32600
        client.tell("exit")


async def test_it_is_no_language_server_of_itself(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        refused = await refusal(client.ask("initialize", clientInfo={"name": "groundwire"}, capabilities={}))
        assert refused.code == -32803


async def test_a_cancelled_question_is_answered_as_cancelled_and_reaches_the_server(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with toys(tmp_path, "never_answers", log) as pool, editor(pool) as client:
        await client.initialize()
        number, answer = client.begin(
            "textDocument/references",
            textDocument={"uri": client.uri("voices.toy")},
            position={"line": 4, "character": 5},
            context={"includeDeclaration": True},
        )
        await heard(log, "textDocument/references")
        client.tell("$/cancelRequest", id=number)
        assert (await refusal(asyncio.wait_for(answer, 30))).code == -32800
        await heard(log, "$/cancelRequest")


async def test_while_a_server_starts_the_client_is_told_so_and_nothing_is_published(tmp_path: Path):
    async with toys(tmp_path, "hang_at_start") as pool, editor(pool) as client:
        await client.initialize()
        client.open("voices.toy")
        await client.until(lambda: any(method == "$/progress" for method, _ in client.told))
        (progress,) = [params for method, params in client.told if method == "$/progress"]
        assert progress["value"]["message"] == "hang_at_start is starting"
        assert ("window/workDoneProgress/create", {"token": progress["token"]}) in client.asked
        assert client.published("voices.toy") == []


async def test_an_edit_of_a_text_that_the_client_has_not_read_is_refused(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.open("voices.toy")
        document, options = {"uri": client.uri("voices.toy")}, {"tabSize": 4, "insertSpaces": True}
        assert await client.ask("textDocument/formatting", textDocument=document, options=options) == []
        (pool.workspace / "voices.toy").write_text("def   bark( )\n", "utf-8")
        behind = await refusal(client.ask("textDocument/formatting", textDocument=document, options=options))
        assert behind.code == -32801


async def test_what_is_outside_is_said_and_further_folders_are_taken_in(tmp_path: Path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more/extra.toy").write_text("def extra()\n", "utf-8")
    async with zoo(tmp_path) as pool, editor(pool) as client:
        folders = [{"uri": (tmp_path / name).as_uri(), "name": name} for name in ("elsewhere", "more")]
        await client.initialize(RICH, workspaceFolders=folders)
        assert "elsewhere is outside the workspace" in client.logged()
        found = await client.ask("textDocument/documentSymbol", textDocument={"uri": f"{folders[1]['uri']}/extra.toy"})
        assert [each["name"] for each in found] == ["extra"]


@asynccontextmanager
async def toys(tmp_path: Path, script: str, log: ToyLog | None = None) -> AsyncGenerator[Pool]:
    """The zoo with another server."""
    root = tmp_path / "project"
    root.mkdir()
    for name, text in ZOO.items():
        (root / name).write_bytes(text.encode())
    async with Pool(root, catalog=toy_catalog(toy_spec(script, log))) as pool:
        yield pool


async def heard(log: ToyLog, method: str) -> None:
    """Wait until a server has heard it."""
    async with asyncio.timeout(30):
        while not log.count(method):  # noqa: ASYNC110  another process writes the log
            await asyncio.sleep(0.02)


async def test_a_new_file_that_is_not_on_disk_is_known_to_the_servers_only_while_it_is_asked_about(tmp_path: Path):
    async with project(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.open("fresh.toy", "def fresh()\n    use shout(1, 2)\n")
        assert messages(await client.diagnostics("fresh.toy", version=1)) == ["shout takes 1, not 2"]
        symbols = await client.ask("textDocument/documentSymbol", textDocument={"uri": client.uri("fresh.toy")})
        assert [each["name"] for each in symbols] == ["fresh"]
        (instance,) = pool.instances()
        assert instance.session.state.documents.get(client.uri("fresh.toy")) is None


async def test_an_action_is_completed_and_its_command_asks_the_client_for_the_edit(tmp_path: Path):
    async with zoo(tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.answers["workspace/applyEdit"] = lambda _: {"applied": True}
        client.open("voices.toy")
        top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        document = {"uri": client.uri("voices.toy")}
        found = await client.ask(
            "textDocument/codeAction", textDocument=document, range=top, context={"diagnostics": []}
        )
        actions = {each["title"]: each for each in found}
        commented = await client.ask("codeAction/resolve", **actions["Add a comment"])
        assert list(commented["edit"]["changes"]) == [client.uri("voices.toy")]
        assert actions["Look at it"]["command"] == "editor.look"
        command = actions["Shout"]["command"]
        await client.ask("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
        edits = [params["edit"] for method, params in client.asked if method == "workspace/applyEdit"]
        assert len(edits) == 1
        assert "# SHOUT" in str(edits[0])
        assert (pool.workspace / "voices.toy").read_text("utf-8") == ZOO["voices.toy"]
        unknown = await refusal(client.ask("workspace/executeCommand", command="rm"))
        assert unknown.code == -32602


async def test_two_clients_with_unsaved_texts_see_their_own_and_come_to_rest(tmp_path: Path):
    async with project(tmp_path) as pool, editor(pool) as one, editor(pool) as other:
        for client in (one, other):
            await client.initialize()
            client.open("library.toy")
            assert await client.diagnostics("library.toy", version=1) == []
        one.change("library.toy", BROKEN)
        other.change("library.toy", LIBRARY + "\ndef more()\n    use nowhere()\n")
        assert messages(await one.diagnostics("library.toy", version=2)) == ["shout takes 2, not 1"]
        assert messages(await other.diagnostics("library.toy", version=2)) == ["nowhere is not declared"]
        (instance,) = pool.instances()
        documents = instance.session.state.documents
        await asyncio.wait_for(at_rest(lambda: documents.clock), 30)
        assert [len(each.published("library.toy")) for each in (one, other)] == [2, 2]


async def at_rest(clock: Callable[[], int]) -> None:
    """Until nothing has been told to the server for longer than the clients look for news."""
    seen = -1
    while seen != clock():
        seen = clock()
        await asyncio.sleep(1.0)
