"""The report after an edit: what it introduced, in the edited file and in those that depend on it."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.reporting.report_settings import report_settings
from groundwire.operations.results.edits import EditReport
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec

pytestmark = pytest.mark.anyio

LIBRARY = "def shout(what)\n\ndef bark(loudness)\n    use shout(loudness)\n"
CALLERS = {f"caller{number}.toy": f"def call{number}()\n    use shout({number})\n" for number in range(5)}
PROJECT = {"library.toy": LIBRARY, **CALLERS, "other.toy": "def other()\n    use nowhere(1)\n"}


@asynccontextmanager
async def project(
    tmp_path: Path, files: Mapping[str, str] = PROJECT, log: ToyLog | None = None
) -> AsyncGenerator[Pool]:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text, "utf-8")
    async with Pool(root, catalog=toy_catalog(toy_spec("type_checked", log))) as pool:
        yield pool


def call_of(pool: Pool, wait_s: float = 20.0) -> Call:
    return Call(pool, asyncio.get_running_loop().time() + wait_s)


async def edit(pool: Pool, name: str, text: str | None, *, is_past_known: bool = True) -> Answer[EditReport]:
    """Somebody writes a file, and it is reported."""
    file = pool.workspace / name
    before = file.read_text("utf-8") if file.exists() else ""
    if text is None:
        file.unlink()
    else:
        file.write_text(text, "utf-8")
    return await report_edit(call_of(pool), [Edited(file, before if is_past_known else None, text)])


async def shown(pool: Pool, *names: str) -> None:
    """The reader has been told of these files."""
    checked = await prove_files(pool, [pool.workspace / name for name in names], deadline=call_of(pool).deadline)
    pool.kept.get(Baselines).remember(checked)


def said(answer: Answer[EditReport]) -> list[str]:
    return [
        f"{file.file}:{each.line} {each.message} {each.origin}".rstrip()
        for file in answer.value.files
        for each in file.diagnostics
    ]


async def test_a_changed_signature_names_the_callers_that_nobody_has_opened(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await edit(pool, "library.toy", LIBRARY.replace("shout(what)", "shout(what, how)"))
        assert answer.status is Status.CONFIRMED
        assert said(answer) == [
            "library.toy:4 shout takes 2, not 1 introduced",
            *(f"caller{number}.toy:2 shout takes 2, not 1 introduced" for number in range(5)),
        ]


async def test_put_back_everything_is_clean_and_resolved(tmp_path: Path):
    async with project(tmp_path) as pool:
        await edit(pool, "library.toy", LIBRARY.replace("shout(what)", "shout(what, how)"))
        answer = await edit(pool, "library.toy", LIBRARY)
        assert (answer.status, said(answer)) == (Status.CONFIRMED, [])
        assert (answer.value.introduced, answer.value.resolved, answer.value.dependents) == (0, 6, 5)


async def test_what_was_shown_before_is_existing_and_what_was_not_is_introduced(tmp_path: Path):
    async with project(tmp_path) as pool:
        await shown(pool, "other.toy")
        answer = await edit(pool, "other.toy", "def other()\n    use elsewhere(1)\n    use nowhere(1)\n")
        assert said(answer) == [
            "other.toy:2 elsewhere is not declared introduced",
            "other.toy:3 nowhere is not declared existing",
        ]
        assert (answer.value.introduced, answer.value.resolved) == (1, 0)


async def test_errors_of_dependents_that_were_shown_before_are_not_repeated(tmp_path: Path):
    files = {**PROJECT, "caller0.toy": "def call0()\n    use shout(0)\n    use nowhere(1)\n"}
    async with project(tmp_path, files) as pool:
        await shown(pool, "library.toy", *CALLERS)
        answer = await edit(pool, "library.toy", LIBRARY.replace("shout(what)", "shout(what, how)"))
        assert "caller0.toy:3 nowhere is not declared existing" not in said(answer)
        assert said(answer)[1:] == [f"caller{number}.toy:2 shout takes 2, not 1 introduced" for number in range(5)]


async def test_files_that_use_a_symbol_that_is_gone_are_found_by_its_name(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await edit(pool, "library.toy", "def bark(loudness)\n")
        assert said(answer) == [f"caller{number}.toy:2 shout is not declared introduced" for number in range(5)]


async def test_a_deleted_file_is_reported_by_those_who_name_it(tmp_path: Path):
    files = {"voice.toy": "def voice(what)\n", "user.toy": "def user()\n    use voice(1)\n"}
    async with project(tmp_path, files) as pool:
        answer = await edit(pool, "voice.toy", None)
        assert (answer.status, said(answer)) == (Status.CONFIRMED, ["user.toy:2 voice is not declared"])


async def test_a_change_within_a_function_does_not_look_at_who_uses_others(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with project(tmp_path, log=log) as pool:
        answer = await edit(pool, "library.toy", LIBRARY.replace("use shout(loudness)", "use shout(1)"))
        assert (answer.status, answer.value.dependents) == (Status.CONFIRMED, 0)
        assert log.count("textDocument/references") == 1


async def test_without_the_past_whoever_uses_the_file_is_looked_at_and_nothing_is_called_new(tmp_path: Path):
    async with project(tmp_path) as pool:
        changed = LIBRARY.replace("shout(what)", "shout(what, how)")
        answer = await edit(pool, "library.toy", changed, is_past_known=False)
        assert (answer.status, answer.value.dependents, answer.value.introduced) == (Status.PARTIAL, 5, 0)
        assert (
            answer.reason
            == answer.value.dependents_reason
            == (
                "what library.toy was before is not known; what was wrong in caller0.toy and 4 more before is not known"
            )
        )
        assert said(answer) == [
            "library.toy:4 shout takes 2, not 1",
            *(f"caller{number}.toy:2 shout takes 2, not 1" for number in range(5)),
        ]


async def test_without_the_past_a_file_whose_users_are_right_is_still_not_called_harmless(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await edit(pool, "library.toy", LIBRARY + "\n", is_past_known=False)
        assert (answer.status, said(answer), answer.value.dependents) == (Status.PARTIAL, [], 5)
        assert answer.reason == "what library.toy was before is not known"


async def test_without_the_past_only_what_a_user_had_when_it_was_last_shown_is_told_apart(tmp_path: Path):
    files = {**PROJECT, "caller0.toy": "def call0()\n    use nowhere(1)\n    use shout(0)\n"}
    async with project(tmp_path, files) as pool:
        await shown(pool, "caller0.toy")
        changed = LIBRARY.replace("shout(what)", "shout(what, how)")
        answer = await edit(pool, "library.toy", changed, is_past_known=False)
        assert said(answer)[1:] == [
            "caller0.toy:3 shout takes 2, not 1 introduced",
            *(f"caller{number}.toy:2 shout takes 2, not 1" for number in range(1, 5)),
        ]
        assert answer.reason.endswith("what was wrong in caller1.toy and 3 more before is not known")


async def test_what_was_last_shown_is_the_past_of_an_edit_by_anyone(tmp_path: Path):
    async with project(tmp_path) as pool:
        await shown(pool, "library.toy")
        changed = LIBRARY.replace("shout(what)", "shout(what, how)")
        answer = await edit(pool, "library.toy", changed, is_past_known=False)
        assert (answer.status, answer.value.dependents) == (Status.CONFIRMED, 5)
        assert said(answer)[0] == "library.toy:4 shout takes 2, not 1 introduced"


async def test_other_files_can_be_left_alone(tmp_path: Path):
    async with project(tmp_path) as pool:
        report_settings(Call(pool, 0)).other_files = "never"
        answer = await edit(pool, "library.toy", LIBRARY.replace("shout(what)", "shout(what, how)"))
        assert (answer.status, said(answer)) == (Status.CONFIRMED, ["library.toy:4 shout takes 2, not 1 introduced"])


async def test_a_server_that_cannot_be_started_leaves_the_report_unknown_with_its_reason(tmp_path: Path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.toy").write_text("def a()\n", "utf-8")
    async with Pool(root, catalog=toy_catalog(toy_spec("crash_at_start"))) as pool:
        answer = await report_edit(call_of(pool), [Edited(root / "a.toy", "", "def a()\n")])
        assert answer.status is Status.UNKNOWN
        assert "crash_at_start" in answer.reason


async def test_within_a_transaction_nothing_is_said_and_at_its_end_everything_once(tmp_path: Path):
    async with project(tmp_path) as pool:
        settings = report_settings(Call(pool, 0))
        await shown(pool, "library.toy", *CALLERS)
        settings.is_in_transaction = True
        broken = LIBRARY.replace("shout(what)", "shout(what, how)")
        silent = await edit(pool, "library.toy", broken)
        await edit(pool, "caller0.toy", CALLERS["caller0.toy"].replace("(0)", "(0, 1)"))
        assert (silent.value.files, silent.value.mode) == ((), "end_of_turn")
        settings.is_in_transaction = False
        answer = await report_edit(call_of(pool), settings.take_held())
        assert {file.file for file in answer.value.files} == {"library.toy", *CALLERS}
        assert "caller0.toy:2 shout takes 2, not 1 introduced" not in said(answer)
        assert settings.take_held() == []


async def test_errors_that_files_nobody_has_seen_had_before_are_not_taken_for_those_of_the_edit(tmp_path: Path):
    files = {**PROJECT, "caller0.toy": "def call0()\n    use nowhere(1)\n    use shout(0)\n"}
    async with project(tmp_path, files) as pool:
        answer = await edit(pool, "library.toy", LIBRARY.replace("shout(what)", "shout(what, how)"))
        assert [line for line in said(answer) if line.startswith("caller0")] == [
            "caller0.toy:3 shout takes 2, not 1 introduced"
        ]


async def test_the_servers_know_the_new_content_after_they_were_shown_the_old(tmp_path: Path):
    async with project(tmp_path) as pool:
        await edit(pool, "library.toy", LIBRARY.replace("shout(what)", "shout(what, how)"))
        checked = await prove_files(pool, [pool.workspace / "caller1.toy"], deadline=call_of(pool).deadline)
        assert [each.message for each in checked[0].findings.diagnostics] == ["shout takes 2, not 1"]


async def test_the_errors_of_a_new_file_are_introduced(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await edit(pool, "new.toy", "def new()\n    use nowhere(2)\n")
        assert (answer.status, said(answer)) == (Status.CONFIRMED, ["new.toy:2 nowhere is not declared introduced"])
        assert answer.value.introduced == 1


async def test_a_file_that_is_gone_before_it_is_checked_is_not_called_free_of_errors(tmp_path: Path):
    async with project(tmp_path) as pool:
        file = pool.workspace / "library.toy"
        file.unlink()
        answer = await report_edit(call_of(pool), [Edited(file, LIBRARY, LIBRARY)])
        assert (answer.status, answer.reason) == (Status.UNKNOWN, "library.toy is not there any more")
