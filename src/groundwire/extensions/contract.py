"""What an extension offers, as far as it can be said down here: what operations and renderers are is known above.

Above: ``loading``, ``groundwire.extending``. Below: nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

API = 1
"""The version of the contract. It moves only when extensions made for the one before would not work any more."""

GROUP = "groundwire.extensions"
"""The group of entry points. The name of one is the name of the extension."""


@dataclass(frozen=True, kw_only=True)
class Offering:
    """Made by the entry point of a package, or is what that names."""

    api: int
    """The version of the contract that it was written for."""
    languages: Path | None = None
    """Tables as in ``languages.toml``, of languages that groundwire does not know."""
    servers: Sequence[Path] = ()
    """``ID.server.toml`` files."""
    operations: Sequence[object] = ()
    renderers: Mapping[type, Callable[..., object]] = field(default_factory=dict[type, Callable[..., object]])
    """Type of result → what makes a page of an answer with it."""
    skills: Sequence[Path] = ()
    """Folders, each with a ``SKILL.md``."""
    build_runners: Sequence[object] = ()
