"""What an operation is: one definition, from which every surface takes its schema, its checks and its documentation.

An operation is an async function of a ``Call`` and its typed arguments that returns a typed ``Answer``; ``@operation``
adds what cannot be read off its signature. Above: the operations, ``table`` and ``surfaces``. Below: ``answer``.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, get_type_hints

import msgspec

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.pool.kept import Kept

if TYPE_CHECKING:  # who only asks a daemon need not load all that answers
    from groundwire.operations.looks import Looks
    from groundwire.pool.pool import Pool

Effect = Literal["reads", "simulates", "manages", "executes", "writes"]
"""``manages``: it changes what groundwire itself holds (its servers, its log), and no file. ``executes``: it runs tools
of the project, a build or its tests, which write what they like."""

WAIT_S = 30.0
"""How long an answer may take when nobody says otherwise."""


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every operation's arguments: named, described, and nothing else accepted."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every operation's result: its fields are the JSON that is shown."""


A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Result)


def no_progress(_: str) -> None:
    """For whom nobody waits."""


@dataclass(frozen=True)
class Call:
    """What an operation works with beside its arguments."""

    pool: "Pool"
    deadline: float
    """By the event loop's clock."""
    progress: Callable[[str], None] = no_progress
    """Told what is waited for, whenever that takes long."""
    operation: str = ""
    """What was asked for, by its name; with it what was given, and when."""
    arguments: Arguments | None = None
    began: float = 0.0
    client: Kept | None = None
    """What is kept for who asks; nobody else asks where there is none."""
    looks: "Looks | None" = None
    """How its questions look at the disk; each by itself where there is none."""

    def refresh(self) -> None:
        """Tell servers what has changed on disk by now."""
        (self.looks.look if self.looks is not None else self.pool.refresh)()

    @property
    def kept(self) -> Kept:
        """What this client's calls remember from one to the next: its edits, its choices, the names it was given."""
        return self.pool.kept if self.client is None else self.client


@dataclass(frozen=True)
class Operation(Generic[A, R]):
    """One entry of the table."""

    name: str
    summary: str
    arguments: type[A]
    result: type[R]
    run: Callable[[Call, A], Awaitable[Answer[R]]]
    effect: Effect
    needs: tuple[str, ...]
    """LSP methods; a server that offers one of them can serve it. None: it needs no server."""
    aliases: tuple[str, ...]
    """Names that are understood but not listed."""
    command: str
    """The name on the command line."""

    @cached_property
    def _names(self) -> frozenset[str]:
        """Of the arguments."""
        return frozenset(field.encode_name for field in msgspec.structs.fields(self.arguments))

    def parse(self, given: Mapping[str, object]) -> A:
        """The arguments, checked. Raises InvalidArgument that names what is wrong and what may have been meant."""
        known = self._names
        for name in given:
            if name not in known:
                raise InvalidArgument(f"{self.name} has no argument {name!r}", hint=_meant(name, known))
        # Many clients send null for what they leave out. What is written as text but means a number is taken as one.
        present = {name: value for name, value in given.items() if value is not None}
        try:
            return msgspec.convert(present, self.arguments, strict=False)
        except msgspec.ValidationError as problem:
            raise InvalidArgument(
                f"{self.name}: {problem}", hint=f"Arguments: {', '.join(sorted(known))}."
            ) from problem
        except RecursionError:
            raise InvalidArgument(f"{self.name}: the arguments are nested too deeply") from None
        except UnicodeError:
            raise InvalidArgument(f"{self.name}: an argument holds half a character") from None

    def schema(self) -> dict[str, object]:
        """The JSON Schema of the arguments."""
        return _schema_of(self.arguments)

    def result_schema(self) -> dict[str, object]:
        """The JSON Schema of the result."""
        return _schema_of(self.result)


def operation(
    summary: str,
    *,
    effect: Effect = "reads",
    needs: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    command: str = "",
) -> Callable[[Callable[[Call, A], Awaitable[Answer[R]]]], Operation[A, R]]:
    """Make an operation of a function: its name is the function's, its arguments and result are those it declares."""

    def define(run: Callable[[Call, A], Awaitable[Answer[R]]]) -> Operation[A, R]:
        hints = get_type_hints(run)
        arguments = next(hint for name, hint in hints.items() if name not in ("call", "return"))
        answer = hints["return"]
        name = cast("Any", run).__name__
        return Operation(
            name=name,
            summary=summary,
            arguments=cast("type[A]", arguments),
            result=cast("type[R]", answer.__args__[0]),
            run=run,
            effect=effect,
            needs=needs,
            aliases=aliases,
            command=command or name.replace("_", "-"),
        )

    return define


def _meant(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, known, n=1)
    did_you_mean = f"Did you mean {close[0]!r}? " if close else ""
    return did_you_mean + _listed(known)


def _listed(known: Collection[str]) -> str:
    return f"Arguments: {', '.join(sorted(known))}."


def _schema_of(shape: type[msgspec.Struct]) -> dict[str, object]:
    """Inline at the top, without titles and empty defaults: every byte of it is read by a model."""
    (top,), components = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    own = cast("str", top["$ref"]).rpartition("/")[2]
    schema = cast("dict[str, object]", _shortened(components.pop(own)))
    if components:
        schema["$defs"] = _each_shortened(components)
    return schema


def _shortened(value: object) -> object:
    if isinstance(value, list):
        return [_shortened(each) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, object]", value)
    return {
        name: _each_shortened(member) if name in ("properties", "$defs") else _shortened(member)
        for name, member in members.items()
        if name != "title" and not (name in ("default", "minimum", "required") and not member)
    }


def _each_shortened(members: object) -> dict[str, object]:
    """The names here are the arguments' own: one may well be called ``title``."""
    return {name: _shortened(member) for name, member in cast("dict[str, object]", members).items()}
