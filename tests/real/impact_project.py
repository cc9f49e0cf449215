"""A generated project: libraries with exported functions, files that use them, files with tests; and who uses what.

Above: ``test_impact``, ``bench.impact``. Below: nothing.
"""

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PER_LIBRARY = 10


@dataclass(frozen=True)
class Language:
    """How it is written. ``number`` is that of the file, ``uses`` are pairs of library and function."""

    library_name: str
    library: Callable[[int, Sequence[int]], str]
    user_name: str
    test_name: str
    user: Callable[[int, Sequence[tuple[int, int]]], str]
    function: str
    """The name of an exported function, with the numbers of its library and its own."""
    config: Callable[[Mapping[str, str]], Mapping[str, str]] = field(default=lambda _: {})


@dataclass(frozen=True)
class ImpactProject:
    """``uses``: of each exported function, by its name, how often others use it, and how often tests do."""

    files: Mapping[str, str]
    libraries: tuple[str, ...]
    uses: Mapping[str, tuple[int, int]]

    def write(self, root: Path) -> Path:
        """All files; the directory without links, as servers see it."""
        for name, text in self.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text.replace("{root}", str(root.resolve())), "utf-8")
        return root.resolve()

    @property
    def untested(self) -> set[str]:
        """What no test uses."""
        return {name for name, (_, tests) in self.uses.items() if not tests}


def make_project(language: str, *, files: int, libraries: int, seed: int = 7) -> ImpactProject:
    """Of so many files; every fifth that is no library is a test."""
    way, chance = LANGUAGES[language], random.Random(seed)
    texts = {way.library_name.format(n=n): way.library(n, range(PER_LIBRARY)) for n in range(libraries)}
    names = tuple(texts)
    counts: dict[bool, Counter[tuple[int, int]]] = {True: Counter(), False: Counter()}
    functions = [(library, own) for library in range(libraries) for own in range(PER_LIBRARY)]
    used = functions[: -max(len(functions) // 20, 1)]  # the last few are used by nobody
    tested = used[: len(used) * 2 // 3]
    for number in range(files - libraries):
        is_test = number % 5 == 0
        uses = chance.choices(tested if is_test else used, k=chance.randint(1, 5))
        counts[is_test].update(uses)
        texts[(way.test_name if is_test else way.user_name).format(n=number)] = way.user(number, uses)
    truth = {way.function.format(n=n, k=k): (counts[False][n, k], counts[True][n, k]) for n, k in functions}
    return ImpactProject({**texts, **way.config(texts)}, names, truth)


def _lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


def _python_library(n: int, functions: Sequence[int]) -> str:
    exported = [f"def f{n}_{k}(width: int) -> int:\n    return _hidden(width) + {k}\n\n" for k in functions]
    return _lines("def _hidden(width: int) -> int:\n    return width\n\n", *exported)


def _python_user(number: int, uses: Sequence[tuple[int, int]]) -> str:
    imports = [f"from pkg import lib_{n}" for n in sorted({n for n, _ in uses})]
    calls = [f"    total += lib_{n}.f{n}_{k}(total)" for n, k in uses]
    return _lines(*imports, "", "", f"def test_{number}() -> int:", "    total = 0", *calls, "    return total")


def _script_library(n: int, functions: Sequence[int]) -> str:
    exported = [
        f"export function f{n}_{k}(width: number): number {{\n  return hidden(width) + {k};\n}}\n" for k in functions
    ]
    return _lines("function hidden(width: number): number {\n  return width;\n}\n", *exported)


def _script_user(number: int, uses: Sequence[tuple[int, int]]) -> str:
    imports = [f'import * as lib{n} from "../lib/lib{n}";' for n in sorted({n for n, _ in uses})]
    calls = [f"  total += lib{n}.f{n}_{k}(total);" for n, k in uses]
    opening = f"export function use{number}(): number {{"
    return _lines(*imports, "", opening, "  let total = 0;", *calls, "  return total;", "}")


def _go_library(n: int, functions: Sequence[int]) -> str:
    exported = [f"func F{n}_{k}(width int) int {{\n\treturn hidden(width) + {k}\n}}\n" for k in functions]
    return _lines(f"package lib{n}", "", "func hidden(width int) int {\n\treturn width\n}\n", *exported)


def _go_user(number: int, uses: Sequence[tuple[int, int]]) -> str:
    imports = [f'\t"example.test/sample/lib{n}"' for n in sorted({n for n, _ in uses})]
    calls = [f"\ttotal += lib{n}.F{n}_{k}(total)" for n, k in uses]
    opening = ["package app", "", "import (", *imports, ")", "", f"func use{number}() int {{", "\ttotal := 0"]
    return _lines(*opening, *calls, "\treturn total", "}")


def _c_library(n: int, functions: Sequence[int]) -> str:
    exported = [f"int f{n}_{k}(int width) {{ return hidden(width) + {k}; }}" for k in functions]
    return _lines('#include "all.h"', "static int hidden(int width) { return width; }", *exported)


def _c_user(number: int, uses: Sequence[tuple[int, int]]) -> str:
    calls = [f"  total += f{n}_{k}(total);" for n, k in uses]
    return _lines('#include "all.h"', f"int use_{number}(void) {{", "  int total = 0;", *calls, "  return total;", "}")


def _c_config(files: Mapping[str, str]) -> Mapping[str, str]:
    libraries = sum(name.startswith("lib_") for name in files)
    declared = [f"int f{n}_{k}(int width);" for n in range(libraries) for k in range(PER_LIBRARY)]
    commands = [{"directory": "{root}", "file": name, "command": f"cc -I. -c {name}"} for name in files]
    return {"all.h": _lines("#pragma once", *declared), "compile_commands.json": json.dumps(commands)}


def _rust_library(n: int, functions: Sequence[int]) -> str:
    exported = [f"pub fn f{n}_{k}(width: i32) -> i32 {{\n    hidden(width) + {k}\n}}\n" for k in functions]
    return _lines("fn hidden(width: i32) -> i32 {\n    width\n}\n", *exported)


def _rust_user(number: int, uses: Sequence[tuple[int, int]]) -> str:
    calls = [f"    total += crate::lib_{n}::f{n}_{k}(total);" for n, k in uses]
    text = [f"pub fn use_{number}() -> i32 {{", "    let mut total = 0;", *calls, "    total", "}"]
    return _lines(*text)


def _rust_config(files: Mapping[str, str]) -> Mapping[str, str]:
    modules = "".join(f"mod {Path(name).stem};\n" for name in files)
    return {
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": f"#![allow(dead_code)]\n{modules}fn main() {{}}\n",
    }


_TSCONFIG = (
    '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "target": "es2022", '
    '"lib": ["es5"], "noEmit": true, "types": []}, "include": ["src"]}\n'
)

LANGUAGES: Mapping[str, Language] = {
    "python": Language(
        "pkg/lib_{n}.py",
        _python_library,
        "app/use_{n}.py",
        "tests/test_{n}.py",
        _python_user,
        "f{n}_{k}",
        lambda _: {
            "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
            "pkg/__init__.py": "",
            "app/__init__.py": "",
        },
    ),
    "typescript": Language(
        "src/lib/lib{n}.ts",
        _script_library,
        "src/app/use{n}.ts",
        "src/app/use{n}.test.ts",
        _script_user,
        "f{n}_{k}",
        lambda _: {"tsconfig.json": _TSCONFIG, "package.json": '{"name": "sample", "version": "1.0.0"}\n'},
    ),
    "go": Language(
        "lib{n}/lib{n}.go",
        _go_library,
        "app/use{n}.go",
        "app/use{n}_test.go",
        _go_user,
        "F{n}_{k}",
        lambda _: {"go.mod": "module example.test/sample\n\ngo 1.19\n"},
    ),
    "c": Language("lib_{n}.c", _c_library, "use_{n}.c", "test_{n}.c", _c_user, "f{n}_{k}", _c_config),
    "rust": Language(
        "src/lib_{n}.rs", _rust_library, "src/use_{n}.rs", "src/use_{n}_test.rs", _rust_user, "f{n}_{k}", _rust_config
    ),
}

SERVERS: Mapping[str, str] = {
    "ty": "python",
    "pyright": "python",
    "typescript-language-server": "typescript",
    "tsc": "typescript",
    "gopls": "go",
    "clangd": "c",
    "rust-analyzer": "rust",
}
