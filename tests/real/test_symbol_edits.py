"""Edits of symbols over the table of awkward functions, with the real servers: each result is free of errors by their
own word, confirmed; what must not be deleted is refused. For Java the compiler is asked, where there is one.

All edits with one server are one test, because its start takes longer than most of them.
"""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.errors import EditConflict
from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.diagnostics.diagnose import CheckedFile, prove_files
from groundwire.operations.editing.body_edits import replace_body
from groundwire.operations.editing.deletions import delete
from groundwire.operations.editing.symbol_edits import (
    insert_after_symbol,
    insert_before_symbol,
    replace_symbol_body,
    safe_delete_symbol,
)
from groundwire.operations.operation import A, Operation
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.operations.awkward_functions import cases, new_bodies, source_text, sources, tags
from tests.real.lightened import light_pool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

WAIT_S = 120.0

_COMPILE = '[{"directory": "{root}", "file": "sample.cpp", "command": "c++ -std=c++20 -I. -c sample.cpp"}]\n'
_OPTIONS = '"strict": true, "module": "esnext", "target": "es2022", "noEmit": true, "types": []'
PROJECTS: dict[str, tuple[str, dict[str, str]]] = {
    "python": (
        "sample.py",
        {
            "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\nrequires-python = ">=3.13"\n',
            "pyrightconfig.json": '{"pythonVersion": "3.13"}\n',
        },
    ),
    "typescript": (
        "sample.ts",
        {
            "package.json": '{"name": "sample"}\n',
            "console.d.ts": "declare const console: { log(...shown: unknown[]): void };\n",
            "tsconfig.json": f'{{"compilerOptions": {{{_OPTIONS}, "lib": ["es2022"]}}, "include": ["*.ts"]}}\n',
        },
    ),
    "go": ("sample.go", {"go.mod": "module example.test/sample\n\ngo 1.19\n"}),
    "rust": ("src/lib.rs", {"Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n'}),
    "cpp": ("sample.cpp", {"compile_commands.json": _COMPILE, "helper.h": "#pragma once\n"}),
}
"""The name of the source, and what else its project needs."""

USED = {
    "pyright": {"LIMITS", "plain", "Holder.size"},
    "ty": {"LIMITS", "plain", "Holder.size", "Holder.prop[1]", "loaded[1]", "loaded[2]", "loaded[3]"},
    "typescript-language-server": {"Holder.hidden", "Holder.size", "loaded[3]"},
    "tsc": {"Holder.hidden", "Holder.size", "loaded[3]"},
    "gopls": {"Store.items", "Zero"},
    "rust-analyzer": {"Store", "Store.items", "Store.size"},
    "clangd": {"Holder", "Holder::outside[2]", "Holder::pure", "Holder::~Holder"},
}
"""What must not be deleted: it is used, declared elsewhere too, or others depend on it."""


class Project:
    """One server and its source."""

    def __init__(self, pool: Pool, server: str, first: Sequence[CheckedFile]) -> None:
        self._pool = pool
        self._first = first
        self.language = sources()[server].language
        self.text = source_text(self.language)
        self.name = PROJECTS[self.language][0]
        self.file = pool.workspace / self.name

    async def edit(self, operation: Operation[A, EditOutcome], key: str, **given: object) -> Answer[EditOutcome]:
        """Do it, and leave it so."""
        arguments = operation.parse({"symbol_path": key, "file_path": self.name, **given})
        return await perform(self._pool, operation, arguments, wait_s=WAIT_S)

    def put_back(self) -> str:
        """What the file held, which then is as it was first."""
        now = self.file.read_bytes().decode()
        self.file.write_bytes(self.text.encode())
        self._pool.kept.get(Baselines).remember(self._first)  # else it would be found out anew before every edit
        return now


@asynccontextmanager
async def project(root: Path, server: str) -> AsyncGenerator[Project]:
    name, others = PROJECTS[sources()[server].language]
    for path, text in {**others, name: source_text(sources()[server].language)}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.replace("{root}", str(root)).encode())
    async with light_pool(root, server) as pool:
        first = await prove_files(pool, [root / name], deadline=asyncio.get_running_loop().time() + WAIT_S)
        assert [each.findings.status for each in first] == [Status.CONFIRMED], first[0].findings.reason
        yield Project(pool, server, first)


def problems(key: str, answer: Answer[EditOutcome]) -> list[str]:
    """Why the edit is not proven to be right; nothing when it is."""
    report = answer.value.report
    found = [each for file in report.files for each in file.diagnostics] if report else []
    errors = [f"{key}: line {each.line}: {each.message}" for each in found if each.severity == "error"]
    doubt = [] if answer.status is Status.CONFIRMED and report else [f"{key}: {answer.status} {answer.reason}"]
    return errors + doubt


async def wrong_after_replacing_bodies(it: Project, server: str) -> list[str]:
    wrong: list[str] = []
    for key in [key for name, key in cases("in") if name == server]:
        for body in new_bodies(it.language, key):
            wrong += problems(key, await it.edit(replace_symbol_body, key, new_body=body))
            kept = {tag: count for tag, count in tags(it.text).items() if tag != f"in:{key}"}
            wrong += [] if tags(it.put_back()) == kept else [f"{key}: something else was changed"]
    return wrong


async def wrong_after_deleting(it: Project, server: str) -> list[str]:
    """What nothing uses is deleted, and the rest is refused."""
    wrong: list[str] = []
    refused: set[str] = set()
    for key in [key for name, key in cases("in", "of") if name == server]:
        try:
            wrong += problems(key, await it.edit(safe_delete_symbol, key))
        except EditConflict:
            refused.add(key)
            wrong += [] if it.file.read_bytes().decode() == it.text else [f"{key}: refused, and yet changed"]
        left = tags(it.put_back())
        wrong += [f"{key}: {tag} is left" for tag in left if tag[3:] == key and key not in refused]
    return wrong + [f"{key}: wrongly refused or not refused" for key in refused ^ USED[server]]


NEW_CODE = {
    "python": "def added(self=None):\n    return {}",
    "typescript": "added() {\n  return {};\n}",
    "go": "func added() int {\n\treturn 1\n}",
    "rust": "fn added() -> u8 {\n    1\n}",
    "cpp": "int added() {\n  return 1;\n}",
}
BESIDE = {
    "python": ("decorated", "Holder.static", "Holder.last", "at_the_end"),
    "typescript": ("Holder.decorated", "Holder.handler", "Holder.shown"),
    "go": ("Plain", "Store.Get", "Block", "Variable"),
    "rust": ("plain", "one_liner", "Store.get", "tests.check"),
    "cpp": ("plain", "longSignature", "Holder::convert", "deep::inner"),
}


async def wrong_after_inserting(it: Project) -> list[str]:
    """Code beside symbols stands on its own."""
    wrong: list[str] = []
    for key in BESIDE[it.language]:
        for operation in (insert_before_symbol, insert_after_symbol):
            wrong += problems(key, await it.edit(operation, key, code=NEW_CODE[it.language]))
            wrong += [] if tags(it.put_back()) == tags(it.text) else [f"{key}: something else was changed"]
    return wrong


@pytest.mark.parametrize("server", list(USED), indirect=True)
async def test_after_every_edit_of_a_symbol_the_server_finds_no_error(server: str, tmp_path: Path) -> None:
    async with project(tmp_path, server) as it:
        assert await wrong_after_replacing_bodies(it, server) == []
        assert await wrong_after_deleting(it, server) == []
        assert await wrong_after_inserting(it) == []


def test_java_compiles_after_every_edit(tmp_path: Path) -> None:
    compiler = shutil.which("javac")
    if compiler is None:
        pytest.skip("there is no javac; the brackets are counted in tests/operations")
    source = sources()["jdtls"]
    made = [(key, replace_body(source.locate(key), body)) for key in java("in") for body in new_bodies("java", key)]
    made += [(key, delete(source.locate(key))) for key in java("in", "of") if key not in JAVA_USED]
    files: list[Path] = []
    for number, (_, change) in enumerate(made):
        file = tmp_path / f"sample{number}" / "Sample.java"
        file.parent.mkdir()
        text = change.applied_to(source.text).replace("package sample;", f"package sample{number};")
        file.write_text(text, "utf-8")
        files.append(file)
    quickly = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")  # it runs once
    command = [compiler, *quickly, "-proc:none", "-encoding", "utf-8", "-d", str(tmp_path / "out"), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{[key for key, _ in made]}"


JAVA_USED = frozenset({"size", "Colour.depth"})
"""What the rest of the source needs: without a server nobody refuses to delete it."""


def java(*kinds: str) -> list[str]:
    return [key for server, key in cases(*kinds) if server == "jdtls"]
