"""A second root of a real server that is known to share its process: answered rightly from the first question on."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment, why_unavailable

MISTAKE = 'package main\n\nimport "example.com/{name}/lib"\n\nvar wrong string = lib.Area()\n\nfunc main() {{}}\n'
LIBRARY = "package lib\n\nfunc Area() int { return 1 }\n"


def module(root: Path, name: str) -> None:
    (root / name / "lib").mkdir(parents=True)
    (root / name / "go.mod").write_text(f"module example.com/{name}\n\ngo 1.21\n")
    (root / name / "lib/lib.go").write_text(LIBRARY)
    (root / name / "main.go").write_text(MISTAKE.format(name=name))


@pytest.mark.anyio
@pytest.mark.real("gopls")
@pytest.mark.skipif(bool(why_unavailable("gopls")), reason="gopls is not installed")
async def test_gopls_takes_a_second_module_into_its_process_and_checks_it_rightly(tmp_path: Path):
    for name in ("alpha", "beta"):
        module(tmp_path, name)
    environment = server_environment("gopls")
    async with Pool(tmp_path, only=frozenset({"gopls"}), environment=environment) as pool:

        async def errors(file: str) -> list[str]:
            answer = await check_files(pool, [Path(file)], wait_s=50)
            assert answer.status is Status.CONFIRMED, answer.reason
            return [finding.message for finding in answer.value[0].diagnostics if finding.severity == "error"]

        for name in ("alpha", "beta"):
            assert len(await errors(f"{name}/main.go")) == 1
        (tmp_path / "beta/lib/lib.go").write_text(LIBRARY.replace("int { return 1 }", 'string { return "1" }'))
        assert await errors("beta/main.go") == []
        assert len(await errors("alpha/main.go")) == 1
        assert len({instance.pid for instance in pool.instances()}) == 1
        assert [bool(status.process_of) for status in pool.status()] == [False, True]
