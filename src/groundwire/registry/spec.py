"""The shape of one server's data file.

Strings of ``command``, ``initialization-options``, ``settings``, ``environment`` and ``sidecar.command`` may hold
placeholders such as ``{root}`` (see ``placeholders``). Above: ``catalog``, which loads the files. Below:
``workspace.rules``.
"""

import re
from collections.abc import Mapping
from typing import Literal

from groundwire.registry.package_places import PackageKind
from groundwire.workspace.rules import ReadinessRule, Rule, SettleRule


class Managed(Rule, frozen=True):
    """How groundwire itself installs the server, into a directory of its own (see ``managed``)."""

    method: Literal["pypi", "npm", "go", "cargo", "gem"]
    packages: tuple[str, ...]
    """Pinned, as the method writes it: ``ruff==1.0``, ``pyright@1.0``, ``example.org/tool@v1.0``, ``rubocop:1.0``."""
    commands: tuple[str, ...]
    """What must be there afterwards; the first one starts the server."""
    arguments: tuple[str, ...] = ()
    """Further arguments of the installer."""


class Sidecar(Rule, frozen=True):
    """A companion that runs beside the server and keeps a derived file fresh."""

    command: tuple[str, ...]
    when: tuple[str, ...] = ()
    """It runs only where one of these markers lies in the server's root."""
    when_settings: tuple[str, ...] = ()
    """It runs only where all of these dotted settings (or initialization options) are set and not false."""


class ProjectLibrary(Rule, frozen=True):
    """A package in the project's ``node_modules`` that decides whether the server suits the project."""

    package: str
    min_version: str = ""
    below: str = ""
    """The first version that is too new."""
    required: bool = False
    """Whether the server is of no use where the project has not installed the package."""


class EnvironmentProblem(Rule, frozen=True):
    """Errors that are due to the environment and not to the code. Where they come in numbers, the reader is told the
    cause and the remedy in their place. What may be a slip in the code, such as a relative import, must not fit."""

    cause: str
    """What is the matter, as a clause: ``packages that the project imports are not installed``."""
    remedy: str
    """What to do, as a sentence."""
    codes: tuple[str, ...] = ()
    """Such findings have one of these codes; empty: any."""
    message: str = ""
    """Their message holds this regular expression; empty: any. Its first group is what is missing."""
    follow_ups: tuple[str, ...] = ()
    """Codes of further findings that such a one brings about in its file."""

    def __post_init__(self) -> None:
        if not self.codes and not self.message:
            raise ValueError("an environment problem that every finding would fit")
        try:
            re.compile(self.message)
        except re.error as problem:
            raise ValueError(f"message: {problem}") from problem


class ScopeRule(Rule, frozen=True):
    """How the server is limited to a part of its root, where that holds more sources than it should look at."""

    setting: str
    """The dotted setting that takes the directories and files to look at, written from the root."""
    takes_changes: bool = False
    """Whether it obeys another value while it runs; else it is started anew."""
    checks_others: bool = False
    """Whether a file beyond the limit is checked when it is open; else what it says of one is no answer."""
    not_with: tuple[str, ...] = ()
    """Markers, at the root or anywhere above it, that keep it from obeying the setting."""


class ServerSpec(Rule, frozen=True, kw_only=True):
    """Everything groundwire knows about a server before it runs."""

    id: str
    """The name of its file, and what people call it by."""
    languages: tuple[str, ...]
    """Language ids of ``languages.toml``."""
    command: tuple[str, ...]
    """The program and the arguments that make it speak LSP on its standard streams."""
    also_named: tuple[str, ...] = ()
    """Other names the executable goes by, in order, where ``command[0]`` is not found."""
    also_commands: tuple[tuple[str, ...], ...] = ()
    """Whole other command lines, in order, where the executable is not found under any of its names."""
    also_in: tuple[str, ...] = ()
    """Directories, written from ``~/``, where its installer puts it and that are often not on the path."""
    role: Literal["primary", "linter"] = "primary"
    """One primary takes care of a file; linters only add findings to its own."""
    roots: tuple[tuple[str, ...], ...] = ()
    """Markers (see ``markers``) in tiers: the nearest marker of the first tier that has any wins."""
    needs_config: tuple[str, ...] = ()
    """It takes part only where one of these markers lies between the file and the workspace."""
    configured_by: tuple[str, ...] = ()
    """Where one of these markers lies there, the project is set up for this primary, and it goes before the others."""
    not_with: tuple[str, ...] = ()
    """It takes no part where one of these markers decides: the project is of another kind."""
    decided_by: tuple[str, ...] = ()
    """What the markers of ``not-with`` compete with: the nearest to the file decides, in one directory the first of
    these. Empty: only they themselves."""
    project_library: ProjectLibrary | None = None
    initialization_options: Mapping[str, object] = {}
    settings: Mapping[str, object] = {}
    """Answers to ``workspace/configuration``, by section; also told once by ``didChangeConfiguration`` if any."""
    unknown_settings: Literal["object", "null"] = "object"
    """What a section that ``settings`` lacks is answered with: an empty object suits most, null crashes several."""
    client_experimental: Mapping[str, object] = {}
    """``capabilities.experimental`` that this server wants to see declared."""
    workspace_folders: bool = True
    """Whether ``workspaceFolders`` is told; if not, only ``rootUri`` is."""
    shares_roots: bool = False
    """Whether one process serves several roots, told of by ``didChangeWorkspaceFolders``; only where it was measured
    that what it then says of an added root is right."""
    answers: Mapping[str, object] = {}
    """Answers to requests of the server's own invention, by method; others get null."""
    message_choices: tuple[str, ...] = ()
    """Titles to choose when it asks by ``window/showMessageRequest``; a question with none of them is dismissed."""
    retried_errors: tuple[int, ...] = ()
    """Failure codes, beside the usual ones, after which a request is sent again."""
    never_cancelled: tuple[str, ...] = ()
    """Methods that it does not survive being told to cancel: it goes on with them, and the answer is dropped."""
    watches: tuple[str, ...] = ()
    """Glob patterns of files whose changes on disk it must be told of although it registers no watcher for them."""
    environment: Mapping[str, str] = {}
    """Variables it is started with, beside those of groundwire."""
    activates_venv: bool = False
    """Started as if the project's virtual environment had been activated, where it finds what the project imports."""
    install: Mapping[str, str] = {}
    """Installer → the one command that installs it, or the address to download it from; the first is recommended."""
    managed: Managed | None = None
    sidecar: Sidecar | None = None
    version_command: tuple[str, ...] = ("--version",)
    """The arguments that make it print its version; none: it cannot be asked."""
    min_version: str = ""
    below_version: str = ""
    """The first version that will not do."""
    must_run_version: bool = False
    """Being there proves nothing (a stand-in, for one): it counts only when it can tell its version."""
    executes_project_code: bool = False
    """Whether opening a project runs code of it: build scripts, configuration files that are programs."""
    findings_need: Mapping[str, str] = {}
    """Program → the command that installs it: without it the server reports no findings, and its silence means none."""
    finds_only: str = ""
    """What its findings are limited to, for the reader of an empty answer: ``syntax errors``."""
    environment_problems: tuple[EnvironmentProblem, ...] = ()
    restart_on: tuple[str, ...] = ()
    """Names of files whose change only a restart makes this server notice."""
    reads_packages: tuple[PackageKind, ...] = ()
    """Packages that it reads, and does not notice when others are installed: it is started anew then."""
    scope: ScopeRule | None = None
    """Without it the server cannot be limited."""
    settle: SettleRule = SettleRule()
    readiness: ReadinessRule = ReadinessRule()
    quirks: tuple[str, ...] = ()
    """What a person should know, one sentence each."""
    verified: str
    """``probed VERSION`` or ``from documentation``."""
