"""The shape of one server's data file.

Above: ``catalog``, which loads them. Below: ``workspace.rules``.
"""

from collections.abc import Mapping
from typing import Literal

from groundwire.workspace.rules import ReadinessRule, Rule, SettleRule


class Managed(Rule, frozen=True, kw_only=True):
    """How ``groundwire install`` gets the server: which packages, pinned, and which commands they bring."""

    method: Literal["pypi", "npm", "go", "cargo", "gem"]
    packages: tuple[str, ...]
    """With their pins (``ruff==0.17.4``, ``pyright@1.1.414``); the version of the first is that of the server."""
    commands: tuple[str, ...]
    """Programs that must be there afterwards; the first starts the server."""


class ServerSpec(Rule, frozen=True, kw_only=True):
    """Everything groundwire knows about a server before it runs."""

    id: str
    languages: tuple[str, ...]
    """Language ids of ``languages.toml``."""
    command: tuple[str, ...]
    also_named: tuple[str, ...] = ()
    """Other names the executable goes by, in order, where ``command[0]`` is not found."""
    role: Literal["primary", "linter"] = "primary"
    roots: tuple[tuple[str, ...], ...] = ()
    """Markers (see ``markers``) in tiers: the nearest marker of the first tier that has any wins."""
    needs_config: tuple[str, ...] = ()
    """A linter takes part only where one of these markers lies between the file and the workspace."""
    configured_by: tuple[str, ...] = ()
    """Where one of these markers lies there, the project is set up for this primary, and it goes before the others."""
    initialization_options: Mapping[str, object] = {}
    settings: Mapping[str, object] = {}
    """Answers to ``workspace/configuration``, by section."""
    client_experimental: Mapping[str, object] = {}
    """``capabilities.experimental`` that this server wants to see declared."""
    environment: Mapping[str, str] = {}
    """Variables it is started with, beside those of groundwire."""
    activates_venv: bool = False
    """Started as if the project's virtual environment had been activated, where it finds what the project imports."""
    install: Mapping[str, str] = {}
    """Installer → the one command that installs it; the first is the recommended one."""
    managed: Managed | None = None
    """What ``groundwire install`` does; none: it is installed by hand only."""
    version_command: tuple[str, ...] = ("--version",)
    """The arguments that make it print its version; none: it cannot be asked."""
    min_version: str = ""
    must_run_version: bool = False
    """Being there proves nothing (a stand-in, for one): it counts only when it can tell its version."""
    executes_project_code: bool = False
    restart_on: tuple[str, ...] = ()
    """Names of files whose change only a restart makes this server notice."""
    settle: SettleRule = SettleRule()
    readiness: ReadinessRule = ReadinessRule()
    quirks: tuple[str, ...] = ()
    verified: str
    """``probed VERSION`` or ``from documentation``."""
