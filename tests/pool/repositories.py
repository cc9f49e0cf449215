"""Projects with a repository of their own, hostile ones among them, and programs that leave a mark when they run."""

import os
import subprocess
from pathlib import Path

from groundwire.config.load import LoadedConfig, load_config
from groundwire.pool.trust import ServerPlan, plan_servers
from groundwire.pool.trust_request import TrustRequest, trust_request
from groundwire.pool.trust_store import TrustStore, user_trust_store
from groundwire.registry.catalog import load_catalog

SYSTEM = "/usr/bin:/bin"


class Project:
    """A workspace with what is needed to judge it. ``mark`` is written by whatever of it is run."""

    def __init__(self, directory: Path, name: str = "project") -> None:
        self.workspace = directory / name
        self.workspace.mkdir()
        self.mark = directory / f"{name}.mark"
        home = directory / "home"
        home.mkdir(exist_ok=True)
        self.environment = {"HOME": str(home), "PATH": SYSTEM}
        self.store: TrustStore = user_trust_store(self.environment)

    def write(self, name: str, text: str, *, mode: int = 0o644) -> Path:
        """A file of the workspace."""
        file = self.workspace / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(mode)
        return file

    def program(self, name: str, prints: str = "9.9.9") -> Path:
        """A program of the workspace that leaves the mark."""
        return self.write(name, f"#!/bin/sh\n: > '{self.mark}'\necho {prints}\n", mode=0o755)

    def git(self, *arguments: str, cwd: Path | None = None) -> None:
        """Runs git as the user would."""
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "init.defaultBranch=main")
        environment = {**self.environment, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(
            ["git", *identity, *arguments],
            cwd=cwd or self.workspace,
            env=environment,
            check=True,
            capture_output=True,
            timeout=30,
        )

    def commit(self) -> None:
        """Tracks everything that is there now."""
        if not (self.workspace / ".git").exists():
            self.git("init")
        self.git("add", "--all", "--force")
        self.git("commit", "--allow-empty", "-m", "x")

    def load(self) -> LoadedConfig:
        """The configuration."""
        return load_config(self.workspace, environment=self.environment)

    def plan(self) -> ServerPlan:
        """What may take effect."""
        return plan_servers(self.workspace, load_catalog(), self.load(), self.store)

    def request(self) -> TrustRequest:
        """What there is to trust."""
        return trust_request(self.workspace, load_catalog(), self.load(), self.environment)

    def trust(self) -> None:
        """What `groundwire trust --yes` does."""
        self.request().grant(self.store)

    def was_run(self) -> bool:
        """Whether the mark is there; takes it away."""
        found = self.mark.exists()
        self.mark.unlink(missing_ok=True)
        return found

    def start(self, server: str) -> bool:
        """Runs the command of a server as it is planned, as a pool would, and tells whether the mark was left."""
        spec = self.plan().catalog.servers.get(server)
        if spec is not None:
            environment = {**self.environment, **spec.environment}
            path = environment["PATH"].split(os.pathsep)
            found = [Path(directory, spec.command[0]) for directory in path]
            program = next((file for file in found if file.is_file()), None)
            if program is not None:
                subprocess.run(
                    [program, *spec.command[1:]],
                    cwd=self.workspace,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=20,
                    check=False,
                )
        return self.was_run()
