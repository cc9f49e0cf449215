"""What the operations on the reference cache answer with.

Above: ``render``. Below: ``operation``.
"""

from groundwire.operations.operation import Result


class ExportedCache(Result, frozen=True):
    """A file that holds the cache; ``file`` is relative to the workspace."""

    file: str
    entries: int = 0
    size_bytes: int = 0
    enabled: bool = True
    """False: the configuration has the cache switched off, and nothing was done."""


class ImportedCache(Result, frozen=True):
    """What the cache holds from now on. An entry is given only where everything it depends on is the same here."""

    file: str
    entries: int = 0
    enabled: bool = True
    """False: the configuration has the cache switched off, and nothing was done."""
