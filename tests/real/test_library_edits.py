"""A library that people use, and edits that break it, left to chance: whatever the checker says is broken or mended by
one of them, anywhere, was foreseen by the preview of that edit and is in its report, or these say that they may lack
something.

``--repeat`` tries other edits each time, from the second on in a larger library. What was found so: names that are gone
though the file still speaks of them; declarations that a line above them keeps from being reached.
"""

import ast
import asyncio
import random
import re
import shutil
import subprocess
import sys
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
from groundwire.operations.results.speculation import Evaluation
from groundwire.operations.runner import perform
from groundwire.operations.speculation.preview_edit import PreviewEdit, preview_edit
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

LIBRARIES = ("h11", "starlette")
"""The first is checked in a fifth of the time, and checking it is what takes long."""
EDITS = 15
WAIT_S = 60.0
_ERROR = re.compile(r"(\S+?):(\d+:\d+): error\[([\w-]+)\] (.*)")
Function = ast.FunctionDef | ast.AsyncFunctionDef

Found = Counter[tuple[str, str]]
"""Errors, by file and rule."""


def copied(library: str, root: Path) -> Path:
    """As it is installed here."""
    spec = find_spec(library)
    assert spec is not None
    assert spec.origin is not None
    shutil.copytree(Path(spec.origin).parent, root / library, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").write_text('[project]\nname = "sample"\nversion = "1"\n', "utf-8")
    return root


def checked(root: Path) -> Found:
    """What the checker itself says of all files; what it says twice of one place counts once."""
    command = ["ty", "check", "--output-format", "concise"]
    said = subprocess.run(command, cwd=root, env=environment(), capture_output=True, text=True, timeout=60, check=False)
    found = {match.groups() for match in map(_ERROR.match, said.stdout.splitlines()) if match}
    return Counter((file, rule) for file, _, rule, _ in found)


def environment() -> dict[str, str]:
    """Said outright: left to themselves, the server and the command find different ones."""
    return {**server_environment("ty"), "VIRTUAL_ENV": sys.prefix}


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


def shuffled(text: str, dice: random.Random) -> Iterator[str]:
    """The text without one of its lines, and with two that have changed places."""
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        number = dice.randrange(len(lines) - 1)
        yield "".join([*lines[:number], *lines[number + 1 :]])
        yield "".join([*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]])


def put(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


async def written(pool: Pool, file: Path, before: str, after: str) -> Answer[EditReport]:
    put(file, after)
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    return await report_edit(call, [Edited(file, before, after)])


async def foreseen(pool: Pool, file: Path, before: str, after: str) -> Answer[Evaluation]:
    given = PreviewEdit(file_path=str(file), old_text=before, new_text=after)
    return await perform(pool, preview_edit, given, wait_s=WAIT_S)


def is_right(answer: Answer[Evaluation], before: Found, after: Found) -> bool:
    """Whether a preview that is certain of it says what became of the errors."""
    if answer.status is not Status.CONFIRMED:
        return True
    introduced = Counter((each.file, each.code) for each in answer.value.errors_introduced)
    resolved = Counter((each.file, each.code) for each in answer.value.errors_resolved)
    return introduced + before == resolved + after


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
    library = LIBRARIES[min(round_number, 1)]
    root, dice = copied(library, tmp_path), random.Random(1 + round_number)
    files = sorted((root / library).rglob("*.py"))
    before = checked(root)
    made, confirmed, certain, broke_others = 0, 0, 0, 0
    async with Pool(root, only=frozenset({server}), environment=environment()) as pool:
        while made < EDITS:
            file = dice.choice(files)
            text = file.read_text("utf-8")
            for after in (*edited(text, dice), *shuffled(text, dice)):
                preview = await foreseen(pool, file, text, after)
                answer = await written(pool, file, text, after)
                found = checked(root)
                missed = found - before - told(answer)
                assert is_right(preview, before, found), (file, found - before, before - found, preview)
                assert not missed or answer.status is not Status.CONFIRMED, (file, missed, answer)
                made += 1
                confirmed += answer.status is Status.CONFIRMED
                certain += preview.status is Status.CONFIRMED
                broke_others += any(name not in answer.value.edited for name, _ in found - before)
                assert is_right(await foreseen(pool, file, after, text), found, before), (file, after)
                await written(pool, file, after, text)
    assert confirmed
    assert certain
    assert broke_others
