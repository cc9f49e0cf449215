"""A package that others import as it was built: what the build makes, though version control ignores it, is seen."""

import json
import shutil
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = pytest.mark.anyio

WAIT_S = 60.0
OPTIONS: dict[str, object] = {"strict": True, "noEmit": True, "types": [], "lib": ["es5"], "module": "preserve"}
FILES = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".gitignore": "dist/\nnode_modules/\n",
    "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
    "package-lock.json": "{}",
    "packages/b/package.json": json.dumps({"name": "b", "version": "1.0.0", "types": "dist/index.d.ts"}),
    "packages/b/dist/index.d.ts": "export declare function f(a: number): number;\n",
    "packages/a/package.json": json.dumps({"name": "a", "dependencies": {"b": "1.0.0"}}),
    "packages/a/tsconfig.json": json.dumps({"compilerOptions": OPTIONS, "include": ["src"]}),
    "packages/a/src/use.ts": 'import { f } from "b";\n\nf(1);\n',
}


async def errors(pool: Pool) -> list[int]:
    """The lines with errors in what imports it."""
    found = await check_files(pool, [Path("packages/a/src/use.ts")], wait_s=WAIT_S)
    assert found.status is Status.CONFIRMED, found.reason
    return [each.line for file in found.value for each in file.diagnostics]


@pytest.mark.parametrize("server", ["typescript-language-server", "tsc"])
async def test_what_a_build_changes_removes_and_makes_anew_is_seen_by_those_who_import_it(
    server: str, tmp_path: Path
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/b").symlink_to("../packages/b")
    built = tmp_path / "packages/b/dist/index.d.ts"
    text = built.read_text()
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        assert await errors(pool) == []
        built.write_text(text.replace("a: number", "a: string"))
        assert await errors(pool) == [3]
        built.write_text(text)
        assert await errors(pool) == []
        shutil.rmtree(built.parent)
        assert await errors(pool) == [1]
        built.parent.mkdir()
        built.write_text(text)
        assert await errors(pool) == []
