"""Symbols by name, in the spelling of any language: ``Class.method``, ``Class/method``, ``Class::method``,
``(*T).Get``, ``name[2]`` for the second of that name, each with or without ``path/to/file::`` before it.

Pure: the caller knows the files and the trees. Above: ``targets``. Below: ``protocol.symbol_tree``.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

import msgspec

from groundwire.errors import InvalidArgument
from groundwire.protocol.symbol_tree import Symbol, keys_of

_HOMONYM = re.compile(r"(.+)\[(\d+)\]")
_MOST_SUGGESTIONS = 5


class SymbolPath(msgspec.Struct, frozen=True):
    """What was asked for. ``file`` is empty when none was named; ``number`` counts homonyms from 1, 0 means any."""

    keys: tuple[str, ...]
    file: str = ""
    number: int = 0


class Found(msgspec.Struct, frozen=True):
    """The symbols that fit best, and in what way they differ from what was asked for; empty when they do not."""

    symbols: tuple[Symbol, ...]
    difference: str = ""


def parse_symbol_path(text: str, is_file: Callable[[str], bool]) -> SymbolPath:
    """Read it. ``is_file`` tells whether the part before a ``::`` is a file, which decides what the ``::`` means."""
    file, name = _split_file(text.strip(), is_file)
    homonym = _HOMONYM.fullmatch(name)
    number = int(homonym[2]) if homonym else 0
    keys = keys_of(homonym[1] if homonym else name)
    if not name or not any(keys):
        raise InvalidArgument(
            f"{text!r} names no symbol", hint="Name one, such as Class.method or file.py::Class.method."
        )
    return SymbolPath(keys, file, number)


def _split_file(text: str, is_file: Callable[[str], bool]) -> tuple[str, str]:
    at = text.find("::")
    while at >= 0:
        if is_file(text[:at]):
            return text[:at], text[at + 2 :]
        at = text.find("::", at + 2)
    return "", text


def find_in_tree(path: SymbolPath, symbols: Iterable[Symbol]) -> Found:
    """The best fit: the path itself, else its end, else the same without regard to case, else only the last name."""
    everything = list(symbols)
    for difference, fits in _FITS:
        found = [symbol for symbol in everything if fits(symbol.path, path.keys)]
        if found:
            return _numbered(found, path, difference)
    return Found(())


def _numbered(found: Sequence[Symbol], path: SymbolPath, difference: str) -> Found:
    if not path.number:
        return Found(tuple(_itself(found)), difference)
    if path.number > len(found):
        name = ".".join(path.keys)
        raise InvalidArgument(f"there are {len(found)} symbols named {name}, so there is no number {path.number}")
    return Found((found[path.number - 1],), difference)


def _itself(found: Sequence[Symbol]) -> Sequence[Symbol]:
    """The one that the others are blocks for, such as ``impl Shape for Square``; else all."""
    plain = [symbol for symbol in found if symbol.name == symbol.path[-1]]
    is_about_one = len({symbol.path for symbol in found}) == 1
    return plain if is_about_one and len(plain) == 1 else found


def _is_whole(own: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return own == wanted


def _is_end(own: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return own[-len(wanted) :] == wanted


def _is_end_in_any_case(own: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return _is_end(_lowered(own), _lowered(wanted))


def _has_last_name(own: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return own[-1:] == wanted[-1:]


def _lowered(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key.casefold() for key in keys)


_FITS: tuple[tuple[str, Callable[[tuple[str, ...], tuple[str, ...]], bool]], ...] = (
    ("", _is_whole),
    ("", _is_end),
    ("in another case", _is_end_in_any_case),
    ("under another container", _has_last_name),
)


def closest(path: SymbolPath, symbols: Iterable[Symbol]) -> list[str]:
    """Names that may have been meant, best first, as they can be given back."""
    everything = list(symbols)
    by_name: dict[str, list[str]] = {}
    for symbol in everything:
        by_name.setdefault(symbol.path[-1].casefold(), []).append(symbol.dotted)
    names = get_close_matches(path.keys[-1].casefold(), by_name, n=_MOST_SUGGESTIONS, cutoff=0.6)
    suggestions = [dotted for name in names for dotted in by_name[name]]
    return list(dict.fromkeys(suggestions))[:_MOST_SUGGESTIONS]
