"""``groundwire skills list|show|install|remove``: workflows for agents, shown, and put where agents look for them.

Above: ``main``. Below: ``skill_folders``, ``operations.skills``, ``surfaces.setup``.
"""

import asyncio
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from groundwire.errors import InvalidArgument
from groundwire.operations.serving.workspace import find_workspace
from groundwire.operations.table import skills as operations
from groundwire.operations.workflow.skills import FILE_NAME, Skill, all_skills, find_skill
from groundwire.render.answers import render_answer
from groundwire.render.json import dumped, render_json
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.asking import ask
from groundwire.surfaces.cli.skill_folders import Outcome, Way, install, is_inside, remove, require_inside
from groundwire.surfaces.setup.agent import Agent, Scope, agents_named, all_agents
from groundwire.surfaces.setup.detection import find_agents
from groundwire.surfaces.setup.machine import Machine, this_system

_DONE = 0
_INCOMPLETE = 1
_DEFAULT_WAYS: dict[Scope, Way] = {"project": "copy", "user": "link"}
"""A project is shared with machines on which a link would lead nowhere."""


def run(arguments: Arguments) -> int:
    """Does what was asked, and gives the exit status."""
    return {"list": _list, "show": _show, "install": _install, "remove": _remove}[arguments.action](arguments)


def _list(arguments: Arguments) -> int:
    operation = operations.list_skills
    heard = asyncio.run(ask(operation, operation.parse({}), _workspace(arguments), arguments, "looking for skills"))
    shown = dumped(render_json(heard.answer)) if arguments.json else ""
    sys.stdout.write((shown or render_answer(operation, heard.answer)) + "\n")
    return _DONE


def _show(arguments: Arguments) -> int:
    skill = find_skill(arguments.names[0], all_skills())
    sys.stdout.write((Path(skill.folder) / FILE_NAME).read_text("utf-8"))
    return _DONE


def _install(arguments: Arguments) -> int:
    scope = cast("Scope", arguments.scope)
    way = cast("Way", arguments.way) or _DEFAULT_WAYS[scope]
    if way == "link" and this_system() == "windows":
        raise InvalidArgument("links to folders need rights that most users of Windows lack", hint="Use --copy.")
    skills = _chosen(arguments)
    outcomes = [
        install(skill, folder, way, force=arguments.force) for folder in _folders(arguments, scope) for skill in skills
    ]
    return _tell(arguments, outcomes)


def _remove(arguments: Arguments) -> int:
    names = [skill.name for skill in _chosen(arguments)]
    folders = _folders(arguments, cast("Scope", arguments.scope), every=True)
    outcomes = [remove(name, folder, force=arguments.force) for folder in folders for name in names]
    return _tell(arguments, [each for each in outcomes if each.did != "absent"])


def _chosen(arguments: Arguments) -> list[Skill]:
    every = all_skills()
    return [find_skill(name, every) for name in arguments.names] or list(every.values())


def _folders(arguments: Arguments, scope: Scope, *, every: bool = False) -> list[Path]:
    """Of the agents that are named, else of those that are found; of ``every`` known one where all is taken away."""
    machine = Machine(os.environ, this_system(), _workspace(arguments).resolve())
    if scope == "project" and machine.project == machine.home.resolve():
        raise InvalidArgument("this is your home directory, not a project", hint="Use --user, or name a --root.")
    agents = _agents(arguments, machine, scope, every=every)
    folders = [machine.choose(agent.skills[scope]) for agent in agents if scope in agent.skills]
    found = list(dict.fromkeys(folder for folder in folders if folder is not None))
    if not found:
        known = ", ".join(agent.id for agent in all_agents().values() if agent.skills)
        raise InvalidArgument("no agent that looks for skills is there", hint=f"Name one with --agent: {known}.")
    if scope == "user":
        return found
    if every and not arguments.agents:
        return [folder for folder in found if is_inside(folder, machine.project)]
    for folder in found:
        require_inside(folder, machine.project)
    return found


def _agents(arguments: Arguments, machine: Machine, scope: Scope, *, every: bool) -> Iterable[Agent]:
    if not arguments.agents:
        return all_agents().values() if every else [each.agent for each in find_agents(machine, scope)]
    agents = agents_named(arguments.agents)
    without = [agent for agent in agents if scope not in agent.skills]
    if without:
        raise InvalidArgument(
            f"no folder is known where {without[0].title} looks for skills",
            hint="Its MCP prompts are the same skills; `groundwire skills show NAME` prints one.",
        )
    return agents


def _workspace(arguments: Arguments) -> Path:
    here = Path.cwd()
    return find_workspace(arguments.root, here / "any", here)


def _tell(arguments: Arguments, outcomes: list[Outcome]) -> int:
    kept = [each for each in outcomes if each.did == "kept" and each.why != "not ours"]
    if arguments.json:
        told = [{"path": str(each.path), "did": each.did, "why": each.why} for each in outcomes]
        sys.stdout.write(dumped({"ok": not kept, "skills": told}) + "\n")
        return _INCOMPLETE if kept else _DONE
    for folder in dict.fromkeys(each.path.parent for each in outcomes):
        here = [each for each in outcomes if each.path.parent == folder]
        counts = {did: sum(each.did == did for each in here) for did in ("installed", "current", "removed")}
        words = ", ".join(f"{count} {did}" for did, count in counts.items() if count)
        sys.stdout.write(f"{folder}: {words or 'nothing changed'}\n")
    for each in kept:
        sys.stdout.write(f"Kept: {each.path} ({each.why})\n")
    if not outcomes:
        sys.stdout.write("Nothing of ours is there.\n")
    return _INCOMPLETE if kept else _DONE
