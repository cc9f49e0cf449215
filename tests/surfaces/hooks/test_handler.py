"""What sessions hear after edits: what is new, once, and nothing else."""

import asyncio
from collections.abc import Coroutine, Sequence
from pathlib import Path

import psutil
import pytest

from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.editing.apply_edit import apply_edit
from groundwire.operations.editing.transactions import begin_edits
from groundwire.operations.operation import Call
from groundwire.operations.reporting import edit_report
from groundwire.operations.reporting.dependents import Dependents, Edited
from groundwire.operations.reporting.report_mode import set_report_mode
from groundwire.operations.runner import perform
from groundwire.pool.kept import Kept
from groundwire.pool.policy import ReportPolicy
from tests.fakes.toy_servers import ToyLog
from tests.surfaces.hooks.hosting import BROKEN, LIBRARY, OWN_ERROR, PROJECT, WAIT_S, hosted

pytestmark = pytest.mark.anyio

UNKNOWN_PAST = (
    "1 error, and more is not known: what library.toy was before is not known; "
    "what was wrong in caller.toy before is not known\n"
    "\n"
    "LSP errors detected in other files:\n"
    '<diagnostics file="caller.toy">\n'
    "ERROR [2:9] shout takes 2, not 1\n"
    "</diagnostics>"
)


async def test_an_error_that_an_edit_introduced_is_told_with_those_it_caused_elsewhere(tmp_path: Path):
    async with hosted(tmp_path) as host:
        assert await host.edit("library.toy", BROKEN) == (
            "2 errors, introduced by this edit (confirmed by type_checked)\n"
            "\n"
            "LSP errors detected in this file, please fix:\n"
            '<diagnostics file="library.toy">\n'
            f"{OWN_ERROR}\n"
            "</diagnostics>\n"
            "\n"
            "LSP errors detected in other files:\n"
            '<diagnostics file="caller.toy">\n'
            "ERROR [2:9] shout takes 2, not 1\n"
            "</diagnostics>"
        )


async def test_a_patch_tells_what_the_file_was_so_that_those_it_broke_elsewhere_are_found(tmp_path: Path):
    async with hosted(tmp_path) as host:
        host.write("library.toy", BROKEN)
        pieces = "@@\n-def shout(what)\n+def shout(what, how)\n \n def bark(loudness)\n"
        told = await host.send(host.codex_patch(f"*** Update File: library.toy\n{pieces}"), "codex")
        assert told.startswith("2 errors, introduced by this edit (confirmed by type_checked)")
        assert '<diagnostics file="caller.toy">\nERROR [2:9] shout takes 2, not 1' in told


async def test_nothing_is_said_of_an_edit_that_breaks_nothing(tmp_path: Path):
    async with hosted(tmp_path) as host:
        assert await host.edit("other.toy", "def other()\n    use shout(1)\n") == ""
        assert host.reply.output == b"{}"


async def test_what_was_told_is_not_told_again_for_the_same_content(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.edit("library.toy", BROKEN)
        assert await host.send(host.edited("library.toy", LIBRARY)) == ""
        assert await host.stop() == ""


async def test_a_mended_file_is_silence_and_broken_again_it_is_told_again(tmp_path: Path):
    async with hosted(tmp_path) as host:
        first = await host.edit("library.toy", BROKEN)
        assert await host.edit("library.toy", LIBRARY) == ""
        assert await host.edit("library.toy", BROKEN) == first


async def test_an_error_that_stays_is_told_with_the_next_content_of_its_file(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.edit("library.toy", BROKEN)
        assert OWN_ERROR in await host.edit("library.toy", BROKEN + "\ndef more()\n")


async def test_what_is_not_known_in_time_is_told_at_the_next_call(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with hosted(tmp_path, log=log) as host:
        await host.edit("other.toy", "def other(what)\n")
        await _with_a_frozen_server(log, host.edit("library.toy", BROKEN, wait_s=0.3), "")
        assert OWN_ERROR in await host.edit("other.toy", "def other(what, how)\n")
        assert await host.stop() == ""


async def test_what_is_not_known_in_time_is_told_at_the_end_of_the_turn_at_the_latest(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with hosted(tmp_path, log=log) as host:
        await host.edit("other.toy", "def other(what)\n")
        await _with_a_frozen_server(log, host.edit("library.toy", BROKEN, wait_s=0.3), "")
        told = await host.stop()
        assert OWN_ERROR in told
        assert "caller.toy" in told


@pytest.mark.parametrize(("is_known", "said"), [(True, "1 error, introduced by this edit"), (False, UNKNOWN_PAST)])
async def test_who_could_not_be_looked_for_in_time_is_told_at_the_next_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_known: bool, said: str
):
    async with hosted(tmp_path) as host:
        await host.edit("other.toy", "def other(what)\n")
        if is_known:
            deadline = asyncio.get_running_loop().time() + WAIT_S
            library = host.pool.workspace / "library.toy"
            host.pool.kept.get(Baselines).remember(await prove_files(host.pool, [library], deadline=deadline))
        host.write("library.toy", "def shout(what, how)\n")
        with monkeypatch.context() as patched:
            patched.setattr(edit_report, "find_dependents", _never_found)
            shell = host.claude("PostToolUse", tool_name="Bash", tool_input={"command": "make"})
            assert await host.send(shell, wait_s=0.5) == ""
        assert (await host.ran()).startswith(said)


async def test_a_verbose_hook_says_that_it_does_not_know(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with hosted(tmp_path, log=log, is_verbose=True) as host:
        await host.edit("other.toy", "def other(what)\n")
        await _with_a_frozen_server(log, host.edit("library.toy", BROKEN, wait_s=0.3), "Errors: not known: ")


async def test_what_a_shell_changed_is_noticed(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        host.write("caller.toy", "def call()\n    use nothing(1)\n")
        told = await host.ran()
        assert "ERROR [2:9] nothing is not declared" in told
        assert told.endswith("\nChanged on disk meanwhile: caller.toy")
        assert await host.ran() == ""


async def test_what_a_shell_changed_is_told_with_those_who_may_be_broken_by_it(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        host.write("library.toy", "def shout(what, how)\n")
        assert await host.ran() == UNKNOWN_PAST
        assert await host.ran() == ""


async def test_a_write_that_does_not_tell_what_it_replaced_is_told_with_those_who_may_be_broken_by_it(tmp_path: Path):
    async with hosted(tmp_path) as host:
        host.write("library.toy", "def shout(what, how)\n")
        path = str(host.pool.workspace / "library.toy")
        given = {"file_path": path, "content": "def shout(what, how)\n"}
        assert await host.send(host.claude("PostToolUse", tool_name="Write", tool_input=given)) == UNKNOWN_PAST


async def test_a_turn_does_not_go_on_for_what_may_have_been_broken_before_others_edited(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        host.write("library.toy", "def shout(what, how)\n")
        assert await host.stop() == ""


async def test_nothing_was_there_before_a_file_that_was_made_meanwhile(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        host.write("new.toy", "def new()\n    use nothing(1)\n")
        assert (await host.ran()).startswith("1 error, introduced by this edit (confirmed by type_checked)\n")
        host.write("newer.toy", "def newer()\n    use nothing(1)\n")
        told = await host.send(host.codex_patch("*** Add File: newer.toy\n+def newer()\n"), "codex")
        assert told.startswith("1 error, introduced by this edit (confirmed by type_checked)\n")


async def test_a_file_that_was_made_and_told_of_is_compared_with_what_was_told(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        host.write("new.toy", "def new()\n    use nothing(1)\n")
        await host.ran()
        host.write("new.toy", "def new()\n    use nothing(1)\n    use naught(1)\n")
        assert (await host.ran()).startswith(
            "2 errors, 1 of them introduced by this edit (confirmed by type_checked)\n"
        )


async def test_what_changed_before_a_session_began_is_not_its_business(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start("s1")
        host.write("caller.toy", "def call()\n    use nothing(1)\n")
        await host.start("s2")
        assert await host.ran("s2") == ""
        assert "nothing is not declared" in await host.ran("s1")


async def test_a_file_that_a_shell_deleted_is_missed_by_those_who_use_it(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.edit("library.toy", LIBRARY + "\n")
        (host.pool.workspace / "library.toy").unlink()
        assert "shout is not declared" in await host.ran()


async def test_a_file_that_a_shell_deleted_is_missed_though_nobody_ever_looked_at_it(tmp_path: Path):
    files = {"voice.toy": "def voice(what)\n", "user.toy": "def user()\n    use voice(1)\n"}
    async with hosted(tmp_path, files) as host:
        await host.start()
        (host.pool.workspace / "voice.toy").unlink()
        told = await host.ran()
        assert '<diagnostics file="user.toy">\nERROR [2:9] voice is not declared' in told


async def test_a_file_that_came_and_went_is_not_looked_for(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with hosted(tmp_path, log=log) as host:
        await host.edit("other.toy", PROJECT["other.toy"] + "\n")
        host.write("call.toy", "def temporary()\n")
        host.pool.refresh()
        (host.pool.workspace / "call.toy").unlink()
        asked = log.count("textDocument/diagnostic")
        assert await host.ran() == ""
        assert log.count("textDocument/diagnostic") == asked


async def test_files_that_git_ignores_and_files_without_a_server_are_nobodys_business(tmp_path: Path):
    files = {**PROJECT, ".gitignore": "made/\n"}
    async with hosted(tmp_path, files) as host:
        await host.start()
        host.write("made/by_a_tool.toy", "def made()\n    use nothing(1)\n")
        host.write("notes.unknown", "use nothing(1)\n")
        assert await host.ran() == ""


async def test_a_source_is_looked_at_however_much_a_build_has_made_after_it(tmp_path: Path):
    files = {**PROJECT, ".gitignore": "dist/\n"}
    async with hosted(tmp_path, files) as host:
        await host.start()
        host.write("src/dist.toy", "def source()\n    use nothing(1)\n")
        host.pool.refresh()
        for number in range(250):
            host.write(f"web/dist/{number}.toy", f"def made{number}()\n    use nothing(1)\n")
        told = await host.ran()
        assert "src/dist.toy" in told
        assert "web/dist" not in told
        assert "more changed files" not in told


async def test_of_very_many_changed_files_some_are_checked_and_the_rest_is_counted(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        for number in range(27):
            host.write(f"many{number}.toy", f"def many{number}()\n    use nothing(1)\n")
        told = await host.ran()
        assert told.startswith("20 errors")
        assert told.endswith("\n7 more changed files not checked")


async def test_what_one_session_edits_is_not_told_to_another(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start("one")
        await host.start("two")
        assert OWN_ERROR in await host.edit("library.toy", BROKEN, session="one")
        assert await host.ran("two") == ""
        assert await host.stop("two") == ""


async def test_two_sessions_that_edit_the_same_file_both_hear_of_it(tmp_path: Path):
    async with hosted(tmp_path) as host:
        assert OWN_ERROR in await host.edit("library.toy", BROKEN, session="one")
        assert OWN_ERROR in await host.edit("library.toy", BROKEN + "\n", session="two")


async def test_what_groundwires_own_tools_have_reported_is_not_reported_by_the_hook(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        given = {"file_path": "library.toy", "old_text": "shout(what)", "new_text": "shout(what, how)"}
        answer = await perform(host.pool, apply_edit, apply_edit.parse(given))
        assert answer.value.applied
        assert await host.ran() == ""
        assert await host.stop() == ""


@pytest.mark.parametrize("is_begun", [True, False], ids=["edits that were begun", "no reports at all"])
async def test_what_its_tools_wrote_and_were_to_be_silent_about_is_not_told_by_a_hook(tmp_path: Path, is_begun: bool):
    async with hosted(tmp_path) as host:
        await host.start()
        client = Kept("an agent")
        if is_begun:
            await perform(host.pool, begin_edits, begin_edits.parse({}), client=client)
        else:
            await perform(host.pool, set_report_mode, set_report_mode.parse({"mode": "off"}), client=client)
        given = {"file_path": "library.toy", "old_text": "shout(what)", "new_text": "shout(what, how)"}
        await perform(host.pool, apply_edit, apply_edit.parse(given), client=client)
        assert await host.ran() == ""
        assert await host.stop() == ""
        host.write("library.toy", BROKEN + "\n")
        assert OWN_ERROR in await host.ran()


async def test_parallel_hooks_of_one_session_tell_everything_once(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        for name in ("caller.toy", "other.toy"):
            host.write(name, f"def {name[:4]}()\n    use nothing{name[:4]}(1)\n")
        both = [host.edited("caller.toy", PROJECT["caller.toy"]), host.edited("other.toy", PROJECT["other.toy"])]
        told = "".join(await asyncio.gather(*(host.send(each) for each in both)))
        assert told.count("nothingcall is not declared") == 1
        assert told.count("nothingothe is not declared") == 1


async def test_a_report_that_nobody_read_is_told_again(tmp_path: Path):
    async with hosted(tmp_path, report=ReportPolicy(mode="introduced")) as host:
        await host.edit("library.toy", BROKEN)
        host.reply.take_back()
        told = await host.ran()
        assert OWN_ERROR in told
        assert "caller.toy" in told


async def test_a_turn_that_goes_on_because_of_us_is_not_made_to_go_on_again(tmp_path: Path):
    async with hosted(tmp_path, report=ReportPolicy(mode="end_of_turn")) as host:
        await host.edit("library.toy", BROKEN)
        assert await host.stop(stop_hook_active=True) == ""
        assert OWN_ERROR in await host.stop()


async def test_a_turn_does_not_go_on_for_what_others_left_broken(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.start()
        host.write("broken_before.toy", "def before()\n    use nothing(1)\n")
        assert await host.stop() == ""


async def test_a_turn_goes_on_for_what_was_right_when_it_was_last_shown(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.edit("caller.toy", PROJECT["caller.toy"] + "\n")
        host.write("caller.toy", "def call()\n    use nothing(1)\n")
        assert "nothing is not declared" in await host.stop()


async def test_reports_at_the_end_of_a_turn_come_only_then(tmp_path: Path):
    async with hosted(tmp_path, report=ReportPolicy(mode="end_of_turn")) as host:
        assert await host.edit("library.toy", BROKEN) == ""
        assert await host.ran() == ""
        told = await host.stop()
        assert OWN_ERROR in told
        assert "caller.toy" in told


async def test_reports_that_are_switched_off_never_come(tmp_path: Path):
    async with hosted(tmp_path, report=ReportPolicy(mode="off")) as host:
        assert await host.edit("library.toy", BROKEN) == ""
        assert await host.stop() == ""


async def test_a_staged_edit_changes_nothing(tmp_path: Path):
    async with hosted(tmp_path, {**PROJECT, "library.toy": BROKEN}) as host:
        path = str(host.pool.workspace / "library.toy")
        given = {"file_path": path, "old_string": "a", "new_string": "b"}
        response = {"filePath": path, "staged": True}
        payload = host.claude("PostToolUse", tool_name="Edit", tool_input=given, tool_response=response)
        assert await host.send(payload) == ""


async def test_files_elsewhere_binary_or_too_large_are_passed_over(tmp_path: Path):
    async with hosted(tmp_path) as host:
        outside = tmp_path / "outside.toy"
        outside.write_text("def out()\n    use nothing(1)\n", "utf-8")
        assert await host.send(host.edited("../outside.toy", "")) == ""
        assert await host.send(host.edited(str(outside), "")) == ""
        (host.pool.workspace / "binary.toy").write_bytes(b"use\0nothing(1)")
        assert await host.send(host.edited("binary.toy", "")) == ""
        (host.pool.workspace / "large.toy").write_bytes(b"#" * (host.pool.settings.max_file_size + 1))
        assert await host.send(host.edited("large.toy", "")) == ""


async def test_a_session_that_begins_starts_the_servers_of_its_project(tmp_path: Path):
    async with hosted(tmp_path) as host:
        assert await host.start() == ""
        for _ in range(2_000):
            if host.pool.instances():
                break
            await asyncio.sleep(0.01)
        assert [instance.chosen.spec.id for instance in host.pool.instances()] == ["type_checked"]


async def _never_found(call: Call, edits: Sequence[Edited]) -> Dependents:
    return await asyncio.get_running_loop().create_future()


async def _with_a_frozen_server(log: ToyLog, asking: Coroutine[object, object, str], answer: str) -> None:
    server = psutil.Process(log.pids()[-1])
    server.suspend()
    try:
        said = await asking
        assert said.startswith(answer) if answer else not said
    finally:
        server.resume()
