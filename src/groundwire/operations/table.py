"""Every operation there is, by name. Above: ``surfaces``. Below: the operations."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from groundwire.errors import InvalidArgument
from groundwire.operations.completions import get_completions
from groundwire.operations.decorations import (
    get_code_lenses,
    get_folding_ranges,
    get_inlay_hints,
    get_selection_ranges,
)
from groundwire.operations.explore import explore_symbol
from groundwire.operations.hierarchy import callers, find_callers, type_hierarchy
from groundwire.operations.inspect import get_document_highlights, get_signature_help, inspect_symbol
from groundwire.operations.navigate import (
    find_references,
    go_to_declaration,
    go_to_definition,
    go_to_implementation,
    go_to_type_definition,
)
from groundwire.operations.operation import Operation
from groundwire.operations.search import find_symbol
from groundwire.operations.symbols import get_symbol_source, go_to_symbol, list_symbols
from groundwire.operations.tokens import get_semantic_tokens

AnyOperation = Operation[Any, Any]
"""Each has arguments and a result of its own, which its ``parse`` and ``run`` hold together."""

_ALL: tuple[AnyOperation, ...] = (
    explore_symbol,
    find_symbol,
    list_symbols,
    go_to_symbol,
    get_symbol_source,
    inspect_symbol,
    get_signature_help,
    get_completions,
    go_to_definition,
    go_to_declaration,
    go_to_type_definition,
    go_to_implementation,
    find_references,
    get_document_highlights,
    find_callers,
    callers,
    type_hierarchy,
    get_inlay_hints,
    get_semantic_tokens,
    get_folding_ranges,
    get_selection_ranges,
    get_code_lenses,
)

OPERATIONS: Mapping[str, AnyOperation] = {operation.name: operation for operation in _ALL}

_ALIASES: Mapping[str, AnyOperation] = {alias: operation for operation in _ALL for alias in operation.aliases}


def find_operation(name: str) -> AnyOperation:
    """The operation of that name, or of that older name. Raises InvalidArgument with the closest names."""
    found = OPERATIONS.get(name) or _ALIASES.get(name)
    if found is not None:
        return found
    known = [*OPERATIONS, *_ALIASES]
    close = get_close_matches(name, known, n=3)
    hint = f"Did you mean {' or '.join(close)}?" if close else f"Known are {', '.join(OPERATIONS)}."
    raise InvalidArgument(f"there is no operation {name!r}", hint=hint)
