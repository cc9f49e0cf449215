"""What a session needs to know about its server before it starts.

Above: ``pool``, which fills it from the registry and the configuration. Below: ``workspace.rules``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.client.connection import Limits
from groundwire.client.watchdog import Patience
from groundwire.workspace.rules import ReadinessRule, SettleRule


class SessionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """One server at one root. Times are seconds."""

    server: str
    root: Path
    is_ours: bool = True
    """We start the server, and it ends with us; else somebody else runs it, and is not to lose it."""
    initialization_options: Mapping[str, object] = {}
    settings: Mapping[str, object] = {}
    experimental: Mapping[str, object] = {}
    unknown_settings: Literal["object", "null"] = "object"
    """What a section that ``settings`` lacks is answered with."""
    tells_folders: bool = True
    """Whether ``workspaceFolders`` is told beside ``rootUri``."""
    answers: Mapping[str, object] = {}
    """Answers to requests of the server's own invention, by method."""
    message_choices: tuple[str, ...] = ()
    """Titles to choose when it asks by ``window/showMessageRequest``."""
    watches: tuple[str, ...] = ()
    """Glob patterns of files it must be told of although it registers no watcher for them."""
    languages: Mapping[str, str] = {}
    """File ending → language id, of what this server serves."""
    settle: SettleRule = SettleRule()
    readiness: ReadinessRule = ReadinessRule()
    limits: Limits = Limits()
    start_timeout: float = 45.0
    request_timeout: float = 20.0
    shutdown_timeout: float = 3.0
    registration_wait: float = 10.0
    """How long after the start a registration that is known to come late is waited for."""
    patience: Patience = Patience()
    """With a server that is silent while it is asked."""
    max_open_documents: int = 200
    max_file_size: int = 10 * 1024 * 1024
