"""Files whose names are no UTF-8, beside others: of the others real servers answer as ever, and of these they answer
rightly or it is said that they do not.
"""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.timeout(200),
    pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names"),
]

WAIT_S = 90.0
PYTHON = {
    b"good.py": "def fine_one() -> int:\n    return 'x'\n",
    b"bad\xff.py": "def odd_one(x: int) -> str:\n    return x\n",
    b"caf\xe9/__init__.py": "",
    b"caf\xe9/inner.py": "def inner_one() -> int:\n    return 1\n",
    b"caf\xe9/user.py": "from .inner import inner_one\n\nx: int = inner_one()\n",
}
C = {
    b"in.h": "int inner(void);\nint odd_one(void);\n",
    b"good.c": '#include "in.h"\nint fine_one(void) { return nope; }\n',
    b"bad\xff.c": '#include "in.h"\nint odd_one(void) { return inner() + nope; }\n',
    b"caf\xe9/in.h": "int inside(void);\n",
    b"caf\xe9/user.c": '#include "in.h"\nint uses(void) { return inside(); }\n',
}


@asynccontextmanager
async def laid_out(root: Path, files: dict[bytes, str], server: str) -> AsyncGenerator[Pool]:
    for name, text in files.items():
        file = root / os.fsdecode(name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    async with Pool(root, only=frozenset({server}), environment=server_environment(server)) as pool:
        yield pool


async def ask(pool: Pool, operation: Operation[A, R], **given: object) -> Answer[R]:
    return await perform(pool, operation, operation.parse(given), wait_s=WAIT_S)


async def statuses(pool: Pool) -> dict[str, tuple[Status, int]]:
    answer = await ask(pool, get_diagnostics, scope="workspace", severity="error")
    assert answer.status is not Status.UNSUPPORTED
    return {file.file: (file.status, len(file.diagnostics)) for file in answer.value.files}


@pytest.mark.parametrize("server", ["ty", "pyright", "basedpyright"], indirect=True)
async def test_what_a_server_cannot_take_is_said_and_harms_no_other_file(tmp_path: Path, server: str) -> None:
    async with laid_out(tmp_path, PYTHON, server) as pool:
        found = await statuses(pool)
        assert found.pop("good.py") == (Status.CONFIRMED, 1)
        odd = [os.fsdecode(name) for name in PYTHON if name != b"good.py"]
        assert found == dict.fromkeys(odd, (Status.UNKNOWN, 0))
        (tmp_path / os.fsdecode(b"new\xfe.py")).write_text("def newer() -> int: ...\n")
        for query in ("odd_one", "newer"):
            answer = await ask(pool, find_symbol, query=query)
            assert answer.status is not Status.CONFIRMED
            assert "no UTF-8" in answer.reason
        symbols = (await ask(pool, find_symbol, query="fine_one")).value.symbols
        assert [symbol.file for symbol in symbols] == ["good.py"]
        assert len({instance.pid for instance in pool.instances()}) == 1
        assert all(not counts.crashes for counts in pool.seats.counts())


@pytest.mark.parametrize("server", ["clangd"], indirect=True)
async def test_clangd_knows_files_by_any_bytes(tmp_path: Path, server: str) -> None:
    async with laid_out(tmp_path, C, server) as pool:
        paths = [os.fsdecode(name) for name in C if name.endswith(b".c")]
        answer = await ask(pool, get_diagnostics, file_paths=paths, severity="error")
        found = {file.file: (file.status, len(file.diagnostics)) for file in answer.value.files}
        good, odd, inside = paths
        wrong, right = (Status.CONFIRMED, 1), (Status.CONFIRMED, 0)
        assert found == {good: wrong, odd: wrong, inside: right}
        search = await ask(pool, find_symbol, query="odd_one")
        assert odd in {symbol.file for symbol in search.value.symbols}
        assert search.status is not Status.CONFIRMED


@pytest.mark.parametrize("server", ["ruff"], indirect=True)
async def test_ruff_knows_files_by_any_bytes(tmp_path: Path, server: str) -> None:
    files = {b"bad\xff.py": "import os\n", b"caf\xe9/a.py": "print(1)\n"}
    files[b"caf\xe9/ruff.toml"] = "lint.select = ['T20']\n"
    async with laid_out(tmp_path, files, server) as pool:
        paths = [os.fsdecode(name) for name in files if name.endswith(b".py")]
        answer = await ask(pool, get_diagnostics, file_paths=paths)
        assert [[each.code for each in file.diagnostics] for file in answer.value.files] == [["F401"], ["T201"]]
        assert answer.status is Status.CONFIRMED
