"""The values of the placeholders for one server at one root.

Above: ``pool.routing`` and ``sidecars``. Below: ``placeholders``, ``binaries``, ``environments``, ``path_python``,
``node_modules``.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import msgspec

from groundwire.protocol.hashing import content_hash
from groundwire.protocol.uris import path_to_uri
from groundwire.registry.binaries import find_program
from groundwire.registry.environments import Gate, PythonEnvironment, find_environment, let_pass
from groundwire.registry.node_modules import project_typescript, typescript_beside
from groundwire.registry.path_python import python_on_path
from groundwire.registry.spec import ServerSpec

_IS_WINDOWS = os.name == "nt"
_CODE = frozenset({"python", "tsserver", "typescript_library", "found"})


class Handed(msgspec.Struct, frozen=True):
    """Something of the project or the user that a server is given to run or to load."""

    what: str
    """``python``, ``tsserver``, ``typescript_library``, or the name of a program."""
    path: Path
    why: str


class ProjectValues:
    """Looked up when needed: most servers need none. ``lookup`` is a ``placeholders.Lookup``."""

    def __init__(
        self,
        spec: ServerSpec,
        program: str,
        *,
        root: Path,
        file: Path,
        workspace: Path,
        environment: Mapping[str, str],
        gate: Gate = let_pass,
    ) -> None:
        self.handed: list[Handed] = []
        """What the server is given, or would be given if it were allowed, to be run or loaded as code."""
        self._spec = spec
        self._program = Path(program)
        self._root = root
        self._file = file
        self._workspace = workspace
        self._environment = environment
        self._gate = gate

    def lookup(self, name: str, argument: str) -> str | None:
        """The value of a placeholder, or None where there is none, or none that may be run."""
        value = self._value(name, argument)
        if name not in _CODE or value is None:
            return value
        self._hand(Handed(argument or name, Path(value), self._why(name, Path(value))))
        return None if self._gate(Path(value)) else value

    @property
    def code(self) -> tuple[Path, ...]:
        """The files among them."""
        return tuple(handed.path for handed in self.handed)

    def hand_interpreter(self, python: PythonEnvironment) -> None:
        """The server is started in this environment."""
        self._hand(Handed("python", python.python, python.why))

    def _hand(self, handed: Handed) -> None:
        if handed not in self.handed:
            self.handed.append(handed)

    def _why(self, name: str, path: Path) -> str:
        if name == "python":
            found = find_environment(self._root, self._workspace, self._environment)
            return found.why if found is not None else ""
        return "the project's own" if path.is_relative_to(self._workspace) else "found outside the project"

    def _value(self, name: str, argument: str) -> str | None:  # noqa: C901 - one line a placeholder
        match name:
            case "root":
                return str(self._root)
            case "root_uri":
                return path_to_uri(str(self._root), windows=_IS_WINDOWS)
            case "root_name":
                return self._root.name
            case "python":
                return self._python()
            case "python_prefix":
                return self._python_prefix()
            case "tsserver":
                library = project_typescript((self._root, self._file.parent), self._workspace)
                return str(library / "tsserver.js") if library else None
            case "typescript_library":
                return self._typescript_library()
            case "cache_directory":
                return self._cache_directory()
            case "temporary_directory":
                return tempfile.gettempdir()
            case "process_id":
                return str(os.getpid())
            case "found":
                program = find_program(argument, self._root, self._workspace, self._environment)
                return str(program) if program else None
            case "setting":
                value = setting_of(self._spec, argument)
                return value if isinstance(value, str) else None
            case _:
                return None

    def _python(self) -> str | None:
        found = find_environment(self._root, self._workspace, self._environment)
        return str(found.python) if found is not None else None

    def _python_prefix(self) -> str | None:
        if find_environment(self._root, self._workspace, self._environment) is not None:
            return None
        found = python_on_path(self._root, self._environment)
        return str(found) if found is not None else None

    def _typescript_library(self) -> str | None:
        own = project_typescript((self._root, self._file.parent), self._workspace)
        library = own or typescript_beside(self._program)
        return str(library) if library is not None else None

    def _cache_directory(self) -> str:
        """The same for every start: some of what is kept there takes minutes to make."""
        cache = self._environment.get("XDG_CACHE_HOME", "") or str(Path.home() / ".cache")
        name = f"{self._root.name}-{content_hash(str(self._root))[:12]}"
        return str(Path(cache, "groundwire", "server-data", self._spec.id, name))


def setting_of(spec: ServerSpec, name: str) -> object:
    """A dotted setting, or initialization option, of a server; None when it has none of that name."""
    for table in (spec.settings, spec.initialization_options):
        found: object = table
        for part in name.split("."):
            found = _member(found, part)
        if found is not None:
            return found
    return None


def _member(value: object, name: str) -> object:
    return cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
