"""Workspaces for what looks at whole projects: with a home of their own and servers that a user configured."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from groundwire.operations.serving.decisions import Decisions, read_decisions
from tests.fakes.toy_servers import toy_command


class Workspace:
    """A project, the user who opens it, and what is on that user's path."""

    def __init__(self, directory: Path, python: str) -> None:
        self.path = directory / "project"
        self.programs = directory / "programs"
        self.home = directory / "home"
        for each in (self.path, self.programs, self.home):
            each.mkdir()
        self.environment = {"HOME": str(self.home), "PATH": str(self.programs)}
        (self.programs / "git").symlink_to(str(shutil.which("git")))  # and nothing else of this machine
        self._config = ""
        self._python = python

    def write(self, name: str, text: str = "\n", *, mode: int = 0o644) -> Path:
        """A file of the project."""
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(mode)
        return file

    def install(self, name: str, prints: str = "9.0") -> Path:
        """A program on the path, which says its version and nothing else."""
        file = self.programs / name
        file.write_text(f"#!/bin/sh\necho {prints}\n", "utf-8")
        file.chmod(0o755)
        return file

    def configure(self, text: str) -> None:
        """More of the user's own configuration."""
        self._config += f"{text}\n"
        file = self.home / ".config/groundwire/config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self._config, "utf-8")

    def serve(self, script: str, extension: str = ".toy", variables: Mapping[str, str] | None = None) -> None:
        """Has files with an ending served by a script of ``tests/servers``, which is named after it."""
        command = [self._python, *toy_command(script)[1:]]
        self.configure(f"[servers.{script}]\ncommand = {json.dumps(command)}\nextensions = ['{extension}']")
        self.configure(f"[servers.{script}.env]")
        for name, value in (variables or {}).items():
            self.configure(f"{name} = {json.dumps(value)}")

    def commit(self) -> None:
        """Tracks everything that is there now."""
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "init.defaultBranch=main")
        for arguments in (("init",), ("add", "--all", "--force"), ("commit", "-m", "x")):
            subprocess.run(
                ["git", *identity, *arguments],
                cwd=self.path,
                env={**self.environment, "GIT_CONFIG_NOSYSTEM": "1"},
                check=True,
                capture_output=True,
                timeout=30,
            )

    def decisions(self) -> Decisions:
        """What is decided now."""
        return read_decisions(self.path, self.environment)
