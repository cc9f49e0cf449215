"""A server that somebody else runs: connected to, asked like any other, and never ended by us."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_command, toy_spec
from tests.pool.repositories import Project


class Elsewhere:
    """A server that was started by somebody else."""

    def __init__(self, log: ToyLog) -> None:
        self.log = log
        self.process = subprocess.Popen(
            toy_command("over_tcp"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=log.environment
        )
        assert self.process.stdout is not None
        self.address = f"127.0.0.1:{self.process.stdout.readline().strip()}"

    def pool(self, root: Path) -> Pool:
        """One that connects to it."""
        (root / "a.toy").write_text("wrong\n")
        settings = PoolSettings(connect={"over_tcp": self.address})
        return Pool(root, catalog=toy_catalog(toy_spec("over_tcp")), settings=settings)

    def end(self) -> None:
        """As who started it would."""
        self.process.kill()
        self.process.wait()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    held = Elsewhere(ToyLog(tmp_path / "log"))
    yield held
    held.end()
    assert held.process.stdout is not None
    held.process.stdout.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.mark.anyio
async def test_it_is_shaken_hands_with_and_asked_like_any_other(elsewhere: Elsewhere, root: Path):
    async with elsewhere.pool(root) as pool:
        answer = await check_files(pool, [Path("a.toy")])
        assert answer.status is Status.CONFIRMED
        assert [finding.message for finding in answer.value[0].diagnostics] == ["wrong"]
        assert [method for _, method in elsewhere.log.heard()][:2] == ["initialize", "initialized"]
        status = pool.status()[0]
        assert (status.state, status.pid, status.memory_mb) == ("active", None, None)


@pytest.mark.anyio
async def test_it_lives_on_when_we_stop_and_serves_the_next(elsewhere: Elsewhere, root: Path):
    for _ in range(2):
        async with elsewhere.pool(root) as pool:
            assert (await check_files(pool, [Path("a.toy")])).status is Status.CONFIRMED
    assert elsewhere.process.poll() is None
    assert elsewhere.log.count("initialize") == 2
    assert (elsewhere.log.count("shutdown"), elsewhere.log.count("exit")) == (0, 0)


@pytest.mark.anyio
async def test_a_restart_connects_anew_and_does_not_end_it(elsewhere: Elsewhere, root: Path):
    async with elsewhere.pool(root) as pool:
        await check_files(pool, [Path("a.toy")])
        assert await pool.restart("over_tcp") == 1
        assert (await check_files(pool, [Path("a.toy")])).status is Status.CONFIRMED
        assert elsewhere.process.poll() is None
        assert len(elsewhere.log.pids()) == 1


@pytest.mark.anyio
async def test_one_that_is_gone_is_told_with_its_address(elsewhere: Elsewhere, root: Path):
    elsewhere.end()
    async with elsewhere.pool(root) as pool:
        answer = await check_files(pool, [Path("a.toy")])
        assert answer.status is Status.UNKNOWN
        assert f"no connection to {elsewhere.address}" in answer.reason


def test_one_that_is_only_connected_to_needs_no_program(tmp_path: Path) -> None:
    project = Project(tmp_path)
    configuration = Path(project.environment["HOME"], ".config/groundwire/config.toml")
    configuration.parent.mkdir(parents=True)
    configuration.write_text('[servers.far]\nconnect = "127.0.0.1:1"\nextensions = [".far"]\n')
    pool = open_pool(project.workspace, environment=project.environment)
    assert pool.route(pool.workspace / "a.far").primary is not None
