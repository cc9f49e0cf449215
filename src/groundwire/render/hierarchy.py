"""Who calls whom and what derives from what, as text, by file.

Above: ``answers`` and ``exploration``. Below: ``page``, ``places``, ``verdict``.
"""

from collections.abc import Callable, Sequence

from groundwire.operations.answer import Answer, Status, T
from groundwire.operations.results.hierarchy import CallHierarchy, CallNode, Calls, Node, TypeHierarchy, Types
from groundwire.render.page import Block, Page, Section
from groundwire.render.places import by_file, place_line
from groundwire.render.verdict import noted, reason
from groundwire.render.wording import counted, known_by, source_line

_MOST_SITES = 20
_MOST_CHARS = 200


def call_hierarchy_page(answer: Answer[CallHierarchy]) -> Page:
    """Who calls it and what it calls, with the line of every call."""
    calls = answer.value
    incoming = None if calls.incoming is None else calls_section(calls.incoming, "caller", "Called by:")
    outgoing = None if calls.outgoing is None else calls_section(calls.outgoing, "callee", "Calls:")
    statements = [
        _side(answer, side, word, unknown)
        for side, word, unknown in (
            (calls.incoming, "called by", "what calls it"),
            (calls.outgoing, "calls", "what it calls"),
        )
        if side is not None
    ]
    return Page(_head(answer, calls.symbols, statements), _titled_if_several(incoming, outgoing))


def calls_section(calls: Calls, noun: str, title: str = "") -> Section:
    """The ends of calls by file, each with its calls below it."""
    blocks = by_file([(call.file, tuple(_call(call))) for call in calls.calls])
    return Section(blocks, calls.total, calls.offset, title, _more(noun))


def _call(call: CallNode) -> list[str]:
    lines = [_node(call)]
    for place in call.sites[:_MOST_SITES]:
        elsewhere = "" if place.file == call.file else f"{place.file}:"
        lines.append(f"    {elsewhere}{place_line(place).lstrip()}")
    left = len(call.sites) - _MOST_SITES
    return [*lines, f"    +{left} more calls"] if left > 0 else lines


def type_hierarchy_page(answer: Answer[TypeHierarchy]) -> Page:
    """What it derives from and what derives from it."""
    types = answer.value
    above = None if types.supertypes is None else _types_section(types.supertypes, "supertype", "Derives from:")
    below = None if types.subtypes is None else _types_section(types.subtypes, "subtype", "Base of:")
    statements = [
        _side(answer, side, word, unknown)
        for side, word, unknown in (
            (types.supertypes, "derives from", "what it derives from"),
            (types.subtypes, "base of", "what derives from it"),
        )
        if side is not None
    ]
    return Page(_head(answer, types.symbols, statements), _titled_if_several(above, below))


def _types_section(types: Types, noun: str, title: str) -> Section:
    blocks = by_file([(node.file, _type_block(node)) for node in types.types])
    return Section(blocks, types.total, types.offset, title, _more(noun))


def _type_block(node: Node) -> Block:
    text = source_line(node.text, _MOST_CHARS)
    return (f"{_node(node)}  {text}".rstrip(),)


def _node(node: Node) -> str:
    return f"  {node.line}:{node.column}  {node.kind} {node.name}"


def _titled_if_several(*sections: Section | None) -> tuple[Section, ...]:
    there = tuple(section for section in sections if section is not None)
    return there if len(there) > 1 else tuple(section._replace(title="") for section in there)


def _side(answer: Answer[T], side: Calls | Types, word: str, unknown: str) -> str:
    """One direction in words. Nothing is called nothing only where that is proven."""
    is_confirmed = answer.status is Status.CONFIRMED
    if not side.total:
        return f"{word} nothing" if is_confirmed else f"{unknown} is not known"
    sites = side.sites if isinstance(side, Calls) else 0
    places = f" at {counted(sites, 'place')}" if sites else ""
    return f"{word} {'' if is_confirmed else 'at least '}{side.total:,}{places}"


def _head(answer: Answer[T], symbols: Sequence[Node], statements: Sequence[str]) -> str:
    subject = ", ".join(f"{node.kind} {node.name} {node.file}:{node.line}:{node.column}" for node in symbols)
    proof = f" ({known_by(answer.servers)})" if answer.status is Status.CONFIRMED else f": {reason(answer)}"
    return f"{subject or 'Symbol'}: {', '.join(statements)}{proof}{noted(answer)}"


def _more(noun: str) -> Callable[[int, int], str]:
    return lambda left, at: f"+{left:,} more {noun}s (offset {at})"
