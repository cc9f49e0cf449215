"""Files that a project's configuration leaves out: that they come and go keeps no other answer from being complete."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = pytest.mark.anyio

WAIT_S = 60.0
USE = "from lib import answer\n\nanswer()\n"


async def count_uses(pool: Pool) -> int:
    asked = FindReferences(file_path="lib.py", symbol="answer", include_declaration=False)
    found = await perform(pool, find_references, asked, wait_s=WAIT_S)
    assert found.status is Status.CONFIRMED, found.reason
    return found.value.total


@pytest.mark.parametrize("server", ["pyright"])
async def test_uses_are_confirmed_after_a_file_that_is_left_out_came_and_went(server: str, tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text('{"exclude": ["generated"]}\n')
    (tmp_path / "lib.py").write_text("def answer() -> int:\n    return 42\n")
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "generated").mkdir()
    left_out = tmp_path / "generated" / "more.py"
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        await check_files(pool, [tmp_path / "lib.py"], wait_s=WAIT_S)
        uses = await count_uses(pool)
        assert uses
        left_out.write_text(USE)
        assert await count_uses(pool) == uses
        left_out.unlink()
        assert await count_uses(pool) == uses
        (tmp_path / "more.py").write_text(USE)
        assert await count_uses(pool) == 2 * uses
