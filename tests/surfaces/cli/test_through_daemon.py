"""Every command through a daemon: the same output as without one, and what only a daemon can do."""

import asyncio
import json
import re
import shutil
from pathlib import Path

import pytest

from groundwire.daemon.greeting import Greeting
from groundwire.operations.table import OPERATIONS
from groundwire.surfaces.cli.main import main
from tests.daemon.in_thread import serving
from tests.interaction.questions import QUESTIONS, Question, write_project, write_user_config

Capture = pytest.CaptureFixture[str]

each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.operation)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as the working directory, the toy server in the user's configuration."""
    write_user_config(tmp_path / "config/groundwire")
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.delenv("GROUNDWIRE_NO_DAEMON", raising=False)
    root = write_project(tmp_path / "project")
    monkeypatch.chdir(root)
    return root


def said(argv: tuple[str, ...], capsys: Capture) -> tuple[int, str, str]:
    """The exit status and both outputs, without what is another every time."""
    status = main(argv)
    shown = capsys.readouterr()
    out = re.sub(r'"elapsed_ms": [0-9.]+', '"elapsed_ms": 0', shown.out)
    return status, re.sub(r"\b[0-9a-f]{32}\b", "x", out), shown.err


def without_undo(out: str) -> str:
    """What only a daemon can promise is left out."""
    return re.sub(r", undo with groundwire undo [0-9a-f]+", "", out)


def afresh(project: Path) -> None:
    """As it was in the beginning; the directory itself stays, for it is where we are."""
    for each in project.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    write_project(project)


@each_question
def test_an_operation_says_the_same_with_and_without_a_daemon(
    question: Question, project: Path, capsys: Capture
) -> None:
    here = said(question.argv, capsys)
    afresh(project)
    with serving(project) as daemon:
        status, out, err = said(question.argv, capsys)
        assert daemon.pool is not None
        assert not question.servers or daemon.pool.instances()
    assert here == (status, without_undo(out), err)


@pytest.mark.parametrize(
    "argv",
    [
        ("check", "animals.toy", "voices.toy"),
        ("check", "voices.toy", "--json"),
        ("check", "voices.toy", "--format", "sarif"),
        ("check", "nowhere.toy"),
        ("check", "--changed"),
        ("explain", "animals.toy"),
        ("explain", "animals.toy", "--json"),
        ("explain", "nowhere.toy"),
        ("status",),
        ("status", "--json"),
        ("refs", "shoutt"),
        ("refs", "speak", "--json"),
        ("def", "nowhere.toy:3"),
        ("undo", "abc"),
    ],
)
def test_other_commands_and_failures_are_the_same_too(argv: tuple[str, ...], project: Path, capsys: Capture) -> None:
    (project / "voices.toy").write_text("def bark()\n    wrong\n", "utf-8")
    here = said(argv, capsys)
    with serving(project):
        assert said(argv, capsys) == here


def test_what_one_command_wrote_the_next_one_can_undo(project: Path, capsys: Capture) -> None:
    before = (project / "voices.toy").read_text("utf-8")
    with serving(project):
        assert main(["edit", "voices.toy", "--old-text", "what", "--new-text", "that"]) == 0
        promised = re.search(r"undo with (groundwire undo .*)", capsys.readouterr().out)
        assert promised is not None
        assert (project / "voices.toy").read_text("utf-8") != before
        words = promised[1].split()[1:]
        assert main(words) == 0
    assert (project / "voices.toy").read_text("utf-8") == before


def test_the_status_is_that_of_the_servers_that_run(project: Path, capsys: Capture) -> None:
    with serving(project):
        assert main(["def", "animals.toy:9:16"]) == 0
        capsys.readouterr()
        assert main(["status", "--json"]) == 0
        (server,) = json.loads(capsys.readouterr().out)["servers"]
    assert (server["server"], server["state"]) == ("well_read", "active")
    assert isinstance(server["pid"], int)


@pytest.mark.parametrize("way", [("--no-daemon",), ("--server", "well_read"), ()])
def test_a_daemon_is_left_alone_where_that_is_wanted(
    way: tuple[str, ...], project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(project) as daemon:
        if not way:
            monkeypatch.setenv("GROUNDWIRE_NO_DAEMON", "1")
        assert main(["def", "animals.toy:9:16", *way]) == 0
        assert daemon.pool is not None
        assert daemon.pool.instances() == ()
    assert "voices.toy" in capsys.readouterr().out


async def hang_up(greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hears the question, and is gone."""
    assert greeting.conversation == "call"
    await reader.readline()
    writer.close()


def test_a_question_that_the_daemon_leaves_unanswered_is_answered_without_it(project: Path, capsys: Capture) -> None:
    with serving(project, {"call": hang_up}):
        status, out, err = said(("def", "animals.toy:9:16"), capsys)
    assert (status, out.startswith("1 definition")) == (0, True)
    assert err == "note: the background process ended while it was asked; answered without it\n"


def test_whether_a_write_was_done_is_said_to_be_unknown_when_the_daemon_dies(project: Path, capsys: Capture) -> None:
    before = (project / "voices.toy").read_text("utf-8")
    with serving(project, {"call": hang_up}):
        status, out, err = said(("edit", "voices.toy", "--old-text", "what", "--new-text", "that"), capsys)
    assert (status, out) == (2, "")
    assert "whether anything was changed is not known" in err
    assert (project / "voices.toy").read_text("utf-8") == before


def test_a_write_is_not_done_beside_a_daemon_that_refuses(project: Path, capsys: Capture) -> None:
    with serving(project, {"other": hang_up}):
        status, out, err = said(("edit", "voices.toy", "--old-text", "what", "--new-text", "that"), capsys)
        assert (status, out, "nothing was changed" in err) == (2, "", True)
        assert said(("def", "animals.toy:9:16"), capsys)[0] == 0


def test_every_operation_is_asked_here() -> None:
    assert {question.operation for question in QUESTIONS} == set(OPERATIONS)
