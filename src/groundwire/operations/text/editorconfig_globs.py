"""The globs of ``.editorconfig``: ``*``, ``**``, ``?``, ``[a-z]``, ``[!x]``, ``{a,b}``, ``{1..9}``.

Matched by following all places at once that a prefix of the pattern can reach, so that no pattern takes long: these
files come from strangers. Pure. Above: ``editorconfig``. Below: nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

Places = frozenset[int]
Step = Callable[[str, Places], Places]
"""From the places reached so far in a text to those reached with one more part of the pattern."""

_NUMBERS = re.compile(r"\{([+-]?\d{1,18})\.\.([+-]?\d{1,18})\}")
_NUMBER = re.compile(r"[+-]?\d{1,18}")


def matches(pattern: str, below: str) -> bool:
    """Whether a section is about the file: by its name alone where the pattern has no slash, else by its path."""
    return len(below) in _reached(_compiled(pattern), below, frozenset({0}))


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> tuple[Step, ...]:
    anchored = pattern.removeprefix("/") if "/" in pattern else f"**/{pattern}"
    return tuple(_Reader(anchored).sequence())


def _reached(steps: Sequence[Step], text: str, places: Places) -> Places:
    for step in steps:
        places = step(text, places)
    return places


class _Reader:
    """A pattern, read from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def sequence(self, ends: str = "") -> Iterator[Step]:
        """The steps up to one of the letters in ``ends``, or to the end."""
        while self._at < len(self._pattern) and self._pattern[self._at] not in ends:
            yield self._next()

    def _next(self) -> Step:
        rest = self._pattern[self._at :]
        numbers = _NUMBERS.match(rest)
        if rest.startswith("**/"):
            return self._take(3, _any_directories)
        if rest.startswith("**"):
            return self._take(2, _anything)
        if numbers:
            return self._take(len(numbers[0]), _number(*sorted((int(numbers[1]), int(numbers[2])))))
        match rest[0]:
            case "*":
                return self._take(1, _any_name)
            case "?":
                return self._take(1, _one_of(lambda letter: letter != "/"))
            case "\\" if len(rest) > 1:
                return self._take(2, _literal(rest[1]))
            case "[":
                return self._characters(rest)
            case "{" if _has_alternatives(rest):
                return self._alternatives()
            case letter:
                return self._take(1, _literal(letter))

    def _alternatives(self) -> Step:
        found: list[tuple[Step, ...]] = []
        while self._pattern[self._at] != "}":
            self._at += 1
            found.append(tuple(self.sequence(ends=",}")))
        self._at += 1

        def step(text: str, places: Places) -> Places:
            return frozenset[int]().union(*(_reached(each, text, places) for each in found))

        return step

    def _characters(self, rest: str) -> Step:
        end = rest.find("]", 2)
        inside = rest[1:end]
        if end < 0 or "/" in inside:
            return self._take(1, _literal("["))
        is_negated = inside[0] in "!^" and len(inside) > 1
        listed = _listed(inside[1:] if is_negated else inside)
        return self._take(end + 1, _one_of(lambda letter: listed(letter) != is_negated and letter != "/"))

    def _take(self, length: int, step: Step) -> Step:
        self._at += length
        return step


def _has_alternatives(rest: str) -> bool:
    """Braces that are closed and hold a comma; any others stand for themselves."""
    depth, has_comma, is_escaped = 0, False, False
    for letter in rest:
        if is_escaped or letter == "\\":
            is_escaped = not is_escaped
            continue
        depth += (letter == "{") - (letter == "}")
        has_comma = has_comma or (letter == "," and depth == 1)
        if depth == 0:
            return has_comma
    return False


def _any_name(text: str, places: Places) -> Places:
    reached: set[int] = set()
    for place in places:
        slash = text.find("/", place)
        reached.update(range(place, (len(text) if slash < 0 else slash) + 1))
    return frozenset(reached)


def _anything(text: str, places: Places) -> Places:
    return frozenset(range(min(places), len(text) + 1)) if places else places


def _any_directories(text: str, places: Places) -> Places:
    first = min(places, default=len(text))
    return places | {place + 1 for place in range(first, len(text)) if text[place] == "/"}


def _literal(wanted: str) -> Step:
    return _one_of(lambda letter: letter == wanted)


def _one_of(is_wanted: Callable[[str], bool]) -> Step:
    def step(text: str, places: Places) -> Places:
        return frozenset(place + 1 for place in places if place < len(text) and is_wanted(text[place]))

    return step


def _number(low: int, high: int) -> Step:
    """A whole number within limits, written without zeros before it."""

    def step(text: str, places: Places) -> Places:
        found = (_NUMBER.match(text, place) for place in places)
        ends = ((each.start(), end) for each in found if each for end in range(each.start() + 1, each.end() + 1))
        return frozenset(end for start, end in ends if _is_between(text[start:end], low, high))

    return step


def _is_between(written: str, low: int, high: int) -> bool:
    return _NUMBER.fullmatch(written) is not None and str(int(written)) == written and low <= int(written) <= high


def _listed(inside: str) -> Callable[[str], bool]:
    spans: list[tuple[str, str]] = []
    at = 0
    while at < len(inside):
        is_span = at + 2 < len(inside) and inside[at + 1] == "-"
        spans.append((inside[at], inside[at + 2] if is_span else inside[at]))
        at += 3 if is_span else 1
    return lambda letter: any(first <= letter <= last for first, last in spans)
