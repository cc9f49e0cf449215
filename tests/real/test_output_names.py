"""Sources in a directory that has the name of a build's: what happens to them is seen as everywhere else."""

from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = pytest.mark.anyio

WAIT_S = 60.0


class Sources(NamedTuple):
    """``library``, in such a directory, is right for ``user`` until ``old`` becomes ``new``."""

    files: dict[str, str]
    library: str
    old: str
    new: str
    user: str


PYTHON = Sources(
    {
        "pyproject.toml": '[project]\nname = "pkg"\nversion = "1"\n',
        "pkg/__init__.py": "",
        "pkg/build/__init__.py": "",
        "pkg/build/lib.py": "def f(a: int) -> int:\n    return 1\n",
        "pkg/use.py": "from pkg.build.lib import f\n\nf(1)\n",
    },
    "pkg/build/lib.py",
    "a: int",
    "a: str",
    "pkg/use.py",
)
TYPESCRIPT = Sources(
    {
        "package.json": "{}\n",
        "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true, "lib": ["es5"], "types": []}, '
        '"include": ["src"]}\n',
        "src/dist/lib.ts": "export function f(a: number): number {\n  return 1;\n}\n",
        "src/use.ts": 'import { f } from "./dist/lib";\n\nf(1);\n',
    },
    "src/dist/lib.ts",
    "a: number",
    "a: string",
    "src/use.ts",
)
GO = Sources(
    {
        "go.mod": "module example.com/x\n\ngo 1.21\n",
        "target/lib.go": "package target\n\nfunc F(a int) int { return 1 }\n",
        "use/use.go": 'package use\n\nimport "example.com/x/target"\n\nvar X = target.F(1)\n',
    },
    "target/lib.go",
    "a int",
    "a string",
    "use/use.go",
)
SOURCES = {
    "ty": PYTHON,
    "pyright": PYTHON,
    "tsc": TYPESCRIPT,
    "typescript-language-server": TYPESCRIPT,
    "gopls": GO,
}


@pytest.mark.parametrize("server", sorted(SOURCES), indirect=True)
async def test_a_change_by_another_process_in_such_a_directory_is_in_the_next_answer(server: str, tmp_path: Path):
    sources = SOURCES[server]
    for name, text in sources.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    user, library = tmp_path / sources.user, tmp_path / sources.library
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        before = await check_files(pool, [user], wait_s=WAIT_S)
        library.write_text(sources.files[sources.library].replace(sources.old, sources.new), "utf-8")
        after = await check_files(pool, [user], wait_s=WAIT_S)
    assert (before.status, before.value[0].diagnostics) == (Status.CONFIRMED, ())
    assert (after.status, [each.severity for each in after.value[0].diagnostics]) == (Status.CONFIRMED, ["error"])
