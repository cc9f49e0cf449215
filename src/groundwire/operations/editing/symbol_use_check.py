"""Whether a symbol is used anywhere: known for certain, or the reason why it must not be deleted.

Above: ``symbol_edits``. Below: ``navigate``, ``places``, ``symbol_spans``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.client.ask import Reply
from groundwire.errors import EditConflict
from groundwire.operations.arguments import Page
from groundwire.operations.editing.symbol_spans import Located
from groundwire.operations.navigation.navigate import references_at
from groundwire.operations.navigation.places import locations_of
from groundwire.operations.navigation.targets import name_position
from groundwire.operations.question import Asking
from groundwire.operations.results.found import Locations
from groundwire.operations.text.masked_text import STRING
from groundwire.protocol.lsp import Location
from groundwire.protocol.symbol_tree import Symbol, walk
from groundwire.protocol.uris import uri_key

_MOST_SHOWN = 10
_MOST_MEMBERS = 100
_USED_BY_MEMBERS = frozenset({2, 3, 4, 10})
"""Modules, namespaces, packages and enums, by LSP's numbers: what is in them may be used without naming them."""


class UseCheck(NamedTuple):
    """All that a server knows of a symbol and its members: where it is used, and where it is declared."""

    uses: Sequence[Location]
    declarations: Sequence[Location]
    doubt: str = ""
    """Why there may be more, though the server's answers were complete."""

    @staticmethod
    async def ask(asking: Asking, symbol: Symbol, tree: Sequence[Symbol]) -> "Reply[UseCheck]":
        """Ask for them, and for those that would go with it though they belong to another."""
        wanted = [symbol, *_members(symbol), *_within(symbol, tree)]
        uses: list[Location] = []
        declarations: list[Location] = []
        incomplete = Reply((), "", asking.session.state.documents.world)
        for each in wanted[: _MOST_MEMBERS + 1]:
            position = name_position(each, asking)
            used = await references_at(include_declaration=False)(asking, position)
            everything = await references_at(include_declaration=True)(asking, position)
            uses += used.result
            declarations += [location for location in everything.result if location not in set(used.result)]
            incomplete = incomplete.then(used.then(everything.having(())))
        doubt = f"it has over {_MOST_MEMBERS} members" if len(wanted) > _MOST_MEMBERS + 1 else ""
        return incomplete.having(UseCheck(uses, declarations, doubt))

    def require_unused(self, located: Located, asking: Asking, workspace: Path, incomplete: str) -> None:
        """Raise EditConflict, with the places, unless it is proven that nothing but itself uses it."""
        name, session = located.symbol.dotted, asking.session
        used = locations_of(session, workspace, _outside(self.uses, located, asking), Page(limit=_MOST_SHOWN))
        if used.total:
            raise EditConflict(
                f"{name} is used in {_places(used)}; nothing was deleted",
                hint="Change these first, or delete them together with apply_edit.",
            )
        if reason := incomplete or self.doubt:
            raise EditConflict(
                f"whether {name} is used is not known: {reason}; nothing was deleted",
                hint="Ask again later, or search the text for the name and delete it with apply_edit.",
            )
        others = _outside(self.declarations, located, asking)
        declared = locations_of(session, workspace, others, Page(limit=_MOST_SHOWN))
        if declared.total:
            raise EditConflict(
                f"{name} is also declared in {_places(declared)}; nothing was deleted",
                hint="They belong together: delete them with apply_edit.",
            )


def _members(symbol: Symbol) -> Iterator[Symbol]:
    if symbol.kind in _USED_BY_MEMBERS:
        for child in symbol.children:
            yield child
            yield from _members(child)


def _within(symbol: Symbol, tree: Sequence[Symbol]) -> Iterator[Symbol]:
    """A field that is declared by a parameter of a constructor, for one."""
    own = {id(each) for each in symbol.walk()}
    for other in walk(tree):
        is_inside = symbol.range.start < other.range.start and other.range.end < symbol.range.end
        if is_inside and id(other) not in own:
            yield other


def _outside(found: Iterable[Location], located: Located, asking: Asking) -> list[Location]:
    """Those that do not lie in the symbol itself, as calls of itself do."""
    lines, own, span = asking.document.lines, uri_key(asking.document.uri), located.span
    return [
        location
        for location in found
        if uri_key(location.uri) != own
        or not span.top <= lines.offset(location.range.start, asking.encoding) < span.bottom
    ]


def _places(found: Locations) -> str:
    shown = [f"{place.file}:{place.line}:{place.column} {place.text}".rstrip() for place in found.locations]
    more = f"; and {found.total - len(shown)} more" if found.total > len(shown) else ""
    return f"{found.total} {'place' if found.total == 1 else 'places'}: {'; '.join(shown)}{more}"


def unseen_uses(located: Located) -> list[str]:
    """In what ways it may be used that no server sees."""
    masked, span = located.masked, located.span
    notes: list[str] = []
    if "@" in masked.code[span.top : span.first]:
        notes.append("it was decorated: what the decorator did with it is gone too")
    name = masked.text[span.name : span.name_end]
    strings = re.finditer(f"{STRING}+", masked.code)
    alone = [each.start() for each in strings if masked.text[each.start() + 1 : each.end() - 1] == name != ""]
    outside = [at for at in alone if not span.top <= at < span.bottom]
    if outside:
        line = masked.text.count("\n", 0, outside[0]) + 1
        notes.append(f"its name also stands in a string at line {line}")
    return notes
