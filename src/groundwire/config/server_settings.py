"""What can be set for one server or one language.

Above: ``models``. Below: ``workspace.rules``, which checks a server's habits.
"""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Meta

from groundwire.workspace.rules import ReadinessRule, Rule, SettleRule

R = TypeVar("R", bound=Rule)

Seconds = Annotated[float, Meta(gt=0)]
SecondsOrNever = Annotated[float, Meta(ge=0)]
Megabytes = Annotated[int, Meta(gt=0)]
Count = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(min_length=1)]
Command = Annotated[tuple[Text, ...], Meta(min_length=1)]
Address = Annotated[str, Meta(pattern=r"^\S+:\d{1,5}$")]
Options = dict[str, object]


class Check(NamedTuple):
    """Part of a type: what else holds for its values, which are given to ``of``. It raises ValueError."""

    of: Callable[[Any], object]


class Instead(NamedTuple):
    """Part of a type: how it would be written if one could say so to msgspec."""

    shape: object


def _check_marker(marker: str) -> str:
    name = PurePosixPath(marker.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or "**" in marker:
        raise ValueError("must be a name or a path below the directory, without ..; * stands for part of one name")
    return marker


Marker = Annotated[Text, Check(_check_marker)]
Tiers = Annotated[tuple[Marker | tuple[Marker, ...], ...], Instead(tuple[Marker, ...] | tuple[tuple[Marker, ...], ...])]


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the configuration: unknown keys are errors, and nothing changes once it is read."""


def read_rule(table: Options, shape: type[R]) -> R:
    """A server's habits from a table. Raises ValueError, which names the key that is wrong."""
    try:
        return msgspec.convert(in_kebab_case(table), shape, strict=True)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


def in_kebab_case(table: Options) -> Options:
    """The keys as the data files have them."""
    return {
        key.replace("_", "-"): in_kebab_case(cast("Options", value)) if _is_save_check(key, value) else value
        for key, value in table.items()
    }


def _is_save_check(key: str, value: object) -> bool:
    return key in ("save_check", "save-check") and isinstance(value, dict)


def _check_settle(table: Options) -> Options:
    read_rule(table, SettleRule)
    return table


def _check_readiness(table: Options) -> Options:
    read_rule(table, ReadinessRule)
    return table


class LanguageSettings(Table, frozen=True):
    """One language."""

    enabled: bool = True
    """False: files of this language are not served."""
    servers: tuple[Text, ...] | None = None
    """The servers for navigation and findings, in order of preference; the first that is found is used."""
    linters: tuple[Text, ...] | None = None
    """Servers that only report, beside the first."""
    extensions: tuple[Text, ...] | None = None
    """File name endings of the language."""


class ServerSettings(Table, frozen=True):
    """One server. What is not set stays as the catalogue has it."""

    enabled: bool | None = None
    """False: never started."""
    command: Text | Command | None = None
    """The program, which keeps the arguments it has; or, as a list, the program with all its arguments."""
    args: tuple[str, ...] | None = None
    """The arguments of the program."""
    env: dict[str, str] | None = None
    """Variables it is started with, beside those that are there."""
    connect: Address | None = None
    """HOST:PORT of a server that somebody else runs: it is neither started nor stopped."""
    sidecar: Command | None = None
    """A companion command, started and stopped with the server."""
    settings: Options | None = None
    """Answers to workspace/configuration, by section; laid over those of the catalogue."""
    initialization_options: Options | None = None
    """Sent with initialize; laid over those of the catalogue."""
    extensions: tuple[Text, ...] | None = None
    """File name endings that it serves."""
    languages: tuple[Text, ...] | None = None
    """Languages that it serves."""
    role: Literal["primary", "linter"] | None = None
    root_markers: Tiers | None = None
    """Files that tell where its project begins: the nearest; or lists, of which an earlier one goes before a later."""
    timeout: Seconds | None = None
    """For the answer to one request, in seconds."""
    max_restarts: Count | None = None
    """How often it is started again after a crash."""
    idle_teardown_secs: SecondsOrNever | None = None
    """It is stopped when nobody has asked it for this long; 0: never."""
    memory_mb: Megabytes | None = None
    """Its own ceiling."""
    needs_config: tuple[Marker, ...] | None = None
    """A linter takes part only where one of these files is."""
    configured_by: tuple[Marker, ...] | None = None
    """Where one of these files is, it goes before other servers."""
    also_named: tuple[Text, ...] | None = None
    """Other names of its program."""
    version_command: tuple[str, ...] | None = None
    """The arguments that make it print its version."""
    min_version: str | None = None
    must_run_version: bool | None = None
    activates_venv: bool | None = None
    executes_project_code: bool | None = None
    restart_on: tuple[Text, ...] | None = None
    """Names of files whose change only a restart makes it notice."""
    client_experimental: Options | None = None
    """Experimental capabilities to declare to it."""
    settle: Annotated[Options, Check(_check_settle)] | None = None
    """How its findings are proven; for what keys there are see docs/adding-a-server.md."""
    readiness: Annotated[Options, Check(_check_readiness)] | None = None
    """How it tells that it has loaded."""

    def __post_init__(self) -> None:
        """What the types alone do not tell msgspec. Raises ValueError."""
        if len({type(marker) for marker in self.root_markers or ()}) > 1:
            raise ValueError("root_markers are names, or lists of names")
        if self.connect is not None and self.connect.endswith("\n"):
            raise ValueError("connect is HOST:PORT")  # a pattern of Python ends before a last line break, too
        for marker in self._markers():
            _check_marker(marker)
        if self.settle is not None:
            _check_settle(self.settle)
        if self.readiness is not None:
            _check_readiness(self.readiness)

    def _markers(self) -> Iterator[str]:
        for marker in (*(self.root_markers or ()), *(self.needs_config or ()), *(self.configured_by or ())):
            yield from (marker,) if isinstance(marker, str) else marker
