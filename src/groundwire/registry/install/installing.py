"""Installing and removing a server.

A new installation is built beside the old one and takes its place only when it has shown that it runs. However it is
interrupted, the old one goes on; what an end without warning leaves behind is swept away by the next installation.
Above: ``surfaces.cli.install``. Below: ``plans``, ``running``, ``launchers``, ``lock`` and ``managed``.
"""

import shutil
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from groundwire.errors import InvalidArgument, PermissionDenied, ServerUnavailable
from groundwire.registry.binaries import executables_named
from groundwire.registry.install.launchers import has_commands, make_launchers
from groundwire.registry.install.lock import one_at_a_time
from groundwire.registry.install.pins import fingerprint, pin_of, version_of_pin
from groundwire.registry.install.plans import INSTALLERS, Installer, Step
from groundwire.registry.install.programs import by_hand, find_installer, no_installer, not_offered
from groundwire.registry.install.running import Report, run_step
from groundwire.registry.managed import (
    COMMANDS,
    InstalledServer,
    Receipt,
    current_installation,
    make_current,
    managed_directory,
    read_receipt,
    server_directory,
    servers_directory,
    write_receipt,
)
from groundwire.registry.spec import Managed, ServerSpec

_VERSION_SECONDS = 60.0
_GRAVE = ".removed-"
_WAITING = "waiting for another groundwire that installs"


class _Job(msgspec.Struct, frozen=True, kw_only=True):
    spec: ServerSpec
    managed: Managed
    installer: Installer
    program: str
    environment: Mapping[str, str]
    report: Report

    async def run(self, step: Step, directory: Path) -> None:
        await run_step(step, directory, self.environment, self.report)


class Installation(msgspec.Struct, frozen=True):
    """What came of it."""

    server: InstalledServer
    is_new: bool


async def install(spec: ServerSpec, environment: Mapping[str, str], report: Report) -> Installation:
    """Makes the pinned version of the server the one that counts; does nothing where it is that already.

    Raises:
        ServerUnavailable: it is not offered, its installer is missing, or a step failed; nothing has changed then.
        PermissionDenied: the directory cannot be written.

    """
    if spec.managed is None:
        raise not_offered(spec)
    for package in spec.managed.packages:
        pin_of(package)
    present = present_installation(spec, environment)
    if present:
        return Installation(present, is_new=False)
    installer = INSTALLERS[spec.managed.method]
    program = find_installer(spec.managed.method, environment)
    if program is None:
        raise no_installer(spec, installer)
    job = _Job(
        spec=spec,
        managed=spec.managed,
        installer=installer,
        program=program,
        environment=environment,
        report=report,
    )
    with _told(spec.id, by_hand(spec)):
        async with one_at_a_time(managed_directory(environment), lambda: report(_WAITING, "")):
            present = present_installation(spec, environment)
            if present:
                return Installation(present, is_new=False)
            return await _replace(job)


def present_installation(spec: ServerSpec, environment: Mapping[str, str]) -> InstalledServer | None:
    """The installation of just what the catalogue pins, when its commands are there."""
    current = current_installation(server_directory(environment, spec.id))
    receipt = read_receipt(current.path) if current else None
    if spec.managed is None or current is None or receipt is None:
        return None
    wanted = spec.managed
    pinned = (wanted.method, wanted.packages, wanted.commands)
    is_pinned = (receipt.method, receipt.packages, receipt.commands) == pinned
    return current if is_pinned and has_commands(current.path, spec.managed.commands) else None


async def remove(server: str, environment: Mapping[str, str], report: Report) -> Path:
    """Deletes all that was installed of a server, and tells what that was.

    Raises:
        InvalidArgument: nothing is installed by that name, or the name leads elsewhere.

    """
    directory = server_directory(environment, server)
    _require_there(directory)
    with _told(server, "Look at the permissions of that directory."):
        async with one_at_a_time(managed_directory(environment), lambda: report(_WAITING, "")):
            _require_there(directory)  # still
            # Out of sight first: a server that is half deleted is never found.
            with tempfile.TemporaryDirectory(prefix=_GRAVE, dir=servers_directory(environment)) as grave:
                directory.rename(Path(grave, directory.name))
    return directory


def _require_there(directory: Path) -> None:
    if not directory.is_dir():
        hint = "`groundwire install --list` shows what is installed."
        raise InvalidArgument(f"{directory.name} was not installed by groundwire", hint=hint)


async def _replace(job: _Job) -> Installation:
    directory = server_directory(job.environment, job.spec.id)
    directory.mkdir(parents=True, exist_ok=True)
    before = current_installation(directory)
    _sweep(directory, {before.path} if before else set())
    _sweep_removed(directory.parent)
    fresh = _free_path(directory, f"{version_of_pin(job.managed)}-{fingerprint(job.managed)}")
    fresh.mkdir()
    try:
        await _build(job, fresh)
        make_current(fresh)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)  # what cannot be deleted now does not count, and is swept later
        _remove_if_empty(directory)
        raise
    # A server that still runs may load more of the one before: it goes with the next sweep.
    now = current_installation(directory)
    if now is None:
        raise ServerUnavailable(f"{directory} was changed by somebody else", hint="Install it again.")
    return Installation(now, is_new=True)


async def _build(job: _Job, directory: Path) -> None:
    managed = job.managed
    plan = job.installer.plan(job.program, managed, directory)
    for step in plan.steps:
        await job.run(step, directory)
    make_launchers(plan, managed.commands, directory)
    await _try_out(job, directory)
    receipt = Receipt(
        id=job.spec.id,
        version=version_of_pin(managed),
        method=managed.method,
        packages=managed.packages,
        commands=managed.commands,
        when=datetime.now(UTC),
    )
    write_receipt(directory, receipt)


async def _try_out(job: _Job, directory: Path) -> None:
    # One that cannot be asked has at least shown that it is there.
    arguments = job.spec.version_command
    for program in executables_named(directory / COMMANDS, job.managed.commands[0]) if arguments else ():
        command = (str(program), *arguments)
        await job.run(Step(doing="trying it out", command=command, seconds=_VERSION_SECONDS), directory)


def _free_path(directory: Path, name: str) -> Path:
    """Never one that exists: a server may be running from it."""
    path, number = directory / name, 1
    while path.exists():
        number += 1
        path = directory / f"{name}.{number}"
    return path


def _sweep(directory: Path, kept: set[Path]) -> None:
    for entry in directory.iterdir():
        if entry.is_dir() and not entry.is_symlink() and entry not in kept:
            shutil.rmtree(entry, ignore_errors=True)  # still in use: the next sweep gets it


def _sweep_removed(servers: Path) -> None:
    for grave in servers.glob(f"{_GRAVE}*"):
        shutil.rmtree(grave, ignore_errors=True)


def _remove_if_empty(directory: Path) -> None:
    if not any(directory.iterdir()):
        directory.rmdir()


@contextmanager
def _told(server: str, hint: str) -> Generator[None]:
    """Every failure names the server, and what can be done where the failure itself does not know."""
    try:
        yield
    except ServerUnavailable as error:
        raise ServerUnavailable(f"{server}: {error.message}", hint=error.hint or hint) from error
    except PermissionError as error:
        remedy = "Set GROUNDWIRE_DATA_DIR to a directory of yours."
        raise PermissionDenied(f"{server}: {error}", hint=remedy) from error
    except OSError as error:
        raise ServerUnavailable(f"{server}: {error}", hint=hint) from error
