"""A project of 500 files in a language, of which five call a function of the library. Above: ``test_dependents``."""

from dataclasses import dataclass

CALLERS = 5
BYSTANDERS = 494


@dataclass(frozen=True)
class LargeProject:
    """``library`` declares what ``callers`` call; ``broken`` is the library with one parameter more."""

    files: dict[str, str]
    library: str
    callers: tuple[str, ...]
    broken: str

    @property
    def right(self) -> str:
        """The library as it is at first."""
        return self.files[self.library]


def _project(
    config: dict[str, str], library: str, text: tuple[str, str], caller: str, bystander: str, name: str
) -> LargeProject:
    """``text`` is the library before and after; the others are patterns with a number in them."""
    callers = {name.format(f"caller_{number}"): caller.format(number) for number in range(CALLERS)}
    bystanders = {name.format(f"bystander_{number}"): bystander.format(number) for number in range(BYSTANDERS)}
    files = {**config, library: text[0], **callers, **bystanders}
    return LargeProject(files, library, tuple(callers), text[1])


def _both(text: str, old: str, new: str) -> tuple[str, str]:
    return text, text.replace(old, new)


PYTHON = _project(
    {"pyproject.toml": '[project]\nname = "large"\nversion = "1"\n', "pkg/__init__.py": ""},
    "lib.py",
    _both(
        "def area(width: int, height: int) -> int:\n    return width * height\n", "height: int)", "height: int, d: int)"
    ),
    "from lib import area\n\nVALUE_{0}: int = area({0}, 1)\n",
    "def stand_{0}(width: int) -> int:\n    return width + {0}\n",
    "pkg/{}.py",
)

TYPESCRIPT = _project(
    {
        "package.json": '{"name": "large", "version": "1.0.0"}\n',
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"target": "es2022", "noEmit": true, "types": []}, "include": ["src"]}\n',
    },
    "src/lib.ts",
    _both(
        "export function area(width: number, height: number): number {\n  return width * height;\n}\n",
        "height: number)",
        "height: number, d: number)",
    ),
    'import {{ area }} from "../lib";\n\nexport const value{0}: number = area({0}, 1);\n',
    "export function stand{0}(width: number): number {{\n  return width + {0};\n}}\n",
    "src/pkg/{}.ts",
)

GO = _project(
    {"go.mod": "module example.com/large\n\ngo 1.21\n"},
    "lib/lib.go",
    _both(
        "package lib\n\nfunc Area(width, height int) int {\n\treturn width * height\n}\n",
        "width, height int",
        "width, height, d int",
    ),
    'package pkg\n\nimport "example.com/large/lib"\n\nvar Value{0} = lib.Area({0}, 1)\n',
    "package pkg\n\nfunc Stand{0}(width int) int {{\n\treturn width + {0}\n}}\n",
    "pkg/{}.go",
)

_MODULES = "".join(
    f"pub mod {name}_{number};\n"
    for name, count in (("caller", CALLERS), ("bystander", BYSTANDERS))
    for number in range(count)
)

RUST = _project(
    {
        "Cargo.toml": '[package]\nname = "large"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\npath = "src/lib.rs"\n',
        "src/lib.rs": f"pub mod library;\n{_MODULES}",
    },
    "src/library.rs",
    _both(
        "pub fn area(width: i32, height: i32) -> i32 {\n    width * height\n}\n", "height: i32)", "height: i32, d: i32)"
    ),
    "use crate::library::area;\n\npub fn call_{0}() -> i32 {{\n    area({0}, 1)\n}}\n",
    "pub fn stand_{0}(width: i32) -> i32 {{\n    width + {0}\n}}\n",
    "src/{}.rs",
)

PROJECTS: dict[str, LargeProject] = {
    "ty": PYTHON,
    "pyright": PYTHON,
    "basedpyright": PYTHON,
    "typescript-language-server": TYPESCRIPT,
    "tsc": TYPESCRIPT,
    "gopls": GO,
    "rust-analyzer": RUST,
}
