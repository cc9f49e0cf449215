"""``groundwire install LANG…``: language servers for this user, pinned. Also shows and removes them.

Above: ``main``. Below: ``registry.install`` and ``install_screen``.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.registry.catalog import load_catalog
from groundwire.registry.install.choice import Choice, bundled_program, choose, everything_meant
from groundwire.registry.install.installing import install, present_installation, remove
from groundwire.registry.install.pins import version_of_pin
from groundwire.registry.install.plans import INSTALLERS
from groundwire.registry.managed import installed, managed_directory
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.install_list import render_list, render_list_json
from groundwire.surfaces.cli.install_screen import Progress, short, table

_FAILED = 1


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one server: a row of the table at the end."""

    id: str
    state: str
    version: str = ""
    path: str = ""
    note: str = ""
    problem: dict[str, object] = {}


def run(arguments: Arguments) -> int:
    """Installs, removes or lists, and gives the exit status."""
    if arguments.show_list:
        return _list(arguments)
    if not arguments.names:
        raise InvalidArgument("nothing is named", hint="Name a language or a server, or use --list.")
    choices = [] if arguments.remove else choose(arguments.names, load_catalog(), os.environ, every=arguments.every)
    # Asked before the event loop runs, which would keep Ctrl-C from ending the wait for an answer.
    if not _is_agreed(_removals(arguments.names) if arguments.remove else _additions(choices), arguments):
        sys.stderr.write("Nothing was done.\n")
        return _FAILED
    with _termination_as_interruption():
        outcomes = asyncio.run(_remove_all(arguments.names) if arguments.remove else _install_all(choices))
    sys.stdout.write(_rendered(outcomes, arguments) + "\n")
    problems = [outcome.problem for outcome in outcomes if outcome.problem]
    if not arguments.json:
        sys.stdout.flush()
        sys.stderr.write("".join(f"\n{each['error']}\nhint: {each.get('hint', '')}\n" for each in problems))
    return _FAILED if problems else 0


def _list(arguments: Arguments) -> int:
    catalog, environment = load_catalog(), os.environ
    only = everything_meant(arguments.names, catalog)
    render = render_list_json if arguments.json else render_list
    sys.stdout.write(render(catalog, environment, only, sys.stdout) + "\n")
    return 0


async def _install_all(choices: Sequence[Choice]) -> list[Outcome]:
    return [await _install_one(choice) for choice in choices]


async def _install_one(choice: Choice) -> Outcome:
    spec = choice.spec
    bundled = bundled_program(spec)
    if bundled:
        return Outcome(id=spec.id, state="bundled", path=str(bundled), note="comes with groundwire")
    progress = Progress(sys.stderr, _title(choice))
    try:
        done = await install(spec, os.environ, progress)
    except GroundwireError as error:
        progress.done("failed")
        version = version_of_pin(spec.managed) if spec.managed else ""
        return Outcome(id=spec.id, state="failed", version=version, problem=error.as_dict())
    state = "installed" if done.is_new else "present"
    if progress.has_spoken:
        progress.done(state)
    path = str(done.server.path)
    return Outcome(id=spec.id, state=state, version=done.server.version, path=path, note=choice.note)


async def _remove_all(names: Sequence[str]) -> list[Outcome]:
    versions = {server.id: server.version for server in installed(os.environ)}
    return [await _remove_one(name, versions.get(name, "")) for name in dict.fromkeys(names)]


async def _remove_one(name: str, version: str) -> Outcome:
    progress = Progress(sys.stderr, name)
    try:
        path = await remove(name, os.environ, progress)
    except GroundwireError as error:
        return Outcome(id=name, state="failed", version=version, problem=error.as_dict())
    if progress.has_spoken:
        progress.done("removed")
    return Outcome(id=name, state="removed", version=version, path=str(path))


def _additions(choices: Sequence[Choice]) -> str:
    new = [each for each in choices if each.spec.managed and not bundled_program(each.spec)]
    lines = [_named(each) for each in new if not present_installation(each.spec, os.environ)]
    return _question("To install into", lines)


def _removals(names: Sequence[str]) -> str:
    return _question(
        "To remove from", [f"{each.id} {each.version}" for each in installed(os.environ) if each.id in names]
    )


def _question(what: str, lines: Sequence[str]) -> str:
    shown = "".join(f"  {line}\n" for line in lines)
    return f"{what} {short(managed_directory(os.environ))}:\n{shown}Go on? [Y/n] " if lines else ""


def _is_agreed(question: str, arguments: Arguments) -> bool:
    """Asked only where there is something to do, and a person who sees the question and can answer it."""
    is_watched = sys.stdin.isatty() and sys.stderr.isatty()
    if not question or arguments.yes or arguments.json or not is_watched:
        return True
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().lower() in {"\n", "y\n", "yes\n"}


@contextmanager
def _termination_as_interruption() -> Generator[None]:
    """A request to end is taken as Ctrl-C is: what runs is ended, and what is half built is deleted."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        del number, frame
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _named(choice: Choice) -> str:
    source = INSTALLERS[choice.spec.managed.method].source if choice.spec.managed else ""
    return f"{_title(choice)} from {source}" + (f", {choice.note}" if choice.note else "")


def _title(choice: Choice) -> str:
    return f"{choice.spec.id} {version_of_pin(choice.spec.managed)}" if choice.spec.managed else choice.spec.id


def _rendered(outcomes: Sequence[Outcome], arguments: Arguments) -> str:
    if arguments.json:
        ok = not any(outcome.problem for outcome in outcomes)
        return json.dumps({"ok": ok, "servers": msgspec.to_builtins(outcomes)}, ensure_ascii=False)
    rows = [
        (each.id, each.version, each.state, short(Path(each.path)) if each.path else "", each.note) for each in outcomes
    ]
    return table(("SERVER", "VERSION", "STATE", "WHERE", ""), rows, sys.stdout)
