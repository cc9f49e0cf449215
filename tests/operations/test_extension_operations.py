"""Operations that extensions add: what is taken, and what becomes of their failures."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from groundwire.errors import FileNotFound, GroundwireError, Internal, InvalidArgument, RequestTimeout
from groundwire.extending import Answer, Arguments, Call, Operation, Result, Status, operation
from groundwire.operations.extension_operations import COMMANDS, checked, guarded
from groundwire.operations.runner import perform
from groundwire.operations.table import OPERATIONS, find_operation
from groundwire.surfaces.cli.arguments import build_parser
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio


class Nothing(Arguments, frozen=True):
    """None."""


class Said(Result, frozen=True):
    """Words."""

    words: str


class Strange(Result, frozen=True):
    """What JSON cannot say."""

    words: complex


class Unrelated(Result, frozen=True):
    """Of another operation."""

    words: str


Run = Callable[[Call, Nothing], Awaitable[Answer[Said]]]
HELLO: Answer[Said] = Answer(value=Said(words="hello"), status=Status.CONFIRMED)


def made(
    run: Run | None = None, *, name: str = "say_hello", **changes: object
) -> Operation[Any, Any]:  # of any arguments and result: that is what is tested
    async def hello(call: Call, arguments: Nothing) -> Answer[Said]:
        return HELLO

    fields: dict[str, Any] = {
        "name": name, "summary": "Say hello.", "arguments": Nothing, "result": Said, "run": run or hello,
        "effect": "reads", "needs": (), "aliases": (), "command": name.replace("_", "-"), **changes,
    }  # fmt: skip
    return Operation(**fields)


def test_an_operation_with_names_of_its_own_is_taken():
    offered = made()
    assert checked(offered, OPERATIONS) is offered


@pytest.mark.parametrize(
    ("offered", "problem"),
    [
        ("words", "it was not made by @operation"),
        (made(name="find_symbol"), "there is 'find_symbol' already"),
        (made(aliases=("find_symbol",)), "there is 'find_symbol' already"),
        (made(command="find_symbol"), "there is 'find_symbol' already"),
        (made(name="Say hello"), "its name is not of small letters, digits and single underscores"),
        (made(name="a" * 61), "its name is not of small letters, digits and single underscores"),
        (made(effect="destroys"), "its effect 'destroys' is not known"),
        (made(arguments=dict), "its arguments are no Arguments, or its result is no Result"),
        (made(result=str), "its arguments are no Arguments, or its result is no Result"),
        (made(result=Strange), "what it takes or gives cannot be described"),
    ],
)
def test_what_is_no_sound_operation_or_has_a_name_that_is_taken_is_refused(offered: object, problem: str):
    with pytest.raises(InvalidArgument) as raised:
        checked(offered, OPERATIONS)
    assert raised.value.message.startswith(problem)


def test_no_command_of_the_command_line_can_be_taken():
    _, commands = build_parser()
    assert set(commands.choices) <= COMMANDS


async def test_a_sound_operation_answers_as_if_it_were_ours(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, guarded(made(), "toy"))
    assert (answer.value, answer.status) == (Said(words="hello"), Status.CONFIRMED)


async def test_a_defect_in_it_is_told_with_the_name_of_the_extension(tmp_path: Path):
    async def divide(call: Call, arguments: Nothing) -> Answer[Said]:
        raise ZeroDivisionError("by nothing")

    async with zoo(tmp_path) as pool:
        with pytest.raises(Internal) as raised:
            await ask(pool, guarded(made(divide), "toy"))
    assert raised.value.message == "say_hello: ZeroDivisionError: by nothing"
    assert "defect of the extension toy" in raised.value.hint


async def test_what_it_says_on_purpose_is_said(tmp_path: Path):
    async def missing(call: Call, arguments: Nothing) -> Answer[Said]:
        raise FileNotFound("there is no such file")

    async with zoo(tmp_path) as pool:
        with pytest.raises(FileNotFound):
            await ask(pool, guarded(made(missing), "toy"))


async def test_one_that_gives_something_else_than_it_says_gives_nothing(tmp_path: Path):
    async def other(call: Call, arguments: Nothing) -> Answer[Said]:
        return cast("Answer[Said]", Answer(value=Unrelated(words=""), status=Status.CONFIRMED))

    async def none(call: Call, arguments: Nothing) -> Answer[Said]:
        return cast("Answer[Said]", None)

    async with zoo(tmp_path) as pool:
        for run in (other, none):
            with pytest.raises(Internal, match="something else"):
                await ask(pool, guarded(made(run), "toy"))


async def test_one_that_never_ends_is_ended_by_the_deadline(tmp_path: Path):
    async def forever(call: Call, arguments: Nothing) -> Answer[Said]:
        await asyncio.Event().wait()
        return HELLO

    async with zoo(tmp_path) as pool:
        with pytest.raises(RequestTimeout):
            await perform(pool, guarded(made(forever), "toy"), Nothing(), wait_s=0.05)


def test_without_extensions_the_table_is_ours_alone():
    with pytest.raises(GroundwireError):
        find_operation("count_shapes")


def test_the_decorator_of_the_public_module_makes_operations():
    @operation("Say hello.", effect="reads")
    async def greet(call: Call, arguments: Nothing) -> Answer[Said]:
        return HELLO

    assert (greet.name, greet.command, greet.result) == ("greet", "greet", Said)
