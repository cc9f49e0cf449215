"""How far an edit is judged that nobody has made yet: who uses it, or everybody where that is not known."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.reporting.everything import MOST_DEPENDENTS
from groundwire.operations.results.speculation import Evaluation
from groundwire.operations.speculation.preview_edit import preview_edit
from groundwire.pool.pool import Pool
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import ToyLog, toy_command
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

MANY = "".join(f"def sound{number}(what)\n\n" for number in range(30))
"""More symbols than are asked for by their uses."""


def changed(text: str) -> dict[str, object]:
    return {"edits": [{"file_path": "a.toy", "old_text": text, "new_text": text.replace("what", "other")}]}


async def test_where_users_may_be_missing_all_files_of_a_small_workspace_are_checked(tmp_path: Path):
    files = {"a.toy": MANY, "b.toy": "def user()\n    use sound29(1)\n", "deep/c.toy": "def nobody()\n", "d.txt": ""}
    async with zoo(tmp_path, files=files) as pool:
        answer = await ask(pool, preview_edit, **changed(MANY))
        assert (answer.status, answer.reason, answer.value.verdict) == (Status.CONFIRMED, "", "safe")
        assert sorted(answer.value.dependents) == ["b.toy", "deep/c.toy"]


async def test_a_workspace_without_other_files_has_no_users_to_be_missing(tmp_path: Path):
    async with zoo(tmp_path, files={"a.toy": MANY}) as pool:
        answer = await ask(pool, preview_edit, **changed(MANY))
        assert (answer.status, answer.value.verdict, answer.value.dependents) == (Status.CONFIRMED, "safe", ())


async def test_a_server_that_knows_no_uses_cannot_tell_whom_an_edit_reaches_however_few_files_there_are(tmp_path: Path):
    """What it takes care of may be a configuration, which others go by."""
    async with zoo(tmp_path, "lacks=textDocument/references", {"a.toy": MANY, "b.toy": "def nobody()\n"}) as pool:
        answer = await ask(pool, preview_edit, **changed(MANY))
        assert (answer.status, answer.value.verdict) == (Status.PARTIAL, "unproven")
        assert "does not offer textDocument/references" in answer.reason


async def test_where_there_are_too_many_files_it_is_said_that_users_may_be_missing(tmp_path: Path):
    others = {f"other{number}.toy": "def nobody()\n" for number in range(MOST_DEPENDENTS + 1)}
    async with zoo(tmp_path, files={"a.toy": MANY, **others}) as pool:
        answer = await ask(pool, preview_edit, **changed(MANY))
        assert (answer.status, answer.value.verdict) == (Status.PARTIAL, "unproven")
        assert answer.reason == "only the first 20 of 30 changed symbols were looked for"


NEW = {"file_path": "extra.toy", "new_text": "def helper()\n"}


async def judged(pool: Pool, new_line: str) -> Answer[Evaluation]:
    """With a new file, and a line more in another one."""
    edits = [NEW, {"file_path": "lonely.toy", "old_text": "def nobody()", "new_text": f"def nobody()\n{new_line}"}]
    return await ask(pool, preview_edit, edits=edits)


async def test_an_error_where_a_new_file_is_named_is_left_out_if_the_server_may_not_believe_in_that_file(
    tmp_path: Path,
):
    async with zoo(tmp_path) as pool:
        answer = await judged(pool, "    use extra.thing(wrong)")
        assert (answer.value.verdict, answer.value.errors_introduced) == ("unproven", ())
        assert "what is said where a new file is named may be wrong, and is left out" in answer.reason


async def test_an_error_where_a_new_file_is_named_is_told_if_the_server_finds_there_what_is_used(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await judged(pool, "    use helper(extra, wrong)")
        assert (answer.value.verdict, [each.file for each in answer.value.errors_introduced]) == (
            "breaks",
            ["lonely.toy"],
        )


async def test_an_error_where_no_new_file_is_named_is_told(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await judged(pool, "    use shout(wrong)")
        assert [each.line for each in answer.value.errors_introduced] == [2]


async def test_what_an_error_that_is_left_out_came_instead_of_is_not_called_resolved(tmp_path: Path):
    files = {"lonely.toy": "def nobody()\n    use other(wrong)\n"}
    async with zoo(tmp_path, files=files) as pool:
        edits = [NEW, {"file_path": "lonely.toy", "old_text": "use other(wrong)", "new_text": "use extra.thing(wrong)"}]
        value = (await ask(pool, preview_edit, edits=edits)).value
        assert (value.errors_introduced, value.errors_resolved) == ((), ())


MOODY = {"voices.toy": "def shout(what)\n", "moody.toy": "def user()\n    use shout(wrong)\n"}
TOUCH = {"file_path": "voices.toy", "old_text": "what", "new_text": "other"}
SEES_OTHERS = SettleRule(measured=True)


async def test_what_a_server_says_of_other_files_only_since_it_was_asked_is_not_told_as_the_edits_doing(tmp_path: Path):
    """Put back to what the disk holds it stays with it: then the edit did not resolve the error."""
    command = toy_command("contradicts_itself")
    async with zoo(tmp_path, files=MOODY, settle=SEES_OTHERS, command=command) as pool:
        answer = await ask(pool, preview_edit, **TOUCH)
        assert (answer.status, answer.value.verdict, answer.value.errors_resolved) == (Status.PARTIAL, "unproven", ())
        assert answer.reason == "of moody.toy, with and without the edit, it is not always said the same"


async def test_files_that_an_edit_changes_nothing_in_are_not_asked_about_again(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, files=MOODY, settle=SEES_OTHERS, log=log) as pool:
        answer = await ask(pool, preview_edit, **TOUCH)
        assert (answer.status, answer.value.dependents) == (Status.CONFIRMED, ("moody.toy",))
        assert log.count("textDocument/diagnostic") == 2 * len(MOODY)
