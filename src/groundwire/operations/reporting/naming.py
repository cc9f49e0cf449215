"""The files of a workspace that hold certain words: the only way to who used a name that is gone.

Bounded, and it is said where that cut something off. Above: ``dependents``. Below: ``handed_on``, ``declared_names``,
``workspace_files``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.reporting.handed_on import (
    has_all_of,
    module_name,
    passed_on,
    passes_on,
    ways_to_import,
)
from groundwire.operations.reporting.indirect import Use
from groundwire.operations.text.declared_names import DeclaringText
from groundwire.protocol.lsp import Range
from groundwire.protocol.positions import Lines

_MOST_WORDS = 500
_MOST_SEARCHED = 5_000
_MOST_PLACES = 500
_LARGEST_SEARCHED = 1024 * 1024
_SHORTEST_WORD = 3
_MOST_SOURCES = 50
_FEW = 50
"""So many files are rather all looked at than guessed."""
_LAST_WORD = re.compile(r"\w+\Z")


class LookedFor(NamedTuple):
    """``words`` of which those in ``lost`` were declared, in files with the given endings."""

    words: frozenset[str]
    lost: frozenset[str]
    endings: frozenset[str]
    modules: frozenset[str] = frozenset()
    """What imports one of them, or what passes on all of it, counts, whatever it names."""
    sources: frozenset[str] = frozenset()
    """Modules whose names are all lost, or new."""
    gone: frozenset[str] = frozenset()
    """Of these, those whose names are lost."""
    offered: frozenset[str] = frozenset()
    """Names that can be imported now from ``offering``: who imports one of these and names one of those counts, and who
    has all of one whatever that is."""
    offering: frozenset[str] = frozenset()


class Naming(NamedTuple):
    """Files with words, those with the most of them first, the places of what was lost, and why there may be more."""

    files: tuple[Path, ...]
    places: tuple[Use, ...]
    doubt: str


class _Found(NamedTuple):
    words: int
    places: list[Use]


def is_long(word: str) -> bool:
    """Whether it is hardly ever something else by the same name."""
    return len(word) >= _SHORTEST_WORD


def is_declared(word: str, text: str) -> bool:
    """Whether it looks like a name that others may use, a field among them: a short one is mostly a parameter's."""
    keywords = "class|const|def|define|enum|fn|func|function|interface|let|static|struct|trait|type|val|var"
    named = rf"^(?:.*\b(?:{keywords})\s+(?:\([^)\n]*\)\s*)?)?{re.escape(word)}\b"
    member = rf"^\s+(?:[\w<>*&:\[\]]+\s+)*[*&]*{re.escape(word)}\b"
    return re.search(f"{named}|{member}", text, re.MULTILINE) is not None


def files_beside(file: Path) -> tuple[Path, ...]:
    """The others of its kind in its directory."""
    if not file.parent.is_dir():
        return ()
    others = (each for each in file.parent.iterdir() if each.suffix == file.suffix and each.name != file.name)
    return tuple(sorted(filter(Path.is_file, others)))


def places_of(file: Path, text: str, names: frozenset[str]) -> list[Use]:
    """Where one file names any of these, whatever they stand for."""
    if not names:
        return []
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    return list(islice(_places(file, text, pattern.finditer(text), names), _MOST_PLACES))


def files_with(folders: Sequence[Path], looked_for: LookedFor) -> Naming:
    """All that hold one of the words."""
    doubts: list[str] = []
    walks = [WorkspaceFiles(folder, is_thorough=True) for folder in folders]
    suitable = (file for file in chain.from_iterable(walks) if file.suffix in looked_for.endings)
    files = list(islice(suitable, _MOST_SEARCHED + 1))
    if len(files) > _MOST_SEARCHED:
        doubts.append(f"only {_MOST_SEARCHED:,} files were searched for the names that are gone")
    if looked_for.sources:
        names, unknown = _names_passed_on(files, looked_for.sources, looked_for.gone)
        if unknown and len(files) <= _FEW and not any(walk.note for walk in walks):
            return Naming(tuple(files), (), "")
        doubts += [f"who had through it what {unknown} has is not known"] if unknown else []
        looked_for = looked_for._replace(words=looked_for.words | names, lost=looked_for.lost | names)
    wanted = sorted(looked_for.words, key=lambda word: (-len(word), word))[:_MOST_WORDS]
    if len(looked_for.words) > len(wanted):
        doubts.append(f"only {_MOST_WORDS} of {len(looked_for.words)} names that are gone were looked for")
    found = _search(files[:_MOST_SEARCHED], wanted, looked_for.modules, looked_for.lost)
    further, unfollowed = _importing_further(files[:_MOST_SEARCHED], found, looked_for.modules)
    asking, unasked = _asking(files[:_MOST_SEARCHED], looked_for)
    found = {**further, **found, **asking}
    doubts += [f"who has through {unfollowed} what is gone was not looked for"] if unfollowed else []
    doubts += [f"who has through {unasked} what is new was not looked for"] if unasked else []
    places = [place for here in found.values() for place in here.places]
    if len(places) > _MOST_PLACES:
        doubts.append(f"only {_MOST_PLACES} of {len(places)} places that name what is gone were followed")
    doubts += [walk.note for walk in walks if walk.note]
    ordered = sorted(found, key=lambda file: -found[file].words)
    return Naming(tuple(ordered), tuple(places[:_MOST_PLACES]), doubts[0] if doubts else "")


def _names_passed_on(
    files: Sequence[Path], sources: frozenset[str], gone: frozenset[str]
) -> tuple[frozenset[str], str]:
    """The names that modules declare, and those they pass on themselves; one that is gone and not of this workspace."""
    by_module: dict[str, list[Path]] = {}
    for file in files:
        by_module.setdefault(module_name(file), []).append(file)
    names, seen, waiting = set[str](), set[str](), sorted(sources)
    while waiting and len(seen) < _MOST_SOURCES:
        module = waiting.pop()
        seen.add(module)
        for text in map(_text_of, by_module.get(module, ())):
            names |= DeclaringText(text).names_for_others()
            waiting += sorted(passed_on(text) - seen)
    unknown = sorted(gone.difference(by_module)) or waiting
    return frozenset(names), unknown[0] if unknown else ""


def _search(
    files: Sequence[Path], words: Sequence[str], modules: frozenset[str], lost: frozenset[str]
) -> dict[Path, _Found]:
    if not words and not modules:
        return {}
    pattern = _pattern(words, sorted(modules))
    looks = ((file, _look(file, pattern, lost)) for file in files)
    return {file: here for file, here in looks if here is not None}


def _asking(files: Sequence[Path], looked_for: LookedFor) -> tuple[dict[Path, _Found], str]:
    """Who asks for what is offered, directly or through what passes on all of it; what was not followed any more.

    Few files hold such a name, or have all of others: only these are looked at closely.
    """
    if not looked_for.offered:
        return {}, ""
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(looked_for.offered)))})\b")
    naming, passing, holding = list[Path](), list[Path](), list[Path]()
    for file in files:
        text = _text_of(file)
        # A name that is nowhere in it is found to be so ten times as fast without its ends.
        naming += [file] if any(map(text.__contains__, looked_for.offered)) and names.search(text) else []
        passing += [file] if passed_on(text) else []
        holding += [file] if has_all_of(text) else []
    modules, unfollowed = _passing(passing, looked_for.offering)
    whole = (file for file in holding if not modules.isdisjoint(has_all_of(_text_of(file))))
    return {**dict.fromkeys(whole, _Found(0, [])), **_search(naming, (), modules, frozenset())}, unfollowed


def _passing(files: Sequence[Path], modules: frozenset[str]) -> tuple[frozenset[str], str]:
    """The modules, and those through which one has all of them; one of these that was not followed any more."""
    reached = modules
    while new := _through(files, reached):
        if len(reached | new) - len(modules) > _MOST_SOURCES:
            return reached, min(new)
        reached |= new
    return reached, ""


def _importing_further(
    files: Sequence[Path], found: Iterable[Path], modules: frozenset[str]
) -> tuple[dict[Path, _Found], str]:
    """Who imports modules through those that pass on all of them; one of these that was not followed any more."""
    further, reached, latest = dict[Path, _Found](), modules, list(found) if modules else []
    while new := _through(latest, reached):
        if len(reached | new) - len(modules) > _MOST_SOURCES:
            return further, min(new)
        looks = _search(files, (), new, frozenset())
        latest = [file for file in looks if file not in further]
        further, reached = {**looks, **further}, reached | new
    return further, ""


def _through(files: Iterable[Path], modules: frozenset[str]) -> frozenset[str]:
    """Further modules, of these files, through which one has all of the given ones."""
    passing = (file for file in files if passes_on(file, _text_of(file), modules))
    return frozenset[str]().union(*map(ways_to_import, passing)) - modules


def _text_of(file: Path) -> str:
    try:
        return read_source(file, _LARGEST_SEARCHED)
    except GroundwireError:  # gone, unreadable or far too large: no server would be asked about it either
        return ""


def _look(file: Path, pattern: re.Pattern[str], lost: frozenset[str]) -> _Found | None:
    text = _text_of(file)
    matches = list(pattern.finditer(text))
    if not matches:
        return None
    places = list(islice(_places(file, text, matches, lost), _MOST_PLACES + 1)) if lost else []
    return _Found(len({match.group() for match in matches}), places)


def _places(file: Path, text: str, matches: Iterable[re.Match[str]], lost: frozenset[str]) -> Iterator[Use]:
    """Where what was lost is named. What it was nobody knows any more: a type is what goes furthest."""
    lines = Lines(text)
    for match in matches:
        word = _LAST_WORD.search(match.group())
        if word is not None and word.group() in lost:
            at = lines.position(match.start() + word.start(), "utf-16")
            yield Use(file, Range(at, at), is_type=True)


def _pattern(words: Sequence[str], modules: Sequence[str]) -> re.Pattern[str]:
    """A short name stands in half of all files as something else: it counts when called, imported or a member."""
    long = "|".join(re.escape(word) for word in words if is_long(word))
    short = "|".join(re.escape(word) for word in words if not is_long(word))
    used = (rf"\b(?:{short})(?=\s*\()", rf"\bimport\b[^\n]*?\b(?:{short})\b", rf"(?:\.|->|::)\s*(?:{short})\b")
    parts = [*([rf"\b(?:{long})\b"] if long else []), *(used if short else ()), *_importing(modules)]
    return re.compile("|".join(parts), re.MULTILINE)


def _importing(modules: Sequence[str]) -> Iterator[str]:
    named = "|".join(re.escape(module) for module in modules if module != ".")
    if named:
        yield rf"\b(?:export|from|import|include|mod|require|use|using)\b[^\n]*?\b(?:{named})\b"
        yield rf"^[ \t]+(?:{named})(?:[ \t]+as[ \t]+\w+)?,?[ \t]*$"
        yield rf"\b(?:{named})\s*::"
        # The path of a file or a directory, on a line of its own in a list of imports, or given to a function.
        yield rf"""["'<](?:[^"'<>\n]*/(?:{named})(?:\.\w+)*|(?:{named})(?:\.\w+)+)["'>]"""
    if "." in modules:
        yield r"""\bfrom\s+(?:\.+\s|["']\.\.?/?["'])|\brequire\s*\(["']\.\.?/?["']"""
