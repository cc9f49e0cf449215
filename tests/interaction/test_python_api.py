"""Every operation through the Python API, as a method and as a tool of an agent loop."""

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import assert_type, cast

import pytest

import groundwire
from groundwire.errors import FileNotFound, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.operation import Result
from groundwire.operations.results.found import Locations
from groundwire.operations.table import OPERATIONS
from groundwire.render.answers import render_answer
from groundwire.surfaces.api import Method, Workspace
from groundwire.surfaces.toolkit import Permission, Toolkit
from tests.interaction.questions import QUESTIONS, Question, toy_pool, without_next_step, write_project
from tests.thoroughness import share

pytestmark = pytest.mark.anyio

each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.operation)


def test_there_is_a_question_for_every_operation() -> None:
    assert {question.operation for question in QUESTIONS} == set(OPERATIONS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_a_method_of_a_workspace(name: str) -> None:
    method = vars(Workspace)[name]
    assert isinstance(method, Method)
    assert cast("Method[..., FindReferences, Locations]", method).operation is OPERATIONS[name]


@each_question
async def test_a_method_answers_with_what_is_proven(question: Question, tmp_path: Path) -> None:
    async with Workspace(toy_pool(tmp_path)) as workspace:
        ask = cast("Callable[..., Awaitable[Answer[Result]]]", getattr(workspace, question.operation))
        answer = await ask(**question.given)
    assert (answer.status, answer.reason, answer.servers) == (Status.CONFIRMED, "", question.servers)
    assert without_next_step(render_answer(OPERATIONS[question.operation], answer)) == question.text


@pytest.mark.parametrize("question", share(QUESTIONS, 4), ids=lambda question: question.operation)
async def test_a_tool_answers_in_text(question: Question, tmp_path: Path) -> None:
    async with Toolkit(Workspace(toy_pool(tmp_path)), approve=_agreed) as tools:
        text = await tools.execute(question.operation, json.dumps(question.given))
    assert without_next_step(text) == question.text


async def _agreed(_: str, given: Mapping[str, object]) -> bool:
    return isinstance(given, dict)


async def test_arguments_and_answers_are_typed(tmp_path: Path) -> None:
    async with Workspace(toy_pool(tmp_path)) as workspace:
        by_method = await workspace.find_references(symbol="shout", limit=1)
        by_hand = await workspace.run(find_references, FindReferences(symbol="shout", limit=1))
    assert_type(by_method, Answer[Locations])
    assert_type(by_hand, Answer[Locations])
    assert by_method.value == by_hand.value
    assert by_method.value.total == 3


async def test_what_is_wrong_with_arguments_is_said_before_a_server_is_asked(tmp_path: Path) -> None:
    workspace = Workspace(toy_pool(tmp_path))
    with pytest.raises(InvalidArgument, match="limit"):
        await workspace.run(find_references, FindReferences(symbol="shout", limit=0))
    ask = cast("Callable[..., Awaitable[Answer[Result]]]", workspace.find_references)
    with pytest.raises(InvalidArgument, match="by name"):
        await ask("shout")
    with pytest.raises(InvalidArgument) as raised:
        await ask(symbl="shout")
    assert "'symbol'" in raised.value.hint
    assert workspace.pool.instances() == ()


async def test_a_symbol_that_is_not_there_is_a_typed_error(tmp_path: Path) -> None:
    async with Workspace(toy_pool(tmp_path)) as workspace:
        with pytest.raises(NoSuchSymbol):
            await workspace.find_references(symbol="shoutt")


async def test_groundwire_open_opens_a_directory_that_is_there(tmp_path: Path) -> None:
    async with groundwire.open(write_project(tmp_path)) as workspace:
        assert workspace.pool.workspace.samefile(tmp_path)
    with pytest.raises(FileNotFound):
        groundwire.open(tmp_path / "nowhere")
    with pytest.raises(InvalidArgument, match="not a directory"):
        groundwire.open(tmp_path / "lonely.toy")


def test_schemas_are_functions_with_closed_parameters(tmp_path: Path) -> None:
    schemas = groundwire.toolkit(tmp_path).schemas
    functions = [cast("Mapping[str, object]", schema["function"]) for schema in schemas]
    assert {schema["type"] for schema in schemas} == {"function"}
    assert [function["name"] for function in functions] == list(OPERATIONS)
    for function in functions:
        assert function["description"]
        assert cast("Mapping[str, object]", function["parameters"])["additionalProperties"] is False
    json.dumps(schemas)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("find_refrences", "{}", "InvalidArgument: there is no operation 'find_refrences'\nHint: Did you mean"),
        ("find_references", "{", "InvalidArgument: the arguments are not JSON"),
        ("find_references", "[" * 100_000, "InvalidArgument: the arguments are not JSON"),
        ("find_references", "[]", "InvalidArgument: the arguments are not an object\nHint: Give one JSON object."),
        ("find_references", "", "InvalidArgument: no file is named"),
        (
            "find_references",
            '{"symbl": "shout"}',
            "InvalidArgument: find_references has no argument 'symbl'\nHint: Did",
        ),
        ("find_references", '{"symbol": "shoutt"}', "NoSuchSymbol: there is no symbol shoutt"),
        ("list_symbols", '{"file_path": "nowhere.toy"}', "FileNotFound: nowhere.toy does not exist"),
    ],
)
async def test_a_failure_is_text_with_what_to_do(name: str, arguments: str, expected: str, tmp_path: Path) -> None:
    async with Toolkit(Workspace(toy_pool(tmp_path))) as tools:
        assert (await tools.execute(name, arguments)).startswith(expected)


async def test_an_older_name_is_understood_and_has_the_same_permission(tmp_path: Path) -> None:
    async with Toolkit(Workspace(toy_pool(tmp_path)), {"get_references": "deny"}) as tools:
        assert tools.permissions["find_references"] == "deny"
        assert (await tools.execute("get_references", '{"symbol": "shout"}')).startswith("PermissionDenied: ")


async def test_what_is_denied_is_neither_offered_nor_suggested_nor_run(tmp_path: Path) -> None:
    async with Toolkit(Workspace(toy_pool(tmp_path)), {"find_references": "deny"}) as tools:
        assert "find_references" not in json.dumps([schema["function"] for schema in tools.schemas])
        assert "find_references" not in await tools.execute("get_symbol_source", '{"symbol": "shout"}')
        refused = await tools.execute("find_references", '{"symbol": "shout"}')
    assert refused == "PermissionDenied: find_references is denied here\nHint: Do without it."


@pytest.mark.parametrize(("approval", "starts"), [(True, "No references"), (False, "PermissionDenied: ")])
async def test_what_needs_asking_runs_only_when_it_is_approved(approval: bool, starts: str, tmp_path: Path) -> None:
    asked: list[tuple[str, object]] = []

    async def approve(name: str, given: Mapping[str, object]) -> bool:
        asked.append((name, given))
        return approval

    permissions: dict[str, Permission] = {"find_references": "ask"}
    async with Toolkit(Workspace(toy_pool(tmp_path)), permissions, approve=approve) as tools:
        text = await tools.execute("find_references", '{"symbol": "nobody"}')
    assert text.startswith(starts)
    assert asked == [("find_references", {"symbol": "nobody"})]


async def test_what_needs_asking_is_refused_where_nobody_can_be_asked(tmp_path: Path) -> None:
    async with Toolkit(Workspace(toy_pool(tmp_path)), {"find_references": "ask"}) as tools:
        text = await tools.execute("find_references", '{"symbol": "nobody"}')
    assert text.startswith("PermissionDenied: find_references needs approval, and nobody can be asked")


def test_the_configuration_decides_and_the_program_goes_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config/groundwire").mkdir(parents=True)
    (tmp_path / "config/groundwire/config.toml").write_text(
        '[permissions]\nfind_symbol = "deny"\nfind_references = "deny"\nrename_everything = "deny"\n', "utf-8"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    permissions = groundwire.toolkit(tmp_path, permissions={"find_symbol": "ask"}).permissions
    shown = [permissions[name] for name in ("find_symbol", "find_references", "list_symbols")]
    assert shown == ["ask", "deny", "allow"]


async def test_text_is_kept_within_the_budget(tmp_path: Path) -> None:
    async with Toolkit(Workspace(toy_pool(tmp_path)), max_chars=100) as tools:
        text = await tools.execute("find_references", '{"symbol": "shout"}')
    assert len(text) <= 100
    assert "more results (offset " in text


def test_importing_groundwire_loads_nothing_of_the_engine() -> None:
    script = (
        "import sys, groundwire\n"
        "loaded = {'asyncio', 'msgspec', 'pydantic', 'groundwire.surfaces', 'groundwire.pool'} & set(sys.modules)\n"
        "sys.exit(sorted(loaded) or 0)"
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


def test_everything_exported_is_there_and_nothing_else_is() -> None:
    assert all(hasattr(groundwire, name) for name in groundwire.__all__)
    assert not hasattr(groundwire, "close")
