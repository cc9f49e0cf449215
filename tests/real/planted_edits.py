"""Edits to be tried before they are made: one little project a language, and what is done to it. Above:
``speculating``.

``Box`` has an ``area`` and can ``scale``; ``double``, ``label`` and ``LIMIT`` stand beside it, two files use all of it,
and one is broken from the start. Every edit comes twice: as it is, and under two new lines that shift all others.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Edit(NamedTuple):
    """``new`` for ``old`` in a file."""

    file: str
    old: str
    new: str


class Planted(NamedTuple):
    """A project, the edits, and what begins a comment there."""

    files: Mapping[str, str]
    edits: tuple[Edit, ...]
    comment: str
    by_disk: tuple[str, ...] = ()
    """Files whose edits others see only on disk: what is said of these edits may not be called proven."""
    broken: str = ""
    """The file that has errors from the start, if one has."""

    def rows(self) -> list[Edit]:
        """Each edit, and each under two lines more."""
        return [*self.edits, *map(self._shifted, self.edits)]

    def _shifted(self, edit: Edit) -> Edit:
        text = self.files[edit.file]
        assert text.count(edit.old) == 1, edit
        return Edit(edit.file, text, f"{self.comment} one\n{self.comment} two\n{text.replace(edit.old, edit.new)}")


_PYTHON = Planted(
    {
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
        "lib.py": """class Box:
    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height

    def area(self) -> int:
        return self.width * self.height

    def scale(self, factor: int) -> "Box":
        return Box(self.width * factor, self.height)


def double(amount: int) -> int:
    return amount * 2


def label(box: Box, name: str) -> str:
    return name + str(box.width)


LIMIT: int = 10
""",
        "use_a.py": (
            "from lib import Box, double\n\nfirst: int = Box(1, 2).area()\nsecond: int = double(3)\n"
            "third: Box = Box(4, 5).scale(6)\n"
        ),
        "use_b.py": 'from lib import LIMIT, Box, label\n\nshown: str = label(Box(1, 2), "b")\nmost: int = LIMIT + 1\n',
        "broken.py": 'from lib import missing\n\nwrong: int = "text"\nvalue = missing\n',
    },
    (
        Edit("lib.py", "return self.width * self.height", 'return "none"'),
        Edit("lib.py", "def area(self)", "def surface(self)"),
        Edit("lib.py", "def double(amount: int) -> int:\n    return amount * 2\n\n\n", ""),
        Edit("lib.py", "def double(amount: int)", "def double(amount: int, times: int)"),
        Edit("lib.py", "name: str) -> str:\n    return name +", "name: int) -> str:\n    return str(name) +"),
        Edit("lib.py", "-> int:\n    return amount * 2", "-> str:\n    return str(amount)"),
        Edit("lib.py", "LIMIT: int = 10", 'LIMIT: str = "10"'),
        Edit("lib.py", "\n\nLIMIT: int = 10\n", ""),
        Edit("lib.py", "factor: int) ->", "factor: int, other: int) ->"),
        Edit("lib.py", "def double", "# Twice as much.\ndef double"),
        Edit("lib.py", "self.width * self.height", "self.height * self.width"),
        Edit("lib.py", "LIMIT: int", "def more(amount: int) -> int:\n    return amount + 1\n\n\nLIMIT: int"),
        Edit("lib.py", "LIMIT: int", "missing: int = 1\nLIMIT: int"),
        Edit("broken.py", 'wrong: int = "text"', "wrong: int = 1"),
        Edit("use_a.py", "double(3)", 'double("3")'),
        Edit("use_b.py", "most: int = LIMIT + 1", "most: int = (LIMIT +"),
    ),
    "#",
    broken="broken.py",
)

_TYPESCRIPT = Planted(
    {
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"target": "es2022", "lib": ["es2022"], "noEmit": true, "types": []}, "include": ["src"]}\n',
        "src/lib.ts": """export class Box {
  constructor(public width: number, public height: number) {}

  area(): number {
    return this.width * this.height;
  }

  scale(factor: number): Box {
    return new Box(this.width * factor, this.height);
  }
}

export function double(amount: number): number {
  return amount * 2;
}

export function label(box: Box, name: string): string {
  return name + String(box.width);
}

export const LIMIT: number = 10;
""",
        "src/use_a.ts": (
            'import { Box, double } from "./lib";\n\nexport const first: number = new Box(1, 2).area();\n'
            "export const second: number = double(3);\nexport const third: Box = new Box(4, 5).scale(6);\n"
        ),
        "src/use_b.ts": (
            'import { Box, LIMIT, label } from "./lib";\n\nexport const shown: string = label(new Box(1, 2), "b");\n'
            "export const most: number = LIMIT + 1;\n"
        ),
        "src/broken.ts": (
            'import { missing } from "./lib";\n\nexport const wrong: number = "text";\nexport const value = missing;\n'
        ),
    },
    (
        Edit("src/lib.ts", "return this.width * this.height", 'return "none"'),
        Edit("src/lib.ts", "area(): number", "surface(): number"),
        Edit("src/lib.ts", "export function double(amount: number): number {\n  return amount * 2;\n}\n\n", ""),
        Edit("src/lib.ts", "double(amount: number)", "double(amount: number, times: number)"),
        Edit("src/lib.ts", "name: string): string", "name: number): string"),
        Edit("src/lib.ts", "): number {\n  return amount * 2", "): string {\n  return String(amount)"),
        Edit("src/lib.ts", "LIMIT: number = 10", 'LIMIT: string = "10"'),
        Edit("src/lib.ts", "export const LIMIT: number = 10;\n", ""),
        Edit("src/lib.ts", "export class Box", "class Box"),
        Edit("src/lib.ts", "export function double", "/** Twice as much. */\nexport function double"),
        Edit("src/lib.ts", "this.width * this.height", "this.height * this.width"),
        Edit("src/lib.ts", "export const", "export function more(n: number): number {\n  return n;\n}\n\nexport const"),
        Edit("src/lib.ts", "export const", "export const missing: number = 1;\nexport const"),
        Edit("src/broken.ts", 'wrong: number = "text"', "wrong: number = 1"),
        Edit("src/use_a.ts", "double(3)", 'double("3")'),
        Edit("src/use_b.ts", "most: number = LIMIT + 1", "most: number = (LIMIT +"),
    ),
    "//",
    broken="src/broken.ts",
)

_GO = Planted(
    {
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "lib/lib.go": """package lib

import "strconv"

type Box struct {
	Width  int
	Height int
}

func (b Box) Area() int {
	return b.Width * b.Height
}

func (b Box) Scale(factor int) Box {
	return Box{b.Width * factor, b.Height}
}

func Double(amount int) int {
	return amount * 2
}

func Label(box Box, name string) string {
	return name + strconv.Itoa(box.Width)
}

const Limit int = 10
""",
        "use_a.go": (
            'package main\n\nimport "example.test/sample/lib"\n\nvar first int = lib.Box{Width: 1, Height: 2}.Area()\n'
            "var second int = lib.Double(3)\nvar third lib.Box = lib.Box{Width: 4, Height: 5}.Scale(6)\n"
        ),
        "use_b.go": (
            'package main\n\nimport "example.test/sample/lib"\n\nvar shown string = lib.Label(lib.Box{}, "b")\n'
            "var most int = lib.Limit + 1\n\nfunc main() { println(first, second, third.Width, shown, most) }\n"
        ),
        "broken/broken.go": (
            'package broken\n\nimport "example.test/sample/lib"\n\nvar Wrong int = "text"\nvar Value = lib.Missing\n'
        ),
    },
    (
        Edit("lib/lib.go", "return b.Width * b.Height", 'return "none"'),
        Edit("lib/lib.go", ") Area() int", ") Surface() int"),
        Edit("lib/lib.go", "func Double(amount int) int {\n\treturn amount * 2\n}\n\n", ""),
        Edit("lib/lib.go", "Double(amount int)", "Double(amount int, times int)"),
        Edit("lib/lib.go", "name string) string {\n\treturn name +", "name int) string {\n\treturn"),
        Edit("lib/lib.go", ") int {\n\treturn amount * 2", ") string {\n\treturn strconv.Itoa(amount)"),
        Edit("lib/lib.go", "const Limit int = 10", 'const Limit string = "10"'),
        Edit("lib/lib.go", "\nconst Limit int = 10\n", ""),
        Edit("lib/lib.go", "Scale(factor int)", "Scale(factor int, other int)"),
        Edit("lib/lib.go", "func Double", "// Double is twice as much.\nfunc Double"),
        Edit("lib/lib.go", "b.Width * b.Height", "b.Height * b.Width"),
        Edit("lib/lib.go", "const Limit", "func More(amount int) int {\n\treturn amount + 1\n}\n\nconst Limit"),
        Edit("lib/lib.go", "const Limit", "const Missing int = 1\n\nconst Limit"),
        Edit("broken/broken.go", 'Wrong int = "text"', "Wrong int = 1"),
        Edit("use_a.go", "lib.Double(3)", 'lib.Double("3")'),
        Edit("use_b.go", "lib.Limit + 1", "(lib.Limit +"),
    ),
    "//",
    broken="broken/broken.go",
)

_RUST = Planted(
    {
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "pub mod broken;\npub mod boxes;\npub mod use_a;\npub mod use_b;\n",
        "src/boxes.rs": """pub struct Crate {
    pub width: i32,
    pub height: i32,
}

impl Crate {
    pub fn area(&self) -> i32 {
        self.width * self.height
    }

    pub fn scale(&self, factor: i32) -> Crate {
        Crate { width: self.width * factor, height: self.height }
    }
}

pub fn double(amount: i32) -> i32 {
    amount * 2
}

pub fn label(of: &Crate, name: &str) -> String {
    format!("{} {}", name, of.width)
}

pub const LIMIT: i32 = 10;
""",
        "src/use_a.rs": (
            "use crate::boxes::{double, Crate};\n\npub fn first(of: &Crate) -> i32 {\n    of.area()\n}\n\n"
            "pub fn second() -> i32 {\n    double(3)\n}\n\npub fn third(of: &Crate) -> Crate {\n    of.scale(6)\n}\n"
        ),
        "src/use_b.rs": (
            "use crate::boxes::{label, Crate, LIMIT};\n\npub fn shown(of: &Crate) -> String {\n"
            '    label(of, "b")\n}\n\npub fn most() -> i32 {\n    LIMIT + 1\n}\n'
        ),
        "src/broken.rs": (
            "pub fn wrong() -> i32 {\n    missing_argument()\n}\n\nfn missing_argument(_: i32) -> i32 {\n    1\n}\n"
        ),
    },
    (
        Edit("src/boxes.rs", "self.width * self.height\n", '"none"\n'),
        Edit("src/boxes.rs", "fn area(&self)", "fn surface(&self)"),
        Edit("src/boxes.rs", "pub fn double(amount: i32) -> i32 {\n    amount * 2\n}\n\n", ""),
        Edit("src/boxes.rs", "double(amount: i32)", "double(amount: i32, times: i32)"),
        Edit("src/boxes.rs", "name: &str)", "name: i32)"),
        Edit("src/boxes.rs", "-> i32 {\n    amount * 2", "-> String {\n    amount.to_string()"),
        Edit("src/boxes.rs", "LIMIT: i32 = 10", 'LIMIT: &str = "10"'),
        Edit("src/boxes.rs", "\npub const LIMIT: i32 = 10;\n", ""),
        Edit("src/boxes.rs", "factor: i32)", "factor: i32, other: i32)"),
        Edit("src/boxes.rs", "pub fn double", "/// Twice as much.\npub fn double"),
        Edit("src/boxes.rs", "self.width * self.height\n", "self.height * self.width\n"),
        Edit("src/boxes.rs", "pub const", "pub fn more(amount: i32) -> i32 {\n    amount + 1\n}\n\npub const"),
        Edit("src/boxes.rs", "pub const", "pub const MISSING: i32 = 1;\npub const"),
        Edit("src/broken.rs", "missing_argument()\n", "missing_argument(1)\n"),
        Edit("src/use_a.rs", "double(3)", 'double(3, "4")'),
        Edit("src/use_b.rs", "LIMIT + 1", "(LIMIT +"),
    ),
    "//",
    broken="src/broken.rs",
)

_C = Planted(
    {
        "lib.h": (
            "#pragma once\nstruct box {\n  int width;\n  int height;\n};\nint area(struct box of);\n"
            "int twice(int amount);\n#define LIMIT 10\n"
        ),
        "lib.c": """#include "lib.h"

static int checked(int amount) { return amount; }

int area(struct box of) {
  return of.width * of.height;
}

int twice(int amount) {
  return checked(amount) * 2;
}
""",
        "use_a.c": """#include "lib.h"

static int own(int amount) { return amount + 1; }

int first(void) {
  struct box of = {1, 2};
  return area(of);
}

int second(void) { return twice(3) + own(4); }
""",
        "use_b.c": (
            '#include "lib.h"\n\nint most(void) { return LIMIT + 1; }\nint wide(struct box *of) { return of->width; }\n'
        ),
        "broken.c": '#include "lib.h"\n\nint wrong(void) { return missing; }\nint other = "text";\n',
        "compile_commands.json": (
            '[{"directory": "{root}", "file": "lib.c", "command": "cc -Wall -I. -c lib.c"}, '
            '{"directory": "{root}", "file": "use_a.c", "command": "cc -Wall -I. -c use_a.c"}, '
            '{"directory": "{root}", "file": "use_b.c", "command": "cc -Wall -I. -c use_b.c"}, '
            '{"directory": "{root}", "file": "broken.c", "command": "cc -Wall -I. -c broken.c"}]\n'
        ),
    },
    (
        Edit("lib.c", "return of.width * of.height;", "return missing;"),
        Edit("lib.c", "int twice(int amount)", "int twice(int amount, int times)"),
        Edit("lib.c", "static int checked(int amount) { return amount; }\n\n", ""),
        Edit("lib.c", "static int checked(int amount)", "static int checked(int amount, int least)"),
        Edit("lib.c", "of.width *", "of.breadth *"),
        Edit("lib.c", "of.width * of.height", "of.height * of.width"),
        Edit("lib.h", "int twice(int amount);", "int twice(int amount, int times);"),
        Edit("lib.h", "int width;", "int breadth;"),
        Edit("lib.h", "#define LIMIT 10\n", ""),
        Edit("use_a.c", "own(4)", 'own("4", 5)'),
        Edit("use_a.c", "static int own", "// Once more.\nstatic int own"),
        Edit("use_a.c", "return area(of);", "return area(of)"),
        Edit("use_b.c", "LIMIT + 1", "(LIMIT +"),
        Edit("use_b.c", "of->width", "of->depth"),
        Edit("broken.c", "return missing;", "return 1;"),
        Edit("broken.c", 'int other = "text";', "int other = 1;"),
    ),
    "//",
    broken="broken.c",
)

PLANTED: Mapping[str, Planted] = {
    "ty": _PYTHON,
    "pyright": _PYTHON,
    "typescript-language-server": _TYPESCRIPT,
    "tsc": _TYPESCRIPT,
    "gopls": _GO,
    "rust-analyzer": _RUST,
    "clangd": _C,
}
