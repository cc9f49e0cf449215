"""Every server that ``groundwire install`` brings, once: started, asked about a broken and a mended file, stopped.

The scenarios beside this ask a few servers a lot; here many are asked the least that makes one worth having. Each row
also says how far the answer is proven: a server that nobody measured must not be believed, one that was must be.
"""

import asyncio
import json
from pathlib import Path

import psutil
import pytest

from groundwire.operations.answer import FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import load_catalog
from tests.real.conftest import managed_environment, pins, servers_directory
from tests.real.entry import Elsewhere, Entry
from tests.real.rows import ROWS, Edit
from tests.real.table import ENTRIES

WAIT_S = 90.0

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


def build(entry: Entry, root: Path) -> None:
    """The project, as the row has it."""
    for name, text in entry.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, target in entry.links.items():
        (root / name).symlink_to(servers_directory() / target)


def write(entry: Entry, root: Path, edit: Edit, *, broken: bool) -> None:
    """Put the file of the edit on disk, broken or right."""
    text = entry.files[edit.file]
    assert edit.old in text
    (root / edit.file).write_text(text.replace(edit.old, edit.new) if broken else text, encoding="utf-8")


async def check(pool: Pool, entry: Entry) -> FileFindings:
    """What the server says about the file."""
    answer = await check_files(pool, [Path(entry.breaks.file)], wait_s=WAIT_S)
    found = answer.value[0]
    assert found.servers == (entry.server,), found.reason
    return found


def names(found: FileFindings, needle: str) -> bool:
    """Whether one of the findings is about what was broken."""
    return any(needle in f"{finding.message} {finding.code}" for finding in found.diagnostics)


def require(found: FileFindings, status: Status | tuple[Status, ...], doubt: str) -> None:
    """The answer is proven just as far as the row says; where it is not, it says why."""
    allowed = status if isinstance(status, tuple) else (status,)
    assert found.status in allowed, f"{found.status}: {found.reason}"
    assert bool(found.reason) is (found.status is not Status.CONFIRMED)
    if found.reason:
        assert doubt in found.reason


async def symbols(pool: Pool, file: Path) -> str:
    """The outline of the file, as the server gives it."""
    (instance,) = pool.instances()
    session = await instance.ready(asyncio.get_running_loop().time() + WAIT_S)
    params = {"textDocument": {"uri": file.as_uri()}}
    return json.dumps(json.loads(bytes(await session.request("textDocument/documentSymbol", params, timeout=WAIT_S))))


def family(pool: Pool) -> list[psutil.Process]:
    """The processes of the only server."""
    (instance,) = pool.instances()
    assert instance.pid is not None
    return [psutil.Process(instance.pid), *psutil.Process(instance.pid).children(recursive=True)]


async def break_elsewhere(pool: Pool, entry: Entry, elsewhere: Elsewhere) -> None:
    """What another file breaks is never confirmed to be right, nor what it mends to be broken."""
    write(entry, pool.workspace, elsewhere.edit, broken=True)
    found = await check(pool, entry)
    require(found, elsewhere.status, "")
    assert names(found, elsewhere.says) or elsewhere.status is not Status.CONFIRMED, found
    write(entry, pool.workspace, elsewhere.edit, broken=False)
    found = await check(pool, entry)
    require(found, elsewhere.status, "")
    assert not found.diagnostics or elsewhere.status is not Status.CONFIRMED, found


async def test_a_server_reports_what_is_broken_sees_it_mended_and_is_gone_in_the_end(
    entry: Entry, tmp_path: Path, round_number: int
) -> None:
    build(entry, tmp_path)
    write(entry, tmp_path, entry.breaks, broken=True)
    async with Pool(tmp_path, only=frozenset({entry.server}), environment=managed_environment()) as pool:
        found = await check(pool, entry)
        assert names(found, entry.says), found
        require(found, entry.broken, entry.doubt)
        write(entry, tmp_path, entry.breaks, broken=False)
        found = await check(pool, entry)
        assert not found.diagnostics
        require(found, entry.mended, entry.doubt)
        if entry.symbol:
            assert f'"name": "{entry.symbol}"' in await symbols(pool, tmp_path / entry.breaks.file)
        if entry.elsewhere is not None:
            await break_elsewhere(pool, entry, entry.elsewhere)
        processes = family(pool)
    left = [process for process in processes if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
    assert left == []


def test_at_least_twenty_five_servers_are_asked() -> None:
    assert len({entry.server for entry in ENTRIES}) >= 25


def test_the_servers_asked_are_those_that_are_installed_for_it() -> None:
    assert sorted(entry.server for entry in ENTRIES) == sorted(pins()["managed"])


def test_every_server_that_groundwire_installs_without_compiling_is_asked_here_or_in_the_scenarios() -> None:
    servers = load_catalog().servers.values()
    ready_made = {spec.id for spec in servers if spec.managed and spec.managed.method in {"pypi", "npm"}}
    assert ready_made - {entry.server for entry in ENTRIES} - ROWS.keys() == set()
