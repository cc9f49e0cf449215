"""Names that only comments give: asking who uses something makes the server look for them, and nobody is told of it."""

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
FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "lib": ["es5"], "noEmit": true, "types": []}}\n',
    "lib.ts": "export function delay(a: number): number {\n  return a;\n}\n",
    "use.ts": (
        'import { delay } from "./lib";\n\n'
        "/** Use {@link Config#delay delay}, {@link Config.delay} or {@link delay.now}.\n"
        " * @see Config.delay\n"
        " */\n"
        "export function other() {\n  return delay(1) + missing;\n}\n"
    ),
}


@pytest.mark.parametrize("server", ["typescript-language-server", "tsc"])
async def test_names_in_comments_are_no_errors_after_a_question_for_uses_either(server: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        await check_files(pool, [tmp_path / "lib.ts"], wait_s=WAIT_S)
        asked = FindReferences(file_path="lib.ts", symbol="delay")
        assert (await perform(pool, find_references, asked, wait_s=WAIT_S)).status is Status.CONFIRMED
        found = await check_files(pool, [tmp_path / "use.ts"], wait_s=WAIT_S)
    assert found.status is Status.CONFIRMED, found.reason
    assert [each.message for file in found.value for each in file.diagnostics] == ["Cannot find name 'missing'."]
