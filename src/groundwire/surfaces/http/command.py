"""``groundwire serve``.

Above: ``surfaces.cli.main``, which loads it by name. Below: ``serving``, ``settings``.
"""

import logging
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from groundwire.errors import InvalidArgument
from groundwire.operations.serving.workspace import find_workspace
from groundwire.surfaces.http.settings import (
    TOKEN_VARIABLE,
    ServeSettings,
    check,
    default_state_dir,
    without_token,
)

_LONGEST_TOKEN_FILE = 4096
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Options(Protocol):
    """What it reads of the command line."""

    @property
    def listen(self) -> str: ...

    @property
    def port(self) -> int: ...

    @property
    def token(self) -> str: ...

    @property
    def token_file(self) -> Path | None: ...

    @property
    def no_auth(self) -> bool: ...

    @property
    def stateless(self) -> bool: ...

    @property
    def roots(self) -> list[Path]: ...

    @property
    def allowed_hosts(self) -> list[str]: ...

    @property
    def profile(self) -> str: ...

    @property
    def output(self) -> str: ...


class _Serving(Protocol):
    """Loaded by name: it brings all of the service, and who is refused need not wait for that."""

    def serve(self, settings: ServeSettings, on_ready: Callable[[str], None]) -> None: ...


def run(arguments: Options) -> int:
    """Serves until it is told to end, and gives the exit status."""
    settings = check(settings_of(arguments, os.environ, Path.cwd()))
    os.environ.pop(TOKEN_VARIABLE, None)  # no process that is started from here needs it
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=_FORMAT)
    cast("_Serving", import_module("groundwire.surfaces.http.serving")).serve(settings, _say_ready)
    return 0


def settings_of(arguments: Options, environment: Mapping[str, str], here: Path) -> ServeSettings:
    """What the command line and the environment ask for. Raises InvalidArgument, FileNotFound."""
    return ServeSettings(
        roots=_roots(arguments.roots, here),
        listen=arguments.listen,
        port=arguments.port,
        token=_token(arguments, environment),
        is_open=arguments.no_auth,
        is_stateless=arguments.stateless,
        allowed_hosts=tuple(arguments.allowed_hosts),
        profile=arguments.profile,
        output=arguments.output,
        environment=without_token(environment),
        state_dir=default_state_dir(environment),
    )


def _roots(named: list[Path], here: Path) -> tuple[Path, ...]:
    """Without any: the workspace round us."""
    wanted: list[Path | None] = [*named] or [None]
    roots = tuple(find_workspace(root, here / "any", here).resolve() for root in wanted)
    for root in roots:
        _check_name(root)
    return roots


def _check_name(root: Path) -> None:
    """Every answer names its workspace, in JSON, which has no signs for bytes that are no text."""
    try:
        str(root).encode()
    except UnicodeEncodeError:
        hint = "Rename the directory."
        raise InvalidArgument(f"the name of {os.fsencode(root)!r} is not UTF-8", hint=hint) from None


def _token(arguments: Options, environment: Mapping[str, str]) -> str:
    """What is said on the command line counts before the environment."""
    if arguments.token and arguments.token_file is not None:
        raise InvalidArgument("--token and --token-file exclude each other", hint="Give one of them.")
    if arguments.token_file is not None:
        return _read_token(arguments.token_file)
    return arguments.token or environment.get(TOKEN_VARIABLE, "")


def _read_token(path: Path) -> str:
    try:
        with path.open("rb") as file:
            token = file.read(_LONGEST_TOKEN_FILE + 1)
    except OSError as problem:
        raise InvalidArgument(f"the token file cannot be read: {problem}") from None
    if len(token) > _LONGEST_TOKEN_FILE:
        raise InvalidArgument(f"the token file has more than {_LONGEST_TOKEN_FILE} bytes")
    if not token.strip():
        raise InvalidArgument(f"the token file {path} is empty")
    return token.decode("latin-1").strip()


def _say_ready(address: str) -> None:
    sys.stderr.write(f"groundwire serves on {address}\n")
    sys.stderr.flush()
