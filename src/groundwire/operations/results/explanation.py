"""What an answer about the decisions on a file holds.

Above: ``serving.explain``, ``render.explain``.
"""

from typing import Literal

import msgspec

FileState = Literal["served", "not_served", "disabled", "untrusted"]


class WithheldValue(msgspec.Struct, frozen=True):
    """A value of the project that has no effect before the project is trusted."""

    server: str
    """Empty: it is not for one server."""
    key: str
    value: object
    place: str
    effect: str
    """What happens instead."""


class HandedOver(msgspec.Struct, frozen=True):
    """Something that a server is given to run or to load."""

    what: str
    path: str
    why: str


class ServerExplained(msgspec.Struct, frozen=True, kw_only=True):
    """A server that takes care of the file. Paths inside the workspace are relative to it."""

    server: str
    role: Literal["primary", "linter"]
    why: str
    program: str
    program_why: str
    command: tuple[str, ...]
    version: str
    """Empty when only running it would tell."""
    root: str
    root_why: str
    root_tier: int
    root_tiers: int
    runs_project_code: bool
    """Whether it executes code of the project: build scripts, macros, configuration files that are programs."""
    project_files_run: tuple[str, ...]
    """Files inside the workspace that starting it runs or loads."""
    handed_over: tuple[HandedOver, ...]
    finds_only: str
    lacking: tuple[str, ...]
    """What it would need besides, and how to get that."""
    companion: tuple[str, ...]
    """The command that runs beside it; empty when there is none."""
    companion_why: str
    """Why there is one, or why one that is wanted cannot be had."""
    refused: tuple[str, ...]
    """Programs of the project that would have gone before this one, and why they are not trusted."""


class Rival(msgspec.Struct, frozen=True, kw_only=True):
    """A server that could take care of the file, and does not."""

    server: str
    role: Literal["primary", "linter"]
    kind: Literal["missing", "untrusted", "unfit", "later", "disabled"]
    why: str
    remedy: str = ""


class ConfigSource(msgspec.Struct, frozen=True):
    """Where configuration was read from."""

    layer: str
    place: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was decided."""

    file: str
    workspace: str
    language: str
    language_why: str
    state: FileState
    reason: str
    """Why it is not served; empty when it is."""
    servers: tuple[ServerExplained, ...]
    passed_over: tuple[Rival, ...]
    configuration: tuple[ConfigSource, ...]
    """In rising order."""
    withheld: tuple[WithheldValue, ...]
    remedy: str
    """The one command that has the file served, where it is not."""
    trust_command: str
    """The command that lets the project decide more, where that would change anything."""
    warnings: tuple[str, ...]
    """About the configuration."""
