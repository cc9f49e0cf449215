"""What can be typed, read off the parsers: every command with its options, their choices, and where files are meant.

Above: ``completion``. Below: ``arguments``.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, cast

Takes = Literal["nothing", "text", "file", "directory", "choice"]

_FILES = frozenset({"FILE", "PATH", "TARGET", "OLD_PATH", "NEW_PATH"})
_DIRECTORIES = frozenset({"DIR"})


class Choice(NamedTuple):
    """An option, or what stands at a place."""

    names: tuple[str, ...]
    """Empty: it is told by its place."""
    help: str
    takes: Takes
    choices: tuple[str, ...] = ()


class Node(NamedTuple):
    """A command, or one of its actions."""

    words: tuple[str, ...]
    help: str
    options: tuple[Choice, ...]
    places: tuple[Choice, ...]
    below: "tuple[Node, ...]" = ()

    def all(self) -> "Iterator[Node]":
        """It and all below it."""
        yield self
        for node in self.below:
            yield from node.all()


def command_node(words: tuple[str, ...], words_help: str, parser: argparse.ArgumentParser) -> Node:
    """What a parser understands."""
    # argparse tells of what it was given in no other way.
    actions = cast("Iterable[argparse.Action]", parser._actions)  # pyright: ignore[reportPrivateUsage]
    options: list[Choice] = []
    places: list[Choice] = []
    below: list[Node] = []
    for action in actions:
        parsers = _parsers_in(action)
        if parsers:
            below += [command_node((*words, name), "", each) for name, each in parsers.items()]
        else:
            (options if action.option_strings else places).append(_choice(action))
    return Node(words, words_help, tuple(options), tuple(places), tuple(below))


def _parsers_in(action: argparse.Action) -> Mapping[str, argparse.ArgumentParser]:
    choices = cast("object", action.choices)
    if not isinstance(choices, dict):
        return {}
    return cast("dict[str, argparse.ArgumentParser]", choices)


def _choice(action: argparse.Action) -> Choice:
    told = action.help or ""
    words = "" if told == argparse.SUPPRESS else " ".join(told.replace("%%", "%").split())
    choices = tuple(map(str, cast("Iterable[object]", action.choices or ())))
    return Choice(tuple(action.option_strings), words, _takes(action, choices), choices)


def _takes(action: argparse.Action, choices: tuple[str, ...]) -> Takes:
    if choices:
        return "choice"
    if action.nargs == 0:
        return "nothing"
    metavar = str(action.metavar or "")
    if metavar in _DIRECTORIES:
        return "directory"
    return "file" if metavar in _FILES else "text"
