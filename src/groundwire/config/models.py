"""Every key there is, with its type, its default and what it means. The published JSON Schema is made from these.

Above: ``layers``, ``mistakes`` and ``load``. Below: ``server_settings``.
"""

from typing import Literal

from msgspec import field

from groundwire.config.server_settings import (
    Count,
    LanguageSettings,
    Megabytes,
    Seconds,
    SecondsOrNever,
    ServerSettings,
    Table,
)

Severity = Literal["error", "warning", "information", "hint"]
Permission = Literal["allow", "ask", "deny"]
ProjectCode = Literal["allow", "trusted", "never"]


class Timeouts(Table, frozen=True):
    """How long to wait at most, in seconds."""

    start: Seconds = 45.0
    """For a server to start."""
    request: Seconds = 20.0
    """For the answer to one request."""
    diagnostics_warm: Seconds = 3.0
    """For findings after an edit, from a server that runs."""
    diagnostics_cold: Seconds = 10.0
    """For findings after an edit, the first time a server is needed."""


class Memory(Table, frozen=True):
    """Ceilings. Above them the server used least recently is stopped; without one there is no limit."""

    per_server_mb: Megabytes | None = None
    """Of one server with all its processes."""
    total_mb: Megabytes | None = None
    """Of all servers together."""


class Audit(Table, frozen=True):
    """The record of every edit."""

    enabled: bool = True
    """Whether edits are recorded."""
    path: str | None = None
    """The file, absolute, from ~ or from the workspace; without it GROUNDWIRE_AUDIT_LOG, else one in the user's state
    directory."""
    max_mb: Megabytes = 10
    """A file that would grow larger is put aside and a new one begun."""
    keep: Count = 5
    """How many files that were put aside are kept."""


class Cache(Table, frozen=True):
    """Answers that are kept between the lives of servers, and given again while nothing they depend on has changed."""

    enabled: bool = True
    """Whether answers are kept."""
    max_mb: Megabytes = 64
    """Of one workspace; what was not used for longest goes first."""


class Extensions(Table, frozen=True):
    """Installed packages that add servers, operations and skills. A project has no say in this."""

    enabled: bool = True
    """Whether any are loaded; GROUNDWIRE_EXTENSIONS=off is the same as false."""
    disabled: tuple[str, ...] = ()
    """Those that are not, by name."""


class Indexing(Table, frozen=True):
    """What servers look at in very large workspaces."""

    selective: bool = True
    """Whether a server that can be limited looks only at the packages that are asked about and at those they import,
    where there are many sources; answers that span files then say that they may not be all."""
    threshold: Count = 5000
    """How many sources of its languages a server looks at as a whole."""


class Daemon(Table, frozen=True):
    """The background process that keeps the servers of a workspace warm for everybody."""

    idle_exit_secs: SecondsOrNever = 1800.0
    """It ends when nobody has been connected for this long; 0: never."""


class Settings(Table, frozen=True):
    """The configuration of groundwire."""

    enabled: bool = True
    """False: no server is started and nothing is reported."""
    mode: Literal["introduced", "errors", "all", "end_of_turn", "off"] = "errors"
    """What an edit reports: only the errors it introduced, those and the ones that were there, warnings too, all at the
    end, or nothing."""
    severity: Severity = "error"
    """The least severe findings that are shown."""
    include_warnings: bool = False
    """Show warnings too; the same as severity = "warning"."""
    other_files: Literal["introduced", "write", "always", "never"] = "introduced"
    """When findings in other files than the edited one are shown."""
    max_per_file: Count = 20
    """Findings shown of one file."""
    max_other_files: Count = 5
    """Other files shown after an edit."""
    max_lines: Count = 50
    """Findings shown over all files."""
    max_file_mb: Megabytes = 10
    """Larger files are not checked."""
    max_message_mb: Megabytes = 32
    """Larger messages of a server are refused."""
    navigation_tools: bool = True
    """Whether agents are offered the navigation tools."""
    verbose_status: bool = False
    """Say in the text, too, when findings are not proven."""
    enabled_languages: tuple[str, ...] = ()
    """Only these languages are served; empty: all. `languages = [...]` is the same."""
    prewarm: tuple[str, ...] = ()
    """Servers, or languages, that are started before they are needed."""
    idle_teardown_secs: SecondsOrNever = 600.0
    """A server that nobody has asked for this long is stopped; 0: never."""
    max_restarts: Count = 3
    """How often a server that crashes is started again."""
    project_code: ProjectCode = "allow"
    """Whether servers that execute the project's code (build scripts, macros) may run: always, once it is trusted,
    or never."""
    timeouts: Timeouts = Timeouts()
    memory: Memory = Memory()
    audit: Audit = Audit()
    cache: Cache = Cache()
    indexing: Indexing = Indexing()
    daemon: Daemon = Daemon()
    extensions: Extensions = Extensions()
    permissions: dict[str, Permission] = field(default_factory=dict)
    """By tool: run it, ask first, or refuse."""
    languages: dict[str, LanguageSettings] = field(default_factory=dict)
    """By language."""
    servers: dict[str, ServerSettings] = field(default_factory=dict)
    """By server. One that is not in the catalogue is added: it needs a command (or connect) and extensions or
    languages."""

    @property
    def least_severity(self) -> Severity:
        """The least severe findings that are shown, with ``include_warnings`` taken into account."""
        return "warning" if self.include_warnings and self.severity == "error" else self.severity

    def server(self, server: str) -> ServerSettings:
        """What is set for a server; nothing when nothing is."""
        return self.servers.get(server) or ServerSettings()

    def idle_teardown_of(self, server: str) -> float:
        """The server's own value, else the general one."""
        own = self.server(server).idle_teardown_secs
        return self.idle_teardown_secs if own is None else own

    def max_restarts_of(self, server: str) -> int:
        """The server's own value, else the general one."""
        own = self.server(server).max_restarts
        return self.max_restarts if own is None else own

    def request_timeout_of(self, server: str) -> float:
        """The server's own value, else the general one."""
        own = self.server(server).timeout
        return self.timeouts.request if own is None else own

    def serves(self, language: str) -> bool:
        """Whether the language is switched on."""
        own = self.languages.get(language)
        is_listed = not self.enabled_languages or language in self.enabled_languages
        return self.enabled and is_listed and (own is None or own.enabled)
