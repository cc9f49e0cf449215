"""``groundwire trust [DIR]``: shows by what a project can have something run, and trusts it when the user says so.

Above: ``main``. Below: ``pool.trust_request``.
"""

import json
import os
import sys
from pathlib import Path

from groundwire.config.load import load_config
from groundwire.config.problems import dotted
from groundwire.errors import InvalidArgument
from groundwire.operations.building.ecosystems.table import PROGRAMS
from groundwire.operations.building.supplied import supplied_lines
from groundwire.operations.serving.workspace import find_workspace
from groundwire.pool.trust_request import TrustRequest, trust_request
from groundwire.pool.trust_store import TrustStore, user_trust_store
from groundwire.registry.catalog import load_catalog
from groundwire.surfaces.cli.arguments import Arguments

_DONE = 0
_DECLINED = 1


def run(arguments: Arguments) -> int:
    """Does what was asked, and gives the exit status."""
    store = user_trust_store(os.environ)
    if arguments.show_list:
        return _show_list(store)
    here = Path.cwd()
    workspace = find_workspace(arguments.directory, here / "any", here)
    if arguments.revoke:
        was_trusted = store.revoke(workspace)
        _say(f"{_plain(str(workspace))} is {'no longer' if was_trusted else 'not'} trusted.")
        return _DONE
    loaded = load_config(workspace, environment=os.environ)
    loaded.require_valid()
    request = trust_request(
        workspace, load_catalog(), loaded, os.environ, tools=PROGRAMS, lines=supplied_lines(workspace)
    )
    return _trust(request, store, is_sure=arguments.yes)


def _trust(request: TrustRequest, store: TrustStore, *, is_sure: bool) -> int:
    if request.is_empty:
        _say(f"Nothing in {_plain(str(request.workspace))} needs trust.")
        return _DONE
    _show(request)
    if request.is_granted(store):
        _say("\nAll of this is trusted already.")
        return _DONE
    if not is_sure and not _is_agreed():
        _say("Nothing was trusted.")
        return _DECLINED
    request.grant(store)
    _say("\nTrusted, until any of it changes. `groundwire trust --revoke` takes it back.")
    return _DONE


def _is_agreed() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidArgument(
            "nobody is there to be asked whether this is to be trusted",
            hint="Look at what is shown above, then run it with --yes.",
        )
    sys.stdout.write("\nTrust all of this? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _show(request: TrustRequest) -> None:
    _say(f"{_plain(str(request.workspace))} asks for the following.")
    if request.values:
        _say("\nValues that can lead to a command, or that loosen what you have set:")
    for value in request.values:
        _say(f"  {_plain(dotted(value.key))} = {json.dumps(value.value, sort_keys=True)}")
        _say(f"      {_plain(str(value.origin))}")
    if request.files:
        _say("\nFiles that they name:")
    for name in request.files:
        _say(f"  {_plain(name)}")
    if request.programs:
        _say("\nPrograms, libraries and command lines (for build and test) that come with the project:")
    for program in request.programs:
        _say(f"  {_plain(program.name)}  ({_plain(program.why)})")
    if request.code_runners:
        _say(f"\nServers that execute the code of the project: {', '.join(map(_plain, request.code_runners))}")


def _show_list(store: TrustStore) -> int:
    records = store.all()
    for workspace, record in records.items():
        programs = f", {len(record.programs)} programs" if record.programs else ""
        _say(f"{_plain(workspace)}  since {_plain(record.trusted_at)}{programs}")
    if not records:
        _say("No workspace is trusted.")
    return _DONE


def _plain(text: str) -> str:
    """A name from a project may hold what a terminal would obey, to hide what it does."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
