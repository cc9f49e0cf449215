"""The scenarios' data: one small project per server, and what to do to it. Above: ``test_scenarios``."""

import json
from dataclasses import dataclass

REFERRING_FILES = 40


@dataclass(frozen=True)
class Edit:
    """Replace ``old`` by ``new`` in ``file``."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Row:
    """One server's project; ``{root}`` in a file stands for its place. Undoing a breaking edit makes it clean again."""

    server: str
    files: dict[str, str]
    own_break: Edit
    """Breaks the file it changes."""
    own_needle: str
    """Part of the finding's message or code."""
    cross_break: Edit | None = None
    """Breaks ``user`` from elsewhere."""
    user: str = ""
    cross_needle: str = ""
    new_file: tuple[str, str] | None = None
    """A file that ``importer`` needs and that is not there at first."""
    importer: str = ""
    missing_needle: str = ""
    references: tuple[str, str] | None = None
    """File and the word whose references are asked for (the first place of the word)."""
    reference_count: int = 0
    referring_file: tuple[str, str, int] = ("", "", 0)
    """A further file that refers to the word, in a directory of its own, and how often it does."""
    severities: tuple[str, ...] = ("error",)
    """Which findings count."""


def _python_files() -> dict[str, str]:
    files = {
        "lib.py": "def area(width: int, height: int) -> int:\n    return width * height\n",
        "user.py": "from lib import area\n\nTOTAL: int = area(2, 3)\n",
        "importer.py": "from fresh import value\n\nprint(value)\n",
        "main.py": 'def greet(name: str) -> str:\n    return "hé 😀 " + name\n\n\ngreet("x")\n',
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
    }
    for number in range(REFERRING_FILES):
        files[f"pkg/use_{number}.py"] = f"from lib import area\n\nVALUE_{number} = area({number}, 1)\n"
    files["pkg/__init__.py"] = ""
    return files


def _python(server: str) -> Row:
    return Row(
        server=server,
        files=_python_files(),
        own_break=Edit("main.py", 'greet("x")', "greet(1)"),
        own_needle="str",
        cross_break=Edit("lib.py", "width: int, height: int", "width: int, height: int, depth: int"),
        user="user.py",
        cross_needle="depth",
        new_file=("fresh.py", "value: int = 1\n"),
        importer="importer.py",
        missing_needle="fresh",
        references=("lib.py", "area"),
        reference_count=1 + 2 + 2 * REFERRING_FILES,
        referring_file=("later/more.py", "from lib import area\n\nprint(area(1, 2))\n", 2),
    )


def _typescript_files() -> dict[str, str]:
    files = {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"target": "es2022", "noEmit": true, "lib": ["es2022"], "types": []}, "include": ["src"]}\n',
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
        "src/lib.ts": "export function area(width: number, height: number): number {\n  return width * height;\n}\n",
        "src/user.ts": 'import { area } from "./lib";\n\nexport const total: number = area(2, 3);\n',
        "src/importer.ts": 'import { value } from "./fresh";\n\nexport const shown: number = value;\n',
        "src/main.ts": 'function greet(name: string): string {\n  return "hé 😀 " + name;\n}\n\ngreet("x");\n'
        "export {};\n",
    }
    for number in range(REFERRING_FILES):
        text = f'import {{ area }} from "../lib";\n\nexport const value{number} = area({number}, 1);\n'
        files[f"src/pkg/use_{number}.ts"] = text
    return files


def _typescript(server: str) -> Row:
    return Row(
        server=server,
        files=_typescript_files(),
        own_break=Edit("src/main.ts", 'greet("x")', "greet(1)"),
        own_needle="not assignable",
        cross_break=Edit("src/lib.ts", "height: number)", "height: number, depth: number)"),
        user="src/user.ts",
        cross_needle="Expected 3 arguments",
        new_file=("src/fresh.ts", "export const value: number = 1;\n"),
        importer="src/importer.ts",
        missing_needle="./fresh",
        references=("src/lib.ts", "area"),
        reference_count=1 + 2 + 2 * REFERRING_FILES,
        referring_file=("src/later/more.ts", 'import { area } from "../lib";\n\nexport const more = area(1, 2);\n', 2),
    )


def _c_files() -> dict[str, str]:
    files = {
        "lib.h": "#pragma once\nint area(int width, int height);\n",
        "lib.c": '#include "lib.h"\nint area(int width, int height) { return width * height; }\n',
        "user.c": '#include "lib.h"\nint total(void) { return area(2, 3); }\n',
        "importer.c": '#include "fresh.h"\nint shown(void) { return FRESH; }\n',
        "main.c": 'const char *greeting = "hé 😀";\nint greet(int times) { return times; }\n',
    }
    for number in range(REFERRING_FILES):
        files[f"use_{number}.c"] = f'#include "lib.h"\nint value_{number}(void) {{ return area({number}, 1); }}\n'
    sources = [name for name in files if name.endswith(".c")]
    entries = [{"directory": "{root}", "file": name, "command": f"cc -Wall -I. -c {name}"} for name in sources]
    files["compile_commands.json"] = json.dumps(entries)
    return files


CLANGD = Row(
    server="clangd",
    files=_c_files(),
    own_break=Edit("main.c", "return times;", "return greeting;"),
    own_needle="int-conversion",
    cross_break=Edit("lib.h", "int height);", "int height, int depth);"),
    user="user.c",
    cross_needle="Too few arguments",
    new_file=("fresh.h", "#pragma once\n#define FRESH 1\n"),
    importer="importer.c",
    missing_needle="fresh.h",
    references=("lib.c", "area"),
    reference_count=1 + 1 + 1 + REFERRING_FILES,
    referring_file=("later/more.c", '#include "../lib.h"\nint more(void) { return area(1, 2); }\n', 1),
)


def _go_files() -> dict[str, str]:
    files = {
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "lib/lib.go": "package lib\n\nfunc Area(width int, height int) int {\n\treturn width * height\n}\n",
        "user.go": 'package main\n\nimport "example.test/sample/lib"\n\nvar Total int = lib.Area(2, 3)\n',
        "importer.go": "package main\n\nvar Shown int = Fresh\n",
        "main.go": 'package main\n\nfunc greet(name string) string {\n\treturn "hé 😀 " + name\n}\n\n'
        'func main() {\n\tprintln(greet("x"))\n}\n',
    }
    for number in range(REFERRING_FILES):
        files[f"pkg/use_{number}.go"] = (
            f'package pkg\n\nimport "example.test/sample/lib"\n\nvar Value{number} = lib.Area({number}, 1)\n'
        )
    return files


GOPLS = Row(
    server="gopls",
    files=_go_files(),
    own_break=Edit("main.go", 'greet("x")', "greet(1)"),
    own_needle="cannot use 1",
    cross_break=Edit("lib/lib.go", "height int)", "height int, depth int)"),
    user="user.go",
    cross_needle="not enough arguments",
    new_file=("fresh.go", "package main\n\nconst Fresh = 1\n"),
    importer="importer.go",
    missing_needle="Fresh",
    references=("lib/lib.go", "Area"),
    reference_count=1 + 1 + REFERRING_FILES,
    referring_file=(
        "later/more.go",
        'package later\n\nimport "example.test/sample/lib"\n\nvar More = lib.Area(1, 2)\n',
        1,
    ),
)


def _rust_files() -> dict[str, str]:
    modules = "".join(f"mod use_{number};\n" for number in range(REFERRING_FILES))
    files = {
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": "#![allow(dead_code)]\nmod area;\nmod importer;\nmod later;\nmod user;\n"
        + modules
        + 'fn greet(name: &str) -> usize {\n    name.len()\n}\n\nfn main() {\n    greet("hé 😀");\n}\n',
        "src/area.rs": "pub fn area(width: i32, height: i32) -> i32 {\n    width * height\n}\n",
        "src/user.rs": "pub fn total() -> i32 {\n    crate::area::area(2, 3)\n}\n",
        "src/later.rs": "",
        "src/importer.rs": "pub mod fresh;\npub fn shown() -> i32 {\n    fresh::VALUE\n}\n",
    }
    for number in range(REFERRING_FILES):
        files[f"src/use_{number}.rs"] = f"pub fn value() -> i32 {{\n    crate::area::area({number}, 1)\n}}\n"
    return files


RUST_ANALYZER = Row(
    server="rust-analyzer",
    files=_rust_files(),
    own_break=Edit("src/main.rs", 'greet("hé 😀")', "greet(1)"),
    own_needle="&str",
    cross_break=Edit("src/area.rs", "height: i32)", "height: i32, depth: i32)"),
    user="src/user.rs",
    cross_needle="argument",
    new_file=("src/importer/fresh.rs", "pub const VALUE: i32 = 1;\n"),
    importer="src/importer.rs",
    missing_needle="fresh",
    references=("src/area.rs", "area"),
    reference_count=1 + 1 + REFERRING_FILES,
    # A file that no module declares is no part of the crate, so this one is there, empty, from the start.
    referring_file=("src/later.rs", "pub fn more() -> i32 {\n    crate::area::area(1, 2)\n}\n", 1),
)

RUFF = Row(
    server="ruff",
    files={"main.py": "import os\n\nprint(os.sep)\n", "ruff.toml": ""},
    own_break=Edit("main.py", "print(os.sep)", "print(1)"),
    own_needle="F401",
    severities=("error", "warning"),
)

ROWS: dict[str, Row] = {
    row.server: row
    for row in (
        _python("ty"),
        _python("pyright"),
        _python("basedpyright"),
        RUFF,
        _typescript("typescript-language-server"),
        _typescript("tsc"),
        CLANGD,
        GOPLS,
        RUST_ANALYZER,
    )
}
