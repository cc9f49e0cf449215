"""What a project makes the compiler refuse is an error, though editors like to show it as a warning."""

import asyncio
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

WAIT_S = 60.0
FILES = {
    "package.json": '{"name": "sample"}\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler",'
    ' "target": "es2022", "lib": ["es2022"], "noEmit": true, "types": [], "noUnusedLocals": true,'
    ' "noImplicitReturns": true, "noFallthroughCasesInSwitch": true}}\n',
    "lib.ts": "function unused() {}\n\nexport function some(x: number) {\n  switch (x) {\n    case 1:\n      some(2);\n"
    "    case 2:\n      return 1;\n  }\n}\n",
}


@pytest.mark.parametrize("server", ["tsc", "typescript-language-server"], indirect=True)
async def test_what_the_compiler_is_told_to_refuse_is_an_error(server: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        deadline = asyncio.get_running_loop().time() + WAIT_S
        (checked,) = await prove_files(pool, [tmp_path / "lib.ts"], deadline=deadline)
    assert checked.findings.status is Status.CONFIRMED
    errors = {each.code for each in checked.findings.diagnostics if each.severity == "error"}
    assert errors == {"6133", "7029", "7030"}
