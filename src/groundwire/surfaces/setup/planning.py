"""What is to be written for some agents: each file as it is and as it will be. Nothing is written here.

Above: ``surfaces.cli.init``. Below: ``machine``, ``launch``, ``members``, ``drafting``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from groundwire.edits.files import Disk
from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.agent import Agent, Conflict, Scope, Target
from groundwire.surfaces.setup.drafting import ByHand, Change, Wish, draft
from groundwire.surfaces.setup.launch import Launch
from groundwire.surfaces.setup.machine import Machine
from groundwire.surfaces.setup.members import read
from groundwire.surfaces.setup.text.data import as_mapping, value_at
from groundwire.surfaces.setup.words import snippet, words_for


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    scope: Scope
    has_mcp: bool = True
    has_hooks: bool = True
    is_portable: bool = False

    def wants(self, target: Target) -> bool:
        """Whether this is part of it."""
        return self.has_mcp if target.what == "mcp" else self.has_hooks


@dataclass(frozen=True, slots=True)
class Note:
    """Something about an agent that the user should know."""

    agent: str
    text: str


@dataclass(slots=True)
class Plan:
    """Everything that is to be done, and what is not, and why."""

    changes: list[Change] = field(default_factory=list[Change])
    by_hand: list[ByHand] = field(default_factory=list[ByHand])
    left_out: list[Note] = field(default_factory=list[Note])
    confirm: list[Note] = field(default_factory=list[Note])
    is_as_wanted: list[Path] = field(default_factory=list[Path])
    """Files in which nothing needs to change."""


def make_plan(agents: Sequence[Agent], machine: Machine, launch: Launch, request: Request) -> Plan:
    """Looks at every file that is concerned."""
    plan = Plan()
    wishes: dict[Path, list[Wish]] = {}
    for agent in agents:
        for target in _targets(agent, machine, request, launch, plan):
            path = machine.choose(target.paths)
            if path is not None:
                wishes.setdefault(_place(path), []).append(_wish(agent, target, path, machine, launch, request))
    for real, wanted in wishes.items():
        _add_draft(plan, real, wanted, machine.project if request.scope == "project" else None)
    return plan


def _targets(agent: Agent, machine: Machine, request: Request, launch: Launch, plan: Plan) -> list[Target]:
    """What applies; what does not is noted in the plan."""
    if agent.instructions:
        plan.by_hand.append(ByHand(None, (agent.title,), agent.instructions, snippet(launch)))
        return []
    there = agent.targets_in(request.scope, machine.system)
    wanted = [target for target in there if request.wants(target)]
    if not wanted:
        plan.left_out.append(Note(agent.title, _why_nothing(agent, request, has_any=bool(there))))
    elif request.has_mcp and not any(target.what == "mcp" for target in wanted):
        plan.left_out.append(
            Note(agent.title, f"its MCP servers are not kept per {request.scope}; {_elsewhere(request)}")
        )
    return [target for target in wanted if not _is_in_conflict(agent, target.conflict, machine, plan)]


def _why_nothing(agent: Agent, request: Request, *, has_any: bool) -> str:
    if has_any or not agent.targets:
        return "there is nothing of that kind to write for it"
    return f"it has no file per {request.scope} that could be written; {_elsewhere(request)}"


def _elsewhere(request: Request) -> str:
    return f"try --scope {'user' if request.scope == 'project' else 'project'}"


def _is_in_conflict(agent: Agent, conflict: Conflict | None, machine: Machine, plan: Plan) -> bool:
    if conflict is None:
        return False
    for path in machine.candidates(conflict.paths):
        if path.is_file() and _is_on(path, conflict.key):
            plan.left_out.append(Note(agent.title, f"no hook, for {conflict.why} ({path})"))
            return True
    return False


def _is_on(path: Path, key: str) -> bool:
    try:
        value = value_at(read("json", path.read_text("utf-8")), (key,))
    except (OSError, ValueError, InvalidArgument):
        return False  # the same file is to be edited, and why it cannot be is told there
    parts = as_mapping(value)
    if parts is None:
        return value is True
    return any((as_mapping(part) or {}).get("disabled") is not True for part in parts.values())


def _wish(agent: Agent, target: Target, path: Path, machine: Machine, launch: Launch, request: Request) -> Wish:
    root = ""
    if target.needs_root and request.scope == "project":
        root = target.portable_root if request.is_portable else str(machine.project)
    return Wish(agent, target, path, words_for(launch, root=root, agent=target.hook_agent))


def _place(path: Path) -> Path:
    """What a link leads to is what gets written. One in a circle is left to the reading to complain about."""
    try:
        return Disk().real(path)
    except OSError:
        return path


def _add_draft(plan: Plan, real: Path, wanted: Sequence[Wish], boundary: Path | None) -> None:
    result = draft(real, wanted, boundary)
    if isinstance(result, ByHand):
        plan.by_hand.append(result)
    elif result is None:
        plan.is_as_wanted.append(wanted[0].path)
        return
    else:
        plan.changes.append(result)
    notes = [Note(wish.agent.title, wish.target.confirm) for wish in wanted if wish.target.confirm]
    plan.confirm += [note for note in notes if note not in plan.confirm]
