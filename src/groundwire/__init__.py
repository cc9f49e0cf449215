"""groundwire: what language servers know, proven for the content as it is now, for AI coding agents."""

from importlib import import_module
from typing import TYPE_CHECKING

from groundwire.version import VERSION

if TYPE_CHECKING:
    from groundwire.surfaces.api import open  # noqa: A004  groundwire.open is its name
    from groundwire.surfaces.toolkit import toolkit

__version__ = VERSION

__all__ = ["__version__", "open", "toolkit"]

_ELSEWHERE = {"open": "groundwire.surfaces.api", "toolkit": "groundwire.surfaces.toolkit"}


def __getattr__(name: str) -> object:
    """The API loads when it is used: importing groundwire costs nothing."""
    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
