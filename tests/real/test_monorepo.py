"""One repository with everything in it: what is needed is started where it belongs, and finds what is wrong."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict, cast

import pytest

from groundwire.operations.answer import FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.opening import open_pool
from groundwire.registry.catalog import load_catalog
from groundwire.surfaces.cli.exit_status import exit_code
from tests.real.conftest import managed_environment, servers_directory
from tests.real.monorepo import PLANTED, expected_servers, mend, write_monorepo

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
    own = {name: str(tmp_path / name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
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


def check(root: Path, environment: Mapping[str, str]) -> tuple[int, list[str], dict[str, FileJson]]:
    """The real command line: its exit status, the servers it names, and what it says of each file."""
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", "check", *PATHS, "--json", "--wait", str(WAIT_S)],
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=WAIT_S + 60,
        check=False,
    )
    answer = cast("dict[str, object]", json.loads(done.stdout))
    result = cast("dict[str, list[FileJson]]", answer["result"])
    return done.returncode, cast("list[str]", answer["servers"]), {each["file"]: each for each in result["files"]}


def errors(findings: Sequence[FoundJson]) -> list[str]:
    return [finding["message"] for finding in findings if finding["severity"] == "error"]


def test_each_planted_error_is_reported(monorepo: Path, environment: dict[str, str]) -> None:
    code, servers, found = check(monorepo, environment)
    assert set(servers) == {server for planted in PLANTED for server in planted.servers}
    for planted in PLANTED:
        told = found[planted.file]
        assert any(planted.needle in message for message in errors(told["diagnostics"])), told
    assert code == 1


@pytest.mark.anyio
async def test_exactly_the_servers_needed_run_at_the_right_roots_and_a_repair_is_confirmed(
    monorepo: Path, environment: dict[str, str]
) -> None:
    async with open_pool(monorepo, environment=environment) as pool:
        answer = await check_files(pool, [Path(name) for name in PATHS], wait_s=WAIT_S)
        started = [(status.server, status.root) for status in pool.status()]
        states = {(status.server, status.state) for status in pool.status()}
        mend(monorepo)
        mended = await check_files(pool, [Path(name) for name in PATHS], wait_s=WAIT_S)
    assert sorted(started) == sorted(expected_servers(monorepo))
    assert {state for _, state in states} == {"active"}
    assert {found.file: sorted(found.servers) for found in answer.value} == {
        planted.file: sorted(planted.servers) for planted in PLANTED
    }
    assert _unproven(answer.value) == []
    assert {each.file: (each.status, _errors_in(each), each.reason) for each in mended.value} == {
        name: (Status.CONFIRMED, [], "") for name in PATHS
    }
    assert exit_code(mended) == 0


def _errors_in(found: FileFindings) -> list[str]:
    return [finding.message for finding in found.diagnostics if finding.severity == "error"]


def _unproven(found: Sequence[FileFindings]) -> list[str]:
    return [f"{each.file}: {each.reason}" for each in found if each.status is not Status.CONFIRMED]
