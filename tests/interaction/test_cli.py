"""Every operation as a command: the same text as everywhere, JSON on request, and an exit status that tells."""

import io
import json
import sys
from pathlib import Path
from typing import cast

import msgspec
import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Result
from groundwire.operations.table import OPERATIONS, AnyOperation
from groundwire.render.answers import render_answer
from groundwire.surfaces.cli.main import main
from tests.interaction.questions import QUESTIONS, Question, without_next_step, write_project, write_user_config
from tests.thoroughness import share


def each_question(turn: int) -> pytest.MarkDecorator:
    """In the quick part some of them: all of them go through the Python API."""
    return pytest.mark.parametrize("question", share(QUESTIONS, turn), ids=lambda question: question.operation)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as the working directory, the toy server in the user's configuration."""
    write_user_config(tmp_path / "config/groundwire")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(write_project(tmp_path / "project"))
    return tmp_path / "project"


def said_here(question: Question) -> str:
    """What an edit could be undone by is gone with the process."""
    return question.text.replace(", undo with undo_edit ID", "")


@each_question(0)
def test_a_command_answers_in_text(question: Question, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(question.argv)
    shown = capsys.readouterr()
    assert (status, shown.err) == (0, "")
    assert without_next_step(shown.out.removesuffix("\n")) == said_here(question)


@each_question(1)
def test_a_command_answers_in_json(question: Question, capsys: pytest.CaptureFixture[str]) -> None:
    status = main([*question.argv, "--json"])
    shown = capsys.readouterr()
    assert (status, shown.err) == (0, "")
    told = json.loads(shown.out)
    assert set(told) == {"status", "reason", "servers", "elapsed_ms", "result"}
    operation = OPERATIONS[question.operation]
    answer = Answer(
        value=cast("Result", msgspec.convert(told["result"], operation.result)),
        status=Status(told["status"]),
        reason=told["reason"],
        servers=tuple(told["servers"]),
    )
    assert without_next_step(render_answer(operation, answer)) == said_here(question)


def test_what_to_ask_next_is_said_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refs", "shout"]) == 0
    assert capsys.readouterr().out.endswith("\nNext: groundwire callers for the functions that call it.\n")


def test_nothing_found_is_an_answer_like_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refs", "nobody"]) == 0
    assert capsys.readouterr().out == "No references (confirmed by well_read)\n"


def test_what_is_not_proven_has_a_status_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_user_config(tmp_path / "config/groundwire", is_measured=False)
    assert main(["refs", "nobody"]) == 3
    assert capsys.readouterr().out.startswith("References: not known: ")
    assert main(["refs", "shout"]) == 3
    assert capsys.readouterr().out.startswith("At least 3 references in 2 files; whether that is all is not known: ")


def test_a_part_that_a_server_cannot_tell_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_user_config(tmp_path / "config/groundwire", "lacks=textDocument/references")
    assert main(["explore", "shout"]) == 3
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == "function shout  voices.toy:4-5; not proven: uses"
    assert any(line.startswith("Uses: not known: ") for line in lines)


@pytest.mark.parametrize(
    ("argv", "kind"),
    [
        (["refs", "shoutt"], "NoSuchSymbol"),
        (["refs", "speak"], "AmbiguousSymbol"),
        (["refs", "animals.toy"], "InvalidArgument"),
        (["refs", "animals.toy:99"], "InvalidArgument"),
        (["refs", "shout", "--limit", "0"], "InvalidArgument"),
        (["refs", " "], "InvalidArgument"),
        (["def", "nowhere.toy:3"], "FileNotFound"),
        (["symbols", "."], "NotAFile"),
        (["symbols", "nowhere.toy"], "FileNotFound"),
        (["search", "shout", "--server", "well_raed"], "InvalidArgument"),
        (["search", "shout", "--root", "nowhere"], "FileNotFound"),
    ],
)
def test_no_answer_is_a_sentence_with_a_status(argv: list[str], kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("groundwire: ")
    assert "Traceback" not in shown.err
    assert main([*argv, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["kind"] == kind


def test_files_are_seen_from_the_working_directory(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".git").mkdir()
    (project / "deep").mkdir()
    (project / "deep/own.toy").write_text("def own()\n", "utf-8")
    monkeypatch.chdir(project / "deep")
    for target in ("own.toy::own", "own.toy:1:5"):
        assert main(["def", target]) == 0
        assert capsys.readouterr().out.split("\n")[1] == "deep/own.toy"
    assert main(["def", "../voices.toy::shout"]) == 0
    assert capsys.readouterr().out.split("\n")[1] == "voices.toy"


def test_the_text_is_kept_within_a_budget(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refs", "shout", "--max-chars", "120"]) == 0
    assert capsys.readouterr().out == (
        "3 references in 2 files (confirmed by well_read)\n"
        "animals.toy\n"
        "  5:13  use shout(volume)\n"
        "+2 more results (offset 1)\n"
    )


@pytest.mark.parametrize(
    "argv",
    [
        ["refs"],
        ["refs", "shout", "--limit", "many"],
        ["refs", "shout", "--depth", "1"],
        ["calls", "shout", "--direction", "up"],
        ["symbols"],
        ["search"],
        ["reffs", "shout"],
    ],
)
def test_wrong_use_ends_with_status_two_and_the_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: groundwire")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    listed = {line.split()[0] for line in shown.split("\n") if line.startswith("    ") and not line.startswith("     ")}
    assert listed >= {operation.command for operation in OPERATIONS.values()}
    assert listed >= {"check", "demo", "install", "trust"}


@pytest.mark.parametrize("operation", share([*OPERATIONS.values()], 0), ids=lambda operation: operation.name)
def test_the_help_of_a_command_describes_every_option(
    operation: AnyOperation, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        main([operation.command, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert operation.summary in " ".join(shown.split())
    assert all(option in shown for option in ("--json", "--root", "--wait", "--server"))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_characters_that_the_reader_cannot_show_do_no_harm(
    encoding: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding=encoding))
    assert main(["callers", "bark"]) == 0
    assert b"use bark(volume, 2)" in shown.getvalue()
