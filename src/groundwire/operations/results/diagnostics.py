"""What ``get_diagnostics`` found, as it is shown: file by file, or one file by symbol.

Above: ``get_diagnostics`` and ``render.diagnostics_page``. Below: ``operation``, ``answer``.
"""

import msgspec

from groundwire.operations.answer import Severity, Status
from groundwire.operations.operation import Result


class DiagnosticEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One finding; positions are 1-based characters."""

    severity: Severity
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    source: str
    message: str


class FileDiagnostics(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one file: without findings it is clean only when ``confirmed``."""

    file: str
    status: Status
    reason: str
    diagnostics: tuple[DiagnosticEntry, ...]


class SymbolDiagnostics(msgspec.Struct, frozen=True, kw_only=True):
    """The findings whose innermost symbol this is. ``line`` is its name's."""

    name: str
    """As it can be given back as ``symbol``."""
    kind: str
    line: int
    diagnostics: tuple[DiagnosticEntry, ...]


class Unchecked(msgspec.Struct, frozen=True, kw_only=True):
    """Files of one language that no server here takes care of, and why."""

    language: str
    files: int
    reason: str


class Diagnostics(Result, frozen=True, omit_defaults=True):
    """A page of findings. ``files`` are those with findings on the page; on the first page also those with none that
    were named, have changed, or are not confirmed. By symbol, ``file``, ``symbols`` and ``ungrouped`` stand instead.
    """

    scope: str
    files: tuple[FileDiagnostics, ...]
    checked: int
    """Files of which something is proven, of ``candidates``."""
    candidates: int
    clean: int
    """Files that are confirmed to have no findings that were asked for."""
    broken: int
    """Files with such findings."""
    counts: dict[Severity, int]
    """Of all findings, be they less severe than was asked for."""
    total: int
    """Of those that were asked for, over all pages."""
    severity: Severity
    offset: int = 0
    unchecked: tuple[Unchecked, ...] = ()
    file: str = ""
    symbols: tuple[SymbolDiagnostics, ...] | None = None
    ungrouped: tuple[DiagnosticEntry, ...] | None = None
