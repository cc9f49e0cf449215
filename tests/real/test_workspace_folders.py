"""Real servers over two folders: the added one is served and watched, and nothing more is claimed than was seen."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.runner import perform
from groundwire.operations.serving.workspace_folders import add_workspace_folder, remove_workspace_folder
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.shapes import SAMPLES, Sample

WAIT_S = 120.0
HOW = {"gopls": "joined", "pyright": "separate", "ty": "separate"}

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


def write(sample: Sample, root: Path) -> None:
    for name, text in sample.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace("{root}", str(root)), encoding="utf-8")


async def answer(pool: Pool, operation: Operation[A, R], **given: object) -> tuple[R, Status, str]:
    told = await perform(pool, operation, operation.parse(given), wait_s=WAIT_S)
    return told.value, told.status, told.reason


@pytest.mark.parametrize("server", HOW, indirect=True)
async def test_an_added_folder_is_served_and_watched_and_other_folders_are_not_claimed_to_be_searched(
    server: str, tmp_path: Path
) -> None:
    sample, first, second = SAMPLES[server], tmp_path / "first", tmp_path / "second"
    write(sample, first)
    write(sample, second)
    double = {"symbol": sample.double}
    environment = server_environment(server)
    async with Pool(first, only=frozenset({server}), environment=environment) as pool:
        before, status, reason = await answer(pool, find_references, file_path=sample.library, **double)
        assert status is Status.CONFIRMED, reason
        added, _, _ = await answer(pool, add_workspace_folder, path=str(second))
        assert [(each.server, each.state) for each in added.servers if each.server] == [(server, HOW[server])]
        there, status, reason = await answer(pool, find_references, file_path=str(second / sample.library), **double)
        assert (status, "other folders" in reason) == (Status.PARTIAL, True)
        own = {place.file for place in there.locations if Path(place.file).is_relative_to(second)}
        assert str(second / sample.user) in own
        user = second / sample.user
        text = user.read_text(encoding="utf-8")
        user.write_text(text.replace(f"{sample.double}(1", f"{sample.double}x(1"), encoding="utf-8")
        broken = await check_files(pool, [user], wait_s=WAIT_S)
        assert (broken.status, bool(broken.value[0].diagnostics)) == (Status.CONFIRMED, True), broken.reason
        await answer(pool, remove_workspace_folder, path=str(second))
        after, status, reason = await answer(pool, find_references, file_path=sample.library, **double)
        assert (status, after) == (Status.CONFIRMED, before), reason
