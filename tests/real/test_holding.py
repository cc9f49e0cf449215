"""What groundwire holds for real servers: documents that stay open, folders, edits that belong together.

One test a server, whose start takes longer than all of it.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.editing.transactions import begin_edits, end_edits, rollback_edits
from groundwire.operations.editing.write_file import write_file
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.project.detect import detect_lsp_servers
from groundwire.operations.reporting.report_mode import set_report_mode
from groundwire.operations.runner import perform
from groundwire.operations.serving.log_level import set_log_level
from groundwire.operations.serving.opened import close_document, open_document
from groundwire.operations.serving.watched_files import did_change_watched_files
from groundwire.operations.serving.workspace_folders import list_workspace_folders
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.shapes import SAMPLES, Sample
from tests.real.test_operations import WAIT_S, write

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

SERVERS = ("ty", "pyright", "typescript-language-server", "gopls", "clangd")
each_server = pytest.mark.parametrize("server", SERVERS, indirect=True)


class Held:
    """A pool and its sample."""

    def __init__(self, pool: Pool, sample: Sample) -> None:
        self.pool = pool
        self.sample = sample

    async def ask(self, operation: Operation[A, R], **given: object) -> Answer[R]:
        """The answer, whatever it is."""
        return await perform(self.pool, operation, operation.parse(given), wait_s=WAIT_S)

    async def proven(self, operation: Operation[A, R], **given: object) -> R:
        """The answer, which must be confirmed."""
        answer = await self.ask(operation, **given)
        assert (answer.status, answer.reason) == (Status.CONFIRMED, "")
        return answer.value

    async def uses(self) -> int:
        """Of ``double``."""
        symbol = f"{self.sample.library}::{self.sample.double}"
        return (await self.proven(find_references, symbol=symbol)).total


@each_server
async def test_documents_folders_and_edits_are_held_as_they_were_asked_to_be(server: str, tmp_path: Path) -> None:
    sample = SAMPLES[server]
    write(sample, tmp_path)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        held = Held(pool, sample)
        await _documents(held)
        await _servers(held, server)
        await _edits(held)


async def _documents(held: Held) -> None:
    user, text = held.sample.user, held.sample.files[held.sample.user]
    opened = await held.proven(open_document, file_path=user, text=text)
    assert (opened.file, opened.already_open) == (user, False)
    assert await held.uses() == held.sample.uses
    assert (await held.proven(close_document, file_path=user)).closed
    assert await held.uses() == held.sample.uses


async def _servers(held: Held, server: str) -> None:
    folders = (await held.proven(list_workspace_folders)).workspace_folders
    assert [each.path for each in folders] == ["."]
    found = (await held.ask(detect_lsp_servers)).value
    assert found.workspace_languages[0].files > 0
    before = (await held.proven(set_log_level, level="error")).old_level
    assert (await held.proven(set_log_level, level=before)).old_level == "error"
    changes: list[Mapping[str, object]] = [{"file_path": held.sample.user, "type": "changed"}]
    told = (await held.proven(did_change_watched_files, changes=changes)).told
    assert [each.server for each in told] == [server]
    assert await held.uses() == held.sample.uses


async def _edits(held: Held) -> None:
    sample = held.sample
    text = sample.files[sample.user]
    broken = text.replace(f"{sample.double}(1", f"{sample.double}(nowhere, 1", 1)
    assert (await held.proven(set_report_mode, mode="introduced")).mode == "introduced"
    assert (await held.proven(begin_edits)).in_transaction
    silent = await held.proven(write_file, file_path=sample.user, text=broken)
    assert (silent.applied, silent.report and silent.report.files) == (True, ())
    ended = await held.proven(end_edits)
    assert ended.report is not None
    assert ended.report.introduced > 0
    await held.proven(begin_edits)
    await held.proven(write_file, file_path=sample.user, text=f"{broken}\n")
    await held.proven(rollback_edits)
    assert (held.pool.workspace / sample.user).read_text("utf-8") == broken
    mended = await held.proven(write_file, file_path=sample.user, text=text)
    assert mended.report is not None
    assert mended.report.resolved > 0
    errors = (await held.proven(get_diagnostics, file_path=sample.user, severity="error")).total
    assert errors == 0
