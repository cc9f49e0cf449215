"""What is worth asking next, in one line.

Above: ``answers``. Below: nothing.
"""

from collections.abc import Callable, Mapping

Speak = Callable[[str], str]
"""An operation's name as the reader knows it; empty when the reader cannot ask for it."""

_NEXT: Mapping[str, tuple[tuple[str, str], ...]] = {
    "find_symbol": (("explore_symbol", "for all about one of them"),),
    "list_symbols": (("get_symbol_source", "for the source of one"), ("explore_symbol", "for all about one")),
    "go_to_symbol": (("explore_symbol", "for all about it"),),
    "go_to_definition": (("get_symbol_source", "for all of its source"), ("find_references", "for its uses")),
    "go_to_declaration": (("go_to_definition", "for its definition"),),
    "go_to_type_definition": (("list_symbols", "for what the type has"),),
    "go_to_implementation": (("get_symbol_source", "for the source of one"),),
    "find_references": (("callers", "for the functions that call it"),),
    "get_document_highlights": (("find_references", "for its uses in other files"),),
    "get_symbol_source": (("find_references", "for its uses"),),
    "explore_symbol": (("find_references", "for the line of every use"),),
    "type_hierarchy": (("go_to_implementation", "for what overrides its methods"),),
}
"""Operation → (operation, what for), the best first."""


def next_step(operation: str, speak: Speak = str) -> str:
    """The line; empty where nothing is worth suggesting."""
    steps = [f"{name} {purpose}" for step, purpose in _NEXT.get(operation, ()) if (name := speak(step))]
    return f"Next: {', '.join(steps)}." if steps else ""


def suggested_operations() -> frozenset[str]:
    """Every operation that is named here."""
    return frozenset(_NEXT) | {step for steps in _NEXT.values() for step, _ in steps}
