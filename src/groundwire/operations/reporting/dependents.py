"""The files that an edit may have broken: those that use what it touched, and those that name what is gone.

Symbols that are still there are asked for by their references, and so is what takes its type from them; a name that is
gone can only be looked for as text. Bounded, and it is said where that cut something off. Above: ``edit_report``.
Below: ``touched``, ``carriers``, ``indirect``, ``naming``, ``unclear``.
"""

import asyncio
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.client.ask import Reply
from groundwire.errors import CapabilityMissing, GroundwireError
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.navigate import references_now
from groundwire.operations.navigation.targets import name_position
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, ask_about
from groundwire.operations.reporting.carriers import (
    Carrier,
    Source,
    attributes_at,
    is_another,
    is_type,
    keeps_result,
    losers_of,
    owners_of,
    touched_carriers,
)
from groundwire.operations.reporting.cycles import GO, find_cycle
from groundwire.operations.reporting.everything import all_that_may_use
from groundwire.operations.reporting.handed_on import handed_on, module_name, ways_to_import
from groundwire.operations.reporting.indirect import FEW_CARRIERS, Outlines, Use, Users, find_indirect, uses_in
from groundwire.operations.reporting.naming import LookedFor, files_beside, files_with, is_declared, is_long, places_of
from groundwire.operations.reporting.statements import statements_at
from groundwire.operations.reporting.touched import (
    imported_anew,
    lost_names,
    lost_words,
    offered_names,
    touched_lines,
    touched_symbols,
    vanished_words,
)
from groundwire.operations.reporting.unclear import why_unclear
from groundwire.operations.reporting.unlisted import unlisted_names
from groundwire.protocol.symbol_tree import Symbol

_MOST_SYMBOLS = 20
_MOST_UNKNOWN = 10
"""Files of which nobody knows what was changed: a shell may change hundreds, and all that is in each may be other."""
_OF_MODULES = re.compile(r"__\w+__")
"""What a module has for who uses the module, and nobody names: ``__getattr__``, ``__all__``."""


class Edited(msgspec.Struct, frozen=True):
    """A file that was edited. ``before``: its content until then, None where that is not known or there was none."""

    file: Path
    before: str | None
    after: str | None
    """None: it is gone."""


class Dependents(msgspec.Struct, frozen=True):
    """``doubt`` says why there may be more than these."""

    files: tuple[Path, ...]
    doubt: str = ""
    is_everybody: bool = False
    """Nobody was found out in particular: all that there are."""


class _Uses(msgspec.Struct, frozen=True):
    """Files that use touched symbols, words to be looked for as text, and uses through which the change goes on."""

    files: tuple[Path, ...] = ()
    words: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    """Of the words, those that were declared."""
    modules: frozenset[str] = frozenset()
    """Modules that stand for something else now: who imports them is looked for."""
    sources: frozenset[str] = frozenset()
    """Modules whose names are words to be looked for."""
    gone: frozenset[str] = frozenset()
    """Of these, those that nobody gets through the file any more."""
    doubt: str = ""
    spreading: tuple[Use, ...] = ()
    offered: frozenset[str] = frozenset()
    """What can be imported from the file now, and could not before."""


async def find_dependents(call: Call, edits: Sequence[Edited]) -> Dependents:
    """Those of the workspace that were not edited themselves, the surest first."""
    edited, until = {edit.file for edit in edits}, _until(call, edits)
    unknown = [edit.file for edit in edits if edit.before is None]
    left_out = frozenset(unknown[_MOST_UNKNOWN:])
    asked = [edit for edit in edits if edit.file not in left_out]
    async with asyncio.TaskGroup() as servers:
        used = [servers.create_task(_used(call, edit, until)) for edit in asked]
        await asyncio.sleep(0)  # all have been asked: what the texts tell is found out while they think
        told = [_by_text(call, edit) for edit in asked]
    uses = [_joined(each, task.result()) for each, task in zip(told, used, strict=True)]
    uses += [_by_text(call, edit) for edit in edits if edit.file in left_out]
    named = await _naming(call, edits, uses)
    further = await _follow(call, edited, [use for each in (*uses, named) for use in each.spreading], until)
    go = [(each.file, each.before or "", each.after or "") for each in edits if each.file.suffix == GO]
    cycles = await asyncio.to_thread(lambda: [find_cycle(*each) for each in go]) if go else []
    everything = (*uses, named, further, *cycles)
    found = dict.fromkeys(_in_turns([each.files for each in everything]))
    doubts = [_unknown(unknown), *(why_unclear(edit.file, edit.before, edit.after) for edit in edits)]
    doubts += (_by_other_names(call, edit.file) for edit in edits)
    doubts = dict.fromkeys(filter(None, [*doubts, *(each.doubt for each in everything)]))
    return Dependents(tuple(file for file in found if file not in edited), "; ".join(doubts))


async def _follow(call: Call, edited: Collection[Path], uses: Sequence[Use], until: float | None) -> Users:
    """Many names only where nobody can look at all files instead, which is quicker, and then half of the time is for
    looking at what was found.
    """
    found = await find_indirect(call, uses, until, FEW_CARRIERS)
    if not found.is_cut or await all_that_may_use(call, edited) is not None:
        return found
    return await find_indirect(call, uses, until or _halfway(call))


def _in_turns(found: Sequence[Sequence[Path]]) -> Iterator[Path]:
    """Where not all can be looked at, none of them is crowded out by the many of another."""
    return (file for turn in zip_longest(*found) for file in turn if file is not None)


def _by_other_names(call: Call, file: Path) -> str:
    """To a server a file is another one where it is reached through a link."""
    names = [shown_path(Path(name), call.pool.workspace) for name in call.pool.other_names(file)]
    return f"who uses {file.name} through a link to it is not known: it is {names[0]}, too" if names else ""


def _unknown(files: Sequence[Path]) -> str:
    """What is in doubt where nobody knows what edits did."""
    if not files:
        return ""
    what = f"{files[0].name} was" if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more were"
    doubt = f"what {what} before is not known"
    few = f"; who uses what is in them was asked for {_MOST_UNKNOWN} of them" if len(files) > _MOST_UNKNOWN else ""
    return doubt + few


async def find_importers(call: Call, edits: Sequence[Edited]) -> tuple[Path, ...]:
    """Of those, who depends on the files that nobody knew as far as the text tells: at once, for no server is asked."""
    unknown = [edit for edit in edits if edit.before is None]
    uses = [_by_text(call, edit) for edit in unknown]
    named = await _naming(call, unknown, uses)
    found = dict.fromkeys(file for each in (*uses, named) for file in each.files)
    return tuple(file for file in found if all(file != edit.file for edit in edits))


def _until(call: Call, edits: Sequence[Edited]) -> float | None:
    """Until when servers are asked. All of a file that nobody knew may have changed, which may take them long: half of
    the time is for looking at what they have found."""
    return None if all(edit.before is not None for edit in edits) else _halfway(call)


def _halfway(call: Call) -> float:
    now = asyncio.get_running_loop().time()
    return now + (call.deadline - now) / 2


async def _naming(call: Call, edits: Sequence[Edited], uses: Sequence[_Uses]) -> _Uses:
    words = frozenset[str]().union(*(each.words for each in uses))
    modules = frozenset[str]().union(*(each.modules for each in uses))
    sources = frozenset[str]().union(*(each.sources for each in uses))
    offered = frozenset[str]().union(*(each.offered for each in uses))
    if not (words or modules or sources or offered):
        return _Uses()
    lost = frozenset[str]().union(*(each.lost for each in uses))
    endings = frozenset[str]().union(*(_endings_beside(call, edit.file) for edit in edits))
    gone = frozenset[str]().union(*(each.gone for each in uses))
    offering = frozenset[str]().union(*(ways_to_import(edit.file) for edit in edits))
    looked_for = LookedFor(words, lost, endings, modules, sources, gone, offered, offering)
    found = await asyncio.to_thread(files_with, tuple(call.pool.folders), looked_for)
    return _Uses(found.files, doubt=found.doubt, spreading=found.places)


def _endings_beside(call: Call, file: Path) -> frozenset[str]:
    """Those of files that may name what is in this one: of every language that its server takes care of."""
    try:
        primary = call.pool.route(file).primary
    except GroundwireError:
        return frozenset({file.suffix})
    catalog = call.pool.folders.terms_at(file).catalog
    spoken = primary.spec.languages if primary is not None else ()
    endings = (ending for language in spoken for ending in catalog.languages[language].extensions)
    return frozenset({file.suffix, *endings})


async def _used(call: Call, edit: Edited, until: float | None) -> _Uses:
    """What servers know."""
    if edit.after is None or edit.before == edit.after:
        return _Uses()
    try:
        async with asyncio.timeout_at(until):
            return await _used_elsewhere(call, edit.file, edit.before)
    except TimeoutError:
        return _Uses(doubt=f"there was no time left to find out who uses what is in {edit.file.name}")
    except CapabilityMissing as error:
        return _Uses(doubt=error.message)
    except GroundwireError as error:
        return _Uses(doubt=f"the uses of what changed in {edit.file.name} are not known: {error.message}")


def _joined(by_text: _Uses, used: _Uses) -> _Uses:
    return msgspec.structs.replace(
        by_text,
        files=(*used.files, *by_text.files),
        words=by_text.words | used.words,
        lost=by_text.lost | used.lost,
        modules=by_text.modules | used.modules,
        doubt="; ".join(filter(None, [by_text.doubt, used.doubt])),
        spreading=used.spreading,
    )


def _by_text(call: Call, edit: Edited) -> _Uses:
    """Who has to be looked for as text."""
    stems = frozenset({edit.file.stem, module_name(edit.file)} if edit.after is None else ())
    if edit.before is None:
        beside = files_beside(edit.file) if _is_of_directory(call, edit.file) else ()
        return _Uses(beside, words=stems, modules=_modules(call, edit))
    if edit.before == edit.after:
        return _Uses()
    gone = vanished_words(edit.before, edit.after or "")
    lost = lost_names(edit.before, edit.after or "")
    words = frozenset(word for word in gone if is_long(word) or word in lost or is_declared(word, edit.before))
    if edit.after is None:
        return _Uses(words=words | stems, lost=lost, modules=_modules(call, edit))
    passed = handed_on(edit.file, edit.before, edit.after)
    is_other = not edit.before or passed.is_itself or any(map(_OF_MODULES.fullmatch, lost))
    modules = _modules(call, edit) if is_other else frozenset[str]()
    offered = offered_names(edit.before, edit.after)
    return _Uses(words=words, lost=lost, modules=modules, sources=passed.sources, gone=passed.gone, offered=offered)


def _modules(call: Call, edit: Edited) -> frozenset[str]:
    """By what others import the file. Who imports a directory has more or less of it now, known by the names."""
    if not _is_of_directory(call, edit.file):
        return ways_to_import(edit.file)
    is_still_there = edit.before is not None and files_beside(edit.file)
    return frozenset() if is_still_there else frozenset({edit.file.parent.name})


def _is_of_directory(call: Call, file: Path) -> bool:
    """Whether the directory of the file is what others import."""
    catalog = call.pool.folders.terms_at(file).catalog
    spec = catalog.languages.get(catalog.language_of(file) or "")
    return spec is not None and spec.imports_directories


async def _used_elsewhere(call: Call, file: Path, before: str | None) -> _Uses:
    """By references: all that the file has now may be other than it was where nobody knows that."""
    new: set[str] = set()
    lost: set[str] = set()
    modules: set[str] = set()
    own: list[Use] = []
    outlines = call.pool.kept.get(Outlines)
    earlier = outlines.of_text(file, before) if before is not None else None

    async def put(asking: Asking) -> tuple[Reply[list[tuple[Use, bool]]], str]:
        known = await outlines.ask(call, asking)
        lost.update(unlisted_names(before or "", earlier, known.result))
        changes = _changes(known.result, before or "")
        new.update(_new_names(changes, before))
        text = known.result.lines.text
        own[:] = places_of(file, text, imported_anew(before, text) if before else frozenset())
        if any(map(_is_of_module, changes)):
            modules.update(ways_to_import(file))
        found = await asyncio.gather(*(_uses_of_change(call, asking, each) for each in changes[:_MOST_SYMBOLS]))
        uses = [use for reply in found for use in reply.result]
        doubts = [reply.incomplete for reply in (known, *found) if reply.incomplete]
        if len(changes) > _MOST_SYMBOLS:
            what = "symbols" if before is None else "changed symbols"
            doubts.append(f"only the first {_MOST_SYMBOLS} of {len(changes)} {what} were looked for")
        return Reply(uses, doubts[0] if doubts else "", known.world), ""

    heard = await ask_about(call, file, put)
    files = tuple(dict.fromkeys(use.file for use, _ in heard.result if not use.only_heirs))
    spreading = (*(use for use, spreads in heard.result if spreads), *own)
    words, gone = frozenset(new | lost), frozenset(lost)
    return _Uses(files, words, gone, modules=frozenset(modules), doubt=heard.incomplete, spreading=spreading)


class _Change(NamedTuple):
    """Something that changed, by its name. ``spreads``: what uses it may be of another type now, though not by a call
    where ``keeps_result`` is so.
    """

    symbol: Symbol | Carrier
    spreads: bool
    keeps_result: bool = False
    is_another: bool = False
    """Who used it may not be found by it any more, only by its name."""


def _changes(source: Source, before: str) -> list[_Change]:
    after = source.lines.text
    lines = touched_lines(before, after)
    symbols = list(touched_carriers(source, touched_symbols(before, after, source.symbols), lines))
    others = [
        *attributes_at(source, lines, before),
        *statements_at(source, lines),
        *owners_of(source, (symbol for symbol, spreads in symbols if spreads)),
        *losers_of(source, lost_words(before, after)),
    ]
    own = (
        _Change(symbol, spreads, keeps_result(source, symbol, lines, before), is_another(source, symbol, lines))
        for symbol, spreads in symbols
    )
    return [*own, *(_Change(each, spreads=True) for each in dict.fromkeys(others))]


def _new_names(changes: Sequence[_Change], before: str | None) -> Iterator[str]:
    """Another file may have had something by that name, which now goes with it: an override, a second definition."""
    for each in changes:
        name = each.symbol.path[-1] if isinstance(each.symbol, Symbol) else ""
        # Where nobody knows what was there, few names are new, and each of them stands in many files.
        is_new = before is not None and is_long(name) and not re.search(rf"\b{re.escape(name)}\b", before)
        if name and (is_new or each.is_another):
            yield name


def _is_of_module(change: _Change) -> bool:
    path = change.symbol.path if isinstance(change.symbol, Symbol) else ()
    return len(path) == 1 and _OF_MODULES.fullmatch(path[0]) is not None


async def _uses_of_change(call: Call, asking: Asking, change: _Change) -> Reply[list[tuple[Use, bool]]]:
    what = change.symbol
    position = what.position if isinstance(what, Carrier) else name_position(what, asking)
    names_type = what.is_type if isinstance(what, Carrier) else is_type(what)
    only_heirs = isinstance(what, Carrier) and what.only_heirs
    reply = await references_now(asking, position, include_declaration=True)
    uses = uses_in(call, reply.result, is_type=names_type, only_heirs=only_heirs, unless_called=change.keeps_result)
    return reply.having([(use, change.spreads) for use in uses])
