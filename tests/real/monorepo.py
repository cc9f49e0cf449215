"""A monorepo with something of everything, unconfigured, and one planted error a file. Above: ``test_monorepo``."""

import json
from dataclasses import dataclass
from pathlib import Path

ROOT = ""
"""The repository itself."""


@dataclass(frozen=True)
class Planted:
    """A file with an error in it: mended when ``wrong`` is replaced by ``right``."""

    file: str
    text: str
    wrong: str
    right: str
    needle: str
    """Part of the finding's message."""
    servers: dict[str, str]
    """Who takes care of it, and at which root, seen from the repository."""

    @property
    def mended(self) -> str:
        """The text without the error."""
        assert self.wrong in self.text
        return self.text.replace(self.wrong, self.right)


PLANTED = (
    Planted(
        "services/api/api/main.py",
        "from api.lib import area\n\nTOTAL: int = area('2', 3)\n",
        "'2'",
        "2",
        "int",
        {"pyright": "services/api", "ruff": "services/api"},
    ),
    Planted(
        "services/worker/worker/main.py",
        "from worker.lib import area\n\nTOTAL: int = area('2', 3)\n",
        "'2'",
        "2",
        "int",
        {"ty": "services/worker"},
    ),
    Planted(
        "web/packages/site/src/index.ts",
        'import { area } from "@mono/shapes";\n\nexport const total: number = area("2", 3);\n',
        '"2"',
        "2",
        "not assignable",
        {"typescript-language-server": "web"},
    ),
    Planted(
        "web/packages/shapes/src/index.ts",
        "export function area(width: number, height: number): number {\n  return `${width * height}`;\n}\n",
        "`${width * height}`",
        "width * height",
        "not assignable",
        {"typescript-language-server": "web"},
    ),
    Planted(
        "tools/index.ts",
        'export const width: number = "2";\n',
        '"2"',
        "2",
        "not assignable",
        {"tsc": "tools"},
    ),
    Planted(
        "go/service/main.go",
        'package main\n\nimport "example.test/shapes"\n\nfunc main() {\n\tprintln(shapes.Area("2", 3))\n}\n',
        '"2"',
        "2",
        "cannot use",
        {"gopls": "go"},
    ),
    Planted(
        "rust/app/src/main.rs",
        'fn main() {\n    shapes::area("2", 3);\n}\n',
        '"2"',
        "2",
        "i32",
        {"rust-analyzer": "rust"},
    ),
    Planted(
        "native/src/main.cpp",
        '#include "shapes.hpp"\n\nint main() { return area("2", 3); }\n',
        '"2"',
        "2",
        "area",
        {"clangd": "native"},
    ),
    Planted("config/settings.json", '{"width": 2 "height": 3}\n', "2 ", "2, ", "comma", {"vscode-json": ROOT}),
    Planted(
        "deploy/app.yaml", "width: 2\nwidth: 3\n", "width: 3", "height: 3", "unique", {"yaml-language-server": ROOT}
    ),
    Planted(
        "scripts/release",
        '#!/usr/bin/env bash\nif [ -n "$1" ]; then\n  echo "$1"\n# end\n',
        "# end",
        "fi",
        "if",
        {"bash-language-server": ROOT},
    ),
)

_COMPILER_OPTIONS: dict[str, object] = {
    "strict": True,
    "module": "esnext",
    "moduleResolution": "bundler",
    "noEmit": True,
    "lib": ["es2022"],
    "types": [],
}
_TSCONFIG = json.dumps({"compilerOptions": _COMPILER_OPTIONS, "include": ["src"]})

_PYTHON = {
    f"services/{name}/{file}": text
    for name in ("api", "worker")
    for file, text in (
        ("pyproject.toml", f'[project]\nname = "{name}"\nversion = "1"\n'),
        (f"{name}/__init__.py", ""),
        (f"{name}/lib.py", "def area(width: int, height: int) -> int:\n    return width * height\n"),
    )
}
_TYPESCRIPT = {
    "web/package.json": '{"name": "web", "private": true, "workspaces": ["packages/*"]}',
    "web/package-lock.json": '{"lockfileVersion": 3}',
    "tools/package.json": '{"name": "tools", "version": "1.0.0"}',
    "tools/tsconfig.json": "{}",
    "web/packages/site/package.json": '{"name": "@mono/site", "version": "1.0.0"}',
    "web/packages/site/tsconfig.json": _TSCONFIG,
    "web/packages/shapes/package.json": '{"name": "@mono/shapes", "version": "1.0.0", "types": "src/index.ts"}',
    "web/packages/shapes/tsconfig.json": _TSCONFIG,
}
_GO = {
    "go/go.work": "go 1.19\n\nuse (\n\t./service\n\t./shapes\n)\n",
    "go/service/go.mod": "module example.test/service\n\ngo 1.19\n",
    "go/shapes/go.mod": "module example.test/shapes\n\ngo 1.19\n",
    "go/shapes/shapes.go": "package shapes\n\nfunc Area(width, height int) int { return width * height }\n",
}
_RUST = {
    "rust/Cargo.toml": '[workspace]\nmembers = ["app", "shapes"]\nresolver = "2"\n',
    "rust/app/Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n\n'
    '[dependencies]\nshapes = { path = "../shapes" }\n',
    "rust/shapes/Cargo.toml": '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2021"\n',
    "rust/shapes/src/lib.rs": "pub fn area(width: i32, height: i32) -> i32 {\n    width * height\n}\n",
}
_NATIVE = {
    "native/include/shapes.hpp": "#pragma once\nint area(int width, int height);\n",
    "native/compile_commands.json": json.dumps(
        [{"directory": "{root}/native", "file": "src/main.cpp", "command": "c++ -Iinclude -c src/main.cpp"}]
    ),
}
_HINTS = {
    "services/api/ruff.toml": "",
    "services/worker/ty.toml": "",
    ".gitignore": "node_modules/\ntarget/\n.cache/\n",
}
FILES = {**_PYTHON, **_TYPESCRIPT, **_GO, **_RUST, **_NATIVE, **_HINTS}


def write_monorepo(root: Path, typescript: Path) -> None:
    """Everything on disk, each planted error in its place; only the web packages have a TypeScript, an old one."""
    texts = {**FILES, **{planted.file: planted.text for planted in PLANTED}}
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{root}", str(root)), "utf-8")
    modules = root / "web/node_modules"
    (modules / "@mono").mkdir(parents=True)
    (modules / "typescript").symlink_to(typescript)
    for package in ("site", "shapes"):
        (modules / "@mono" / package).symlink_to(root / "web/packages" / package)


def mend(root: Path) -> None:
    """Take every planted error out."""
    for planted in PLANTED:
        (root / planted.file).write_text(planted.mended, "utf-8")


def expected_servers(root: Path) -> set[tuple[str, str]]:
    """Who has to run, and where: no more and no less."""
    return {(server, str(root / place)) for planted in PLANTED for server, place in planted.servers.items()}
