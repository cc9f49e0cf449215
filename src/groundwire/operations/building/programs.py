"""Where the tools of a project are: its own first, then those of this user; none that the project supplies untrusted.

Above: the ecosystems. Below: ``registry.environments``, ``registry.binaries``; the gate is the pool's.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from groundwire.errors import CapabilityMissing, Untrusted
from groundwire.operations.files.paths import shown_path
from groundwire.registry.binaries import executables_named
from groundwire.registry.environments import PythonEnvironment, find_environment
from groundwire.registry.markers import directories_up

NODE_BIN = "node_modules/.bin"
_WITHOUT_COLOURS_OR_QUESTIONS: Mapping[str, str] = {
    "CI": "1",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "PYTHONUNBUFFERED": "1",
    "CARGO_TERM_COLOR": "never",
    "CARGO_TERM_PROGRESS_WHEN": "never",
    "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
    "DOTNET_NOLOGO": "1",
    "MSBUILDDISABLENODEREUSE": "1",
    "NPM_CONFIG_UPDATE_NOTIFIER": "false",
}
_OF_OTHERS = ("FORCE_COLOR", "CLICOLOR_FORCE", "NODE_TEST_CONTEXT", "MAKEFLAGS", "MAKELEVEL", "PYTEST_CURRENT_TEST")
"""What would colour the output, or is about the run that we are part of ourselves."""


class Programs:
    """Of one project. ``gate`` says why a file must not be run, or obeyed."""

    def __init__(
        self, root: Path, workspace: Path, environment: Mapping[str, str], gate: Callable[[Path], str]
    ) -> None:
        self._root = root
        self._workspace = workspace
        self._environment = environment
        self._gate = gate
        self.python_environment: PythonEnvironment | None = find_environment(root, workspace, environment)

    def find(self, name: str, *, own: str = "", install: str = "") -> Path:
        """The project's (in its directory ``own``), else the first on the path. Raises Untrusted, CapabilityMissing."""
        found = self.look_for(name, own=own)
        if found is None:
            raise CapabilityMissing(
                f"{name} is not installed", hint=install or f"Install {name}, and put it on the path."
            )
        return found

    def look_for(self, name: str, *, own: str = "") -> Path | None:
        """As ``find``; None where there is none. The project's own decides: another version may judge otherwise."""
        mine = self.own(name, own) if own else None
        if mine is not None:
            return self.allowed(mine)
        return next((program for program in self._on_path(name) if not self._gate(program)), None)

    def own(self, name: str, directory: str) -> Path | None:
        """The project's, be it allowed or not."""
        for above in directories_up(self._root, self._workspace):
            for program in executables_named(above / directory, name):
                return program
        return None

    def wrapper(self, name: str) -> Path | None:
        """A program at the root of the project, or above, that stands for a tool; None also when it is not trusted."""
        found = self.own(name, ".")
        return found if found is not None and not self._gate(found) else None

    def allowed(self, program: Path) -> Path:
        """The program. Raises Untrusted."""
        refusal = self._gate(program)
        if refusal:
            raise Untrusted(f"{self._shown(program)} {refusal}")
        return program

    def require_trusted_lines(self, file: Path, what: str) -> None:
        """Raises Untrusted where a file of the project supplies the command line that would be run."""
        refusal = self._gate(file)
        if refusal:
            raise Untrusted(f"{what} of {self._shown(file)} would be run, which {refusal}")

    def python(self) -> Path:
        """The interpreter of the project's environment, else the user's. Raises Untrusted, CapabilityMissing."""
        if self.python_environment is not None:
            return self.allowed(self.python_environment.python)
        return self.look_for("python3") or self.find("python")

    def python_tool(self, name: str) -> Path | None:
        """A script of the project's environment; where there is none, one on the path."""
        environment = self.python_environment
        if environment is None:
            return self.look_for(name)
        script = next(executables_named(environment.scripts, name), None)
        if script is not None:
            self.allowed(environment.python)
            return self.allowed(script)
        return None

    def activated(self) -> dict[str, str]:
        """The environment of a run: the project's own programs first, and nobody who could answer a question."""
        kept = {name: value for name, value in self._environment.items() if name not in _OF_OTHERS}
        nodes = (each / NODE_BIN for each in directories_up(self._root, self._workspace))
        first = [str(each) for each in nodes if each.is_dir() and not self._gate(each)]
        variables = dict(_WITHOUT_COLOURS_OR_QUESTIONS)
        python = self.python_environment
        if python is not None and not self._gate(python.python):
            first.insert(0, str(python.scripts))
            variables["CONDA_PREFIX" if python.is_conda else "VIRTUAL_ENV"] = str(python.directory)
        variables["PATH"] = os.pathsep.join([*first, kept.get("PATH", "")])
        return {**kept, **variables}

    def _on_path(self, name: str) -> Iterator[Path]:
        for entry in self._environment.get("PATH", "").split(os.pathsep):
            if Path(entry).is_absolute():
                yield from executables_named(Path(entry), name)

    def _shown(self, file: Path) -> str:
        return shown_path(file, self._workspace)
