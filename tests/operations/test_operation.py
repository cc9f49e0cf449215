"""One definition: arguments are checked, schemas are closed and short."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Arguments, Call, Operation, Result, operation
from groundwire.pool.pool import Pool


class Greeting(Arguments, frozen=True):
    """Whom."""

    name: Annotated[str, Meta(description="Whom to greet.")]
    times: Annotated[int, Meta(ge=1)] = 1
    loud: bool = False
    style: Literal["short", "long"] = "short"
    title: str = ""


class Greeted(Result, frozen=True):
    """What was said."""

    said: str


@operation("Greet somebody.", aliases=("hello",))
async def say_hello(call: Call, arguments: Greeting) -> Answer[Greeted]:
    said = f"{call.pool.workspace.name} {arguments.name}" * arguments.times
    return Answer(value=Greeted(said=said), status=Status.CONFIRMED)


def test_a_definition_is_read_off_the_function() -> None:
    assert isinstance(say_hello, Operation)
    assert (say_hello.name, say_hello.command, say_hello.effect) == ("say_hello", "say-hello", "reads")
    assert (say_hello.arguments, say_hello.result, say_hello.aliases) == (Greeting, Greeted, ("hello",))


@pytest.mark.anyio
async def test_an_operation_is_run_with_checked_arguments(tmp_path: Path) -> None:
    async with Pool(tmp_path) as pool:
        answer = await say_hello.run(Call(pool, 0.0), say_hello.parse({"name": "Ada", "times": 2}))
    assert answer.value.said.endswith("Ada")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": "Ada"}, Greeting(name="Ada")),
        ({"name": "Ada", "times": None, "loud": None}, Greeting(name="Ada")),
        ({"name": "Ada", "times": "3", "loud": "true"}, Greeting(name="Ada", times=3, loud=True)),
    ],
)
def test_what_is_null_or_written_as_text_is_understood(given: dict[str, object], expected: Greeting) -> None:
    assert say_hello.parse(given) == expected


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        ({}, "required field `name`", "Arguments: "),
        ({"nam": "Ada"}, "no argument 'nam'", "Did you mean 'name'?"),
        ({"name": "Ada", "zzz": 1}, "no argument 'zzz'", "Arguments: loud, name, style, times, title."),
        ({"name": "Ada", "times": 0}, r"times", "Arguments"),
        ({"name": "Ada", "times": "many"}, r"times", "Arguments"),
        ({"name": ["Ada"]}, r"name", "Arguments"),
        ({"name": "Ada", "style": "odd"}, r"style", "Arguments"),
    ],
)
def test_a_wrong_argument_is_refused_by_name(given: dict[str, object], message: str, hint: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        say_hello.parse(given)
    assert hint in caught.value.hint


def test_an_argument_nested_beyond_reason_is_refused() -> None:
    deep: object = "Ada"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidArgument):
        say_hello.parse({"name": deep})


def test_the_schema_is_closed_and_has_no_titles_but_arguments_of_that_name() -> None:
    schema = say_hello.schema()
    assert schema == {
        "type": "object",
        "description": "Whom.",
        "properties": {
            "name": {"type": "string", "description": "Whom to greet."},
            "times": {"type": "integer", "minimum": 1, "default": 1},
            "loud": {"type": "boolean"},
            "style": {"enum": ["long", "short"], "default": "short"},
            "title": {"type": "string"},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    assert say_hello.result_schema()["properties"] == {"said": {"type": "string"}}
