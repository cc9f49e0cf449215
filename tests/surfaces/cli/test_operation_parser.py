"""The options of a command are the arguments of its operation, whatever their types."""

import subprocess
import sys
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Arguments as OperationArguments
from groundwire.operations.operation import Call, Result, operation
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.command_line import CommandLine
from groundwire.surfaces.cli.main import main
from groundwire.surfaces.cli.operation_parser import add_command, given_arguments


class Change(msgspec.Struct):
    line: int


class Paint(OperationArguments, frozen=True):
    """What to paint."""

    wall: Annotated[str, Meta(description="Which wall.")]
    file_path: Annotated[str, Meta(description="Where 100 % is kept.")] = ""
    layers: Annotated[int, Meta(ge=1, description="How often.")] = 2
    colour: Annotated[Literal["red", "blue"], Meta(description="Which colour.")] = "red"
    is_wet: Annotated[bool, Meta(description="Still wet.")] = False
    with_primer: Annotated[bool, Meta(description="Primer first.")] = True
    tools: Annotated[tuple[str, ...], Meta(description="With what.")] = ()
    changes: Annotated[tuple[Change, ...], Meta(description="What else.")] = ()


class Painted(Result, frozen=True):
    """What came of it."""


@operation("Paint 50% of a wall. Twice.")
async def paint_wall(call: Call, arguments: Paint) -> Answer[Painted]:
    return Answer(value=Painted(), status=Status.CONFIRMED)


def parse(*argv: str) -> Arguments:
    parser = CommandLine(prog="groundwire")
    add_command(parser.add_commands(), paint_wall)
    return parser.parse_args(["paint-wall", *argv], namespace=Arguments())


def given(*argv: str) -> dict[str, object]:
    return given_arguments(parse(*argv))


def test_what_is_left_out_is_left_to_the_operation() -> None:
    assert given("north") == {"wall": "north"}
    assert paint_wall.parse(given("north")) == Paint(wall="north")


def test_every_type_has_its_option() -> None:
    everything = given(
        *("north", "a.py", "--layers", "3", "--colour", "blue", "--is-wet", "--no-with-primer"),
        *("--tools", "brush", "--tools", "roll", "--changes", '[{"line": 4}]'),
    )
    assert paint_wall.parse(everything) == Paint(
        wall="north",
        file_path="a.py",
        layers=3,
        colour="blue",
        is_wet=True,
        with_primer=False,
        tools=("brush", "roll"),
        changes=(Change(4),),
    )


def test_the_command_knows_its_operation_and_what_all_commands_have() -> None:
    arguments = parse("north", "--json", "--wait", "5", "--max-chars", "700")
    assert (arguments.module, arguments.operation) == ("operation_command", "paint_wall")
    assert (arguments.json, arguments.wait, arguments.max_chars) == (True, 5.0, 700)


@pytest.mark.parametrize(
    "argv", [[], ["north", "--layers", "x"], ["north", "--colour", "green"], ["north", "--changes", "{"]]
)
def test_wrong_use_is_refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(*argv)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: groundwire paint-wall")


def test_help_describes_every_argument_with_its_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        parse("--help")
    shown = capsys.readouterr().out
    assert "\n\nPaint 50% of a wall. Twice.\n\n" in shown
    assert shown.rpartition("\n\n")[2].startswith("Exit status: ")
    for words in ("Which wall.", "Where 100 % is kept.", "How often. (default: 2)", "With what. May be repeated."):
        assert words in shown


@pytest.mark.parametrize("argv", [["--version"], ["check", "--help"], ["trust", "--help"]])
def test_a_command_that_is_no_operation_does_not_load_them(argv: list[str]) -> None:
    script = (
        "import sys\nfrom groundwire.surfaces.cli.main import main\n"
        f"try:\n    main({argv!r})\nexcept SystemExit:\n    pass\n"
        "sys.exit('groundwire.operations.table' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("command", "says"), [("test", "1 it failed"), ("build", "1 it failed"), ("refs", "3 not all")]
)
def test_the_help_says_what_the_exit_status_may_be(
    command: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    statuses = capsys.readouterr().out.rpartition("\n\n")[2]
    assert says in statuses
    assert ("1 it failed" in statuses) == (command != "refs")
