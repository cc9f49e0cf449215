"""What a server's checker writes into the project while it checks is no change of the project.

Cargo says of the directory that it builds into that it is a cache, unless rust-analyzer has made that directory before:
then every check of a save was taken for a change that the next one had to be about, without end.
"""

from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.workspace.changes import FileChange
from tests.real.lightened import light_pool

pytestmark = pytest.mark.anyio

WAIT_S = 60.0
MANIFEST = '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n'
RIGHT = "pub fn twice(number: i32) -> i32 {\n    number + number\n}\n"


@pytest.mark.parametrize("server", ["rust-analyzer"], indirect=True)
async def test_findings_are_confirmed_where_the_directory_of_the_build_was_made_by_somebody_else(
    server: str, tmp_path: Path
) -> None:
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src").mkdir()
    source = tmp_path / "src/lib.rs"
    source.write_text(RIGHT)
    (tmp_path / "target/rust-analyzer/flycheck0").mkdir(parents=True)
    async with light_pool(tmp_path, server) as pool:
        await check_files(pool, [source], wait_s=WAIT_S)
        seen: list[FileChange] = []
        pool.seen.append(seen.extend)
        for text, errors in ((RIGHT.replace("number +", "numbed +"), 1), (RIGHT, 0)):
            source.write_text(text)
            (found,) = (await check_files(pool, [source], wait_s=WAIT_S)).value
            assert (found.status, found.reason) == (Status.CONFIRMED, "")
            assert len({each.line for each in found.diagnostics if each.severity == "error"}) == errors
        assert {Path(each.path) for each in seen} <= {source}
