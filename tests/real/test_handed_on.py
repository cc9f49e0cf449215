"""What a file hands on to others without naming it, and what becomes of names that it still has: whoever is broken by a
change of that is named in the report of the edit, each time anew.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.results.edits import EditReport
from groundwire.pool.pool import Pool
from tests.real.conftest import why_unavailable
from tests.real.lightened import light_pool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

WAIT_S = 60.0


@dataclass(frozen=True)
class Edit:
    """``old`` text of a file for new; a file that is not there has none. ``doubt``: why it is partial."""

    file: str
    old: str
    new: str
    breaks: str = "user"
    doubt: str = ""

    @property
    def known(self) -> tuple[Status, str]:
        """How far the report goes."""
        return (Status.PARTIAL if self.doubt else Status.CONFIRMED), self.doubt


@dataclass(frozen=True)
class Project:
    files: dict[str, str]
    edits: tuple[Edit, ...]


PYTHON = Project(
    {
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
        "pkg/__init__.py": "from .first import Thing\nfrom .stars import *\n",
        "pkg/first.py": "Thing = 1\n",
        "pkg/second.py": 'Thing = "x"\n',
        "pkg/stars.py": '__all__ = ["starred"]\n\n\ndef starred() -> int:\n    return 1\n',
        "pkg/others.py": 'def starred() -> str:\n    return ""\n',
        "box.py": "class Box:\n    def __init__(self, given: int) -> None:\n        self.given = given\n"
        "        value = 1\n        self.held: int = value\n        self.table = {\n"
        '            "a": value,\n        }\n\n'
        "    def last(self) -> int:\n        return 2\n\n\ndef keep() -> int:\n    return 1\n",
        "make.py": "from box import Box\n\n\ndef make() -> Box:\n    return Box(1)\n",
        "pkg/third.py": 'late = "x"\n',
        "asks.py": "from pkg import late  # type: ignore\n\nnumber: int = late\n",
        "passing.py": "from pkg import *\n",
        "far.py": "from passing import late  # type: ignore\n\nnumber: int = late\n",
        "copied.py": "from pkg import Thing\n\nheld = Thing\n",
        "end.py": "from copied import held\n\nnumber: int = held\n",
        "user.py": "import json\n\nfrom box import keep\nfrom make import make\nfrom pkg import Thing, starred\n\n"
        "thing: int = Thing\nnumber: int = starred() + keep() + make().last()\ngiven: int = make().given\n"
        'held: int = make().held\nentry: int = make().table["a"]\ntext: str = json.dumps(1)\n',
    },
    (
        Edit("pkg/__init__.py", "from .first", "from .second"),
        Edit("pkg/__init__.py", "from .first", "from .second", "end"),
        Edit("pkg/__init__.py", "import Thing", "import Thing as Thong"),
        Edit("pkg/__init__.py", "from .stars", "from .third import late as late\nfrom .stars", "asks"),
        Edit("pkg/__init__.py", "from .stars", "from .third import late as late\nfrom .stars", "far"),
        Edit("pkg/__init__.py", "from .stars", "from .others"),
        Edit("pkg/__init__.py", "from .stars import *\n", ""),
        Edit("pkg/stars.py", '"starred"', ""),
        Edit("box.py", "given: int", "given: str"),
        Edit("box.py", "self.held: int", "self.held: str"),
        Edit("box.py", '"a": value', '"a": str(value)'),
        Edit("box.py", "        value = 1", '        value = ""'),
        Edit("box.py", "    def last", "class Other:\n    def last"),
        Edit("box.py", "def keep() -> int:\n    return 1\n", '"""\ndef keep() -> int:\n    return 1\n"""\n'),
        Edit("json.py", "", "loads = 1\n", doubt="json is a module of the language too: who means which is not known"),
    ),
)
TYPESCRIPT = Project(
    {
        "package.json": '{"name": "sample"}\n',
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler",'
        ' "target": "es2022", "lib": ["es2022"], "noEmit": true, "types": [], "allowJs": true,'
        ' "checkJs": true}, "include": ["src"]}\n',
        "src/lib.ts": "export function keep(): number {\n  return 1;\n}\n\nconst made = 1;\n\nexport default made;\n\n"
        "export class Box {\n  held;\n  constructor() {\n    const value = 1;\n    this.held = value;\n  }\n}\n",
        "src/other.ts": 'export const keep = (): string => "";\n',
        "src/index.ts": "export * from './lib';\nexport * as space from './lib';\n",
        "src/third.ts": 'export const late = "x";\n',
        "src/asks.ts": "// @ts-ignore\nimport { late } from '.';\n\nexport const number: number = late;\n",
        "src/make.ts": "import { Box } from './lib';\n\nexport const make = () => new Box();\n",
        "src/user.ts": "import whole, { keep } from './lib';\nimport { make } from './make';\n\n"
        "export const total: number = whole + keep();\nexport const held: number = make().held;\n",
        "src/makes.ts": "export const maker = () => (x: number) => {\n  const result = x;\n  return result;\n};\n\n"
        "function bare() {}\nbare.extra = 1;\nexport { bare };\n\nexport default (\n  x: number,\n) => x;\n",
        "src/makes_user.ts": "import make, { bare, maker } from './makes';\n\n"
        "export const result: number = maker()(1);\nexport const extra: number = bare.extra;\n"
        "export const made = make(1);\n",
        "src/end.ts": "import { made } from './makes_user';\n\nexport const number: number = made;\n",
        "src/documented.js": "/**\n * @param {number} x\n * @returns {number}\n */\n"
        "export function say(x) {\n  return x;\n}\n",
        "src/says.ts": "import { say } from './documented';\n\nexport const said: number = say(1);\n",
        "src/stars.ts": "export * from './other';\nexport * from './third';\n",
        "src/shape.ts": "import * as third from './third';\n\n"
        "export const all: Record<keyof typeof third, string> = { late: '' };\n",
        "src/everywhere.ts": "interface Shared {\n  size: number;\n}\n",
        "src/shares.ts": "export const shared: Shared = { size: 1 };\n",
        "src/deep/user.ts": "import { keep, space } from '..';\n\n"
        "export const one: number = keep();\nexport const two: number = space.keep();\n",
    },
    (
        Edit("src/lib.ts", "export function keep", "function keep"),
        Edit("src/lib.ts", "export default made;\n", ""),
        Edit("src/lib.ts", "export default made;", 'export default "";'),
        Edit("src/lib.ts", "const value = 1", 'const value = ""'),
        Edit(
            "src/lib.ts",
            "export function keep(): number {\n  return 1;\n}\n",
            "/*\nexport function keep(): number {\n  return 1;\n}\n*/\n",
        ),
        Edit("src/makes.ts", "result = x", 'result = "" + x', "makes_user"),
        Edit("src/makes.ts", "extra = 1", 'extra = ""', "makes_user"),
        Edit("src/makes.ts", ") => x;", ') => "" + x;', "end"),
        Edit("src/documented.js", "@param {number}", "@param {string}", "says"),
        Edit("src/documented.js", "@returns {number}", "@returns {string}", "says"),
        Edit("src/third.ts", "export const late", "export const keep = 1;\nexport const late", "stars"),
        Edit("src/third.ts", "export const late", "export const more = 1;\nexport const late", "shape"),
        Edit("src/everywhere.ts", "interface Shared {", "export {};\n\ninterface Shared {", "shares"),
        Edit("src/index.ts", "export * from './lib'", "export * from './other'", "deep/user"),
        Edit("src/index.ts", "export * as", "export { late } from './third';\nexport * as", "asks"),
        Edit("src/index.ts", "as space from './lib'", "as space from './other'", "deep/user"),
    ),
)
GO = Project(
    {
        "go.mod": "module sample\n\ngo 1.24\n",
        "lib.go": "// Package sample is one.\npackage sample\n\nfunc Keep() int { return 1 }\n\n"
        "type Box struct{ Held int }\n",
        "user.go": "package sample\n\nvar Total = Keep()\n",
        "deep/user.go": 'package deep\n\nimport "sample"\n\nvar One = sample.Box{Held: 1}\n',
        "kinds.go": "package sample\n\nconst (\n\tFirst = iota + 1\n\tSecond\n)\n\ntype Handler func(int) int\n",
        "serve.go": "package sample\n\nvar sizes [Second]int\n\nfunc Serve(handle Handler) {}\n",
        "handles.go": "package sample\n\nvar same [2]int = sizes\n\nfunc twice(x int) int { return x + x }\n\n"
        "func init() { Serve(twice) }\n",
    },
    (
        Edit("lib.go", "// Package", "//go:build windows\n\n// Package"),
        Edit("lib.go", "// Package", "//go:build windows\n\n// Package", "deep/user"),
        Edit("lib.go", "// Package", "var early = 1\n\n// Package"),
        Edit("kinds.go", "iota + 1", "iota", "handles"),
        Edit("kinds.go", "\tSecond", "\tMiddle\n\tSecond", "handles"),
        Edit("kinds.go", "func(int) int", "func(int, int) int", "handles"),
    ),
)
CPP = Project(
    {
        "compile_commands.json": '[{"directory": "{root}", "file": "user.cpp", "command": "c++ -I. -c user.cpp"}]\n',
        "base.h": "#pragma once\n#include <stddef.h>\n#define TWICE(x) \\\n  ((x) + (x))\n"
        "inline int first() { return 0; }\ninline int based() { return 1; }\n",
        "lib.h": '#pragma once\n#include "base.h"\nnamespace shapes {\nint keep(int x);\n}\n',
        "user.cpp": '#include "lib.h"\n\nsize_t total() {\n  return shapes::keep(1) + TWICE(2) + based();\n}\n',
    },
    (
        Edit("lib.h", '#include "base.h"\n', ""),
        Edit("base.h", "#include <stddef.h>\n", ""),
        Edit("base.h", "((x) + (x))", "((x) + (y))"),
        Edit("lib.h", "keep(int x)", "keep(int x, int y)"),
        Edit("base.h", "inline int based() { return 1; }\n", "#if 0\ninline int based() { return 1; }\n#endif\n"),
    ),
)
PROJECTS = {
    "ty": PYTHON,
    "pyright": Project(PYTHON.files, PYTHON.edits[:-1]),  # to it the library of the language goes first
    "typescript-language-server": TYPESCRIPT,
    "tsc": TYPESCRIPT,
    "gopls": GO,
    "clangd": CPP,
}


def put(file: Path, text: str | None) -> None:
    if text is None:
        file.unlink()
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


async def reported(pool: Pool, file: Path, before: str, after: str | None) -> Answer[EditReport]:
    put(file, after)
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    return await report_edit(call, [Edited(file, before, after)])


def newly_broken(answer: Answer[EditReport]) -> set[str]:
    """The files with errors that are not said to be old, without their endings."""
    return {
        each.file.rpartition(".")[0].removeprefix("src/")
        for each in answer.value.files
        if any(d.severity == "error" and d.origin != "existing" for d in each.diagnostics)
    }


@pytest.mark.parametrize("server", list(PROJECTS), indirect=True)
async def test_who_had_something_through_a_file_is_named_when_it_is_not_the_same_any_more(
    server: str, tmp_path: Path
) -> None:
    assert not why_unavailable(server)
    project = PROJECTS[server]
    for name, text in project.files.items():
        put(tmp_path / name, text.replace("{root}", str(tmp_path)))
    async with light_pool(tmp_path, server) as pool:
        for edit in project.edits:
            right, file = project.files.get(edit.file), tmp_path / edit.file
            assert right is None or right.count(edit.old) == 1, edit
            broken = edit.new if right is None else right.replace(edit.old, edit.new)
            for _ in range(2):
                answer = await reported(pool, file, right or "", broken)
                assert (answer.status, answer.reason) == edit.known, edit
                assert edit.breaks in newly_broken(answer), edit
                mended = await reported(pool, file, broken, right)
                assert (mended.status, mended.reason, newly_broken(mended)) == (*edit.known, set[str]()), edit


LOW = "package low\n\nvar Low = 1\n"


def put_packages(root: Path) -> None:
    """One that imports another."""
    put(root / "go.mod", "module sample\n\ngo 1.24\n")
    put(root / "low/low.go", LOW)
    put(root / "high/high.go", 'package high\n\nimport "sample/low"\n\nvar High = low.Low\n')


@pytest.mark.parametrize("server", ["gopls"], indirect=True)
async def test_packages_that_import_each_other_are_told_whichever_of_them_the_server_calls_wrong(
    server: str, tmp_path: Path, round_number: int
) -> None:
    del round_number
    put_packages(tmp_path)
    cyclic = LOW.replace("var", 'import _ "sample/high"\n\nvar')
    async with light_pool(tmp_path, server) as pool:
        for _ in range(4):
            answer = await reported(pool, tmp_path / "low/low.go", LOW, cyclic)
            assert newly_broken(answer) or answer.status is not Status.CONFIRMED
            mended = await reported(pool, tmp_path / "low/low.go", cyclic, LOW)
            assert not newly_broken(mended) or mended.status is not Status.CONFIRMED
            call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
            uses = await find_references.run(call, FindReferences(symbol="low/low.go::Low"))
            where = [(each.file, each.line) for each in uses.value.locations]
            assert (uses.status, where) == (Status.CONFIRMED, [("high/high.go", 5)])
