"""Edits tried before they are made: what is said of them is what a server says of the project really edited, nothing is
ever wrongly called safe, the disk stays as it is, and nobody else sees the edits.

Each edit is compared with a second server over a copy in which it is written. With ``--repeat`` that one is new for
every edit, and readers read 10,000 times; else they share one, and read less.
"""

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.operations.diagnostics.baselines import Known, with_origins
from groundwire.operations.diagnostics.diagnose import CheckedFile, prove_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.results.speculation import Evaluation, LocatedFinding
from groundwire.operations.runner import perform
from groundwire.operations.speculation.preview_edit import PreviewEdit, preview_edit
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment, why_unavailable
from tests.real.indirect_edits import INDIRECT
from tests.real.lightened import light_pool
from tests.real.planted_edits import PLANTED, Edit, Planted
from tests.real.readers import Readers

WAIT_S = 60.0
READS = {"pyright": 60, "clangd": 60}
CHECKS_RARELY = {"rust-analyzer": 100, "clangd": 10}
"""One in so many reads is a check, for cargo runs with each, or a file is compiled; else every other one."""
READS_BETWEEN = {"rust-analyzer": 10}
"""Previews, at least: else a server that takes long for each leaves no time to read."""
SAVE_SOURCES = frozenset({"rustc", "clippy"})

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(900)]

Told = tuple[str, int, str, str]


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


def laid_out(root: Path, planted: Planted) -> Path:
    for name, text in planted.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace("{root}", str(root)), "utf-8")
    return root.resolve()


@asynccontextmanager
async def pool_over(server: str, root: Path) -> AsyncGenerator[Pool]:
    async with light_pool(root, server) as pool:
        yield pool


def tree_hash(root: Path) -> str:
    """Of all files but those that cargo and clangd keep for themselves."""
    seen = hashlib.sha256()
    for file in sorted(each for each in root.rglob("*") if each.is_file()):
        name = file.relative_to(root)
        if name.parts[0] not in ("target", ".cache", "Cargo.lock"):
            seen.update(name.as_posix().encode() + b"\0" + file.read_bytes())
    return seen.hexdigest()


def sources(planted: Planted) -> list[str]:
    return [name for name in planted.files if not name.endswith((".json", ".toml", ".mod"))]


async def preview(pool: Pool, edit: Edit) -> Answer[Evaluation]:
    given = PreviewEdit(file_path=edit.file, old_text=edit.old, new_text=edit.new)
    return await perform(pool, preview_edit, given, wait_s=WAIT_S)


def told(findings: Sequence[LocatedFinding]) -> set[Told]:
    return {(each.file, each.line, each.severity, each.message) for each in findings}


class Truth:
    """A second server, over a copy in which the edits are really made."""

    def __init__(self, server: str, root: Path, planted: Planted, *, is_thorough: bool) -> None:
        self._server = server
        self._root = root
        self._planted = planted
        self._is_thorough = is_thorough
        self._before: dict[str, CheckedFile] = {}

    async def learn(self, pool: Pool) -> None:
        """How it is without any edit."""
        self._before = await self._found(pool)

    async def of(self, pool: Pool, edit: Edit) -> tuple[set[Told], set[Told]]:
        """What the edit introduces and resolves."""
        file = self._root / edit.file
        original = file.read_bytes()
        file.write_text(original.decode().replace(edit.old, edit.new), "utf-8")
        try:
            if self._is_thorough:
                async with pool_over(self._server, self._root) as fresh:
                    after = await self._found(fresh)
            else:
                after = await self._found(pool)
        finally:
            file.write_bytes(original)
        if edit.file in self._planted.by_disk and not self._is_thorough:
            await self._found(pool)  # else clangd answers for the next edit with the header as it was in this one
        introduced: set[Told] = set()
        resolved: set[Told] = set()
        for name, now in after.items():
            new, gone = _difference(self._before[name], now)
            introduced |= {_told(name, each) for each in new}
            resolved |= {_told(name, each) for each in gone}
        return introduced, resolved

    async def _found(self, pool: Pool) -> dict[str, CheckedFile]:
        names = sources(self._planted)
        deadline = asyncio.get_running_loop().time() + WAIT_S
        found = await prove_files(pool, [self._root / name for name in names], deadline=deadline)
        for each in found:
            assert each.findings.status is Status.CONFIRMED, each.findings.reason
        return dict(zip(names, found, strict=True))


def _difference(before: CheckedFile, after: CheckedFile) -> tuple[list[Finding], list[Finding]]:
    known = Known(before.text or "", tuple(_native(before.findings)))
    now = FileFindings(file="", status=Status.CONFIRMED, diagnostics=tuple(_native(after.findings)))
    compared = with_origins(now, known, after.text or "")
    return [each for each in compared.findings.diagnostics if each.origin == "introduced"], list(compared.resolved)


def _native(findings: FileFindings) -> Iterator[Finding]:
    return (
        each
        for each in findings.diagnostics
        if each.source not in SAVE_SOURCES and each.severity in ("error", "warning")
    )


def _told(file: str, each: Finding) -> Told:
    return file, each.line, each.severity, each.message


async def test_an_edit_is_judged_as_a_server_judges_the_project_really_edited(
    tried: str, tmp_path: Path, is_thorough: bool
):
    planted = PLANTED[tried]
    root, copy = laid_out(tmp_path / "project", planted), laid_out(tmp_path / "copy", planted)
    untouched = tree_hash(root)
    truth = Truth(tried, copy, planted, is_thorough=is_thorough)
    assert len(planted.rows()) >= 30
    wrong: list[str] = []
    async with pool_over(tried, root) as pool, pool_over(tried, copy) as other:
        await truth.learn(other)
        for number, edit in enumerate(planted.rows()[:: 1 if is_thorough else 4]):
            answer = await preview(pool, edit)
            introduced, resolved = await truth.of(other, edit)
            wrong += [f"{number} {edit!r}: {each}" for each in _faults(answer, introduced, resolved, planted, edit)]
    assert "\n".join(wrong) == ""
    assert tree_hash(root) == untouched


@pytest.mark.parametrize("server", sorted(INDIRECT))
async def test_an_edit_is_judged_and_reported_with_files_that_name_nothing_of_it_but_infer_their_types_from_it(
    server: str, tmp_path: Path, is_thorough: bool
):
    """All previews come before the first edit that is made; both are compared with the same truth."""
    if missing := why_unavailable(server):
        pytest.skip(missing)
    planted = INDIRECT[server]
    root, copy = laid_out(tmp_path / "project", planted), laid_out(tmp_path / "copy", planted)
    truth, wrong = Truth(server, copy, planted, is_thorough=is_thorough), list[str]()
    true: list[tuple[Edit, set[Told]]] = []
    async with pool_over(server, root) as pool, pool_over(server, copy) as other:
        await truth.learn(other)
        for edit in planted.edits:
            answer = await preview(pool, edit)
            introduced, resolved = await truth.of(other, edit)
            true.append((edit, introduced))
            wrong += [f"{edit!r}: {each}" for each in _faults(answer, introduced, resolved, planted, edit)]
        for edit, introduced in true:
            errors = {(file, line, message) for file, line, severity, message in introduced if severity == "error"}
            reported = await _reported(pool, edit)
            wrong += [f"{edit!r}: missing {errors - reported}, invented {reported - errors}"] * (reported != errors)
    assert "\n".join(wrong) == ""
    assert any(file != edit.file for edit, introduced in true for file, *_ in introduced)


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


def _faults(
    answer: Answer[Evaluation], introduced: set[Told], resolved: set[Told], planted: Planted, edit: Edit
) -> Iterator[str]:
    value = answer.value
    ours = told(value.errors_introduced) | told(value.warnings_introduced)
    gone = told(value.errors_resolved) | told(value.warnings_resolved)
    if value.verdict == "safe" and any(severity == "error" for _, _, severity, _ in introduced):
        yield "wrongly called safe"
    if edit.file in planted.by_disk:
        if answer.status is Status.CONFIRMED or not ours <= introduced:
            yield f"{answer.status} though others go by the disk: {ours - introduced}"
        return
    if answer.status is not Status.CONFIRMED and not _is_only_the_save_check(answer):
        yield f"{answer.status}: {answer.reason}"
    if ours != introduced:
        yield f"introduced: missing {introduced - ours}, invented {ours - introduced}"
    if gone != resolved:
        yield f"resolved: missing {resolved - gone}, invented {gone - resolved}"


def _is_only_the_save_check(answer: Answer[Evaluation]) -> bool:
    return answer.status is Status.PARTIAL and answer.reason == "cargo check is not run on edits that are not on disk"


async def test_who_reads_meanwhile_never_sees_an_edit_that_is_not_on_disk(
    tried: str, tmp_path: Path, is_thorough: bool
):
    planted = PLANTED[tried]
    root = laid_out(tmp_path / "project", planted)
    names = [edit.file for edit in planted.edits[-3:]] + [planted.edits[0].file]
    async with pool_over(tried, root) as pool:
        wanted, check_every = 10_000 if is_thorough else READS.get(tried, 150), CHECKS_RARELY.get(tried, 2)
        readers = Readers(pool, root, names, wanted, check_every=check_every)
        await readers.learn()
        reading = [asyncio.ensure_future(readers.read(number)) for number in range(3)]
        while not readers.is_over:  # who checks meanwhile would else wait for cargo in vain until its time is up
            edit = planted.rows()[readers.previews % len(planted.rows())]
            answer = await preview(pool, edit)
            assert answer.status is not Status.UNKNOWN, answer.reason
            readers.previews += 1
            await readers.until(READS_BETWEEN.get(tried, 0) * readers.previews)
        await asyncio.gather(*reading)
    assert readers.strange == []


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
