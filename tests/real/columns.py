"""The same few lines in several languages: before what is asked about stand characters that take several bytes, or two
UTF-16 units, and lines end with CRLF. Above: ``test_columns``. Below: nothing.
"""

from dataclasses import dataclass, field

DEFINED = "面积"
USED = "使用"
BROKEN = "错误"
MISSING = "缺失"


@dataclass(frozen=True)
class Sample:
    """``library`` defines what ``user`` uses twice: in a line that is right, and in one where a name is missing."""

    library: str
    user: str
    files: dict[str, str] = field(default_factory=dict[str, str])
    """``{root}`` in one stands for the place of the project."""


def _crlf(*lines: str) -> str:
    return "".join(f"{line}\r\n" for line in lines)


PYTHON = Sample(
    "lib.py",
    "use.py",
    {
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
        "lib.py": _crlf('"😀"', f'"😀漢字é"; {DEFINED} = lambda it: it', ""),
        "use.py": _crlf(
            '"""漢字"""',
            "import lib",
            f'"😀漢字é"; {USED} = "😀", lib.{DEFINED}(1)',
            f'"😀漢字é"; {BROKEN} = "😀", lib.{DEFINED}({MISSING})',
        ),
    },
)
TYPESCRIPT = Sample(
    "lib.ts",
    "use.ts",
    {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"allowImportingTsExtensions": true, "lib": ["es5"], "noEmit": true, "types": []}}\n',
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
        "lib.ts": _crlf("// 😀", f"/* 😀漢字é */ export function {DEFINED}(it: number) {{ return it; }}", ""),
        "use.ts": _crlf(
            "// 漢字",
            'import * as lib from "./lib.ts";',
            f'/* 😀漢字é */ export const {USED} = ["😀", lib.{DEFINED}(1)];',
            f'/* 😀漢字é */ export const {BROKEN} = ["😀", lib.{DEFINED}({MISSING})];',
        ),
    },
)
GO = Sample(
    "lib.go",
    "use.go",
    {
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "lib.go": _crlf("package main // 😀", "", f"/* 😀漢字é */ func {DEFINED}(it int) int {{ return it }}", ""),
        "use.go": _crlf(
            "package main // 漢字",
            f'/* 😀漢字é */ var {USED} = []any{{"😀", {DEFINED}(1)}}',
            f'/* 😀漢字é */ var {BROKEN} = []any{{"😀", {DEFINED}({MISSING})}}',
            "func main() {}",
        ),
    },
)
RUST = Sample(
    "src/lib.rs",
    "src/user.rs",
    {
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": _crlf("pub mod user; // 😀", f"/* 😀漢字é */ pub fn {DEFINED}(it: i32) -> i32 {{ it }}", ""),
        "src/user.rs": _crlf(
            "// 漢字",
            f'/* 😀漢字é */ pub fn {USED}() -> (&\'static str, i32) {{ ("😀", crate::{DEFINED}(1)) }}',
            f'/* 😀漢字é */ pub fn {BROKEN}() -> (&\'static str, i32) {{ ("😀", crate::{DEFINED}({MISSING})) }}',
        ),
    },
)
C = Sample(
    "lib.h",
    "use.c",
    {
        "compile_commands.json": '[{"directory": "{root}", "file": "use.c", "command": "cc -I. -c use.c"}]\n',
        "lib.h": _crlf("#pragma once // 😀", f"/* 😀漢字é */ static inline int {DEFINED}(int it) {{ return it; }}", ""),
        "use.c": _crlf(
            "// 漢字",
            '#include "lib.h"',
            f'/* 😀漢字é */ int {USED}(void) {{ return "😀"[0] + {DEFINED}(1); }}',
            f'/* 😀漢字é */ int {BROKEN}(void) {{ return "😀"[0] + {DEFINED}({MISSING}); }}',
        ),
    },
)

DENO = Sample(TYPESCRIPT.library, TYPESCRIPT.user, {**TYPESCRIPT.files, "deno.json": "{}\n"})

SAMPLES: dict[str, Sample] = {
    "ty": PYTHON,
    "pyright": PYTHON,
    "basedpyright": PYTHON,
    "tsc": TYPESCRIPT,
    "typescript-language-server": TYPESCRIPT,
    "gopls": GO,
    "rust-analyzer": RUST,
    "clangd": C,
    "zuban": PYTHON,
    "pyrefly": PYTHON,
    "vtsls": TYPESCRIPT,
    "deno": DENO,
}
COUNTS_BYTES = frozenset({"ty", "tsc", "rust-analyzer", "clangd", "zuban"})
"""The others count UTF-16 units."""
