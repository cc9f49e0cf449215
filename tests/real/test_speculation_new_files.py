"""New files and files that are gone, tried before that is so: not every server believes in them, and what one says only
because of that is told to nobody. Compared with a second server over a copy in which it is so.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.operation import Call
from groundwire.operations.results.speculation import Evaluation
from groundwire.operations.speculation.evaluation import evaluate
from groundwire.operations.speculation.given_edits import virtual_texts
from groundwire.pool.pool import Pool
from tests.real.conftest import why_unavailable
from tests.real.planted_edits import PLANTED
from tests.real.test_speculation import WAIT_S, laid_out, pool_over, sources, tree_hash

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(900)]

Change = Mapping[str, Callable[[Mapping[str, str]], str] | None]
"""Of files, each by what it is to hold; None: it is to be gone."""
Places = set[tuple[str, int]]


def moved(old: str, new: str) -> Change:
    return {old: None, new: lambda files: files[old]}


def used(new: str, text: str, user: str, line: str) -> Change:
    """A new file, and a line in front of another one that uses it."""
    return {new: lambda _: text, user: lambda files: f"{line}\n{files[user]}"}


_PYTHON: Sequence[Change] = (
    used("extra.py", "def make() -> str:\n    return ''\n", "use_a.py", "from extra import make"),
    used("extra.py", "def make() -> str:\n    return ''\n", "use_a.py", "from extra import make\nz: str = 1"),
    {
        "pack/__init__.py": lambda _: "",
        "pack/one.py": lambda _: "x = 1\n",
        "pack/two.py": lambda _: "from .one import x\n",
    },
    moved("lib.py", "lib/__init__.py"),
    {**moved("lib.py", "lib2.py"), "use_a.py": lambda files: files["use_a.py"].replace("from lib", "from lib2")},
)
_SCRIPT: Sequence[Change] = (
    used("src/extra.ts", "export const z: string = '';\n", "src/use_a.ts", 'import { z } from "./extra";\nz.length;'),
    used("src/extra.ts", "export const z: string = '';\n", "src/use_a.ts", 'import { z } from "./extra";\nz.none;'),
    {"src/p/one.ts": lambda _: "export const x = 1;\n", "src/p/two.ts": lambda _: 'import { x } from "./one";\nx;\n'},
    moved("src/lib.ts", "src/lib/index.ts"),
)
_GO: Sequence[Change] = (
    used("lib/extra.go", "package lib\n\nfunc Extra() int { return Double(1) }\n", "use_a.go", "// more"),
    used("lib/extra.go", 'package lib\n\nfunc Extra() int { return "" }\n', "use_a.go", "// more"),
    moved("lib/lib.go", "lib/lib2.go"),
)
CHANGES = {"ty": _PYTHON, "pyright": _PYTHON, "tsc": _SCRIPT, "typescript-language-server": _SCRIPT, "gopls": _GO}


async def judged(pool: Pool, texts: Mapping[str, str | None]) -> Answer[Evaluation]:
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    virtual = virtual_texts(call)
    for name, text in texts.items():
        virtual.put(virtual.find(name), text)
    return await evaluate(call, virtual, "workspace")


async def errors(server: str, root: Path, names: Sequence[str]) -> Places:
    async with pool_over(server, root) as pool:
        deadline = asyncio.get_running_loop().time() + WAIT_S
        found = await prove_files(pool, [root / name for name in names], deadline=deadline)
    assert all(each.findings.status is Status.CONFIRMED for each in found)
    return {
        (name, error.line)
        for name, each in zip(names, found, strict=True)
        for error in each.findings.diagnostics
        if error.severity == "error"
    }


def written(root: Path, texts: Mapping[str, str | None]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            (root / name).unlink()
        else:
            (root / name).write_text(text, "utf-8")


@pytest.mark.parametrize("server", sorted(CHANGES))
async def test_nothing_is_said_to_be_broken_by_new_and_moved_files_that_they_do_not_break(server: str, tmp_path: Path):
    if missing := why_unavailable(server):
        pytest.skip(missing)
    planted = PLANTED[server]
    root = laid_out(tmp_path / "project", planted)
    untouched, told = tree_hash(root), 0
    async with pool_over(server, root) as pool:
        for number, change in enumerate(CHANGES[server]):
            texts = {name: make(planted.files) if make is not None else None for name, make in change.items()}
            answer = await judged(pool, texts)
            copy = laid_out(tmp_path / f"copy{number}", planted)
            written(copy, texts)
            names = [name for name in {*sources(planted), *texts} if (copy / name).is_file()]
            ours = {(each.file, each.line) for each in answer.value.errors_introduced}
            assert ours <= await errors(server, copy, names), (number, answer)
            assert (answer.status, answer.value.verdict) != (Status.CONFIRMED, "safe")
            told += len(ours)
    assert told
    assert tree_hash(root) == untouched
