"""A Roblox-like project with a scripted server and its scripted companion, asked for as luau-lsp's data file does."""

import json
import os
import sys
from pathlib import Path

import msgspec

from groundwire.pool.policy import SeatPolicy
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from groundwire.registry.catalog import Catalog, LanguageSpec, load_catalog
from groundwire.registry.spec import ServerSpec
from tests.fakes.toy_servers import SERVERS, toy_spec

AUTOGENERATE = {"luau-lsp": {"sourcemap": {"autogenerate": True, "rojoProjectFile": "default.project.json"}}}


class LuauProject:
    """A project in a directory of its own; ``rojo`` is found on the path beside it."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "game"
        self.root.mkdir()
        (self.root / "default.project.json").write_text("{}")
        self.write("main.luau", 'local a = require("Ancient")\n')
        self.write("Ancient.luau", "return 1\n")
        self._log = directory / "rojo.log"
        self._programs = directory / "bin"
        self._programs.mkdir()
        self._install_rojo()

    def _install_rojo(self) -> None:
        rojo = self._programs / "rojo"
        rojo.write_text(f'#!/bin/sh\nexec "{sys.executable}" -E -S -B "{SERVERS / "rojo_like.py"}" "$@"\n')
        rojo.chmod(0o755)

    def write(self, name: str, text: str) -> Path:
        """A file of the project."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    @property
    def environment(self) -> dict[str, str]:
        """Where rojo is found."""
        path = os.pathsep.join([str(self._programs), os.environ["PATH"]])
        return {**os.environ, "PATH": path, "ROJO_LOG": str(self._log)}

    def rojo_pids(self) -> list[int]:
        """Every companion that was started, in order."""
        return [int(line) for line in self._log.read_text().split()] if self._log.exists() else []

    def modules(self) -> list[str]:
        """What the sourcemap lists now."""
        sourcemap = self.root / "sourcemap.json"
        return json.loads(sourcemap.read_text())["modules"] if sourcemap.exists() else []

    def pool(self, spec: ServerSpec | None = None, **variables: str) -> Pool:
        """A pool over it. The companion may be started again twice."""
        environment = {**self.environment, **variables}
        settings = PoolSettings(policy=SeatPolicy(max_restarts=2))
        return Pool(self.root, catalog=luau_catalog(spec), environment=environment, settings=settings)


def luau_spec(script: str = "luau_like") -> ServerSpec:
    """The script with luau-lsp's companion, and the settings that ask for it."""
    real = load_catalog().servers["luau-lsp"]
    return toy_spec(
        script,
        languages=("luau",),
        sidecar=real.sidecar,
        roots=real.roots,
        settings=AUTOGENERATE,
        settle=msgspec.structs.replace(toy_spec(script).settle, scope="workspace"),
    )


def luau_catalog(spec: ServerSpec | None = None) -> Catalog:
    """One server for ``*.luau`` files."""
    server = spec or luau_spec()
    return Catalog({"luau": LanguageSpec(extensions=(".luau",), servers=(server.id,))}, {server.id: server})
