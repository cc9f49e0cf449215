"""Which servers the names on a command line mean: a server by its id, or a language by its name or extension.

Above: ``surfaces.cli.install``. Below: ``catalog`` and ``programs``.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import msgspec

from groundwire.errors import InvalidArgument
from groundwire.registry.binaries import executables_named
from groundwire.registry.catalog import Catalog
from groundwire.registry.install.pins import pin_of
from groundwire.registry.install.plans import INSTALLERS
from groundwire.registry.install.programs import find_installer
from groundwire.registry.spec import ServerSpec


class Choice(msgspec.Struct, frozen=True):
    """A server to install, and what there is to say about the choice."""

    spec: ServerSpec
    note: str = ""


def choose(
    names: Sequence[str], catalog: Catalog, environment: Mapping[str, str], *, every: bool = False
) -> list[Choice]:
    """The servers meant, each once; with ``every``, a language means all of its servers that can be installed.

    Raises:
        InvalidArgument: a name is neither a server nor a language.

    """
    chosen: dict[str, Choice] = {}
    for name in names:
        for choice in _meant_by(name, catalog, environment, every=every):
            chosen.setdefault(choice.spec.id, choice)
    return list(chosen.values())


def everything_meant(names: Sequence[str], catalog: Catalog) -> frozenset[str]:
    """The ids of all servers that have to do with these names, whether they can be installed or not.

    Raises:
        InvalidArgument: a name is neither a server nor a language.

    """
    return frozenset(spec.id for name in names for spec in _all_meant_by(name, catalog))


def bundled_program(spec: ServerSpec) -> Path | None:
    """The program of a server that groundwire itself depends on, and so brings along."""
    if spec.managed is None or spec.managed.method != "pypi":
        return None
    if pin_of(spec.managed.packages[0])[0] not in _own_dependencies():
        return None
    # Not resolved: the interpreter of a virtual environment is a link that leads out of it.
    return next(executables_named(Path(sys.executable).parent, spec.command[0]), None)


def _meant_by(name: str, catalog: Catalog, environment: Mapping[str, str], *, every: bool) -> Iterator[Choice]:
    servers = _all_meant_by(name, catalog)
    if name in catalog.servers:
        yield Choice(servers[0])
        return
    offered = [spec for spec in servers if spec.managed] or servers[:1]
    if every:
        yield from (Choice(spec, f"for {name}") for spec in offered)
    else:
        primaries = [spec for spec in offered if spec.role == "primary"] or servers[:1]
        yield _recommended(name, primaries, environment)


def _all_meant_by(name: str, catalog: Catalog) -> Sequence[ServerSpec]:
    if name in catalog.servers:
        return (catalog.servers[name],)
    language = _language(name, catalog)
    if language is None:
        raise InvalidArgument(f"{name!r} is neither a language nor a server", hint=_suggestion(name, catalog))
    return (*catalog.servers_for(language), *catalog.linters_for(language))


def _recommended(language: str, servers: Sequence[ServerSpec], environment: Mapping[str, str]) -> Choice:
    """The first one this machine can install; where it can install none, the first, for the error to say why."""
    usable = (spec for spec in servers if spec.managed and find_installer(spec.managed.method, environment))
    spec, first = next(usable, servers[0]), servers[0]
    if spec is first or first.managed is None:
        return Choice(spec, f"for {language}")
    missing = INSTALLERS[first.managed.method].program
    return Choice(spec, f"for {language}, since {first.id} needs {missing}, which is not on the path")


def _language(name: str, catalog: Catalog) -> str | None:
    if name.lower() in catalog.languages:
        return name.lower()
    return catalog.language_of(Path(f"x.{name.removeprefix('.')}"))


def _suggestion(name: str, catalog: Catalog) -> str:
    near = get_close_matches(name.lower(), [*catalog.languages, *catalog.servers], n=3)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return "`groundwire install --list` shows what there is."


@cache
def _own_dependencies() -> frozenset[str]:
    try:
        declared = requires("groundwire") or []
    except PackageNotFoundError:  # run from its source, without being installed
        declared = []
    names = (re.match(r"[A-Za-z0-9._-]+", line) for line in declared if "extra ==" not in line)
    return frozenset(found.group() for found in names if found)
