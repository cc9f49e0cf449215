"""One repository with everything in it: each file gets the servers it needs, at the right roots, unconfigured."""

import sys
from pathlib import Path

import pytest

from groundwire.pool.routing import Route, route
from groundwire.registry.catalog import load_catalog

FILES = {
    ".git/HEAD": "",
    "services/api/pyproject.toml": "[project]\nname = 'api'\n[tool.ruff]\n",
    "services/api/uv.lock": "",
    "services/api/src/main.py": "",
    "web/pnpm-workspace.yaml": "",
    "web/pnpm-lock.yaml": "",
    "web/biome.json": "{}",
    "web/packages/site/package.json": "{}",
    "web/packages/site/tsconfig.json": "{}",
    "web/packages/site/src/index.tsx": "",
    "web/packages/legacy/package.json": "{}",
    "web/packages/legacy/node_modules/typescript/package.json": '{"version": "5.9.3"}',
    "web/packages/legacy/index.ts": "",
    "edge/deno.json": "{}",
    "edge/main.ts": "",
    "go/go.work": "",
    "go/tool/go.mod": "",
    "go/tool/main.go": "",
    "rust/Cargo.toml": "[workspace]\n",
    "rust/crate/Cargo.toml": "[package]\n",
    "rust/crate/src/lib.rs": "",
    "native/compile_commands.json": "[]",
    "native/src/a.cpp": "",
    "java/pom.xml": "<modules><module>core</module></modules>",
    "java/core/pom.xml": "",
    "java/core/src/A.java": "",
    "config/a.json": "{}",
    "config/a.yaml": "",
    "scripts/deploy": "#!/usr/bin/env bash\n",
    "Dockerfile.dev": "",
}
PROGRAMS = (
    "pyright-langserver", "ty", "ruff", "tsc", "typescript-language-server", "biome", "deno", "gopls", "rust-analyzer",
    "clangd", "jdtls", "vscode-json-language-server", "yaml-language-server", "bash-language-server", "shellcheck",
    "docker-langserver", "vscode-eslint-language-server",
)  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gw/python"))
    for name in PROGRAMS:
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\necho 9.0\n", "utf-8")
        program.chmod(0o755)
    for name, text in FILES.items():
        file = tmp_path / "repository" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return tmp_path / "repository"


def routed(repository: Path, file: str) -> Route:
    environment = {"PATH": f"{repository.parent / 'bin'}:/bin"}
    return route(repository / file, repository, load_catalog(), environment)


@pytest.mark.parametrize(
    ("file", "servers"),
    [
        ("services/api/src/main.py", {"pyright": "services/api", "ruff": "services/api"}),
        ("web/packages/site/src/index.tsx", {"tsc": "web", "biome": "web"}),
        ("web/packages/legacy/index.ts", {"typescript-language-server": "web", "biome": "web"}),
        ("edge/main.ts", {"deno": "edge"}),
        ("go/tool/main.go", {"gopls": "go"}),
        ("rust/crate/src/lib.rs", {"rust-analyzer": "rust"}),
        ("native/src/a.cpp", {"clangd": "native"}),
        ("java/core/src/A.java", {"jdtls": "java"}),
        ("config/a.json", {"vscode-json": "."}),
        ("config/a.yaml", {"yaml-language-server": "."}),
        ("scripts/deploy", {"bash-language-server": "."}),
        ("Dockerfile.dev", {"dockerfile": "."}),
    ],
)
def test_exactly_the_servers_needed_are_chosen_at_the_right_roots(
    repository: Path, file: str, servers: dict[str, str]
) -> None:
    found = routed(repository, file)
    assert found.primary is not None
    chosen = [found.primary, *found.linters]
    assert {each.spec.id: each.root.relative_to(repository).as_posix() for each in chosen} == servers
    assert found.missing == ()
