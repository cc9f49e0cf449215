"""Projects in which one name is used in many files, behind characters that encodings count differently.

Above: ``test_server_edits``.
"""

import json
from dataclasses import dataclass

USING_FILES = 52
_MOST_OF_CLANGD = 50
"""Files that it renames in, unless it is told another limit when it starts."""
_WIDE = "漢字 😀 é"


@dataclass(frozen=True)
class Project:
    """``{root}`` in a file stands for its place. Every third of the using files has other line endings."""

    files: dict[str, str]
    library: str
    old: str
    new: str
    sources: tuple[str, ...]
    """The files that hold the old name."""


def _project(files: dict[str, str], uses: dict[str, str], library: str, old: str, new: str) -> Project:
    ended = {
        name: text.replace("\n", "\r\n") if number % 3 == 0 else text
        for number, (name, text) in enumerate(uses.items())
    }
    return Project({**files, **ended}, library, old, new, (library, *uses))


def _python() -> Project:
    files = {
        "lib.py": "def area(width: int, height: int) -> int:\n    return width * height\n",
        "pkg/__init__.py": "",
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
    }
    uses = {
        f"pkg/use_{number}.py": f'from lib import area\n\nVALUE: int = len("{_WIDE}") + area({number}, 1)\n'
        for number in range(USING_FILES)
    }
    return _project(files, uses, "lib.py", "area", "surface")


def _typescript() -> Project:
    options = '"strict": true, "module": "esnext", "moduleResolution": "bundler", "target": "es2022", "noEmit": true'
    files = {
        "tsconfig.json": f'{{"compilerOptions": {{{options}, "lib": ["es2022"], "types": []}}, "include": ["src"]}}\n',
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
        "src/lib.ts": "export function area(width: number, height: number): number {\n  return width * height;\n}\n",
    }
    uses = {
        f"src/pkg/use_{number}.ts": 'import { area } from "../lib";\n\n'
        f'export const value{number}: number = "{_WIDE}".length + area({number}, 1);\n'
        for number in range(USING_FILES)
    }
    return _project(files, uses, "src/lib.ts", "area", "surface")


def _go() -> Project:
    files = {
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "lib/lib.go": "package lib\n\nfunc Area(width int, height int) int {\n\treturn width * height\n}\n",
    }
    uses = {
        f"pkg/use_{number}.go": 'package pkg\n\nimport "example.test/sample/lib"\n\n'
        f'var Value{number} = len("{_WIDE}") + lib.Area({number}, 1)\n'
        for number in range(USING_FILES)
    }
    return _project(files, uses, "lib/lib.go", "Area", "Surface")


def _rust() -> Project:
    modules = "".join(f"mod use_{number};\n" for number in range(USING_FILES))
    files = {
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": f"#![allow(dead_code)]\nmod lib_of_shapes;\n{modules}\nfn main() {{}}\n",
        "src/lib_of_shapes.rs": "pub fn area(width: usize, height: usize) -> usize {\n    width * height\n}\n",
    }
    uses = {
        f"src/use_{number}.rs": f'pub fn value() -> usize {{\n    "{_WIDE}".len() + '
        f"crate::lib_of_shapes::area({number}, 1)\n}}\n"
        for number in range(USING_FILES)
    }
    return _project(files, uses, "src/lib_of_shapes.rs", "area", "surface")


def _c() -> Project:
    files = {"lib.h": "#pragma once\nint area(int width, int height);\n"}
    uses = {"lib.c": '#include "lib.h"\nint area(int width, int height) { return width * height; }\n'}
    uses |= {
        f"use_{number}.c": f'#include "lib.h"\nint value_{number}(void) '
        f'{{ return (int)sizeof("{_WIDE}") + area({number}, 1); }}\n'
        for number in range(_MOST_OF_CLANGD - 2)
    }
    entries = [{"directory": "{root}", "file": name, "command": f"cc -Wall -I. -c {name}"} for name in uses]
    files["compile_commands.json"] = json.dumps(entries)
    return _project(files, uses, "lib.h", "area", "surface")


PROJECTS: dict[str, Project] = {
    "ty": _python(),
    "pyright": _python(),
    "basedpyright": _python(),
    "typescript-language-server": _typescript(),
    "tsc": _typescript(),
    "gopls": _go(),
    "rust-analyzer": _rust(),
    "clangd": _c(),
}
