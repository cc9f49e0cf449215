"""Real servers load code from the project they look at: groundwire knows which, and does not let them before trust."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.registry.catalog import load_catalog
from tests.real.conftest import managed_environment, servers_directory
from tests.surfaces.hostile_repository import Hostile

pytestmark = pytest.mark.timeout(180)

_TYPESCRIPT = '{"name": "typescript", "version": "5.9.3"}'
_BADLY_ENCODED = b'{"name": "typescript", "version": "5.9.3", "description": "\xff"}'
_NODE = ("NODE_COMPILE_CACHE", "NODE_OPTIONS")
_WRONG = "export const a: number = 'x';\n"
_OPTIONS = {"compilerOptions": {"lib": ["es2022"], "types": []}}
_TSCONFIG = json.dumps(_OPTIONS)
_VUE_CONFIG = json.dumps({**_OPTIONS, "vueCompilerOptions": {"plugins": ["./plugin.js"]}})


@dataclass(frozen=True)
class Case:
    """``{mark}`` in a file stands for JavaScript that leaves a mark, ``{run}`` for a shell script that does."""

    server: str
    file: str
    files: dict[str, str]


LIBRARIES = [
    Case("typescript-language-server", "a.ts", {"a.ts": _WRONG, "tsconfig.json": _TSCONFIG}),
    Case("vtsls", "a.ts", {"a.ts": _WRONG, "tsconfig.json": _TSCONFIG}),
]
ESLINT = Case(
    "eslint",
    "a.js",
    {
        "a.js": "let a = 1;\n",
        "eslint.config.js": "module.exports = [];\n",
        "node_modules/eslint/package.json": '{"name": "eslint", "version": "9.0.0", "main": "lib/api.js"}',
        "node_modules/eslint/lib/api.js": "{mark}",
    },
)
CODE_RUNNERS = [
    ESLINT,
    Case(
        "pyrefly",
        "a.py",
        {"a.py": "a: int = 1\n", "pyrefly.toml": 'python-interpreter-path = "./evil"\n', "evil": "{run}"},
    ),
    Case(
        "oxlint",
        "a.js",
        {
            "a.js": "let a = 1;\n",
            ".oxlintrc.json": '{"jsPlugins": ["./plugin.js"], "rules": {"evil/x": "error"}}',
            "plugin.js": "{mark};\nmodule.exports = {meta: {name: 'evil'}, rules: {x: {create() { return {}; }}}};\n",
        },
    ),
    Case(
        "buf",
        "a.proto",
        {
            "a.proto": 'syntax = "proto3";\npackage a;\nmessage M { string x = 1; }\n',
            "buf.yaml": "version: v2\nplugins:\n  - plugin: ./evil\nlint:\n  use:\n    - STANDARD\n    - EVIL\n",
            "evil": "{run}",
        },
    ),
    Case(
        "vue",
        "a.vue",
        {
            "a.vue": '<script setup lang="ts">\nconst a = 1\n</script>\n<template><p>{{ a }}</p></template>\n',
            "tsconfig.json": _VUE_CONFIG,
            "plugin.js": "{mark}",
        },
    ),
]


def hostile_repository(directory: Path, case: Case) -> Hostile:
    """The case's repository, everything in it tracked, and a user who has the real server."""
    hostile = Hostile(directory)
    real = managed_environment()
    hostile.environment |= {name: real[name] for name in ("PATH", "GROUNDWIRE_DATA_DIR", *_NODE)}
    del hostile.environment["GROUNDWIRE_LANGUAGES__PYTHON__SERVERS"]
    for name, text in case.files.items():
        script = text == "{run}"
        hostile.write(name, _filled(hostile, text), mode=0o755 if script else 0o644)
    hostile.commit()
    return hostile


def _filled(hostile: Hostile, text: str) -> str:
    mark = json.dumps(hostile.marking("loaded"))
    loads = f"const command = {mark}; require('child_process').spawnSync(command[0], command.slice(1))"
    return text.replace("{mark}", loads).replace("{run}", hostile.script("loaded"))


def require(case: Case) -> None:
    """Skips, or fails in CI, when the server is not installed."""
    command = load_catalog().servers[case.server].command[0]
    places = [servers_directory() / "bin", servers_directory() / "data/servers" / case.server / "current/bin"]
    if not any((place / command).exists() for place in places):
        missing = f"{case.server} is not installed: run scripts/install-servers"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)


def check(hostile: Hostile, case: Case, **variables: str) -> str:
    """What ``check`` says with just the server of the case."""
    return hostile.run("check", case.file, "--server", case.server, "--wait", "20", **variables).text


@pytest.mark.parametrize("place", ["node_modules", ".yarn/sdks", ".vscode/pnpify"])
@pytest.mark.parametrize("is_readable", [True, False])
@pytest.mark.parametrize("case", LIBRARIES, ids=lambda case: case.server)
def test_a_typescript_that_comes_with_the_project_is_not_loaded_before_trust(
    case: Case, place: str, is_readable: bool, tmp_path: Path
) -> None:
    require(case)
    hostile = hostile_repository(tmp_path, case)
    hostile.write(f"{place}/typescript/lib/tsserver.js", _filled(hostile, "{mark}"))
    package = hostile.write(f"{place}/typescript/package.json", _TYPESCRIPT)
    if not is_readable:  # to us; the server takes it as it is
        package.write_bytes(_BADLY_ENCODED)
    hostile.commit()
    said = check(hostile, case)
    assert hostile.marks() == set()
    if place == "node_modules" and is_readable:
        assert "groundwire trust" in said
        hostile.trust()
        check(hostile, case)
        assert hostile.marks() == {"loaded"}
    else:
        assert "1 error" in said


@pytest.mark.parametrize("case", CODE_RUNNERS, ids=lambda case: case.server)
def test_a_server_that_runs_code_of_the_project_is_marked_so_and_can_be_held_back(case: Case, tmp_path: Path) -> None:
    require(case)
    assert load_catalog().servers[case.server].executes_project_code
    hostile = hostile_repository(tmp_path, case)
    said = check(hostile, case, GROUNDWIRE_PROJECT_CODE="trusted")
    assert hostile.marks() == set()
    assert case.server in said
    if case is not ESLINT:  # its library needs trust besides
        check(hostile, case)
        assert hostile.marks() == {"loaded"}


def test_an_eslint_that_comes_with_the_project_is_not_loaded_before_trust(tmp_path: Path) -> None:
    require(ESLINT)
    hostile = hostile_repository(tmp_path, ESLINT)
    check(hostile, ESLINT)
    assert hostile.marks() == set()
