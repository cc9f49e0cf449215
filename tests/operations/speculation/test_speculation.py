"""Edits that nobody has made yet: what they would do is said, the disk and everybody else see nothing of them."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.client.sync import uri_of
from groundwire.errors import EditConflict, FileNotFound, GroundwireError, InvalidArgument, OutsideWorkspace
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.operation import Call
from groundwire.operations.runner import perform
from groundwire.operations.speculation.commit_session import commit_session
from groundwire.operations.speculation.compare_edits import compare_edits
from groundwire.operations.speculation.evaluate_session import evaluate_session, simulate_chain
from groundwire.operations.speculation.preview_edit import preview_edit
from groundwire.operations.speculation.safe_apply_edit import safe_apply_edit
from groundwire.operations.speculation.sessions import EXPIRES_AFTER_S, MOST_SESSIONS, Simulations
from groundwire.operations.speculation.simulate import (
    create_simulation_session,
    destroy_session,
    discard_session,
    simulate_edit,
)
from groundwire.operations.speculation.virtual_texts import MOST_FILES
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio

BREAK = {"file_path": "voices.toy", "old_text": "use shout(loudness)", "new_text": "use shout(wrong)"}
HARMLESS = {"file_path": "voices.toy", "old_text": "loudness, count", "new_text": "loudness, number"}


def on_disk(pool: Pool) -> dict[str, str]:
    return {file.name: file.read_bytes().decode() for file in sorted(pool.workspace.rglob("*.toy"))}


def server_texts(pool: Pool) -> Iterator[tuple[str, str]]:
    """What the server was last told of each file."""
    for instance in pool.instances():
        for document in instance.session.state.documents:
            yield Path(document.uri).name, document.text


async def test_an_edit_that_breaks_something_says_what_and_nothing_is_written(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, preview_edit, **BREAK)
        assert (answer.status, answer.value.verdict, answer.value.net_delta) == (Status.CONFIRMED, "breaks", 1)
        (error,) = answer.value.errors_introduced
        assert (error.file, error.line, error.column) == ("voices.toy", 2, 15)
        assert on_disk(pool) == ZOO
        assert dict(server_texts(pool)) == {name: ZOO[name] for name, _ in server_texts(pool)}


async def test_an_edit_that_breaks_nothing_is_safe_and_names_who_was_checked(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, preview_edit, **HARMLESS)
        assert (answer.status, answer.reason, answer.value.verdict) == (Status.CONFIRMED, "", "safe")
        assert answer.value.dependents == ("animals.toy",)


async def test_in_the_scope_of_the_file_no_other_is_looked_at(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, preview_edit, **HARMLESS, scope="file")
        assert (answer.value.verdict, answer.value.dependents) == ("safe", ())


async def test_an_error_that_only_moved_is_neither_introduced_nor_resolved(tmp_path: Path):
    files = {"a.toy": "one\nwrong one\nthree\nwrong two\n"}
    async with zoo(tmp_path, files=files) as pool:
        answer = await ask(pool, preview_edit, file_path="a.toy", old_text="one\nwrong one", new_text="zero\none\nfine")
        value = answer.value
        assert (value.errors_introduced, len(value.errors_resolved), value.net_delta) == ((), 1, -1)
        assert value.errors_resolved[0].line == 2


async def test_positions_are_those_of_the_edited_text_even_beyond_the_end_of_the_old_one(tmp_path: Path):
    async with zoo(tmp_path, files={"a.toy": "one\n"}) as pool:
        given = {"file_path": "a.toy", "old_text": "one", "new_text": "one\ntwo\nthree\na wrong"}
        (error,) = (await ask(pool, preview_edit, **given)).value.errors_introduced
        assert (error.line, error.column, error.end_column) == (4, 3, 8)


async def test_a_range_is_counted_in_characters_from_one(tmp_path: Path):
    async with zoo(tmp_path, files={"a.toy": "😀 one two\n"}) as pool:
        given = {"file_path": "a.toy", "start_line": 1, "start_column": 3, "end_column": 6, "new_text": "wrong"}
        (error,) = (await ask(pool, preview_edit, **given)).value.errors_introduced
        assert (error.line, error.message) == (1, "😀 wrong two")


async def test_a_patch_over_several_files_is_one_edit(tmp_path: Path):
    patch = (
        "--- a/voices.toy\n+++ b/voices.toy\n@@ -1,2 +1,2 @@\n def bark(loudness, count)\n"
        "-    use shout(loudness)\n+    use shout(wrong)\n"
        "--- a/lonely.toy\n+++ b/lonely.toy\n@@ -1 +1 @@\n-def nobody()\n+def wrong()\n"
    )
    async with zoo(tmp_path) as pool:
        value = (await ask(pool, preview_edit, patch=patch)).value
        assert value.edited == ("voices.toy", "lonely.toy")
        assert sorted(each.file for each in value.errors_introduced) == ["lonely.toy", "voices.toy"]
        assert on_disk(pool) == ZOO


async def test_several_edits_are_made_in_their_order(tmp_path: Path):
    edits = [
        {"file_path": "lonely.toy", "old_text": "nobody", "new_text": "somebody"},
        {"file_path": "lonely.toy", "old_text": "somebody", "new_text": "wrong"},
    ]
    async with zoo(tmp_path) as pool:
        assert (await ask(pool, preview_edit, edits=edits)).value.verdict == "breaks"


async def test_a_new_file_is_looked_at_and_not_called_proven_for_others(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, preview_edit, file_path="new.toy", new_text="def wrong()\n")
        assert (answer.status, answer.value.verdict) == (Status.PARTIAL, "breaks")
        assert "new.toy is not on disk" in answer.reason
        assert not (pool.workspace / "new.toy").exists()
        (instance,) = pool.instances()
        assert instance.session.state.documents.get(uri_of(pool.workspace / "new.toy")) is None


async def test_a_file_of_no_server_is_unsupported_and_never_safe(tmp_path: Path):
    async with zoo(tmp_path, files={**ZOO, "notes.txt": "one\n"}) as pool:
        answer = await ask(pool, preview_edit, file_path="notes.txt", old_text="one", new_text="two")
        assert (answer.status, answer.value.verdict) == (Status.UNSUPPORTED, "unproven")
        assert not (
            await ask(pool, safe_apply_edit, file_path="notes.txt", old_text="one", new_text="two")
        ).value.applied


async def test_a_server_that_nobody_measured_makes_nothing_safe(tmp_path: Path):
    async with zoo(tmp_path, settle=SettleRule()) as pool:
        answer = await ask(pool, safe_apply_edit, **HARMLESS)
        assert (answer.value.applied, answer.value.evaluation.verdict) == (False, "unproven")
        assert answer.status is not Status.CONFIRMED
        assert on_disk(pool) == ZOO


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, InvalidArgument),
        ({**BREAK, "patch": "x"}, InvalidArgument),
        ({"patch": "nothing"}, InvalidArgument),
        ({**BREAK, "old_text": "not there"}, EditConflict),
        ({"file_path": "voices.toy", "new_text": "x"}, InvalidArgument),
        ({"file_path": "nowhere.toy", "old_text": "x", "new_text": "y"}, FileNotFound),
        ({"file_path": "voices.toy", "start_line": 99, "new_text": "x"}, InvalidArgument),
        ({"file_path": "../else.toy", "new_text": "x"}, OutsideWorkspace),
    ],
)
async def test_what_is_no_edit_is_refused_with_a_hint(
    given: dict[str, object], error: type[GroundwireError], tmp_path: Path
):
    async with zoo(tmp_path) as pool:
        with pytest.raises(error) as refusal:
            await ask(pool, preview_edit, **given)
        assert refusal.value.hint


async def test_the_baseline_is_not_asked_for_again_while_nothing_changes(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        await ask(pool, preview_edit, **BREAK, scope="file")
        await ask(pool, preview_edit, **BREAK, scope="file")
        asked = log.count("textDocument/diagnostic")
        await ask(pool, preview_edit, **BREAK, scope="file")
        assert log.count("textDocument/diagnostic") == asked + 1


async def test_what_changed_on_disk_since_is_in_the_next_comparison(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, preview_edit, **BREAK, scope="file")
        file = pool.workspace / "voices.toy"
        file.write_text(ZOO["voices.toy"] + "wrong\n", "utf-8")
        value = (await ask(pool, preview_edit, file_path="voices.toy", old_text="wrong\n", new_text="")).value
        assert (value.net_delta, len(value.errors_resolved)) == (-1, 1)


async def test_readers_at_the_same_time_see_the_disk_only(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await check_files(pool, [Path("voices.toy")])

        async def read() -> None:
            for _ in range(30):
                answer = await check_files(pool, [Path("voices.toy"), Path("animals.toy")])
                assert all(not file.diagnostics for file in answer.value)

        async def try_out() -> None:
            for _ in range(15):
                assert (await ask(pool, preview_edit, **BREAK)).value.verdict == "breaks"

        await asyncio.gather(read(), try_out(), read(), try_out())
        assert on_disk(pool) == ZOO


async def test_cancelled_in_the_middle_the_server_is_put_back(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await check_files(pool, [Path("voices.toy")])
        (instance,) = pool.instances()
        session = instance.session
        document = session.state.documents.get(uri_of(pool.workspace / "voices.toy"))
        assert document is not None
        trying = asyncio.ensure_future(ask(pool, preview_edit, **BREAK))
        async with asyncio.timeout(20):
            while "wrong" not in document.text:  # noqa: ASYNC110  nothing rings when a text is shown
                await asyncio.sleep(0)
        trying.cancel()
        await asyncio.gather(trying, return_exceptions=True)
        assert (document.text, session.interlude.is_on) == (ZOO["voices.toy"], False)
        assert (await check_files(pool, [Path("voices.toy")])).value[0].diagnostics == ()


async def test_only_a_safe_edit_is_applied_and_can_be_undone(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        refused = await ask(pool, safe_apply_edit, **BREAK)
        assert (refused.value.applied, len(refused.value.evaluation.errors_introduced)) == (False, 1)
        assert on_disk(pool) == ZOO
        done = await ask(pool, safe_apply_edit, **HARMLESS)
        assert done.value.applied
        assert done.value.outcome is not None
        assert done.value.outcome.undo_id
        assert "number" in on_disk(pool)["voices.toy"]


async def test_alternatives_are_ranked_with_reasons(tmp_path: Path):
    alternatives = [
        {"name": "bad", "edits": [BREAK]},
        {"name": "good", "edits": [HARMLESS]},
        {"edits": [{**BREAK, "new_text": "use shout(wrong)\n    use shout(wrong)"}]},
    ]
    async with zoo(tmp_path) as pool:
        value = (await ask(pool, compare_edits, alternatives=alternatives)).value
        assert [each.name for each in value.alternatives] == ["good", "bad", "alternative 3"]
        assert (value.best, [each.errors_introduced for each in value.alternatives]) == (2, [0, 1, 2])
        assert value.alternatives[0].reasons == ("introduces nothing",)
        assert on_disk(pool) == ZOO


async def test_a_session_goes_through_its_states_and_writes_only_when_committed(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        created = (await ask(pool, create_simulation_session)).value
        assert (created.status, len(created.session_id)) == ("created", 32)
        edited = await ask(pool, simulate_edit, session_id=created.session_id, **HARMLESS)
        assert (edited.value.status, edited.value.version_after, edited.value.files) == ("mutated", 1, ("voices.toy",))
        assert on_disk(pool) == ZOO
        judged = await ask(pool, evaluate_session, session_id=created.session_id)
        assert (judged.value.verdict, judged.value.session_id) == ("safe", created.session_id)
        written = await ask(pool, commit_session, session_id=created.session_id)
        assert (written.value.status, written.value.files_written) == ("committed", ("voices.toy",))
        assert "number" in on_disk(pool)["voices.toy"]
        with pytest.raises(InvalidArgument, match="committed"):
            await ask(pool, simulate_edit, session_id=created.session_id, **BREAK)
        assert (await ask(pool, destroy_session, session_id=created.session_id)).value.status == "destroyed"
        assert (await ask(pool, destroy_session, session_id=created.session_id)).value.status == "already_destroyed"


async def test_a_chain_is_safe_up_to_the_step_before_the_first_that_breaks(tmp_path: Path):
    edits = [HARMLESS, BREAK, {**BREAK, "old_text": "use shout(wrong)", "new_text": "use shout(loudness)"}]
    async with zoo(tmp_path) as pool:
        value = (await ask(pool, simulate_chain, edits=edits)).value
        assert [step.net_delta for step in value.steps] == [0, 1, 0]
        assert (value.safe_to_apply_through_step, value.cumulative_delta) == (1, 0)


async def test_a_patch_of_a_session_is_one_that_git_applies(tmp_path: Path):
    files = {"a b.toy": "one\r\ntwo\r\n", "bare.toy": "no end", "gone.toy": "old\n"}
    async with zoo(tmp_path, files=files) as pool:
        await ask(pool, simulate_edit, file_path="a b.toy", old_text="two", new_text="2\nthree")
        await ask(pool, simulate_edit, file_path="bare.toy", old_text="end", new_text="END")
        await ask(pool, simulate_edit, file_path="gone.toy", delete=True)
        await ask(pool, simulate_edit, file_path="sub/new.toy", new_text="made\n")
        patch = (await ask(pool, commit_session, target="patch")).value.patch
        assert on_disk(pool) == files
        _git(pool.workspace, "init", "-q")
        _git(pool.workspace, "apply", "--whitespace=nowarn", "-", given=patch)
        assert (pool.workspace / "a b.toy").read_bytes() == b"one\r\n2\r\nthree\r\n"
        assert (pool.workspace / "bare.toy").read_bytes() == b"no END"
        assert (pool.workspace / "sub/new.toy").read_bytes() == b"made\n"
        assert not (pool.workspace / "gone.toy").exists()


def _git(directory: Path, *arguments: str, given: str = "") -> None:
    subprocess.run(["git", *arguments], cwd=directory, input=given.encode(), check=True, capture_output=True)


async def test_a_session_whose_files_changed_on_disk_is_dirty_and_cannot_be_written(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        session = (await ask(pool, simulate_edit, **HARMLESS)).value.session_id
        (pool.workspace / "voices.toy").write_text("def other()\n", "utf-8")
        judged = await ask(pool, evaluate_session, session_id=session)
        assert (judged.status, judged.value.verdict) == (Status.UNKNOWN, "unproven")
        with pytest.raises(InvalidArgument, match="changed on disk"):
            await ask(pool, commit_session, session_id=session)
        assert on_disk(pool)["voices.toy"] == "def other()\n"
        assert (await ask(pool, discard_session, session_id=session)).value.status == "discarded"


async def test_the_sessions_of_one_client_are_nobody_elses_business(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        given = create_simulation_session.parse({})
        own = (await perform(pool, create_simulation_session, given, client=Kept())).value.session_id
        with pytest.raises(InvalidArgument, match="there is no session"):
            await perform(pool, evaluate_session, evaluate_session.parse({"session_id": own}), client=Kept())


async def test_there_are_only_so_many_sessions(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        for _ in range(MOST_SESSIONS):
            await ask(pool, create_simulation_session)
        with pytest.raises(InvalidArgument, match="sessions already") as refusal:
            await ask(pool, create_simulation_session)
        assert "destroy_session" in refusal.value.hint


async def test_a_session_that_nobody_used_for_long_is_gone(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        call = Call(pool, asyncio.get_running_loop().time() + 10)
        sessions = Simulations()
        old = sessions.create(call, now=0.0)
        assert sessions.find(call, old.id, now=EXPIRES_AFTER_S).id == old.id
        with pytest.raises(InvalidArgument, match="there is no session"):
            sessions.find(call, old.id, now=2 * EXPIRES_AFTER_S + 1)


async def test_more_files_than_fit_into_one_evaluation_are_refused(tmp_path: Path):
    edits = [{"file_path": f"new{number}.toy", "new_text": "x"} for number in range(MOST_FILES + 1)]
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match="more than 50 files") as refusal:
            await ask(pool, preview_edit, edits=edits)
        assert refusal.value.hint


async def test_an_edit_of_a_file_that_no_server_is_shown_keeps_the_others_from_being_safe(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        (pool.workspace / "settings.odd").write_text("strict = no\n", "utf-8")
        edits = [HARMLESS, {"file_path": "settings.odd", "old_text": "no", "new_text": "yes"}]
        answer = await ask(pool, preview_edit, edits=edits)
        assert (answer.status, answer.value.verdict) == (Status.PARTIAL, "unproven")
        assert "settings.odd" in answer.reason
