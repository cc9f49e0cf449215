"""What an edit touched that other files may depend on: symbols that are still there, and words that are gone.

Pure. Above: ``dependents``. Below: ``declared_names``, ``belonging``, ``displaced``, ``handed_on``, ``implied``,
``reachable``, ``workspace.difference``, ``protocol.symbol_tree``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from groundwire.operations.reporting.belonging import belongs_elsewhere
from groundwire.operations.reporting.displaced import displaced_lines
from groundwire.operations.reporting.handed_on import exported_names
from groundwire.operations.reporting.implied import implied_lines
from groundwire.operations.reporting.reachable import otherwise_reached
from groundwire.operations.text.declared_names import COMMENT, DeclaringText, lost_declarations
from groundwire.operations.text.exported_lists import python_list
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol
from groundwire.workspace.difference import LineShifts

_WORD = re.compile(r"[^\W\d]\w*")
_LOCAL_SCOPES = frozenset({6, 9, 12})
"""Method, constructor and function, by LSP's numbers: what is declared within them concerns nobody outside."""
_VALUES = frozenset({7, 8, 13, 14})
_LOCALS = frozenset({12, 13, 14})
"""Functions, variables and constants: what is declared so within a value is within a function that it is given."""

_KEYWORDS = frozenset(
    _WORD.findall(
        """abstract and any as assert async await begin bool boolean break byte case catch char class const constexpr
        continue def default defer delete do double elif else end enum except export extends extern false final finally
        float fn for from func function global go goto if impl implements import in include inline instanceof int
        interface is lambda let long loop match mod module mut namespace new nil none None not null number object of or
        override pass private protected pub public raise range readonly ref require return self Self short signed sizeof
        static str string struct super switch template then this throw throws trait true True False try type typedef
        typeof undefined union unless unsafe unsigned until use using var virtual void volatile where while with yield
        """
    )
)
"""Of many languages: they name nothing, and stand in every file."""
_DECLARED = re.compile(
    r"\b(?:class|const|def|enum|fn|func|function|interface|let|struct|trait|val|var)\s+(\w+)(?=\s*[(<\[:=])"
    r"|^[ \t]*(?:(?:cls|self|this)\.)?(?:(\w+)(?=[ \t]*=(?![=>]))|(?!(?:case|default|else|finally|try)\b)(\w+)"
    r"(?=[ \t]*:[ \t]*\w[^\n()]*(?:=|,?[ \t]*$)))|^type[ \t]+(\w+)(?=[ \t]*[=\[]|[ \t]+\w)",
    re.MULTILINE,
)
_MOST_KEPT = 32
"""Files of one patch whose differences are kept while it is reported: each is asked for several times."""
_IMPORTED = re.compile(r"^[ \t]*from\s+\S+\s+import\s+([^\n(]+)", re.MULTILINE)


def touched_symbols(before: str, after: str, symbols: Sequence[Symbol]) -> list[Symbol]:
    """The symbols of the new text whose own lines changed. What contains a changed symbol is not changed by that."""
    lines = touched_lines(before, after)
    return list(_touched(symbols, lines)) if lines else []


def touched_lines(before: str, after: str) -> frozenset[int]:
    """Lines of the new text that changed, those beside which some were removed, and those that go by them."""
    lines = frozenset(_touched_lines(before, after))
    return lines | implied_lines(after, lines)


def vanished_words(before: str, after: str) -> set[str]:
    """Words of the lines that changed which the new text does not have any more, or does not declare as often: what was
    renamed or removed."""
    gone = {word for _, words in _removed(before, after) for word in words}
    return gone.difference(_WORD.findall(after) if gone else ()) | lost_names(before, after)


@lru_cache(maxsize=_MOST_KEPT)
def lost_names(before: str, after: str) -> frozenset[str]:
    """Of these, what was declared: who uses it may be of another type now."""
    gaps = list(shifts(before, after).gaps())
    moved = displaced_lines(before, after, gaps)
    changed = {number for start, end, _, _ in gaps for number in range(start, end)}
    lost = lost_declarations(before, after, changed | moved.perhaps)
    if displaced := moved.surely | otherwise_reached(before, after, gaps):
        text = DeclaringText(before)
        lost |= {name for number in displaced for name in text.declared_at(number)}
    lost |= _bound_again(before, after)
    if belongs_elsewhere(before, after):
        lost |= DeclaringText(before).names_for_others()
    lost |= python_list(before).names - python_list(after).names
    return frozenset(lost - _speaking(lost, before))


def _speaking(names: Iterable[str], text: str) -> set[str]:
    """Of these, what names nothing in a text: one language's keyword is another's function."""
    words = _KEYWORDS.intersection(names)
    if not words:
        return set()
    declared = {found[found.lastindex or 0] for found in _DECLARED.finditer(text)}
    imported = {name for found in _IMPORTED.finditer(text) for name in _WORD.findall(found[1])}
    return {*words} - declared - imported - python_list(text).names


def _bound_again(before: str, after: str) -> set[str]:
    """What the text declared before, and is imported now as well: in another branch, or instead."""
    names = imported_anew(before, after)
    return {name for name, _ in DeclaringText(before).counted(names)} if names else set()


def offered_names(before: str, after: str) -> frozenset[str]:
    """What is there now for others and was not: whoever asked this module for it, in vain, or for all, has it now."""
    names = imported_anew(before, after) - _bound_again(before, after)
    return (names - _speaking(names, after)) | (exported_names(after) - exported_names(before))


@lru_cache(maxsize=_MOST_KEPT)
def imported_anew(before: str, after: str) -> frozenset[str]:
    """What is imported now and was not, or not there: what is declared with it may be of another type."""
    text = DeclaringText(after)
    added = [number for _, _, start, end in shifts(before, after).gaps() for number in range(start, end)]
    named = {name for number in added if number < len(text.lines) for name in text.imported_at(number)}
    return frozenset(named & lost_declarations(after, before, added)) if named else frozenset()


def lost_words(before: str, after: str) -> list[tuple[int, set[str]]]:
    """Where something is gone by its name: the line of the new text that was behind it, and the words it was among."""
    gone = vanished_words(before, after)
    return [(line, words) for line, words in _removed(before, after) if not gone.isdisjoint(words)] if gone else []


@lru_cache(maxsize=_MOST_KEPT)
def shifts(before: str, after: str) -> LineShifts:
    """What became of each line."""
    return LineShifts(before, after)


def _removed(before: str, after: str) -> Iterator[tuple[int, set[str]]]:
    """The words of each line that is not there any more, with the line of the new text that is in its place."""
    old = Lines(before)
    ignored = _KEYWORDS - lost_names(before, after)
    for start, end, place, _ in shifts(before, after).gaps():
        for number in range(start, min(end, old.line_count)):
            line = old.line(number)
            words = set[str]() if COMMENT.match(line) else {*_WORD.findall(line)} - ignored
            if words:
                yield place, words


def _touched_lines(before: str, after: str) -> Iterator[int]:
    """Of the new text. Where code was only removed, those on either side: one of them is in what it was in."""
    old, new = Lines(before), Lines(after)
    for first, last, start, end in shifts(before, after).gaps():
        yield from range(start, end)
        if start == end or (_has_code(old, first, last) and not _has_code(new, start, end)):
            yield from (max(start - 1, 0), end)


def _has_code(lines: Lines, start: int, end: int) -> bool:
    texts = map(lines.line, range(start, min(end, lines.line_count)))
    return any(text.strip() and not COMMENT.match(text) for text in texts)


def _touched(symbols: Sequence[Symbol], lines: frozenset[int]) -> Iterator[Symbol]:
    for symbol in symbols:
        own = lines.intersection(range(symbol.range.start.line, symbol.range.end.line + 1))
        if not own:
            continue
        members = () if symbol.kind in _LOCAL_SCOPES else symbol.children
        yield from _touched(members, own)
        known = [each for each in members if symbol.kind not in _VALUES or each.kind not in _LOCALS]
        within = {number for each in known for number in range(each.range.start.line, each.range.end.line + 1)}
        if own - within:
            yield symbol
