"""How a question, its answer and its failure are written on a daemon's socket: one line of JSON each.

Above: ``calls`` (who answers), ``remote`` (who asks). Below: ``operations``.
"""

import json
from collections.abc import Iterator
from typing import cast

import msgspec

from groundwire.errors import GroundwireError, Internal, Wire
from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Operation, R

LONGEST_LINE = 64 * 1024 * 1024

_TOLD_OTHERWISE = frozenset({"message", "hint"})


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A question."""

    id: int
    operation: str
    arguments: dict[str, object] = {}
    wait_s: float


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A ``GroundwireError``: ``name`` is its class, ``more`` what that one has beside the sentence and the hint."""

    name: str
    kind: str
    message: str
    hint: str = ""
    more: dict[str, object] = {}


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said to a question: any number of times how far it is, then an answer or a failure."""

    id: int
    progress: str = ""
    answer: object = None
    error: Failure | None = None

    @property
    def is_last(self) -> bool:
        """Whether nothing more comes."""
        return self.answer is not None or self.error is not None


def dump(message: Request | Reply) -> bytes:
    """One line. Source may hold halves of characters, which are written as what they are."""
    # Not msgspec's own JSON: there are no halves of characters in it.
    return json.dumps(msgspec.to_builtins(message, str_keys=True), separators=(",", ":")).encode() + b"\n"


def read_request(line: bytes) -> Request:
    """Raises Wire."""
    try:
        return msgspec.convert(json.loads(line), Request)
    except (ValueError, RecursionError, msgspec.ValidationError) as problem:
        raise Wire(f"a question that cannot be read: {problem}") from None


def read_reply(line: bytes) -> Reply:
    """Raises Wire."""
    try:
        return msgspec.convert(json.loads(line), Reply)
    except (ValueError, RecursionError, msgspec.ValidationError) as problem:
        raise Wire(f"an answer that cannot be read: {problem}") from None


def read_answer(operation: Operation[A, R], told: object) -> Answer[R]:
    """The answer as the operation gave it. Raises Wire."""
    try:
        return msgspec.convert(told, Answer[operation.result], str_keys=True)
    except msgspec.ValidationError as problem:
        raise Wire(f"an answer of another shape: {problem}") from None


def failure_of(error: GroundwireError) -> Failure:
    """The error, to be made again elsewhere."""
    own = {name: cast("object", value) for name, value in vars(error).items() if name not in _TOLD_OTHERWISE}
    # The raw bytes of a server's failure have been made use of by whoever could.
    more = {name: None if isinstance(value, bytes) else value for name, value in own.items()}
    return Failure(name=type(error).__name__, kind=error.kind, message=error.message, hint=error.hint, more=more)


def error_of(failure: Failure) -> GroundwireError:
    """The same error; of a class that is not known here, the one of its kind."""
    known = {each.__name__: each for each in _classes(GroundwireError)}
    made_as = known.get(failure.name) or known.get(failure.kind) or Internal
    error = made_as.__new__(made_as)
    # The constructors of some make the message from its parts; here it is complete.
    GroundwireError.__init__(error, failure.message, hint=failure.hint)
    vars(error).update({name: _as_told(value) for name, value in failure.more.items()})
    return error


def _classes(above: type[GroundwireError]) -> Iterator[type[GroundwireError]]:
    yield above
    for each in above.__subclasses__():
        yield from _classes(each)


def _as_told(value: object) -> object:
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value
