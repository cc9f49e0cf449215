"""Questions that span files where some include a changed one. Files are looked through in a thread, so time is real."""

from pathlib import Path

import pytest

from groundwire.client.sync import announce
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import SettleRule
from tests.client.proof import opened
from tests.client.test_ask import DIAGNOSTIC, OFFERED, REFERENCES, ask
from tests.fakes.server import full_report, running_session, toy_options

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
