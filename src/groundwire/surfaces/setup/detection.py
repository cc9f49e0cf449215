"""Which agents are there: installed or used on this machine, or used in this project.

Above: ``surfaces.cli.init``. Below: ``agent``, ``machine``.
"""

from dataclasses import dataclass

from groundwire.surfaces.setup.agent import Agent, Scope, all_agents
from groundwire.surfaces.setup.machine import Machine


@dataclass(frozen=True, slots=True)
class Found:
    """An agent, and what shows that it is there."""

    agent: Agent
    why: str


def find_agents(machine: Machine, scope: Scope) -> list[Found]:
    """Every agent that has left a trace; what a project shows counts for the project alone."""
    found = ((agent, _trace(agent, machine, scope)) for agent in all_agents().values())
    return [Found(agent, why) for agent, why in found if why]


def _trace(agent: Agent, machine: Machine, scope: Scope) -> str:
    for name in agent.commands:
        program = machine.program(name)
        if program:
            return f"{program} is installed"
    there = machine.first_there(agent.traces)
    if there is not None:
        return f"{there} is there"
    in_project = machine.first_there(agent.project_traces) if scope == "project" else None
    return "" if in_project is None else f"{in_project.relative_to(machine.project)} is in the project"
