"""What depends on the symbols of files, or on some symbols: who uses each of them, tests apart.

Above: ``table``. Below: ``impact`` (who asks), ``impact_places``, ``impact_transitive``, ``exported``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import Limit, Offset, Target
from groundwire.operations.files.paths import located
from groundwire.operations.impact.places import UsePlaces
from groundwire.operations.impact.sums import HeardUses, is_untested, reached_tests, summed_up
from groundwire.operations.impact.transitive import Indirect, follow_users
from groundwire.operations.impact.users import Pick, Picked, Unheard, UsesSearch, declared_for_others
from groundwire.operations.navigation.navigate import REFERENCES
from groundwire.operations.navigation.targets import ask_at, ask_symbols, name_position
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking
from groundwire.operations.results.impact import BlastRadius
from groundwire.operations.text.exported import Exports
from groundwire.protocol.lsp import Position
from groundwire.protocol.symbol_tree import Symbol, innermost, walk

_NO_DECLARATIONS = frozenset({1, 2, 3, 4, 19, 22, 26})
"""Files, modules, namespaces, packages, blocks, members of enums and type parameters, by LSP's numbers."""
_ALWAYS = frozenset({5, 6, 9, 10, 11, 12, 23})
"""Functions and types of any kind; of values only those outside of types."""
_NO_ONE: Indirect = Indirect((), frozenset())


class FindBlastRadius(Arguments, frozen=True):
    """What may change."""

    changed_files: Annotated[tuple[str, ...], Meta(description="Files whose symbols are meant.")] = ()
    symbols: Annotated[tuple[str, ...], Meta(description="Or symbols, by name.")] = ()
    scope: Annotated[Literal["exported", "all"], Meta(description="Which of the files.")] = "exported"
    include_transitive: Annotated[bool, Meta(description="Users of users too.")] = False
    filter: Annotated[Literal["", "untested"], Meta(description="Only what no test uses.")] = ""
    limit: Limit = 50
    offset: Offset = 0


class _Named(NamedTuple):
    """A symbol of a file, by its path and which of several of that path it is."""

    file: Path
    path: str
    number: int


@operation(
    "Who uses the symbols of files (or some symbols): callers by symbol, tests apart. Before changing them.",
    needs=(REFERENCES,),
    aliases=("get_change_impact",),
    command="blast-radius",
)
async def blast_radius(call: Call, arguments: FindBlastRadius) -> Answer[BlastRadius]:
    """What a change would reach."""
    if not arguments.changed_files and not arguments.symbols:
        raise InvalidArgument("neither files nor symbols are named", hint="Give changed_files or symbols.")
    search, notes = UsesSearch(call), dict[str, None]()
    wanted, unheard = await _wanted(call, arguments, notes)
    heard = HeardUses(call.pool, search, [*await search.ask_all(list(wanted.items())), *unheard])
    places, found = UsePlaces(call), heard.symbols
    indirect = await follow_users(call, search, places, found) if arguments.include_transitive else _NO_ONE
    chosen = [each for each in found if not arguments.filter or is_untested(*each, places)]
    shown = page_of(chosen, arguments)
    await places.read_trees(heard.files, (use for _, symbol in shown for use in symbol.uses))
    doubts = [*heard.doubts(), *filter(None, [indirect.doubt])]
    radius = BlastRadius(
        affected_symbols=tuple(places.affected(*each, len(shown)) for each in shown),
        total=len(chosen),
        offset=arguments.offset,
        summary=summed_up(found, places),
        test_files=tuple(sorted(reached_tests(found, places) | indirect.test_files)),
        transitive=indirect.callers,
        warnings=tuple(doubts),
        note="; ".join(notes),
    )
    status = heard.status(doubts)
    return Answer(value=radius, status=status, reason=_reason(doubts), servers=heard.servers)


def _reason(doubts: Sequence[str]) -> str:
    more = len(doubts) - 3
    return "; ".join(doubts[:3]) + (f"; and {more} more" if more > 0 else "")


async def _wanted(
    call: Call, arguments: FindBlastRadius, notes: dict[str, None]
) -> tuple[dict[Path, Pick], list[Unheard]]:
    """What to look for in which file."""
    picks: dict[Path, list[Pick]] = {}
    for name in dict.fromkeys(arguments.changed_files):
        picks.setdefault(located(Path(name), call.pool.workspace), []).append(_declared(arguments.scope, notes))
    unheard: list[Unheard] = []
    for name in dict.fromkeys(arguments.symbols):
        try:
            named = await _find(call, name)
        except GroundwireError as error:
            unheard.append(Unheard(Path(name), error))
            continue
        picks.setdefault(named.file, []).append(_only(named))
    return {file: _any_of(own) for file, own in picks.items()}, unheard


async def _find(call: Call, name: str) -> _Named:
    async def ask(asking: Asking, position: Position) -> Reply[tuple[str, int]]:
        reply = await ask_symbols(asking)
        symbols = list(walk(reply.result))
        meant = next((each for each in symbols if name_position(each, asking) == position), None)
        meant = meant or innermost(reply.result, position.line)
        same = [each for each in symbols if meant is not None and each.path == meant.path]
        return reply.having((meant.dotted, same.index(meant)) if meant is not None else ("", 0))

    heard = await ask_at(call, Target(symbol=name), ask)
    return _Named(heard.asking.file, *heard.result)


def _only(named: _Named) -> Pick:
    def pick(asking: Asking, tree: Sequence[Symbol]) -> list[Picked]:
        exports = Exports(asking.document.lines, asking.document.language, asking.encoding)
        same = [way for way in _ways(tree) if way[-1].dotted == named.path]
        return [
            Picked(way[-1], exports.is_exported(way[-1], way[:-1])) for way in same[named.number : named.number + 1]
        ]

    return pick


def _ways(tree: Sequence[Symbol], around: tuple[Symbol, ...] = ()) -> list[tuple[Symbol, ...]]:
    """Every symbol, behind all that it is in."""
    return [way for each in tree for way in [(*around, each), *_ways(each.children, (*around, each))]]


def _declared(scope: str, notes: dict[str, None]) -> Pick:
    def pick(asking: Asking, tree: Sequence[Symbol]) -> list[Picked]:
        exports = Exports(asking.document.lines, asking.document.language, asking.encoding)
        if exports.note and scope == "exported":
            notes[exports.note] = None
        ways = [way for way in declared_for_others(tree) if is_declaration(way)]
        picked = [Picked(way[-1], exports.is_exported(way[-1], way[:-1])) for way in ways]
        return [each for each in picked if each.is_exported or scope == "all"]

    return pick


def is_declaration(way: Sequence[Symbol]) -> bool:
    """Whether a symbol is worth asking for: a function, a type, or a value that stands for itself."""
    kind = way[-1].kind
    if kind in _NO_DECLARATIONS:
        return False
    return kind in _ALWAYS or all(each.kind in _NO_DECLARATIONS for each in way[:-1])


def _any_of(picks: Sequence[Pick]) -> Pick:
    def pick(asking: Asking, tree: Sequence[Symbol]) -> list[Picked]:
        found = {id(each.symbol): each for own in picks for each in own(asking, tree)}
        return list(found.values())

    return pick
