"""The first line each way on a daemon's socket: who wants what, and whether it is given.

Above: ``meeting`` (who greets), ``server`` (who is greeted). Below: ``errors``.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple, cast

from groundwire.errors import Wire
from groundwire.version import VERSION

PROTOCOL = 1
"""Changes with what is said on the socket; daemons and clients of the same one understand each other."""

LONGEST_LINE = 1024 * 1024

_MATTERS = frozenset(
    {"PATH", "HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "NODE_PATH", "NVM_BIN", "GOPATH", "GOROOT"}
    | {"GOFLAGS", "GOWORK", "JAVA_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME", "DOTNET_ROOT", "GEM_HOME", "SDKROOT"}
    | {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"}
)

_OF_THE_CLIENT = frozenset({"GROUNDWIRE_OUTPUT", "GROUNDWIRE_TOKEN", "GROUNDWIRE_LOG"})
"""About how one client is answered, and no server's business."""


class Greeting(NamedTuple):
    """``client`` is who asks, as it is shown; ``options`` are the conversation's own."""

    conversation: str
    root: str
    client: str = ""
    options: Mapping[str, str] = {}
    environment: Mapping[str, str] = {}
    version: str = VERSION
    protocol: int = PROTOCOL
    token: str = ""
    notes: tuple[str, ...] = ()
    """What the daemon told the client, for the conversation to pass on."""


class Welcome(NamedTuple):
    """``is_leaving``: refused, for the daemon makes room for another one. ``notes`` are for the reader."""

    is_welcome: bool
    pid: int = 0
    version: str = VERSION
    protocol: int = PROTOCOL
    notes: tuple[str, ...] = ()
    is_leaving: bool = False
    error: str = ""
    hint: str = ""


def relevant(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment decides which servers run, and what they see."""
    return {name: value for name, value in environment.items() if name in _MATTERS or _is_setting(name)}


def _is_setting(name: str) -> bool:
    return name.startswith("GROUNDWIRE_") and name not in _OF_THE_CLIENT


def dump(message: Greeting | Welcome) -> bytes:
    """One line."""
    return json.dumps(message._asdict()).encode() + b"\n"


def read_greeting(line: bytes) -> Greeting:
    """Raises Wire."""
    members = _members(line, Greeting._fields)
    return Greeting(
        conversation=_text(members, "conversation"),
        root=_text(members, "root"),
        client=_text(members, "client"),
        options=_texts(members.get("options")),
        environment=_texts(members.get("environment")),
        version=_text(members, "version"),
        protocol=_number(members, "protocol"),
        token=_text(members, "token"),
    )


def read_welcome(line: bytes) -> Welcome:
    """Raises Wire."""
    members = _members(line, Welcome._fields)
    notes = members.get("notes")
    return Welcome(
        is_welcome=members.get("is_welcome") is True,
        pid=_number(members, "pid"),
        version=_text(members, "version"),
        protocol=_number(members, "protocol"),
        notes=tuple(map(str, cast("list[object]", notes))) if isinstance(notes, list) else (),
        is_leaving=members.get("is_leaving") is True,
        error=_text(members, "error"),
        hint=_text(members, "hint"),
    )


def _members(line: bytes, known: tuple[str, ...]) -> dict[str, object]:
    try:
        found = cast("object", json.loads(line))
    except (ValueError, RecursionError):
        raise Wire("the first line is not JSON") from None
    if not isinstance(found, dict):
        raise Wire("the first line is not an object")
    # What a later version adds is left alone.
    return {name: value for name, value in cast("dict[str, object]", found).items() if name in known}


def _text(members: Mapping[str, object], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _number(members: Mapping[str, object], name: str) -> int:
    value = members.get(name)
    return value if isinstance(value, int) else 0


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {name: each for name, each in cast("dict[str, object]", value).items() if isinstance(each, str)}
