"""For authors of extensions: everything that one may use, and nothing else of groundwire is promised to stay.

    from groundwire.extending import Extension

    def extension() -> Extension:
        return Extension(api=1, servers=[...], operations=[...])

and in its ``pyproject.toml``, under the name of the extension::

    [project.entry-points."groundwire.extensions"]
    shapes = "groundwire_shapes:extension"

See docs/extensions.md. Above: packages of others. Below: ``operations``, ``render``, ``extensions``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.errors import CapabilityMissing, FileNotFound, GroundwireError, InvalidArgument
from groundwire.extensions.contract import Offering
from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.building.compiler_lines import ANY, read_lines
from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Project, Ran, Reading, Step, Wanted
from groundwire.operations.building.sources import Sources
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.files.paths import existing_file, shown_path
from groundwire.operations.navigation.navigate import find_references, go_to_definition
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.operation import Arguments, Call, Effect, Operation, Result, operation
from groundwire.render.page import Block, Page, Section, prose
from groundwire.render.verdict import found, shown

__all__ = [
    "ANY",
    "Answer",
    "Arguments",
    "Block",
    "Call",
    "CapabilityMissing",
    "Counts",
    "Ecosystem",
    "Effect",
    "Extension",
    "FileNotFound",
    "GroundwireError",
    "InvalidArgument",
    "Operation",
    "Page",
    "Place",
    "Plan",
    "Problem",
    "Project",
    "Ran",
    "Reading",
    "Result",
    "Section",
    "Sources",
    "Status",
    "Step",
    "Wanted",
    "existing_file",
    "find_references",
    "find_symbol",
    "found",
    "get_diagnostics",
    "go_to_definition",
    "list_symbols",
    "operation",
    "prose",
    "read_lines",
    "shown",
    "shown_path",
]

# Each operation has arguments and a result of its own, and each renderer takes answers with a type of its own.
AnyOperation = Operation[Any, Any]
Renderer = Callable[[Answer[Any]], Page]


@dataclass(frozen=True, kw_only=True)
class Extension(Offering):
    """What a package adds. ``api`` is the version of the contract that it was written for: 1 is this one."""

    operations: Sequence[AnyOperation] = ()
    """Made by ``@operation``."""
    renderers: Mapping[type, Renderer] = field(default_factory=dict[type, Renderer])
    """Type of result → what makes a page of an answer. Without one, the fields are shown by their names."""
    build_runners: Sequence[Ecosystem] = ()
    """How projects of some kind are built and tested."""
