"""What servers do not notice by themselves, or only by another name: packages that are installed and removed, files
that are reached through links, new files near to the root of the file system.
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.runner import perform
from groundwire.operations.speculation.preview_edit import PreviewEdit, preview_edit
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = pytest.mark.anyio

WAIT_S = 60.0
OPTIONS: dict[str, object] = {"strict": True, "noEmit": True, "types": [], "lib": ["es5"], "module": "preserve"}
TYPESCRIPT = {
    "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
    "tsconfig.json": json.dumps({"compilerOptions": OPTIONS, "include": ["src"]}),
    "src/through_package.ts": 'import { f } from "b/source";\n\nf(1);\n',
    "src/through_link.ts": 'import { f } from "./shared/source";\n\nf(1);\n',
    "src/beside.ts": 'import { f } from "./new";\n\nf(1);\n',
    "src/installed.ts": 'import { f } from "lib";\n\nf(1);\n',
    "packages/b/package.json": json.dumps({"name": "b", "version": "1.0.0"}),
    "packages/b/source.ts": "export function f(a: number): void {}\n",
    "shared/source.ts": "export function f(a: number): void {}\n",
}
PYTHON = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "app/__init__.py": "",
    "app/through_link.py": "from app.shared.source import f\n\nf(1)\n",
    "app/installed.py": "from lib import f\n\nf(1)\n",
    "shared/__init__.py": "",
    "shared/source.py": "def f(a: int) -> None: ...\n",
}


@pytest.fixture
def near_the_root() -> Iterator[Path]:
    """A workspace as they are in containers."""
    path = Path(tempfile.mkdtemp(prefix="groundwire-", dir="/tmp")).resolve()
    yield path
    shutil.rmtree(path)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


async def errors(pool: Pool, name: str) -> list[int]:
    found = await check_files(pool, [Path(name)], wait_s=WAIT_S)
    assert found.status is Status.CONFIRMED, found.reason
    return sorted({each.line for file in found.value for each in file.diagnostics})


async def check_source(pool: Pool, user: str, source: Path, right: str) -> None:
    """It changes, vanishes and returns, and each time its user is told so."""
    assert await errors(pool, user) == []
    write(source.parent, {source.name: right.replace("int)", "str)").replace("number)", "string)")})
    assert await errors(pool, user) == [3]
    source.unlink()  # noqa: ASYNC240
    assert await errors(pool, user) == [1]
    write(source.parent, {source.name: right})
    assert await errors(pool, user) == []


async def check_package(pool: Pool, user: str, package: Path, texts: dict[str, str]) -> None:
    """It is installed, removed, and installed in another version."""
    assert await errors(pool, user) == [1]
    write(package, texts)
    assert await errors(pool, user) == []
    shutil.rmtree(package)
    assert await errors(pool, user) == [1]
    write(package, {name: text.replace("number", "string").replace("int", "str") for name, text in texts.items()})
    assert await errors(pool, user) == [3]


@pytest.mark.parametrize("server", ["typescript-language-server", "tsc"])
async def test_typescript_near_the_root_of_the_file_system(server: str, near_the_root: Path) -> None:
    root = near_the_root
    write(root, TYPESCRIPT)
    (root / "node_modules").mkdir()
    (root / "node_modules/b").symlink_to("../packages/b")
    (root / "src/shared").symlink_to("../shared")
    async with Pool(root, only=frozenset({server}), environment=server_environment(server)) as pool:
        text = TYPESCRIPT["shared/source.ts"]
        await check_source(pool, "src/through_package.ts", root / "packages/b/source.ts", text)
        await check_source(pool, "src/through_link.ts", root / "shared/source.ts", text)
        assert await errors(pool, "src/beside.ts") == [1]
        (root / "src/new.ts").write_text(text)
        assert await errors(pool, "src/beside.ts") == []
        files = {"package.json": '{"name": "lib", "types": "lib.d.ts"}', "lib.d.ts": "export function f(a: number);\n"}
        await check_package(pool, "src/installed.ts", root / "node_modules/lib", files)


@pytest.mark.parametrize("server", ["ty", "pyright"])
async def test_python_with_an_environment(server: str, tmp_path: Path) -> None:
    write(tmp_path, PYTHON)
    (tmp_path / "app/shared").symlink_to("../shared")
    site = tmp_path / ".venv/lib/python3.12/site-packages"
    site.mkdir(parents=True)
    (tmp_path / ".venv/bin").mkdir()
    (tmp_path / ".venv/bin/python").touch(mode=0o755)
    (tmp_path / ".venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.0\n")
    if server == "pyright":
        (tmp_path / "pyrightconfig.json").write_text('{"venvPath": ".", "venv": ".venv"}')
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        await check_source(pool, "app/through_link.py", tmp_path / "shared/source.py", PYTHON["shared/source.py"])
        files = {"__init__.py": "def f(a: int) -> None: ...\n", "py.typed": ""}
        await check_package(pool, "app/installed.py", site / "lib", files)


async def test_who_uses_an_edited_file_through_a_link_is_reported_and_no_preview_calls_it_safe(tmp_path: Path) -> None:
    write(tmp_path, PYTHON)
    (tmp_path / "app/shared").symlink_to("../shared")
    before = PYTHON["shared/source.py"]
    after = before.replace("int", "str")
    async with Pool(tmp_path, only=frozenset({"ty"}), environment=server_environment("ty")) as pool:
        edit = PreviewEdit(file_path="shared/source.py", old_text="a: int", new_text="a: str")
        preview = await perform(pool, preview_edit, edit, wait_s=WAIT_S)
        assert preview.status is Status.PARTIAL
        assert "through a link" in preview.reason
        write(tmp_path, {"shared/source.py": after})
        call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
        answer = await report_edit(call, [Edited(tmp_path / "shared/source.py", before, after)])
        told = {file.file: [each.line for each in file.diagnostics] for file in answer.value.files}
        assert told["app/through_link.py"] == [3]
