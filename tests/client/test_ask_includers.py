"""Questions that span files where some include a changed one. Files are looked through in a thread, so time is real."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from groundwire.client import ask as ask_module
from groundwire.client.includers import Includers, find_includers
from groundwire.client.sync import announce
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import SettleRule
from tests.client.proof import opened
from tests.client.test_ask import DIAGNOSTIC, OFFERED, REFERENCES, ask
from tests.fakes.server import Json, full_report, running_session, toy_options

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Not the loop whose time jumps: it does not wait for threads."""
    return "asyncio"


INCLUDING = SettleRule(measured=True, checks_changed="all", includes=r"^include (\S+)")


async def test_who_includes_a_changed_file_is_shown_before_an_answer_across_files(tmp_path: Path):
    options = toy_options(tmp_path, settle=INCLUDING, languages={".toy": "toy"})
    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: full_report()}
    async with running_session(options, handlers, OFFERED) as (session, server):
        document = opened(session)
        (tmp_path / "user.toy").write_text("include some/where/lib.inc\n", "utf-8")
        (tmp_path / "other.toy").write_text("include else.inc\n", "utf-8")
        announce(session, [FileChange(str(tmp_path / "lib.inc"), ChangeKind.CHANGED)])
        assert (await ask(session, document)).incomplete == ""
        shown = {Path(each.uri).name for each in session.state.documents}
        assert shown == {Path(document.uri).name, "user.toy"}
        assert server.methods.index(DIAGNOSTIC) < server.methods.index(REFERENCES)
        assert not session.state.changed_includes


async def test_of_many_who_include_a_changed_file_some_are_shown_for_each_question_until_all_are(tmp_path: Path):
    options = toy_options(tmp_path, settle=INCLUDING, languages={".toy": "toy"})
    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: full_report()}
    async with running_session(options, handlers, OFFERED) as (session, _):
        document = opened(session)
        for number in range(130):
            (tmp_path / f"user{number}.toy").write_text("include lib.inc\n", "utf-8")
        announce(session, [FileChange(str(tmp_path / "lib.inc"), ChangeKind.CHANGED)])
        assert "30 files" in (await ask(session, document)).incomplete
        assert (await ask(session, document)).incomplete == ""


async def test_a_file_that_changes_while_includers_are_looked_for_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    options = toy_options(tmp_path, settle=INCLUDING, languages={".toy": "toy"})
    handlers: dict[str, object] = {REFERENCES: ["one"], DIAGNOSTIC: full_report()}
    user, library = tmp_path / "user.toy", FileChange(str(tmp_path / "lib.inc"), ChangeKind.CHANGED)
    async with running_session(options, handlers, OFFERED) as (session, _):
        document = opened(session)
        user.write_text("include else.inc\n", "utf-8")
        loop, rounds = asyncio.get_running_loop(), list[int]()

        def find(*arguments: Any) -> Includers:
            found = find_includers(*arguments)
            rounds.append(1)
            if len(rounds) == 1:  # it was read, and is another now
                user.write_text("include lib.inc\n", "utf-8")
                told = loop.call_soon_threadsafe
                told(announce, session, [FileChange(str(user), ChangeKind.CHANGED), library])
            return found

        monkeypatch.setattr(ask_module, "find_includers", find)
        announce(session, [FileChange(str(user), ChangeKind.CHANGED), library])
        assert (await ask(session, document)).incomplete == ""
        assert len(rounds) == 2
        assert user.as_uri() in [each.uri for each in session.state.documents]


async def test_a_file_that_changes_while_changed_ones_are_checked_has_its_includers_checked_too(tmp_path: Path):
    options = toy_options(tmp_path, settle=INCLUDING, languages={".toy": "toy"})
    late = tmp_path / "late.toy"
    async with running_session(options, {REFERENCES: ["one"]}, OFFERED) as (session, server):
        document = opened(session)
        (tmp_path / "user.toy").write_text("include lib.inc\n", "utf-8")
        late.write_text("include other.inc\n", "utf-8")
        changes = [FileChange(str(tmp_path / "other.inc"), ChangeKind.CHANGED)]

        def check(_: Json) -> Json:
            if changes:
                announce(session, [changes.pop()])
            return full_report()

        server.handlers[DIAGNOSTIC] = check
        announce(session, [FileChange(str(tmp_path / "lib.inc"), ChangeKind.CHANGED)])
        assert (await ask(session, document)).incomplete == ""
        assert late.as_uri() in [each.uri for each in session.state.documents]
        assert not session.state.changed_includes
