"""Operations that extensions add: checked like our own are by their tests, and kept from failing like a defect of ours.

Built-in names win, and so does the first of two extensions. Above: ``table``. Below: ``operation``, ``extensions``.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any, cast, get_args

from groundwire.errors import Internal, InvalidArgument, RequestTimeout
from groundwire.extensions.boundary import foreign_code
from groundwire.extensions.loading import offerings
from groundwire.operations.answer import Answer
from groundwire.operations.command_table import COMMAND_QUESTIONS
from groundwire.operations.operation import Arguments, Call, Effect, Operation, Result

AnyOperation = Operation[Any, Any]
"""Each has arguments and a result of its own, which its ``parse`` and ``run`` hold together."""

COMMANDS = frozenset(
    {"check", "completion", "daemon", "demo", "doctor", "explain", "help", "hook", "init", "install", "lsp", "mcp"}
    | {"serve", "skills", "status", "trust", "uninstall"}
)
"""What the command line is for beside the operations."""

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST = 60


def extension_operations(built_in: Iterable[AnyOperation]) -> tuple[AnyOperation, ...]:
    """Those of all extensions that can be taken; the others are noted with the reason."""
    taken = {name for each in built_in for name in names_of(each)} | {*COMMAND_QUESTIONS, *COMMANDS}
    added: list[AnyOperation] = []
    for extension, offering in offerings():
        for each in offering.operations:
            with extension.offers("operation", str(getattr(each, "name", each))[:_LONGEST]):
                operation = checked(each, taken)
                added.append(guarded(operation, extension.name))
                taken |= names_of(operation)
    return tuple(added)


def names_of(operation: AnyOperation) -> set[str]:
    """All by which it is asked for."""
    return {operation.name, *operation.aliases, operation.command}


def checked(offered: object, taken: Iterable[str]) -> AnyOperation:
    """What is offered, which is an operation that can be listed and described. Raises InvalidArgument."""
    if not isinstance(offered, Operation):
        raise InvalidArgument("it was not made by @operation")
    operation = cast("AnyOperation", offered)
    if not _NAME.fullmatch(operation.name) or len(operation.name) > _LONGEST:
        raise InvalidArgument("its name is not of small letters, digits and single underscores")
    clash = sorted(names_of(operation) & set(taken))
    if clash:
        raise InvalidArgument(f"there is {clash[0]!r} already")
    if operation.effect not in get_args(Effect):
        raise InvalidArgument(f"its effect {operation.effect!r} is not known")
    if not _is_a(operation.arguments, Arguments) or not _is_a(operation.result, Result):
        raise InvalidArgument("its arguments are no Arguments, or its result is no Result")
    try:
        operation.schema()
        operation.result_schema()
    except (TypeError, ValueError) as problem:  # a field of a type that JSON cannot say
        raise InvalidArgument(f"what it takes or gives cannot be described: {problem}") from problem
    return operation


def _is_a(shape: object, base: type) -> bool:
    return isinstance(shape, type) and issubclass(shape, base)


def guarded(operation: AnyOperation, extension: str) -> AnyOperation:
    """Whatever its code raises, takes too long for or gives back, who asked gets an error that names the extension."""
    run = cast("Callable[[Call, Arguments], Awaitable[object]]", operation.run)
    update = f"This is a defect of the extension {extension}: update it, or disable it (extensions.disabled)."

    async def guard(call: Call, arguments: Arguments) -> Answer[Result]:
        try:
            with foreign_code(f"{operation.name}: ", hint=update):
                async with asyncio.timeout_at(call.deadline):
                    answer = await run(call, arguments)
        except TimeoutError:
            raise RequestTimeout(f"{operation.name} did not answer in time") from None
        if not isinstance(answer, Answer) or not isinstance(cast("Answer[object]", answer).value, operation.result):
            raise Internal(f"{operation.name} gave something else than it says", hint=update)
        return cast("Answer[Result]", answer)

    return replace(operation, run=guard)
