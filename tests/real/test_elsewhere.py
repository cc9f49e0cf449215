"""Sources out of the workspace that a project uses where they are written: a change to them is in the next answer."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.real.lightened import light_pool
from tests.real.test_unnoticed import OPTIONS, errors, write

pytestmark = pytest.mark.anyio


class Row(NamedTuple):
    """A project in ``app`` that uses what lies in ``lib``, and how that changes so that one of its lines is wrong."""

    files: dict[str, str]
    user: str
    source: str
    right: str
    wrong: str
    line: int


PYTHON = Row(
    {
        "app/pyproject.toml": '[project]\nname = "app"\nversion = "1"\n',
        "app/use.py": "from lib import f\n\nf(1)\n",
        "app/.venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.12.0\n",
        "app/.venv/bin/python": "",
        "app/.venv/lib/python3.12/site-packages/_lib.pth": "{base}/lib/src\n",
        "lib/src/lib/__init__.py": "def f(a: int) -> None: ...\n",
    },
    "use.py",
    "lib/src/lib/__init__.py",
    "a: int",
    "a: str",
    3,
)
TYPESCRIPT = Row(
    {
        "app/package.json": "{}",
        "app/tsconfig.json": json.dumps({"extends": "../base.json", "include": ["src"]}),
        "app/src/use.ts": 'import { f } from "lib";\n\nf(1);\n',
        "app/node_modules/x/package.json": "{}",
        "base.json": json.dumps({"compilerOptions": OPTIONS}),
        "lib/package.json": '{"name": "lib", "types": "index.ts"}',
        "lib/index.ts": "export function f(a: number): void {}\n",
    },
    "src/use.ts",
    "lib/index.ts",
    "a: number",
    "a: string",
    3,
)
ROWS = {
    "ty": PYTHON,
    "pyright": PYTHON._replace(
        files={**PYTHON.files, "app/pyrightconfig.json": '{"venvPath": ".", "venv": ".venv"}'},
    ),
    "typescript-language-server": TYPESCRIPT,
    "tsc": TYPESCRIPT,
    "gopls": Row(
        {
            "app/go.mod": "module app\n\ngo 1.21\n\nrequire lib v0.0.0\n\nreplace lib => ../lib\n",
            "app/use.go": 'package main\n\nimport "lib"\n\nfunc main() { lib.F(1) }\n',
            "lib/go.mod": "module lib\n\ngo 1.21\n",
            "lib/lib.go": "package lib\n\nfunc F(a int) {}\n",
        },
        "use.go",
        "lib/lib.go",
        "a int",
        "a string",
        5,
    ),
    "clangd": Row(
        {
            "app/compile_flags.txt": "-I../lib\n",
            "app/use.cpp": '#include "x.h"\nint g() { return f(1); }\n',
            "lib/x.h": "inline int f(int a) { return 0; }\n",
        },
        "use.cpp",
        "lib/x.h",
        "int a",
        "int *a",
        2,
    ),
    "rust-analyzer": Row(
        {
            "app/Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nlib = { path = "../lib" }\n',
            "app/src/main.rs": "fn main() {\n    lib::f(1);\n}\n",
            "lib/Cargo.toml": '[package]\nname = "lib"\nversion = "0.1.0"\n',
            "lib/src/lib.rs": "pub fn f(_a: i32) {}\n",
        },
        "src/main.rs",
        "lib/src/lib.rs",
        "_a: i32",
        "_a: &str",
        2,
    ),
}


@pytest.mark.parametrize("server", ROWS)
async def test_a_change_out_of_the_workspace_is_in_the_next_answer(server: str, tmp_path: Path) -> None:
    row = ROWS[server]
    write(tmp_path, {name: text.replace("{base}", str(tmp_path)) for name, text in row.files.items()})
    root, source = tmp_path / "app", row.files[row.source]
    if "typescript" in server or server == "tsc":
        (root / "node_modules/lib").symlink_to("../../lib")
    async with light_pool(root, server) as pool:
        assert await errors(pool, row.user) == []
        write(tmp_path, {row.source: source.replace(row.right, row.wrong)})
        assert await errors(pool, row.user) == [row.line]
        write(tmp_path, {row.source: source})
        assert await errors(pool, row.user) == []


@pytest.mark.parametrize("server", ["typescript-language-server", "tsc"])
async def test_a_configuration_further_up_that_is_extended_is_obeyed_when_it_changes(
    server: str, tmp_path: Path
) -> None:
    write(tmp_path, {**TYPESCRIPT.files, "app/src/use.ts": "export const z: number = null;\n"})
    async with light_pool(tmp_path / "app", server) as pool:
        assert await errors(pool, "src/use.ts") == [1]
        write(tmp_path, {"base.json": json.dumps({"compilerOptions": {**OPTIONS, "strict": False}})})
        assert await errors(pool, "src/use.ts") == []


@pytest.mark.parametrize("server", ["typescript-language-server", "tsc"])
async def test_what_an_edit_imports_from_elsewhere_may_change_right_after_the_answer(
    server: str, tmp_path: Path
) -> None:
    write(tmp_path, {**TYPESCRIPT.files, "app/src/use.ts": "export const z = 1;\n"})
    async with light_pool(tmp_path / "app", server) as pool:
        assert await errors(pool, "src/use.ts") == []
        write(tmp_path, {"app/src/use.ts": "import { f } from '../../lib/index';\n\nf(1);\n"})
        assert await errors(pool, "src/use.ts") == []
        write(tmp_path, {"lib/index.ts": "export function f(a: string): void {}\n"})
        assert await errors(pool, "src/use.ts") == [3]
