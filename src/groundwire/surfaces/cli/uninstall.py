"""``groundwire uninstall``: takes back everything that ``init`` ever wrote, in every project, and says what remains.

Above: ``main``. Below: ``surfaces.setup``, ``registry.install``.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundwire.config.places import user_config_directory, user_state_directory
from groundwire.daemon.control import stop_daemon
from groundwire.daemon.record import all_records
from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.registry.install.installing import remove
from groundwire.registry.managed import installed, managed_directory
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.init import is_agreed, say, say_json
from groundwire.surfaces.cli.install_screen import Progress
from groundwire.surfaces.setup.records import Record, user_records
from groundwire.surfaces.setup.report import undone_data, undone_lines
from groundwire.surfaces.setup.undoing import Undone, undo_all

_DONE = 0
_INCOMPLETE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of everything."""

    undone: list[Undone]
    daemons: int
    removed: list[str]
    problems: list[GroundwireError]
    remains: list[str]

    @property
    def is_complete(self) -> bool:
        """Whether nothing failed."""
        return not self.problems and all(each.problem is None for each in self.undone)


def stop_all_daemons() -> int:
    """Stops the daemon of every workspace, and tells how many there were. Raises DaemonUnavailable."""
    return sum(stop_daemon(record.root, os.environ) for record in all_records(os.environ))


def run(arguments: Arguments, stop_daemons: Callable[[], int] = stop_all_daemons) -> int:
    """Does what was asked, and gives the exit status. ``stop_daemons`` tells how many it has stopped."""
    records = user_records(os.environ)
    written = records.all()
    servers = [server.id for server in installed(os.environ)] if arguments.servers else []
    if arguments.dry_run:
        return _show_plan(arguments, written, servers)
    if not _is_agreed(arguments, written, servers):
        say(arguments, "Nothing was changed.")
        return _INCOMPLETE
    undone = undo_all(records, written)
    daemons, problems = _stopped(stop_daemons)
    removed, failures = _remove(servers)
    problems += failures
    outcome = Outcome(undone=undone, daemons=daemons, removed=removed, problems=problems, remains=_remains())
    _show(arguments, outcome)
    return _DONE if outcome.is_complete else _INCOMPLETE


def _is_agreed(arguments: Arguments, written: Sequence[Record], servers: Sequence[str]) -> bool:
    if arguments.yes or not (written or servers):
        return True
    say(arguments, *_plan_lines(written, servers))
    if arguments.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidArgument(
            "nobody is there to be asked, so nothing was changed", hint="Look at --dry-run, then run it with --yes."
        )
    return is_agreed("\nGo on? [y/N] ")


def _stopped(stop_daemons: Callable[[], int]) -> tuple[int, list[GroundwireError]]:
    try:
        return stop_daemons(), []
    except GroundwireError as problem:
        return 0, [problem]


def _remove(servers: Sequence[str]) -> tuple[list[str], list[GroundwireError]]:
    removed: list[str] = []
    problems: list[GroundwireError] = []
    for server in servers:
        try:
            asyncio.run(remove(server, os.environ, Progress(sys.stderr, server)))
            removed.append(server)
        except GroundwireError as problem:
            problems.append(problem)
    return removed, problems


def _remains() -> list[str]:
    """What is the user's own, or may be of use again."""
    places = (managed_directory(os.environ), user_state_directory(os.environ), user_config_directory(os.environ))
    return [str(place) for place in places if place.is_dir() and any(place.iterdir())]


def _show_plan(arguments: Arguments, written: Sequence[Record], servers: Sequence[str]) -> int:
    say(arguments, *_plan_lines(written, servers))
    files = list(dict.fromkeys(record.file for record in written))
    say_json(arguments, {"ok": True, "to_undo": files, "to_remove": list(servers)})
    return _DONE


def _plan_lines(written: Sequence[Record], servers: Sequence[str]) -> list[str]:
    files = dict.fromkeys(record.file for record in written)
    lines = ["To take back:", *(f"  {file}" for file in files)] if files else ["There is nothing to take back."]
    return [*lines, *([f"To delete: {', '.join(servers)}"] if servers else [])]


def _show(arguments: Arguments, outcome: Outcome) -> None:
    undone = undone_lines(outcome.undone)
    say(arguments, *(["Taken back:", *undone] if undone else ["There was nothing to take back."]))
    if outcome.daemons:
        say(arguments, f"Stopped in the background: {outcome.daemons}")
    say(arguments, *(f"Deleted: {server}" for server in outcome.removed))
    say(arguments, *(f"{problem.message}\nhint: {problem.hint}" for problem in outcome.problems))
    if outcome.remains:
        say(arguments, "Still there, for you to delete:", *(f"  {place}" for place in outcome.remains))
    say(arguments, "The program itself goes the way it came, with `pip uninstall groundwire` for instance.")
    say_json(
        arguments,
        {
            "ok": outcome.is_complete,
            "undone": undone_data(outcome.undone),
            "daemons": outcome.daemons,
            "removed": outcome.removed,
            "problems": [problem.as_dict() for problem in outcome.problems],
            "remains": outcome.remains,
        },
    )
