"""What is gone is missed by who used it, and the report of the edit says so, though the edited file still has the name:
in a comment or a string, in its own code, as a member of something else.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from tests.real.conftest import why_unavailable
from tests.real.lightened import light_pool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

WAIT_S = 60.0


@dataclass(frozen=True)
class Project:
    """``edits`` are of the library, each of them on its own; all break ``user``, and some break more."""

    library: str
    user: str
    files: dict[str, str]
    edits: tuple[tuple[str, str], ...]


PYTHON = Project(
    "shapes/__init__.py",
    "user.py",
    {
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
        "shapes/__init__.py": '"""Has keep, Size and read."""\n\n\ndef keep() -> int:\n    return 1\n\n\n'
        "class A:\n    def read(self) -> int:\n        return 1\n\n\n"
        "class B:\n    def read(self) -> int:\n        return 2\n\n\n"
        "Size = int\n\n\ndef size(given: Size) -> Size:\n    # keep goes on\n    return given\n\n\n"
        "def __getattr__(name: str) -> int:\n    return len(name)\n",
        "user.py": "import shapes\nfrom shapes import A, keep, Size\n\n"
        "TOTAL: Size = A().read() + keep() + shapes.whatever\n",
    },
    (
        ("def keep() -> int:\n    return 1\n", ""),
        ("class A:\n    def read", "class A:\n    def peek"),
        ("Size = int", "Extent = int"),
        ("def __getattr__(name", "def other(name"),
        (
            "def __getattr__(name: str) -> int:\n    return len(name)",
            "def __getattr__(name: str) -> str:\n    return name",
        ),
    ),
)
TYPESCRIPT = Project(
    "src/lib.ts",
    "src/user.ts",
    {
        "package.json": '{"name": "sample"}\n',
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler",'
        ' "target": "es2022", "lib": ["es2022"], "noEmit": true, "types": []}, "include": ["src"]}\n',
        "src/lib.ts": "// keep, Size and read are here\nexport function keep(): number {\n  return 1;\n}\n\n"
        "export class A {\n  read(): number {\n    return 1;\n  }\n}\n\n"
        "export class B {\n  read(): number {\n    return 2;\n  }\n}\n\n"
        "export interface Box {\n  size: number;\n}\n\nexport interface Room {\n  size: number;\n}\n\n"
        'export const word = "keep";\n',
        "src/user.ts": 'import { A, Box, keep } from "./lib";\n\n'
        "export function total(box: Box): number {\n  return new A().read() + keep() + box.size;\n}\n",
    },
    (
        ("export function keep(): number {\n  return 1;\n}\n", ""),
        ("class A {\n  read", "class A {\n  peek"),
        ("Box {\n  size", "Box {\n  extent"),
    ),
)
GO = Project(
    "lib/lib.go",
    "main.go",
    {
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "lib/lib.go": "package lib\n\n// Keep, Size and Read are here.\nfunc Keep() int {\n\treturn 1\n}\n\n"
        "type A struct {\n\tSize int\n}\n\ntype B struct {\n\tSize int\n}\n\n"
        "func (a A) Read() int {\n\treturn 1\n}\n\nfunc (b B) Read() int {\n\treturn 2\n}\n",
        "main.go": 'package main\n\nimport "example.test/sample/lib"\n\nfunc main() {\n'
        "\ta := lib.A{}\n\tprintln(a.Read() + a.Size + lib.Keep())\n}\n",
    },
    (
        ("func Keep() int {\n\treturn 1\n}\n", ""),
        ("(a A) Read", "(a A) Peek"),
        ("type A struct {\n\tSize", "type A struct {\n\tExtent"),
    ),
)
CPP = Project(
    "lib.h",
    "user.cpp",
    {
        "compile_commands.json": '[{"directory": "{root}", "file": "user.cpp", "command": "c++ -I. -c user.cpp"}]\n',
        "lib.h": "#pragma once\n// keep, read and size are here\ninline int keep() {\n  return 1;\n}\n\n"
        "struct A {\n  int size;\n  int read() const { return 1; }\n};\n\n"
        "struct B {\n  int size;\n  int read() const { return 2; }\n};\n",
        "user.cpp": '#include "lib.h"\n\nint total(A a) {\n  return a.read() + a.size + keep();\n}\n',
    },
    (
        ("inline int keep() {\n  return 1;\n}\n", ""),
        ("int read() const { return 1; }", "int peek() const { return 1; }"),
        ("struct A {\n  int size;", "struct A {\n  int extent;"),
    ),
)
PROJECTS = {
    "ty": PYTHON,
    "pyright": PYTHON,
    "basedpyright": PYTHON,
    "typescript-language-server": TYPESCRIPT,
    "tsc": TYPESCRIPT,
    "gopls": GO,
    "clangd": CPP,
}


@pytest.mark.parametrize("server", list(PROJECTS), indirect=True)
async def test_who_used_what_is_gone_is_named_though_the_file_still_has_the_name(server: str, tmp_path: Path) -> None:
    assert not why_unavailable(server)
    project = PROJECTS[server]
    for name, text in project.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text.replace("{root}", str(tmp_path)), "utf-8")
    right, file = project.files[project.library], tmp_path / project.library
    async with light_pool(tmp_path, server) as pool:
        for old, new in project.edits:
            assert right.count(old) == 1
            broken = right.replace(old, new)
            for before, after in ((right, broken), (broken, right)):
                file.write_text(after, "utf-8")
                call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
                answer = await report_edit(call, [Edited(file, before, after)])
                assert (answer.status, answer.reason) == (Status.CONFIRMED, ""), old
                wrong = {
                    each.file for each in answer.value.files if any(d.severity == "error" for d in each.diagnostics)
                }
                assert (project.user in wrong) is (after is broken), old
