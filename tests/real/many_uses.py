"""A word defined in one file and used once in each of many others, in every language that a server of ours navigates.

Above: ``test_cold_references``. Below: nothing.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

USES = 299
"""With the file of the definition that makes three hundred."""


@dataclass(frozen=True)
class Project:
    """``{n}`` in path and text of a use is its number; ``{root}`` in any text is the place of the project."""

    definition: str
    """The file; the word is on its first line that holds it."""
    defining: str
    use: str
    using: str
    word: str = "area"
    others: dict[str, str] = field(default_factory=dict[str, str])

    def write(self, root: Path) -> None:
        """All of it."""
        for name, text in {**self.others, self.definition: self.defining}.items():
            _write(root / name, text.replace("{root}", str(root)))
        for number in range(USES):
            _write(root / self.use_of(number), self.using.replace("{n}", str(number)))

    def use_of(self, number: int) -> str:
        """The file of a use."""
        return self.use.replace("{n}", str(number))

    def places(self) -> set[tuple[str, int, int]]:
        """Every use: file, line and column."""
        line, text = next((number, text) for number, text in enumerate(self.using.splitlines(), 1) if self.word in text)
        column = text.replace("{n}", "0").index(self.word)
        before = text[: text.index(self.word)]
        return {
            (self.use_of(number), line, column + 1 + before.count("{n}") * (len(str(number)) - 1))
            for number in range(USES)
        }


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


PYTHON = Project(
    "lib.py",
    "def area(width: int) -> int:\n    return width\n",
    "use_{n}.py",
    "import lib\n\nVALUE_{n} = lib.area({n})\n",
    others={"pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n', "pyrefly.toml": ""},
)
TYPESCRIPT = Project(
    "src/lib.ts",
    "export function area(width: number): number {\n  return width;\n}\n",
    "src/use_{n}.ts",
    'import * as lib from "./lib.ts";\n\nexport const value{n} = lib.area({n});\n',
    others={
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"allowImportingTsExtensions": true, "target": "es2022", "noEmit": true, "types": []}, "include": ["src"]}\n',
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
    },
)
DENO = Project(
    TYPESCRIPT.definition, TYPESCRIPT.defining, TYPESCRIPT.use, TYPESCRIPT.using, others={"deno.json": "{}\n"}
)
GO = Project(
    "lib/lib.go",
    "package lib\n\nfunc Area(width int) int {\n\treturn width\n}\n",
    "pkg/use_{n}.go",
    'package pkg\n\nimport "example.test/sample/lib"\n\nvar Value{n} = lib.Area({n})\n',
    word="Area",
    others={"go.mod": "module example.test/sample\n\ngo 1.19\n"},
)
RUST = Project(
    "src/shapes.rs",
    "pub fn area(width: i32) -> i32 {\n    width\n}\n",
    "src/use_{n}.rs",
    "pub fn value() -> i32 {\n    crate::shapes::area({n})\n}\n",
    others={
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": "#![allow(dead_code)]\nmod shapes;\n"
        + "".join(f"mod use_{number};\n" for number in range(USES))
        + "fn main() {}\n",
    },
)
_C_FILES = ["lib.c", *(f"use_{number}.c" for number in range(USES))]
C = Project(
    "lib.c",
    '#include "lib.h"\nint area(int width) { return width; }\n',
    "use_{n}.c",
    '#include "lib.h"\nint value_{n}(void) { return area({n}); }\n',
    others={
        "lib.h": "#pragma once\nint area(int width);\n",
        "compile_commands.json": json.dumps(
            [{"directory": "{root}", "file": name, "command": f"cc -I. -c {name}"} for name in _C_FILES]
        ),
    },
)
PHP = Project(
    "lib.php",
    "<?php\n\nfunction area(int $width): int\n{\n    return $width;\n}\n",
    "use_{n}.php",
    "<?php\n\necho area({n});\n",
)
SHELL = Project("lib.sh", 'area() {\n  echo "$1"\n}\n', "use_{n}.sh", ". ./lib.sh\narea {n}\n")
FORTRAN = Project(
    "lib.f90",
    "module lib\ncontains\n  integer function area(width)\n    integer :: width\n    area = width\n  end function\n"
    "end module lib\n",
    "use_{n}.f90",
    "subroutine use_{n}()\n  use lib\n  print *, area({n})\nend subroutine\n",
)
PROTO = Project(
    "sample/v1/lib.proto",
    'syntax = "proto3";\n\npackage sample.v1;\n\nmessage Area {\n  int32 width = 1;\n}\n',
    "sample/v1/use_{n}.proto",
    'syntax = "proto3";\n\npackage sample.v1;\n\nimport "sample/v1/lib.proto";\n\n'
    "message Use{n} {\n  Area size = 1;\n}\n",
    word="Area",
    others={"buf.yaml": "version: v2\n"},
)

PROJECTS: dict[str, Project] = {
    "ty": PYTHON,
    "pyright": PYTHON,
    "basedpyright": PYTHON,
    "tsc": TYPESCRIPT,
    "typescript-language-server": TYPESCRIPT,
    "gopls": GO,
    "rust-analyzer": RUST,
    "clangd": C,
    "pyrefly": PYTHON,
    "zuban": PYTHON,
    "jedi-language-server": PYTHON,
    "pylsp": PYTHON,
    "vtsls": TYPESCRIPT,
    "deno": DENO,
    "intelephense": PHP,
    "bash-language-server": SHELL,
    "fortls": FORTRAN,
    "buf": PROTO,
}
"""Every server that finds references across files."""
