"""One repository with everything in it: what is needed is started where it belongs, and finds what is wrong.

One life of all its servers shows that: the command line, in this process, with its pool looked at before it is closed.
"""

import os
import subprocess
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

import pytest

from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool import opening
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import load_catalog
from groundwire.surfaces.cli import in_process
from groundwire.surfaces.cli.exit_status import exit_code
from tests.real.conftest import managed_environment, servers_directory
from tests.real.lightened import lightened_catalog
from tests.real.monorepo import PLANTED, expected_servers, mend, write_monorepo
from tests.surfaces.cli.outputs import run_json

pytestmark = [pytest.mark.timeout(600), pytest.mark.slow]

WAIT_S = 150
PATHS = tuple(planted.file for planted in PLANTED)
NEEDED = {server for planted in PLANTED for server in planted.servers} | {"shellcheck"}


class FoundJson(TypedDict):
    """One finding of ``--json``."""

    severity: str
    message: str


class FileJson(TypedDict):
    """One file of ``--json``."""

    file: str
    status: str
    reason: str
    diagnostics: list[FoundJson]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The servers of the tests, and a user with no configuration at all."""
    missing = sorted(server for server in NEEDED if not _is_installed(server))
    if missing:
        told = f"not installed: {', '.join(missing)}; run scripts/install-servers"
        pytest.fail(told) if os.environ.get("CI") == "true" else pytest.skip(told)
    own = {name: str(tmp_path / name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    real = managed_environment()
    return {**real, **own, "PATH": os.pathsep.join((str(servers_directory() / "ts7/bin"), real["PATH"]))}


@pytest.fixture
def monorepo(tmp_path: Path, environment: Mapping[str, str]) -> Path:
    root = tmp_path / "mono"
    root.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=root, env=environment, check=True, timeout=30)
    write_monorepo(root, servers_directory() / "npm/typescript-language-server/node_modules/typescript")
    subprocess.run(["git", "add", "--all"], cwd=root, env=environment, check=True, timeout=30)
    return root


def _is_installed(server: str) -> bool:
    spec = load_catalog().servers.get(server)
    command = spec.command[0] if spec is not None else server
    places = (
        servers_directory() / "bin",
        servers_directory() / "ts7/bin",
        servers_directory() / "data/servers" / server / "current/bin",
    )
    return any((place / command).exists() for place in places)


class Seen(NamedTuple):
    """What was seen in the pool of the command, before and after the repair."""

    started: list[tuple[str, str]]
    states: set[str]
    again: Answer[tuple[FileFindings, ...]]
    mended: Answer[tuple[FileFindings, ...]]


@pytest.fixture
def seen(monorepo: Path, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> list[Seen]:
    """Filled by the command that runs next: its pool is looked at when its answer is known, and then mended in."""
    found: list[Seen] = []
    files = [Path(name) for name in PATHS]

    @asynccontextmanager
    async def looked_at(workspace: Path, *, only: frozenset[str]) -> AsyncGenerator[Pool]:
        async with open_pool(workspace, only=only) as pool:
            yield pool
            statuses = pool.status()
            again = await check_files(pool, files, wait_s=WAIT_S)
            mend(monorepo)
            mended = await check_files(pool, files, wait_s=WAIT_S)
            started = [(status.server, status.root) for status in statuses]
            found.append(Seen(started, {status.state for status in statuses}, again, mended))

    monkeypatch.setattr(in_process, "open_pool", looked_at)
    monkeypatch.setattr(opening, "load_catalog", lightened_catalog)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(monorepo)
    return found


def errors(findings: Sequence[FoundJson]) -> list[str]:
    return [finding["message"] for finding in findings if finding["severity"] == "error"]


def test_each_planted_error_is_reported_by_exactly_the_servers_needed_at_the_right_roots_and_its_repair_is_confirmed(
    monorepo: Path, seen: list[Seen], capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer = run_json("check", *PATHS, "--wait", str(WAIT_S), capsys=capsys)
    told = {each["file"]: each for each in cast("dict[str, list[FileJson]]", answer["result"])["files"]}
    assert set(cast("list[str]", answer["servers"])) == {server for planted in PLANTED for server in planted.servers}
    for planted in PLANTED:
        found = told[planted.file]
        assert any(planted.needle in message for message in errors(found["diagnostics"])), found
    assert [each for each in told.values() if each["status"] != Status.CONFIRMED] == []
    assert code == 1
    ((started, states, again, mended),) = seen
    assert sorted(started) == sorted(expected_servers(monorepo))
    assert states == {"active"}
    assert {each.file: sorted(each.servers) for each in again.value} == {
        planted.file: sorted(planted.servers) for planted in PLANTED
    }
    assert _unproven(again.value) == []
    assert {each.file: (each.status, _errors_in(each), each.reason) for each in mended.value} == {
        name: (Status.CONFIRMED, [], "") for name in PATHS
    }
    assert exit_code(mended) == 0


def _errors_in(found: FileFindings) -> list[str]:
    return [finding.message for finding in found.diagnostics if finding.severity == "error"]


def _unproven(found: Sequence[FileFindings]) -> list[str]:
    return [f"{each.file}: {each.reason}" for each in found if each.status is not Status.CONFIRMED]
