"""No server has a package manager load anything that nobody asked for: types of what a project uses, say."""

import os
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

WAIT_S = 60.0
EDITS = 20
FILES = {
    "package.json": '{"name": "shop", "dependencies": {"lodash": "*"}}\n',
    "tsconfig.json": '{"compilerOptions": {"noEmit": true, "lib": ["es2022"]}, "include": ["typed.ts"]}\n',
    # Of a file that no configuration speaks of servers would find out themselves what it needs.
    "plain.js": "const parts = require('lodash');\nparts.chunk([]);\n",
    "typed.ts": "export const size: number = 1;\n",
}

pytestmark = pytest.mark.anyio


def make_npm(directory: Path) -> Path:
    """One that loads nothing and writes down what it was to do; that file."""
    directory.mkdir()
    asked = directory / "asked"
    (directory / "npm").write_text(f'#!/bin/sh\necho "$@" >>{asked}\nexit 1\n', "utf-8")
    (directory / "npm").chmod(0o755)
    return asked


@pytest.mark.parametrize("server", ["tsc", "typescript-language-server"], indirect=True)
async def test_types_that_a_project_lacks_are_not_loaded_from_a_registry(server: str, tmp_path: Path) -> None:
    asked, root = make_npm(tmp_path / "programs"), tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text, "utf-8")
    given = server_environment(server)
    path = os.pathsep.join((str(asked.parent), given["PATH"]))
    # What was loaded for others would not be loaded again.
    environment = {**given, "PATH": path, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    async with Pool(root, only=frozenset({server}), environment=environment) as pool:
        for number in range(EDITS):  # it is begun beside the answers
            (root / "plain.js").write_text(FILES["plain.js"] + f"const count{number} = {number};\n", "utf-8")
            answer = await check_files(pool, [root / "plain.js", root / "typed.ts"], wait_s=WAIT_S)
            assert answer.status is Status.CONFIRMED, answer.reason
    assert not asked.exists(), asked.read_text("utf-8")
