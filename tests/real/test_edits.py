"""Edits reported by real servers: what an edit breaks is named as introduced, and put right it is confirmed clean;
files renamed with the imports of them; packages that are not installed told by their cause.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.editing.apply_edit import apply_edit
from groundwire.operations.editing.rename_file import rename_file
from groundwire.operations.editing.undo_edit import undo_edit
from groundwire.operations.operation import A, Call, Operation, R
from groundwire.operations.reporting.report_settings import report_settings
from groundwire.operations.results.edits import EditOutcome, EditReport
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.render.text import render_findings
from tests.real.lightened import light_pool
from tests.real.shapes import SAMPLES, Sample

WAIT_S = 120.0
SERVERS = ("ty", "pyright", "typescript-language-server", "gopls", "clangd")

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


def pool_of(server: str, root: Path) -> Pool:
    pool = light_pool(root, server)
    settings = report_settings(Call(pool, 0))
    settings.warm_wait_s = settings.first_wait_s = WAIT_S  # what is found matters here, not how fast
    return pool


async def ask(pool: Pool, operation: Operation[A, R], **given: object) -> Answer[R]:
    return await perform(pool, operation, operation.parse(given), wait_s=WAIT_S)


def report_of(answer: Answer[EditOutcome]) -> EditReport:
    assert answer.value.report is not None
    return answer.value.report


def write(files: dict[str, str], root: Path) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace("{root}", str(root)), encoding="utf-8")


def errors(report: EditReport, file: str) -> list[str]:
    found = [each for known in report.files if known.file == file for each in known.diagnostics]
    return [each.origin for each in found if each.severity == "error"]


class Renaming(NamedTuple):
    """A file to rename, and what its importer holds before and after."""

    old: str
    new: str
    importer: str
    before: str
    after: str


RENAMINGS = {
    "ty": Renaming("shapes.py", "forms.py", "use.py", "from shapes import", "from forms import"),
    "typescript-language-server": Renaming(
        "src/shapes.ts", "src/deep/forms.ts", "src/use.ts", "./shapes", "./deep/forms"
    ),
    "tsc": Renaming("src/shapes.ts", "src/deep/forms.ts", "src/use.ts", "./shapes", "./deep/forms"),
    "rust-analyzer": Renaming("src/shapes.rs", "src/forms.rs", "src/main.rs", "mod shapes;", "mod forms;"),
}


@pytest.mark.parametrize("server", sorted({*SERVERS, *RENAMINGS}), indirect=True)
async def test_renamed_files_take_their_imports_along_and_what_edits_break_is_introduced(
    server: str, tmp_path: Path
) -> None:
    """In one life of the server, the first question of which is to rename a file."""
    sample = SAMPLES["typescript-language-server" if server == "tsc" else server]
    write(sample.files, tmp_path)
    async with pool_of(server, tmp_path) as pool:
        if server in RENAMINGS:
            await a_renamed_file_takes_its_imports_along_and_everything_stays_clean(pool, RENAMINGS[server])
        else:
            await where_a_server_does_not_update_imports_that_is_said(pool, server)
        if server in SERVERS:
            await what_an_edit_breaks_is_introduced_and_put_right_it_is_resolved(pool, sample)


async def a_renamed_file_takes_its_imports_along_and_everything_stays_clean(pool: Pool, row: Renaming) -> None:
    root = pool.workspace
    original = (root / row.importer).read_bytes()
    assert row.before.encode() in original
    shown = await ask(pool, rename_file, old_path=row.old, new_path=row.new)
    assert ((root / row.importer).read_bytes(), shown.value.applied) == (original, False)
    done = await ask(pool, rename_file, old_path=row.old, new_path=row.new, apply=True)
    assert {(file.kind, file.file) for file in done.value.files} == {("renamed", row.new), ("changed", row.importer)}
    text = (root / row.importer).read_text("utf-8")
    assert (row.after in text, row.before in text) == (True, False)
    checked = await check_files(pool, [root / row.importer, root / row.new], wait_s=WAIT_S)
    assert checked.status is Status.CONFIRMED, checked.reason
    assert [each for file in checked.value for each in file.diagnostics if each.severity == "error"] == []
    await ask(pool, undo_edit)
    assert (root / row.importer).read_bytes() == original
    assert (root / row.old).exists()


async def where_a_server_does_not_update_imports_that_is_said(pool: Pool, server: str) -> None:
    library = SAMPLES[server].library
    shown = await ask(pool, rename_file, old_path=library, new_path=str(Path(library).with_stem("forms")))
    assert shown.value.notes == (f"imports are not updated: {server} does not offer to",)


async def what_an_edit_breaks_is_introduced_and_put_right_it_is_resolved(pool: Pool, sample: Sample) -> None:
    good, bad = f"{sample.double}(1, 2)", f'{sample.double}("no", 2)'
    await check_files(pool, [pool.workspace / sample.user], wait_s=WAIT_S)
    broken = await ask(pool, apply_edit, file_path=sample.user, old_text=good, new_text=bad)
    assert broken.status is Status.CONFIRMED, broken.reason
    assert errors(report_of(broken), sample.user) == ["introduced"]
    assert report_of(broken).introduced == 1
    fixed = await ask(pool, apply_edit, file_path=sample.user, old_text=bad, new_text=good)
    assert fixed.status is Status.CONFIRMED, fixed.reason
    assert errors(report_of(fixed), sample.user) == []
    assert (report_of(fixed).introduced, report_of(fixed).resolved) == (0, 1)


_IMPORTS = ["numpy", "pandas", "scipy", "polars", "torch", "matplotlib"]
_PYTHON = {
    "pyproject.toml": '[project]\nname = "x"\nversion = "1"\n',
    "a.py": "".join(f"import {n}\n" for n in _IMPORTS),
}
_TYPESCRIPT = {
    "package.json": '{"name": "x"}\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true, "lib": ["es5"], "types": []}, '
    '"include": ["src"]}\n',
    "src/a.ts": "".join(f'import {n} from "{n}-package";\n{n}();\n' for n in _IMPORTS),
}
_GO = {
    "go.mod": "module example.org/x\n\ngo 1.21\n",
    "a.go": "package x\n\nimport (\n" + "".join(f'\t_ "example.com/{n}"\n' for n in _IMPORTS) + ")\n",
}
_RUST = {
    "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/main.rs": "".join(f"use {n}::Thing as {n}_thing;\n" for n in _IMPORTS) + "fn main() {}\n",
}
_CPP = {"a.cpp": '#include "far/away.h"\n' + "".join(f"{n.title()} the_{n};\n" for n in _IMPORTS)}
UNINSTALLED = {
    "ty": (_PYTHON, "a.py"),
    "basedpyright": (_PYTHON, "a.py"),
    "typescript-language-server": (_TYPESCRIPT, "src/a.ts"),
    "tsc": (_TYPESCRIPT, "src/a.ts"),
    "gopls": (_GO, "a.go"),
    "rust-analyzer": (_RUST, "src/main.rs"),
    "clangd": (_CPP, "a.cpp"),
}


@pytest.mark.parametrize("server", UNINSTALLED, indirect=True)
async def test_what_is_not_installed_is_told_by_its_cause(server: str, tmp_path: Path) -> None:
    files, name = UNINSTALLED[server]
    write(files, tmp_path)
    async with pool_of(server, tmp_path) as pool:
        answer = await check_files(pool, [tmp_path / name], wait_s=WAIT_S)
    text = render_findings(answer)
    found = [each for each in answer.value[0].diagnostics if each.severity == "error"]
    assert len(found) >= 5, text
    assert f"({len(found)} errors are not shown one by one: " in text
    assert "\nERROR" not in text
