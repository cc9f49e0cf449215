"""A library that people use, and edits that break it, left to chance: whatever the checker says is broken by one of
them, anywhere, is in the report of that edit, or the report says that it may lack something.

``--repeat`` tries other edits each time. What was found so: names that are gone though the file still speaks of them.
"""

import ast
import asyncio
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.results.edits import EditReport
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

LIBRARY = "starlette"
EDITS = 15
WAIT_S = 60.0
_ERROR = re.compile(r"(\S+?):\d+:\d+: error\[([\w-]+)\]")
Function = ast.FunctionDef | ast.AsyncFunctionDef

Found = Counter[tuple[str, str]]
"""Errors, by file and rule."""


def copied(root: Path) -> Path:
    """The library, as it is installed here."""
    spec = find_spec(LIBRARY)
    assert spec is not None
    assert spec.origin is not None
    shutil.copytree(Path(spec.origin).parent, root / LIBRARY, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").write_text('[project]\nname = "sample"\nversion = "1"\n', "utf-8")
    return root


def checked(root: Path) -> Found:
    """What the checker itself says of all files."""
    command = ["ty", "check", "--output-format", "concise"]
    said = subprocess.run(
        command, cwd=root, env=server_environment("ty"), capture_output=True, text=True, timeout=60, check=False
    )
    return Counter((match[1], match[2]) for match in map(_ERROR.match, said.stdout.splitlines()) if match)


def edited(text: str, dice: random.Random) -> Iterator[str]:
    """The text with something that others may use renamed, gone or changed."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, Function)]
    classes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)]
    lines = text.splitlines(keepends=True)
    if classes and dice.random() < 0.3:
        chosen = dice.choice(classes)
        line = lines[chosen.lineno - 1].replace(f"class {chosen.name}", f"class {chosen.name}Other", 1)
        yield "".join([*lines[: chosen.lineno - 1], line, *lines[chosen.lineno :]])
    if functions:
        chosen = dice.choice(functions)
        first = min([chosen.lineno, *(each.lineno for each in chosen.decorator_list)]) - 1
        last = chosen.end_lineno or chosen.lineno
        line = lines[chosen.lineno - 1]
        if dice.random() < 0.5:
            yield "".join([*lines[:first], " " * chosen.col_offset + "pass\n", *lines[last:]])
        renamed = line.replace(f"def {chosen.name}", f"def {chosen.name}_other", 1)
        yield "".join([*lines[: chosen.lineno - 1], renamed, *lines[chosen.lineno :]])


def put(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


async def written(pool: Pool, file: Path, before: str, after: str) -> Answer[EditReport]:
    put(file, after)
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    return await report_edit(call, [Edited(file, before, after)])


def told(answer: Answer[EditReport]) -> Found:
    """The errors that a report shows, each said to be new or not known to be old."""
    shown = [(file.file, each) for file in answer.value.files for each in file.diagnostics]
    return Counter(
        (file, str(each.code)) for file, each in shown if each.severity == "error" and each.origin != "existing"
    )


@pytest.mark.parametrize("server", ["ty"], indirect=True)
async def test_what_the_checker_finds_broken_anywhere_is_told_or_said_to_be_missing(
    server: str, tmp_path: Path, round_number: int
) -> None:
    root, dice = copied(tmp_path), random.Random(1 + round_number)
    files = sorted((root / LIBRARY).rglob("*.py"))
    before = checked(root)
    made, confirmed, broke_others = 0, 0, 0
    async with Pool(root, only=frozenset({server}), environment=server_environment(server)) as pool:
        while made < EDITS:
            file = dice.choice(files)
            text = file.read_text("utf-8")
            for after in edited(text, dice):
                answer = await written(pool, file, text, after)
                new = checked(root) - before
                missed = new - told(answer)
                assert not missed or answer.status is not Status.CONFIRMED, (file, missed, answer)
                made += 1
                confirmed += answer.status is Status.CONFIRMED
                broke_others += any(name not in answer.value.edited for name, _ in new)
                await written(pool, file, after, text)
    assert confirmed
    assert broke_others
