"""Small projects with something to mend or to format, and what real servers make of it; all of one server fit together.

Above: ``test_server_edits``.
"""

import json
from dataclasses import dataclass

_TSCONFIG = (
    '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "target": "es2022", '
    '"lib": ["es2022"], "types": [], "noEmit": true}, "include": ["src"]}\n'
)
_TYPESCRIPT = {
    "tsconfig.json": _TSCONFIG,
    "package.json": '{"name": "sample", "version": "1.0.0"}\n',
    "src/lib.ts": "export function area(): number {\n  return 1;\n}\n",
}
_GO = {"go.mod": "module example.test/sample\n\ngo 1.19\n"}
_RUST = {"Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n'}
_NAMES = ("fix", "form", "command")
_C = {
    "compile_commands.json": json.dumps(
        [{"directory": "{root}", "file": f"{name}.c", "command": f"cc -Wall -c {name}.c"} for name in _NAMES],
    )
}


@dataclass(frozen=True)
class Mendable:
    """``file`` has findings before the fix of that ``title`` and none after it."""

    files: dict[str, str]
    file: str
    title: str
    after: str


@dataclass(frozen=True)
class Formattable:
    """``after`` is the text of ``file`` as the server forms it."""

    files: dict[str, str]
    file: str
    after: str


FIXES: dict[str, Mendable] = {
    "ty": Mendable(
        {"lib.py": "def area() -> int:\n    return 1\n", "fix.py": 'print("漢字 😀", area())\n'},
        "fix.py",
        "import lib.area",
        'from lib import area\nprint("漢字 😀", area())\n',
    ),
    "ruff": Mendable(
        {"ruff.toml": "", "fix.py": 'print("漢字 😀", f"plain")\n'},
        "fix.py",
        "Ruff (F541): Remove extraneous `f` prefix",
        'print("漢字 😀", "plain")\n',
    ),
    "typescript-language-server": Mendable(
        {**_TYPESCRIPT, "src/fix.ts": 'export const x = { "漢字 😀": area() };\n'},
        "src/fix.ts",
        'Add import from "./lib"',
        'import { area } from "./lib";\n\nexport const x = { "漢字 😀": area() };\n',
    ),
    "tsc": Mendable(
        {**_TYPESCRIPT, "src/fix.ts": 'export const x = { "漢字 😀": area() };\n'},
        "src/fix.ts",
        'Add import from "./lib"',
        'import { area } from "./lib";\n\nexport const x = { "漢字 😀": area() };\n',
    ),
    "gopls": Mendable(
        {**_GO, "fix/main.go": 'package main\n\nfunc main() {\n\tprintln("漢字 😀", fmt.Sprint(1))\n}\n'},
        "fix/main.go",
        'Add import:  "fmt"',
        'package main\n\nimport "fmt"\n\nfunc main() {\n\tprintln("漢字 😀", fmt.Sprint(1))\n}\n',
    ),
    "rust-analyzer": Mendable(
        {
            **_RUST,
            "src/shapes.rs": "pub fn area() -> i32 {\n    1\n}\n",
            "src/main.rs": 'mod shapes;\n\nfn main() {\n    let _ = ("漢字 😀", area());\n}\n',
        },
        "src/main.rs",
        "Import `crate::shapes::area`",
        'use crate::shapes::area;\n\nmod shapes;\n\nfn main() {\n    let _ = ("漢字 😀", area());\n}\n',
    ),
    "clangd": Mendable(
        {**_C, "fix.c": 'int main(void) { return (int)sizeof("漢字 😀") }\n'},
        "fix.c",
        "insert ';'",
        'int main(void) { return (int)sizeof("漢字 😀"); }\n',
    ),
}

FORMS: dict[str, Formattable] = {
    "ruff": Formattable(
        {"ruff.toml": "", "form.py": 'print( "漢字 😀",1 )\r\nx = 1\r\n'}, "form.py", 'print("漢字 😀", 1)\r\nx = 1\r\n'
    ),
    "typescript-language-server": Formattable(
        {
            **_TYPESCRIPT,
            ".editorconfig": "root = true\n[*.ts]\nindent_style = space\nindent_size = 3\n",
            "src/form.ts": 'export function f( ){\nreturn "漢字 😀";\n}\n',
        },
        "src/form.ts",
        'export function f() {\n   return "漢字 😀";\n}\n',
    ),
    "gopls": Formattable(
        {**_GO, "form/main.go": 'package main\n\nfunc main() {\n  println( "漢字 😀" )\n}\n'},
        "form/main.go",
        'package main\n\nfunc main() {\n\tprintln("漢字 😀")\n}\n',
    ),
    "rust-analyzer": Formattable(
        {**_RUST, "src/bin/form.rs": 'fn main() {\n  println!( "漢字 😀" );\n}\n'},
        "src/bin/form.rs",
        'fn main() {\n    println!("漢字 😀");\n}\n',
    ),
    "clangd": Formattable(
        {**_C, "form.c": 'const char*t="漢字 😀";\nint  main( void ) { return 0; }\n'},
        "form.c",
        'const char *t = "漢字 😀";\nint main(void) { return 0; }\n',
    ),
}


@dataclass(frozen=True)
class Refactoring:
    """Offered for the range ``where`` (lines and columns) under that ``title``; ``after`` are the files it changes."""

    files: dict[str, str]
    file: str
    where: tuple[int, int, int, int]
    title: str
    after: dict[str, str]


REFACTORINGS: dict[str, Refactoring] = {
    "typescript-language-server": Refactoring(
        {**_TYPESCRIPT, "src/command.ts": 'import { area } from "./lib";\nexport const x = { "漢字 😀": area() };\n'},
        "src/command.ts",
        (1, 1, 1, 29),
        "Convert named imports to namespace import",
        {"src/command.ts": 'import * as lib from "./lib";\nexport const x = { "漢字 😀": lib.area() };\n'},
    ),
    "gopls": Refactoring(
        {
            **_GO,
            "command/main.go": 'package main\n\nfunc one() string {\n\treturn "漢字 😀"\n}\n\n'
            "func main() {\n\tprintln(one())\n}\n",
        },
        "command/main.go",
        (3, 1, 5, 2),
        "Extract declarations to new file",
        {
            "command/main.go": "package main\n\nfunc main() {\n\tprintln(one())\n}\n",
            "command/one.go": 'package main\n\nfunc one() string {\n\treturn "漢字 😀"\n}\n',
        },
    ),
    "clangd": Refactoring(
        {**_C, "command.c": 'int f(int a) {\n  return (int)sizeof("漢字 😀") * (a + 1);\n}\n'},
        "command.c",
        (2, 33, 2, 40),
        "Extract subexpression to variable",
        {
            "command.c": "int f(int a) {\n  int placeholder = (a + 1);\n"
            '  return (int)sizeof("漢字 😀") * placeholder;\n}\n'
        },
    ),
}
