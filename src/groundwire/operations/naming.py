"""The files of a workspace that hold certain words: the only way to who used a name that is gone.

Bounded, and it is said where that cut something off. Above: ``dependents``. Below: ``workspace_files``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.indirect import Use
from groundwire.operations.workspace_files import WorkspaceFiles
from groundwire.protocol.lsp import Range
from groundwire.protocol.positions import Lines

_MOST_WORDS = 500
_MOST_SEARCHED = 5_000
_MOST_PLACES = 500
_LARGEST_SEARCHED = 1024 * 1024
_SHORTEST_WORD = 3
_LAST_WORD = re.compile(r"\w+\Z")


class LookedFor(NamedTuple):
    """``words`` of which those in ``lost`` were declared, in files with the given endings."""

    words: frozenset[str]
    lost: frozenset[str]
    endings: frozenset[str]


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


def files_with(folders: Sequence[Path], looked_for: LookedFor) -> Naming:
    """All that hold one of the words."""
    wanted = sorted(looked_for.words, key=lambda word: (-len(word), word))[:_MOST_WORDS]
    doubts: list[str] = []
    if len(looked_for.words) > len(wanted):
        doubts.append(f"only {_MOST_WORDS} of {len(looked_for.words)} names that are gone were looked for")
    pattern = _pattern(wanted)
    walks = [WorkspaceFiles(folder) for folder in folders]
    found: dict[Path, _Found] = {}
    files = (file for file in chain.from_iterable(walks) if file.suffix in looked_for.endings)
    for number, file in enumerate(files):
        if number == _MOST_SEARCHED:
            doubts.append(f"only {_MOST_SEARCHED:,} files were searched for the names that are gone")
            break
        if (here := _look(file, pattern, looked_for.lost)) is not None:
            found[file] = here
    places = [place for here in found.values() for place in here.places]
    if len(places) > _MOST_PLACES:
        doubts.append(f"only {_MOST_PLACES} of {len(places)} places that name what is gone were followed")
    doubts += [walk.note for walk in walks if walk.note]
    ordered = sorted(found, key=lambda file: -found[file].words)
    return Naming(tuple(ordered), tuple(places[:_MOST_PLACES]), doubts[0] if doubts else "")


def _look(file: Path, pattern: re.Pattern[str], lost: frozenset[str]) -> _Found | None:
    try:
        text = read_source(file, _LARGEST_SEARCHED)
    except GroundwireError:  # gone, unreadable or far too large: no server would be asked about it either
        return None
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


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """A short name stands in half of all files as something else: it counts when called, imported or a member."""
    long = "|".join(re.escape(word) for word in words if is_long(word))
    short = "|".join(re.escape(word) for word in words if not is_long(word))
    used = (rf"\b(?:{short})(?=\s*\()", rf"\bimport\b[^\n]*?\b(?:{short})\b", rf"(?:\.|->|::)\s*(?:{short})\b")
    return re.compile("|".join([*([rf"\b(?:{long})\b"] if long else []), *(used if short else ())]))
