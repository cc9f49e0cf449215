"""What is tried before it is made, and the truth about it: what a server says of the project really edited.

Above: ``test_speculation``. Below: ``planted_edits``, ``lightened``.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.operations.diagnostics.baselines import Known, with_origins
from groundwire.operations.diagnostics.diagnose import CheckedFile, prove_files
from groundwire.operations.results.speculation import Evaluation, LocatedFinding
from groundwire.operations.runner import perform
from groundwire.operations.speculation.preview_edit import PreviewEdit, preview_edit
from groundwire.pool.pool import Pool
from tests.real.lightened import light_pool
from tests.real.planted_edits import Edit, Planted

WAIT_S = 60.0
SAVE_SOURCES = frozenset({"rustc", "clippy"})

Told = tuple[str, int, str, str]


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


def sources(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.endswith((".json", ".toml", ".mod"))]


async def preview(pool: Pool, edit: Edit) -> Answer[Evaluation]:
    given = PreviewEdit(file_path=edit.file, old_text=edit.old, new_text=edit.new)
    return await perform(pool, preview_edit, given, wait_s=WAIT_S)


def told(findings: Sequence[LocatedFinding]) -> set[Told]:
    return {(each.file, each.line, each.severity, each.message) for each in findings}


class Truth:
    """A project in which what was tried is really done, and the server that is asked about it.

    Without ``pool`` it is a new one every time.
    """

    def __init__(self, server: str, root: Path, planted: Planted, pool: Pool | None) -> None:
        self._server = server
        self._root = root
        self._planted = planted
        self._pool = pool
        self._before: dict[str, CheckedFile] = {}

    async def learn(self) -> None:
        """How it is without any edit: nothing is left of what was tried."""
        self._before = await self._found(self._planted.files)
        assert {name for name, each in self._before.items() if errors(each)} <= {self._planted.broken}

    async def of(self, edit: Edit) -> tuple[set[Told], set[Told]]:
        """What the edit introduces and resolves."""
        text = (self._root / edit.file).read_text("utf-8")
        after = await self.of_texts({edit.file: text.replace(edit.old, edit.new)})
        if edit.file in self._planted.by_disk and self._pool is not None:
            await self._found(after)  # else clangd answers for the next edit with the header as it was in this one
        introduced: set[Told] = set()
        resolved: set[Told] = set()
        for name, now in after.items():
            new, gone = _difference(self._before[name], now)
            introduced |= {_told(name, each) for each in new}
            resolved |= {_told(name, each) for each in gone}
        return introduced, resolved

    async def of_texts(self, texts: Mapping[str, str | None]) -> dict[str, CheckedFile]:
        """What is found in every file once these hold what they are to hold; then all is put back."""
        files = {self._root / name: text for name, text in texts.items()}
        before = {file: file.read_bytes() if file.exists() else None for file in files}
        for file, text in files.items():
            put(file, None if text is None else text.encode())
        try:
            return await self._found({*self._planted.files, *texts})
        finally:
            for file, data in before.items():
                put(file, data)

    async def _found(self, candidates: Iterable[str]) -> dict[str, CheckedFile]:
        names = [name for name in sources(candidates) if (self._root / name).is_file()]
        if self._pool is not None:
            found = await self._proven(self._pool, names)
        else:
            async with pool_over(self._server, self._root) as fresh:
                found = await self._proven(fresh, names)
        for each in found:
            assert each.findings.status is Status.CONFIRMED, each.findings.reason
        return dict(zip(names, found, strict=True))

    async def _proven(self, pool: Pool, names: Sequence[str]) -> list[CheckedFile]:
        deadline = asyncio.get_running_loop().time() + WAIT_S
        return await prove_files(pool, [self._root / name for name in names], deadline=deadline)


def put(file: Path, data: bytes | None) -> None:
    """None: it is gone, and so is a directory that was there for it alone."""
    if data is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return
    file.unlink(missing_ok=True)
    if not any(file.parent.iterdir()):
        file.parent.rmdir()


def errors(checked: CheckedFile) -> list[int]:
    """Their lines."""
    return [each.line for each in checked.findings.diagnostics if each.severity == "error"]


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


def faults(
    answer: Answer[Evaluation], introduced: set[Told], resolved: set[Told], planted: Planted, edit: Edit
) -> Iterator[str]:
    """What is wrong with what was said of the edit."""
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
