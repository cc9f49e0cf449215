"""A file that nobody has looked at is changed or deleted by a shell: whoever may be broken by that is named, nothing is
said to be new, and nothing to be free of harm.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.results.edits import EditReport
from groundwire.pool.pool import Pool
from tests.real.conftest import why_unavailable
from tests.real.lightened import light_environment, lightened_catalog

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

WAIT_S = 60.0


@dataclass(frozen=True)
class Project:
    """Each ``old`` for ``new`` in the library breaks some of one set of files, its absence another."""

    files: dict[str, str]
    library: str
    changes: tuple[tuple[str, str], ...]
    by_change: frozenset[str]
    by_absence: frozenset[str]


PYTHON = Project(
    {
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
        "a.py": "def f(x: int) -> int:\n    return x\n\n\nclass Box:\n    def read(self) -> int:\n        return 1\n",
        "star.py": "from a import *\n",
        "one.py": "import a\n\nnumber: int = a.f(1)\n",
        "two.py": "from a import f\n\nnumber: int = f(1)\n",
        "three.py": "from star import f\n\nnumber: int = f(1)\n",
        "make.py": "from a import Box\n\n\ndef make() -> Box:\n    return Box()\n",
        "four.py": "from make import make\n\nnumber: int = make().read()\n",
        "apart.py": "def g() -> int:\n    return 1\n",
    },
    "a.py",
    (("x: int", "x: str"), ("def read(", "def peek(")),
    frozenset({"one.py", "two.py", "three.py", "four.py"}),
    frozenset({"one.py", "two.py", "three.py", "star.py", "make.py"}),
)
_TSCONFIG = (
    '{"compilerOptions": {"strict": true, "module": "commonjs", "moduleResolution": "node10", "target": "es2022",'
    ' "lib": ["es2022"], "noEmit": true, "types": [], "ignoreDeprecations": "6.0"}, "include": ["src"]}\n'
)
TYPESCRIPT = Project(
    {
        "package.json": '{"name": "sample"}\n',
        "tsconfig.json": _TSCONFIG,
        "src/a.ts": "export function f(x: number): number {\n  return x;\n}\n",
        "src/index.ts": 'export * from "./a";\n',
        "src/one.ts": 'import { f } from "./a";\n\nexport const one: number = f(1);\n',
        "src/two.ts": 'import a = require("./a");\n\nexport const two: number = a.f(1);\n',
        "src/deep/three.ts": 'import { f } from "..";\n\nexport const three: number = f(1);\n',
        "src/apart.ts": "export const apart = 1;\n",
    },
    "src/a.ts",
    (("x: number", "x: string"),),
    frozenset({"src/one.ts", "src/two.ts", "src/deep/three.ts"}),
    frozenset({"src/one.ts", "src/two.ts", "src/index.ts", "src/deep/three.ts"}),
)
GO = Project(
    {
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "shapes/a.go": "package shapes\n\nfunc F(x int) int {\n\treturn x\n}\n",
        "main.go": 'package main\n\nimport (\n\t"example.test/sample/shapes"\n)\n\nfunc main() {\n'
        "\tprintln(shapes.F(1))\n}\n",
        "apart/apart.go": "package apart\n\nfunc G() int {\n\treturn 1\n}\n",
    },
    "shapes/a.go",
    (("x int", "x string"),),
    frozenset({"main.go"}),
    frozenset({"main.go"}),
)
GO_BESIDE = Project(
    {**GO.files, "shapes/beside.go": "package shapes\n\nvar Number = F(1)\n"},
    "shapes/a.go",
    (("func F(", "func Other("),),
    frozenset({"main.go", "shapes/beside.go"}),
    frozenset({"main.go", "shapes/beside.go"}),
)
CPP = Project(
    {
        "compile_commands.json": '[{"directory": "{root}", "file": "one.cpp", "command": "c++ -I. -c one.cpp"},'
        ' {"directory": "{root}", "file": "two.cpp", "command": "c++ -I. -c two.cpp"}]\n',
        "a.h": "#pragma once\ninline int f(int x) {\n  return x;\n}\n",
        "wrap.h": '#pragma once\n#include "a.h"\n',
        "one.cpp": '#include "a.h"\n\nint one() { return f(1); }\n',
        "two.cpp": '#include "wrap.h"\n\nint two() { return f(1); }\n',
        "apart.cpp": "int apart() { return 1; }\n",
    },
    "a.h",
    (("int f(int x)", "int f(int x, int y)"),),
    frozenset({"one.cpp", "two.cpp"}),
    frozenset({"one.cpp", "two.cpp", "wrap.h"}),
)
RUST = Project(
    {
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\npath = "src/lib.rs"\n',
        "src/lib.rs": "pub mod a;\npub mod one;\npub mod two;\npub mod apart;\n",
        "src/a.rs": "pub fn f(x: i32) -> i32 {\n    x\n}\n",
        "src/one.rs": "use crate::a::f;\n\npub fn one() -> i32 {\n    f(1)\n}\n",
        "src/two.rs": "pub fn two() -> i32 {\n    crate::a::f(1)\n}\n",
        "src/apart.rs": "pub fn apart() -> i32 {\n    1\n}\n",
    },
    "src/a.rs",
    (("(x: i32)", "(x: i32, _y: i32)"),),
    frozenset({"src/one.rs", "src/two.rs"}),
    frozenset({"src/lib.rs"}),  # the compiler takes all that is in it for granted
)
CASES = {
    "ty": [PYTHON],
    "pyright": [PYTHON],
    "basedpyright": [PYTHON],
    "typescript-language-server": [TYPESCRIPT],
    "tsc": [TYPESCRIPT],
    "gopls": [GO, GO_BESIDE],
    "clangd": [CPP],
    "rust-analyzer": [RUST],
}


def laid_out(root: Path, project: Project) -> None:
    for name, text in project.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace("{root}", str(root)), "utf-8")


def put(file: Path, text: str | None) -> None:
    if text is None:
        file.unlink()
    else:
        file.write_text(text, "utf-8")


async def reported(pool: Pool, file: Path, after: str | None) -> Answer[EditReport]:
    """A shell has done it, and nobody knows what was there."""
    pool.refresh()
    put(file, after)
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    return await report_edit(call, [Edited(file, None, after)])


def perhaps_broken(answer: Answer[EditReport], library: str) -> set[str]:
    """The other files with errors; none of these may be said to be new."""
    broken = [file for file in answer.value.files if file.file != library]
    errors = [each for file in broken for each in file.diagnostics if each.severity == "error"]
    assert {each.origin for each in errors} <= {""}
    return {file.file for file in broken}


@pytest.mark.parametrize("is_gone", [False, True], ids=["changed", "gone"])
@pytest.mark.parametrize("server", list(CASES), indirect=True)
async def test_who_may_be_broken_by_a_change_of_a_file_nobody_knew_is_named(
    server: str, is_gone: bool, tmp_path: Path
) -> None:
    assert not why_unavailable(server)
    cases = CASES[server]
    # What is gone is gone in each of them, and the last has all the files of the others.
    for number, project in enumerate(cases[-1:] if is_gone else cases):
        root = tmp_path / str(number)
        laid_out(root, project)
        changed = project.files[project.library]
        for old, new in project.changes:
            assert changed.count(old) == 1
            changed = changed.replace(old, new)
        # One of the two meets a server that reads the whole standard library meanwhile: that is enough.
        catalog = lightened_catalog() if is_gone else None
        async with Pool(root, only=frozenset({server}), catalog=catalog, environment=light_environment(server)) as pool:
            after = None if is_gone else changed
            answer = await reported(pool, root / project.library, after)
            expected = project.by_absence if is_gone else project.by_change
            assert perhaps_broken(answer, project.library) >= expected
            assert not any("apart" in file.file for file in answer.value.files)
            assert answer.status is Status.PARTIAL
            assert f"what {Path(project.library).name} was before is not known" in answer.reason
            assert "before is not known" in answer.reason.partition("; ")[2]
