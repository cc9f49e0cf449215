"""What is known about a coding agent: how it is found, which files configure it, and what groundwire puts into them.

All of it is data, in ``agents/*.toml``; nothing else in this package knows an agent by its name.
Above: ``detection``, ``planning``. Below: the data files.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from groundwire.errors import InvalidArgument

System = Literal["linux", "darwin", "windows"]
Scope = Literal["project", "user"]
Format = Literal["json", "toml", "yaml", "text"]
Paths = tuple[str, ...] | Mapping[System, tuple[str, ...]]
"""Candidates: the first that is there counts, else the first. What a variable names goes before what it does not."""

_EVERYWHERE: tuple[System, ...] = ("linux", "darwin", "windows")


class Member(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value in a file. ``element``: in the list at ``path``; ``base``: only where nothing is there yet."""

    path: tuple[str, ...]
    value: object
    kind: Literal["member", "element", "base"] = "member"
    nested: tuple[str, ...] = ()
    """Where it goes instead if the file has a table of tables there already."""


class Conflict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A setting of the agent that does the same as ours: where it is on, ours is left out."""

    paths: Paths
    key: str
    why: str


class Target(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of an agent, and what groundwire puts there."""

    scope: Scope
    what: Literal["mcp", "hooks"]
    paths: Paths
    format: Format = "json"
    members: tuple[Member, ...] = ()
    text: str = ""
    """The whole content of a file of our own."""
    source: str = ""
    """Or the name of the package data that it is."""
    is_executable: bool = False
    needs_root: bool = False
    """The agent starts servers elsewhere than in the project, so they must be told."""
    portable_root: str = ""
    """What the agent itself replaces by the project; empty: it has no such thing."""
    hook_agent: str = ""
    """What the hook is told to be run by; empty where several agents read the file, for then the payload tells."""
    systems: tuple[System, ...] = _EVERYWHERE
    conflict: Conflict | None = None
    confirm: str = ""
    """What the user must still do before it has an effect."""


class Agent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A coding agent."""

    id: str
    title: str
    commands: tuple[str, ...] = ()
    """Programs on the PATH that show it is installed."""
    traces: Paths = ()
    """Files and directories that show it was used on this machine."""
    project_traces: tuple[str, ...] = ()
    """The same for a project."""
    skills: Mapping[Scope, Paths] = {}
    """Where it looks for skills: a folder for each, with a SKILL.md."""
    targets: tuple[Target, ...] = ()
    instructions: str = ""
    """What the user has to do where no file can be written."""

    def targets_in(self, scope: Scope, system: System) -> list[Target]:
        """What can be written in this scope on this system."""
        return [target for target in self.targets if target.scope == scope and system in target.systems]


@cache
def all_agents() -> Mapping[str, Agent]:
    """Every known agent by its id."""
    folder = files("groundwire.surfaces.setup") / "agents"
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    agents = [msgspec.toml.decode(each.read_bytes(), type=Agent) for each in found]
    return {agent.id: agent for agent in agents}


def agents_named(names: Iterable[str]) -> list[Agent]:
    """The agents with these ids. Raises InvalidArgument."""
    known = all_agents()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InvalidArgument(f"no agent is called {unknown[0]!r}", hint=f"Known are: {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names)]
