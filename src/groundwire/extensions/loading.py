"""The extensions of this process: each loaded once, when a table is first made, and what became of what it offers.

One that cannot be loaded is left out and says why; so is each thing that a table cannot take from it. Nothing else
changes by that. Above: everything that has a table, ``operations.extension_lines``. Below: ``discovery``, ``choice``.
"""

import os
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, cast

from groundwire.errors import GroundwireError, Internal
from groundwire.extensions.boundary import foreign_code
from groundwire.extensions.choice import Choice, read_choice
from groundwire.extensions.contract import API, Offering
from groundwire.extensions.discovery import Candidate, find_candidates

State = Literal["loaded", "off", "failed"]
Kind = Literal["languages and servers", "operation", "renderer", "skill", "build runner"]


class LeftOut(NamedTuple):
    """A thing that was offered and not taken."""

    kind: Kind
    name: str
    reason: str


@dataclass
class Extension:
    """One that is installed. ``reason``: why it is not loaded."""

    name: str
    distribution: str = ""
    version: str = ""
    state: State = "loaded"
    reason: str = ""
    offering: Offering | None = None
    added: dict[tuple[Kind, str], None] = field(default_factory=dict[tuple[Kind, str], None])
    left_out: dict[tuple[Kind, str], LeftOut] = field(default_factory=dict[tuple[Kind, str], LeftOut])

    @contextmanager
    def offers(self, kind: Kind, name: str) -> Generator[None]:
        """Within it the thing is looked at and taken; what is wrong with it is noted, and ends nothing."""
        try:
            yield
        except (GroundwireError, OSError, UnicodeError) as error:
            self.left_out[kind, name] = LeftOut(kind, name, str(error))
        else:
            self.added[kind, name] = None


def load_extensions(candidates: Iterable[Candidate], choice: Choice) -> list[Extension]:
    """Each by itself. Of several of one name the first is loaded."""
    found: dict[str, Extension] = {}
    loaded: list[Extension] = []
    for candidate in candidates:
        extension = Extension(candidate.name, candidate.distribution, candidate.version)
        first = found.setdefault(candidate.name, extension)
        if choice.refusal(candidate.name):
            extension.state, extension.reason = "off", choice.refusal(candidate.name)
        elif first is not extension:
            extension.state, extension.reason = "failed", f"{first.distribution} has an extension of the same name"
        else:
            _load(extension, candidate.load)
        loaded.append(extension)
    return loaded


def _load(extension: Extension, load: Callable[[], object]) -> None:
    try:
        with foreign_code():
            made = load()
            offering = made() if callable(made) else made
            extension.reason = _mismatch(offering)
    except (GroundwireError, TimeoutError) as error:
        extension.state, extension.reason = "failed", str(error) or type(error).__name__
        return
    extension.state = "failed" if extension.reason else "loaded"
    extension.offering = offering if isinstance(offering, Offering) and not extension.reason else None


def _mismatch(offering: object) -> str:
    if not isinstance(offering, Offering):
        return f"its entry point gives {type(offering).__name__}, not an Extension of groundwire.extending"
    if offering.api != API:
        return f"it is made for version {offering.api} of the contract, and this groundwire has {API}"
    # What cannot be gone through raises here, and not where a table is made.
    _ = (*offering.operations, *offering.build_runners, *offering.renderers.items())
    files = (*((offering.languages,) if offering.languages is not None else ()), *offering.servers, *offering.skills)
    strange = next((each for each in files if not isinstance(cast("object", each), Path)), None)
    return f"it names a file by {strange!r}, which is no Path" if strange is not None else ""


class _Process:
    """What is loaded here. Threads wait for one another. An extension that wants the tables while it is loaded would
    have them made without it and those after it: it is refused."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_loading = False
        self._loaded: tuple[Extension, ...] | None = None

    def extensions(self) -> tuple[Extension, ...]:
        """Raises Internal while they are loaded."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Extension, ...]:
        if self._is_loading:
            raise Internal("it needs what is made of all extensions", hint="Import from groundwire.extending alone.")
        self._is_loading = True
        try:
            return tuple(_installed())
        finally:
            self._is_loading = False


def _installed() -> list[Extension]:
    choice = read_choice(os.environ)
    return load_extensions(find_candidates(), choice)


_PROCESS = _Process()


def installed_extensions() -> tuple[Extension, ...]:
    """Those of this process, by name, whether or not they could be loaded."""
    return _PROCESS.extensions()


def offerings() -> Iterable[tuple[Extension, Offering]]:
    """What those that could be loaded offer."""
    return [(each, each.offering) for each in installed_extensions() if each.offering is not None]
