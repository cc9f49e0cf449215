"""Edits tried before they are made: what is said of them is what a server says of the project really edited, nothing is
ever wrongly called safe, the disk stays as it is, and nobody else sees the edits.

All that is tried with one server is tried in one life of it, because its start takes longer; only then is any of it
really done, for the same server to judge. With ``--repeat`` a new one judges, each time, over a copy, and readers read
10,000 times; else they read less.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.results.speculation import Evaluation
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment, why_unavailable
from tests.real.indirect_edits import INDIRECT
from tests.real.planted_edits import PLANTED, Edit, Planted
from tests.real.planted_files import CHANGES, judged
from tests.real.readers import Readers
from tests.real.speculating import WAIT_S, Truth, errors, faults, laid_out, pool_over, preview, tree_hash

READS = {"pyright": 60, "clangd": 60}
CHECKS_RARELY = {"rust-analyzer": 100, "clangd": 10}
"""One in so many reads is a check, for cargo runs with each, or a file is compiled; else every other one."""
READS_BETWEEN = {"rust-analyzer": 10}
"""Previews, at least: else a server that takes long for each leaves no time to read."""

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(900)]

Tried = Sequence[tuple[Edit, Answer[Evaluation]]]
TriedFiles = Sequence[tuple[Mapping[str, str | None], Answer[Evaluation]]]


@pytest.fixture(params=sorted(PLANTED))
def tried(request: pytest.FixtureRequest) -> str:
    """Each server in turn."""
    name = str(request.param)
    if missing := why_unavailable(name):
        pytest.skip(missing)
    return name


@pytest.fixture
def is_thorough(request: pytest.FixtureRequest) -> bool:
    """Whether time does not matter."""
    return int(str(request.config.getoption("--repeat"))) > 1


async def test_an_edit_is_judged_as_if_it_were_made_and_who_reads_meanwhile_never_sees_it(
    tried: str, tmp_path: Path, is_thorough: bool
):
    """The first question of all is a judgement."""
    planted = PLANTED[tried]
    root, copy = laid_out(tmp_path / "project", planted), laid_out(tmp_path / "copy", planted)
    untouched = tree_hash(root)
    assert len(planted.rows()) >= 30
    async with pool_over(tried, root) as pool:
        files = await with_new_and_moved_files(pool, tried)
        edits = [(edit, await preview(pool, edit)) for edit in planted.rows()[:: 1 if is_thorough else 4]]
        await who_reads_meanwhile_never_sees_an_edit_that_is_not_on_disk(pool, tried, is_thorough=is_thorough)
        assert tree_hash(root) == untouched
        truth = Truth(tried, copy, planted, None) if is_thorough else Truth(tried, root, planted, pool)
        await truth.learn()
        await every_edit_was_judged_as_a_server_judges_the_project_really_edited(truth, planted, edits)
        await nothing_was_said_to_be_broken_by_new_and_moved_files_that_they_do_not_break(truth, files)


async def with_new_and_moved_files(pool: Pool, server: str) -> TriedFiles:
    made: list[tuple[Mapping[str, str | None], Answer[Evaluation]]] = []
    for change in CHANGES.get(server, ()):
        texts = {name: make(PLANTED[server].files) if make is not None else None for name, make in change.items()}
        made.append((texts, await judged(pool, texts)))
    return made


async def every_edit_was_judged_as_a_server_judges_the_project_really_edited(
    truth: Truth, planted: Planted, edits: Tried
) -> None:
    wrong: list[str] = []
    for number, (edit, answer) in enumerate(edits):
        introduced, resolved = await truth.of(edit)
        wrong += [f"{number} {edit!r}: {each}" for each in faults(answer, introduced, resolved, planted, edit)]
    assert "\n".join(wrong) == ""


async def nothing_was_said_to_be_broken_by_new_and_moved_files_that_they_do_not_break(
    truth: Truth, files: TriedFiles
) -> None:
    told = 0
    for number, (texts, answer) in enumerate(files):
        ours = {(each.file, each.line) for each in answer.value.errors_introduced}
        found = await truth.of_texts(texts)
        assert ours <= {(name, line) for name, each in found.items() for line in errors(each)}, (number, answer)
        assert (answer.status, answer.value.verdict) != (Status.CONFIRMED, "safe")
        told += len(ours)
    assert told or not files


async def who_reads_meanwhile_never_sees_an_edit_that_is_not_on_disk(
    pool: Pool, server: str, *, is_thorough: bool
) -> None:
    planted = PLANTED[server]
    names = [edit.file for edit in planted.edits[-3:]] + [planted.edits[0].file]
    wanted, check_every = 10_000 if is_thorough else READS.get(server, 150), CHECKS_RARELY.get(server, 2)
    readers = Readers(pool, pool.workspace, names, wanted, check_every=check_every)
    await readers.learn()
    reading = [asyncio.ensure_future(readers.read(number)) for number in range(3)]
    while not readers.is_over:  # who checks meanwhile would else wait for cargo in vain until its time is up
        edit = planted.rows()[readers.previews % len(planted.rows())]
        answer = await preview(pool, edit)
        assert answer.status is not Status.UNKNOWN, answer.reason
        readers.previews += 1
        await readers.until(READS_BETWEEN.get(server, 0) * readers.previews)
    await asyncio.gather(*reading)
    assert readers.strange == []


@pytest.mark.parametrize("server", sorted(INDIRECT))
async def test_an_edit_is_judged_and_reported_with_files_that_name_nothing_of_it_but_infer_their_types_from_it(
    server: str, tmp_path: Path, is_thorough: bool
):
    """All previews come before the first edit that is made, and all reports before anything else is asked."""
    if missing := why_unavailable(server):
        pytest.skip(missing)
    planted = INDIRECT[server]
    root, copy = laid_out(tmp_path / "project", planted), laid_out(tmp_path / "copy", planted)
    wrong, elsewhere = list[str](), False
    async with pool_over(server, root) as pool:
        previews = [(edit, await preview(pool, edit)) for edit in planted.edits]
        reports = [(await _reported(pool, edit), edit, answer) for edit, answer in previews]
        truth = Truth(server, copy, planted, None) if is_thorough else Truth(server, root, planted, pool)
        await truth.learn()
        for reported, edit, answer in reports:
            introduced, resolved = await truth.of(edit)
            wrong += [f"{edit!r}: {each}" for each in faults(answer, introduced, resolved, planted, edit)]
            broken = {(file, line, message) for file, line, severity, message in introduced if severity == "error"}
            wrong += [f"{edit!r}: missing {broken - reported}, invented {reported - broken}"] * (reported != broken)
            elsewhere = elsewhere or any(file != edit.file for file, *_ in introduced)
    assert "\n".join(wrong) == ""
    assert elsewhere


async def _reported(pool: Pool, edit: Edit) -> set[tuple[str, int, str]]:
    """What is said to be introduced when somebody makes the edit; it is taken back again."""
    file = pool.workspace / edit.file
    before = file.read_text("utf-8")
    after = before.replace(edit.old, edit.new)
    found: set[tuple[str, int, str]] = set()
    for old, new in ((before, after), (after, before)):
        file.write_text(new, "utf-8")
        call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
        answer = await report_edit(call, [Edited(file, old, new)])
        assert answer.status is Status.CONFIRMED, answer.reason
        files = answer.value.files if new is after else ()
        found |= {
            (each.file, finding.line, finding.message)
            for each in files
            for finding in each.diagnostics
            if finding.severity == "error" and finding.origin == "introduced"
        }
    return found


_PREVIEWS = """
import asyncio, pathlib, sys
from groundwire.operations.runner import perform
from groundwire.operations.speculation.preview_edit import PreviewEdit, preview_edit
from groundwire.pool.pool import Pool

async def main() -> None:
    async with Pool(pathlib.Path(sys.argv[1]), only=frozenset({sys.argv[2]})) as pool:
        while True:
            edit = PreviewEdit(file_path=sys.argv[3], old_text=sys.argv[4], new_text=sys.argv[5])
            answer = await perform(pool, preview_edit, edit, wait_s=60)
            print(answer.value.verdict, flush=True)

asyncio.run(main())
"""


def killed_after(previews: int, root: Path, edit: Edit) -> list[bytes]:
    """What a process said that tried the edit again and again until it was killed."""
    command = [sys.executable, "-c", _PREVIEWS, str(root), "ty", *edit]
    with subprocess.Popen(command, env=server_environment("ty"), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(previews)]
        os.kill(process.pid, signal.SIGKILL)
    return said


@pytest.mark.parametrize("previews", [1, 2, 20])
async def test_killed_in_the_middle_nothing_of_an_edit_is_left(previews: int, tmp_path: Path):
    if missing := why_unavailable("ty"):
        pytest.skip(missing)
    planted = PLANTED["ty"]
    root, edit = laid_out(tmp_path / "project", planted), planted.edits[0]
    untouched = tree_hash(root)
    assert set(killed_after(previews, root, edit)) == {b"breaks\n"}
    assert tree_hash(root) == untouched
    async with pool_over("ty", root) as pool:
        (found,) = await prove_files(pool, [root / edit.file], deadline=asyncio.get_running_loop().time() + WAIT_S)
    assert (found.findings.status, found.findings.diagnostics) == (Status.CONFIRMED, ())
    assert found.text == planted.files[edit.file]
