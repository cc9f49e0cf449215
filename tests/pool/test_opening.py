"""A workspace opened as its configuration and its user's trust say."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.client.connection import Limits
from groundwire.errors import InvalidArgument, LanguageNotEnabled, Untrusted
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.opening import open_pool
from groundwire.pool.policy import SeatPolicy
from groundwire.pool.status import ServerStatus
from tests.fakes.toy_servers import WELL_BEHAVED, toy_command
from tests.pool.repositories import Project
from tests.transport.children_at_hand import eventually

MEGABYTE = 1024 * 1024


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def configure(project: Project, text: str) -> None:
    """What the user has set, for all projects."""
    file = Path(project.environment["HOME"], ".config/groundwire/config.toml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def toy_server(**values: object) -> str:
    """A table that makes a script the server of ``*.toy`` files."""
    table = {"command": list(toy_command(WELL_BEHAVED)), "extensions": [".toy"], **values}
    return "\n".join(["[servers.toy]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())])


def leaves_a_mark(project: Project) -> list[str]:
    """A companion that does nothing else."""
    return ["sh", "-c", f": > '{project.mark}'; exec sleep 1000"]


async def checked(project: Project, until: Callable[[ServerStatus], bool]) -> ServerStatus:
    """Check a file, whose finding must be there, and give the server's status once it is as wanted, or soon."""
    project.write("a.toy", "wrong\n")
    async with open_pool(project.workspace, environment=project.environment) as pool:
        answer = await check_files(pool, [Path("a.toy")])
        assert [finding.message for finding in answer.value[0].diagnostics] == ["wrong"], answer.reason
        await eventually(lambda: until(pool.status()[0]), seconds=2)
        return pool.status()[0]


def test_the_configuration_becomes_the_settings_of_the_pool(project: Project) -> None:
    configure(
        project,
        """
prewarm = ["python", "gopls"]
max_restarts = 1
idle_teardown_secs = 60
max_file_mb = 2
max_message_mb = 4
[timeouts]
start = 7
request = 8
[memory]
per_server_mb = 500
total_mb = 900
[servers.gopls]
max_restarts = 5
timeout = 9
memory_mb = 700
connect = "127.0.0.1:4711"
""",
    )
    settings = open_pool(project.workspace, environment=project.environment).settings
    assert settings.prewarm == ("python", "gopls")
    assert settings.policy == SeatPolicy(max_restarts=1, idle_teardown_s=60, memory_limit_mb=500)
    assert settings.policy_of("gopls") == SeatPolicy(max_restarts=5, idle_teardown_s=60, memory_limit_mb=700)
    assert settings.policy_of("ty") == settings.policy
    assert (settings.start_timeout, settings.request_timeout, settings.request_timeouts) == (7, 8, {"gopls": 9})
    assert (settings.max_file_size, settings.limits) == (2 * MEGABYTE, Limits(max_message=4 * MEGABYTE))
    assert (settings.total_memory_mb, settings.connect) == (900, {"gopls": "127.0.0.1:4711"})
    assert settings.withheld == ()


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("", "error"),
        ("include_warnings = true", "warning"),
        ('severity = "hint"\ninclude_warnings = true', "hint"),
    ],
)
def test_how_much_is_shown_and_offered_is_configured(project: Project, text: str, severity: str) -> None:
    limits = "max_per_file = 3\nmax_other_files = 2\nmax_lines = 9\nnavigation_tools = false\n"
    configure(project, f"{limits}{text}")
    settings = open_pool(project.workspace, environment=project.environment).settings
    shown = settings.report.showing
    assert (shown.severity, shown.per_file, shown.other_files, shown.lines) == (severity, 3, 2, 9)
    assert not settings.offers_navigation


def test_everything_wrong_with_the_configuration_is_told_at_once(project: Project) -> None:
    project.write("groundwire.toml", "max_restart = 1\nprewarm = 7\n")
    with pytest.raises(InvalidArgument) as caught:
        open_pool(project.workspace, environment=project.environment)
    assert "max_restart" in caught.value.message
    assert "prewarm" in caught.value.message


def test_a_language_that_is_switched_off_is_refused(project: Project) -> None:
    project.write("groundwire.toml", "[languages.python]\nenabled = false\n")
    pool = open_pool(project.workspace, environment=project.environment)
    with pytest.raises(LanguageNotEnabled, match="python is switched off"):
        pool.route(pool.workspace / "a.py")


def test_a_language_that_only_the_project_serves_is_refused_until_it_is_trusted(project: Project) -> None:
    project.write("groundwire.toml", toy_server())
    pool = open_pool(project.workspace, environment=project.environment)
    assert any("servers.toy.command" in withheld for withheld in pool.settings.withheld)
    with pytest.raises(Untrusted):
        pool.route(pool.workspace / "a.toy")
    project.trust()
    pool = open_pool(project.workspace, environment=project.environment)
    assert pool.settings.withheld == ()
    primary = pool.route(pool.workspace / "a.toy").primary
    assert primary is not None
    assert primary.command[0] == sys.executable


@pytest.mark.anyio
async def test_what_the_user_measured_of_a_server_makes_its_findings_confirmed(project: Project):
    configure(project, toy_server() + "\nsettle = { measured = true, scope = 'file' }")
    project.write("a.toy", "wrong\n")
    async with open_pool(project.workspace, environment=project.environment) as pool:
        assert (await check_files(pool, [Path("a.toy")])).status is Status.CONFIRMED


@pytest.mark.anyio
async def test_a_companion_that_the_project_supplies_runs_only_once_it_is_trusted(project: Project):
    configure(project, toy_server())
    project.write("groundwire.toml", f"[servers.toy]\nsidecar = {json.dumps(leaves_a_mark(project))}\n")
    pool = open_pool(project.workspace, environment=project.environment)
    assert any("servers.toy.sidecar" in withheld for withheld in pool.settings.withheld)
    assert (await checked(project, until=lambda _: project.mark.exists())).sidecar == ""
    assert not project.was_run()

    project.trust()
    status = await checked(project, until=lambda _: project.mark.exists())
    assert status.sidecar.startswith("sh runs (process ")
    assert project.was_run()


@pytest.mark.anyio
async def test_a_companion_that_the_user_configured_needs_no_trust(project: Project):
    configure(project, toy_server(sidecar=leaves_a_mark(project)))
    await checked(project, until=lambda _: project.mark.exists())
    assert project.was_run()


@pytest.mark.anyio
async def test_a_companion_whose_program_the_project_brings_along_does_not_run_before_trust(project: Project):
    configure(project, toy_server(sidecar=["companion"]))
    project.program("node_modules/.bin/companion")
    project.commit()
    status = await checked(project, until=lambda _: project.mark.exists())
    assert "companion, which toy needs beside it, is supplied by the project" in status.sidecar
    assert status.reason == status.sidecar
    assert not project.was_run()


@pytest.mark.anyio
async def test_a_companion_with_a_path_is_meant_from_the_workspace(project: Project):
    configure(project, toy_server(sidecar=["./tools/companion"]))
    project.program("tools/companion")
    project.write(".gitignore", "tools\n")
    project.git("init")
    await checked(project, until=lambda _: project.mark.exists())
    assert project.was_run()
