"""A machine of the tests' own, with a home and a project, on which agents are set up and taken back."""

from collections.abc import Sequence
from pathlib import Path

from groundwire.edits.files import Files
from groundwire.surfaces.setup.agent import Agent, Scope, System, Target, agents_named, all_agents
from groundwire.surfaces.setup.applying import apply_change
from groundwire.surfaces.setup.launch import Launch
from groundwire.surfaces.setup.machine import Machine
from groundwire.surfaces.setup.planning import Plan, Request, make_plan
from groundwire.surfaces.setup.records import Records
from groundwire.surfaces.setup.undoing import Undone, undo_all

PROGRAM = "/opt/ground wire/bin/groundwire"


class World:
    """Everything is below one directory."""

    def __init__(self, directory: Path, system: System = "linux") -> None:
        self.home = directory / "home"
        self.project = directory / "project"
        for place in (self.home, self.project):
            place.mkdir(parents=True)
        environment = {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "APPDATA": str(self.home / "AppData/Roaming"),
            "PATH": str(directory / "bin"),
        }
        self.machine = Machine(environment, system, self.project)
        self.records = Records(directory / "state")
        self.launch = Launch(PROGRAM, (), system)

    def plan(self, *agents: str, scope: Scope = "project", request: Request | None = None) -> Plan:
        """What would be written."""
        return make_plan(agents_named(agents), self.machine, self.launch, request or Request(scope))

    def init(self, *agents: str, scope: Scope = "project", files: Files | None = None) -> Plan:
        """Writes it."""
        plan = self.plan(*agents, scope=scope)
        self.apply(plan, scope, files)
        return plan

    def apply(self, plan: Plan, scope: Scope = "project", files: Files | None = None) -> None:
        """Writes what was planned."""
        for change in plan.changes:
            apply_change(change, self.records, scope=scope, project=self.project, files=files)

    def undo(self) -> list[Undone]:
        """Takes everything back."""
        return undo_all(self.records, self.records.all())

    def everything(self) -> dict[str, bytes | None]:
        """Every file and directory of the home and the project, with its content."""
        found = (path for place in (self.home, self.project) for path in sorted(place.rglob("*")))
        return {str(path): path.read_bytes() if path.is_file() else None for path in found}

    def put(self, path: Path, content: str) -> bytes:
        """A file that was there before."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
        return content.encode()


def targets(scopes: Sequence[Scope] = ("project", "user")) -> list[tuple[Agent, Target]]:
    """Everything that can be written on Linux."""
    agents = all_agents().values()
    return [(agent, target) for agent in agents for scope in scopes for target in agent.targets_in(scope, "linux")]
