"""Where things are on this machine: the paths that the data of the agents speaks of, and the programs on the PATH.

Above: ``detection``, ``planning``. Below: the file system.
"""

import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from groundwire.surfaces.setup.agent import Paths, System

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def this_system() -> System:
    """The system that this process runs on; what is neither macOS nor Windows keeps to the rules of Linux."""
    if sys.platform == "win32":
        return "windows"
    return "darwin" if sys.platform == "darwin" else "linux"


@dataclass(frozen=True, slots=True)
class Machine:
    """A user's machine, with one project on it."""

    environment: Mapping[str, str]
    system: System
    project: Path

    @property
    def home(self) -> Path:
        """The home directory."""
        named = self.environment.get("USERPROFILE" if self.system == "windows" else "HOME", "")
        return Path(named) if Path(named).is_absolute() else Path.home()

    def candidates(self, paths: Paths) -> list[Path]:
        """Every place that is meant on this system, best first."""
        templates = paths.get(self.system, ()) if isinstance(paths, Mapping) else paths
        named = [template for template in templates if _variables(template)]
        given = [template for template in named if all(self._variable(name) for name in _variables(template))]
        # Who sets the variable of an agent has moved it: its usual place is then that of nobody.
        chosen = given or [template for template in templates if template not in named]
        return [self._filled(template) for template in chosen]

    def choose(self, paths: Paths) -> Path | None:
        """The first that is there, else the first."""
        candidates = self.candidates(paths)
        return next((path for path in candidates if path.exists()), candidates[0] if candidates else None)

    def first_there(self, paths: Paths) -> Path | None:
        """The first that is there."""
        return next((path for path in self.candidates(paths) if path.exists()), None)

    def program(self, name: str) -> str | None:
        """Where a program is."""
        return shutil.which(name, path=self.environment.get("PATH", ""))

    def _filled(self, template: str) -> Path:
        return self.project / _PLACEHOLDER.sub(lambda found: str(self._place(found.group(1))), template)

    def _place(self, name: str) -> Path:
        match name:
            case "home":
                return self.home
            case "xdg":
                return self._variable("XDG_CONFIG_HOME") or self.home / ".config"
            case "appdata":
                return self._variable("APPDATA") or self.home / "AppData/Roaming"
            case "config":
                return self._config()
            case _:
                return self._variable(name) or self.home

    def _config(self) -> Path:
        """Where programs with windows keep their settings."""
        if self.system == "linux":
            return self._place("xdg")
        return self._place("appdata") if self.system == "windows" else self.home / "Library/Application Support"

    def _variable(self, name: str) -> Path | None:
        named = self.environment.get(name, "")
        return Path(named) if Path(named).is_absolute() else None


def _variables(template: str) -> list[str]:
    return [name for name in _PLACEHOLDER.findall(template) if name.isupper()]
