"""Reads the files of every layer, in rising order. What cannot be read is a problem, never silence.

Above: ``load``. Below: ``places``, ``foreign``, ``jsonc``, ``positions``.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import cast

import msgspec

from groundwire.config.foreign import from_array, from_dispatch, from_llxprt, from_opencode
from groundwire.config.jsonc import JsonSyntaxError, parse, to_json
from groundwire.config.layers import Data, Layer
from groundwire.config.places import llxprt_settings, opencode_directory, user_config_directory
from groundwire.config.positions import Lines, json_lines, toml_lines
from groundwire.config.problems import LayerName, Problem
from groundwire.config.translation import Translation
from groundwire.registry.catalog import Catalog

_TOML_LINE = re.compile(r"at line (\d+)")
_LARGEST = 1024 * 1024
_OPENCODE = ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")


class Reading:
    """Collects layers and problems while the files are read."""

    def __init__(self, catalog: Catalog) -> None:
        self.layers: list[Layer] = []
        self.problems: list[Problem] = []
        self.files: list[Path] = []
        """All that were looked for, whether or not they are there."""
        self._catalog = catalog

    def read_user(self, environment: Mapping[str, str]) -> None:
        """The files of this user."""
        directory = opencode_directory(environment)
        for name in _OPENCODE[:2]:
            self._read_foreign(_Source("user", directory / name), from_opencode)
        self._read_foreign(_Source("user", llxprt_settings(environment)), from_llxprt)
        self._read_toml(_Source("user", user_config_directory(environment) / "config.toml"))

    def read_project(self, workspace: Path) -> None:
        """The files of the project: those of other programs first, then its own."""
        dispatch = _Source("project", workspace / ".dispatch/lsp.json", is_project=True)
        self.files.append(dispatch.file)
        if dispatch.file.is_file():
            self._read_foreign(dispatch, from_dispatch)
        else:
            for name in _OPENCODE:
                self._read_foreign(_Source("project", workspace / name, is_project=True), from_opencode)
        self._read_foreign(_Source("project", workspace / ".llxprt/settings.json", is_project=True), from_llxprt)
        own = _Source("project", workspace / "groundwire.toml", is_project=True)
        self._read_toml(own)
        self._read_pyproject(_Source("project", workspace / "pyproject.toml", is_project=True), own.file)

    def read_named(self, file: Path, workspace: Path) -> None:
        """The file that was named by hand. One inside the workspace is the project's, whoever names it."""
        is_project = file.resolve().is_relative_to(workspace)
        source = _Source("named file", file, is_project=is_project)
        self.files.append(file)
        if not file.is_file():
            self.problems.append(Problem(key=(), message="there is no such file", file=file))
        elif file.suffix == ".toml":
            self._read_toml(source)
        else:
            self._read_named_json(source)

    def _read_toml(self, source: "_Source") -> None:
        text = self._text(source)
        if text is None:
            return
        table = self._toml(source, text, is_error=True)
        if table is not None:
            self.layers.append(source.layer(table, toml_lines(text)))

    def _read_pyproject(self, source: "_Source", rival: Path) -> None:
        text = self._text(source)
        if text is None or "groundwire" not in text:
            return
        # A pyproject.toml that is broken is the business of others too, and its project's own tools will say so.
        whole = self._toml(source, text, is_error=False) or {}
        tools = whole.get("tool")
        table = cast("Data", tools).get("groundwire") if isinstance(tools, dict) else None
        if table is None:
            return
        key = ("tool", "groundwire")
        if rival.is_file():
            self._note(source, f"[tool.groundwire] is not read, because there is a {rival.name}", key)
        elif not isinstance(table, dict):
            self._note(source, "must be a table", key, is_error=True)
        else:
            lines = {path[2:]: line for path, line in toml_lines(text).items() if path[:2] == key and path[2:]}
            self.layers.append(source.layer(cast("Data", table), lines))

    def _read_named_json(self, source: "_Source") -> None:
        found = self._json(source, is_error=True)
        if found is None:
            return
        value, lines = found
        if isinstance(value.get("servers"), list):
            self._add_foreign(source, from_array(value, self._catalog), lines)
        elif "lsp" in value:
            self._add_foreign(source, from_llxprt(value, self._catalog), lines)
        else:
            self.layers.append(source.layer(value, lines))

    def _read_foreign(self, source: "_Source", read: Callable[[object, Catalog], Translation]) -> None:
        found = self._json(source, is_error=False)
        if found is not None:
            self._add_foreign(source, read(found[0], self._catalog), found[1])

    def _add_foreign(self, source: "_Source", made: Translation, lines: Lines) -> None:
        # A file that was named by hand is meant for us: what is wrong in it is to be mended.
        theirs = msgspec.structs.replace(source.layer({}, lines), is_foreign=source.name != "named file")
        self.problems += [theirs.problem(key, message, hint) for key, message, hint in made.complaints]
        if made.data:
            self.layers.append(msgspec.structs.replace(theirs, data=made.data, lines=made.lines(lines)))

    def _json(self, source: "_Source", *, is_error: bool) -> tuple[Data, Lines] | None:
        text = self._text(source)
        if text is None:
            return None
        try:
            value = parse(text)
        except JsonSyntaxError as error:
            self._note(source, f"is not JSON: {error}", line=error.line, is_error=is_error)
            return None
        if not isinstance(value, dict):
            self._note(source, "must hold an object", is_error=is_error)
            return None
        return cast("Data", value), json_lines(to_json(text))

    def _toml(self, source: "_Source", text: str, *, is_error: bool) -> Data | None:
        try:
            return tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            found = _TOML_LINE.search(str(error))
            line = int(found.group(1)) if found else None
            self._note(source, f"is not TOML: {error}", line=line, is_error=is_error)
            return None

    def _text(self, source: "_Source") -> str | None:
        self.files.append(source.file)
        try:
            if not source.file.is_file():
                return None
            if source.file.stat().st_size > _LARGEST:
                self._note(source, "is too large to be a configuration", is_error=True)
                return None
            return source.file.read_bytes().decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            self._note(source, f"cannot be read: {error}", is_error=True)
            return None

    def _note(
        self,
        source: "_Source",
        message: str,
        key: tuple[str, ...] = (),
        *,
        line: int | None = None,
        is_error: bool = False,
    ) -> None:
        problem = Problem(key=key, message=message, file=source.file, line=line, is_error=is_error)
        if problem not in self.problems:
            self.problems.append(problem)


class _Source(msgspec.Struct, frozen=True):
    name: LayerName
    file: Path
    is_project: bool = False

    def layer(self, data: Data, lines: Lines) -> Layer:
        return Layer(name=self.name, file=self.file, data=data, lines=lines, is_project=self.is_project)


def project_files(workspace: Path) -> Iterator[Path]:
    """The files of a project that are read, whether or not they are there."""
    for name in (".dispatch/lsp.json", *_OPENCODE, ".llxprt/settings.json", "groundwire.toml", "pyproject.toml"):
        yield workspace / name
