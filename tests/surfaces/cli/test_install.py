"""``groundwire install``: what people see, what programs read, the exit statuses, and an end at any moment."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.registry.managed import installed
from groundwire.surfaces.cli.main import main
from tests.registry.installers_at_hand import Installers
from tests.transport.children_at_hand import SOURCES, eventually_blocking, lives


@pytest.fixture
def installers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installers:
    made = Installers(tmp_path)
    made.brings("pyright-langserver", "pyright")
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    return made


class Terminal(io.StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        return True


def test_a_language_is_installed_with_plain_lines_and_a_table(
    installers: Installers, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "python"]) == 0
    shown = capsys.readouterr()
    assert shown.err.splitlines()[0] == "pyright 1.1.414: fetching packages"
    assert shown.err.splitlines()[-1].startswith("pyright 1.1.414: installed in ")
    head, row = shown.out.splitlines()
    assert head.split() == ["SERVER", "VERSION", "STATE", "WHERE"]
    assert row.split()[:3] == ["pyright", "1.1.414", "installed"]
    assert row.endswith("for python")
    assert "\x1b" not in shown.out + shown.err


def test_what_is_there_already_and_what_is_bundled_is_said_to_be_so(
    installers: Installers, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["install", "pyright"])
    capsys.readouterr()
    assert main(["install", "pyright", "ty"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    states = [line.split()[-2:] if "ty " in line else line.split()[2] for line in shown.out.splitlines()[1:]]
    assert states == ["present", ["with", "groundwire"]]
    assert len(installers.calls()) == 1


def test_one_failure_hinders_no_other_and_shows_in_the_status(
    installers: Installers, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "rust", "pyright"]) == 1
    shown = capsys.readouterr()
    assert [line.split()[0] for line in shown.out.splitlines()[1:]] == ["rust-analyzer", "pyright"]
    assert "groundwire cannot install rust-analyzer by itself\nhint: By hand: `rustup component add" in shown.err
    assert [each.id for each in installed(os.environ)] == ["pyright"]


def test_in_json_every_server_has_its_state_and_its_problem(
    installers: Installers, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "rust", "pyright", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    path = str(installed(os.environ)[0].path)
    assert (answer["ok"], answer["servers"][1]) == (
        False,
        {"id": "pyright", "state": "installed", "version": "1.1.414", "path": path},
    )
    assert (answer["servers"][0]["state"], answer["servers"][0]["problem"]["kind"]) == ("failed", "ServerUnavailable")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["install"], "nothing is named"),
        (["install", "--remove"], "nothing is named"),
        (["install", "pyright", "pyhton"], "'pyhton' is neither a language nor a server"),
        (["install", "--list", "pyhton"], "'pyhton' is neither a language nor a server"),
    ],
)
def test_wrong_use_ends_with_status_two_and_installs_nothing(
    installers: Installers, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert installers.calls() == []


def test_listing_and_removing_exclude_each_other() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["install", "--list", "--remove"])
    assert ended.value.code == 2


def test_the_list_shows_what_is_installed_first_and_then_what_can_be(
    installers: Installers, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["install", "pyright"])
    capsys.readouterr()
    assert main(["install", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line for line in lines[1:-2]}
    assert next(iter(rows)) == "pyright"
    assert "installed" in rows["pyright"]
    assert rows["ruff"].split()[1:3] == ["0.17.4", "available"]
    assert "By hand: `rustup" in rows["rust-analyzer"]
    assert "bundled" in rows["ty"]
    assert lines[-1].startswith("Installed servers are in ")


def test_the_list_in_json_tells_the_states_apart(
    installers: Installers, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["install", "pyright"])
    (server,) = installed(os.environ)
    (server.path / "bin" / "pyright").unlink()
    monkeypatch.setenv("PATH", "")
    capsys.readouterr()
    assert main(["install", "--list", "python", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["directory"] == str(installers.data)
    states = {each["id"]: each["state"] for each in answer["servers"]}
    expected = {"pyright": "broken", "basedpyright": "available", "ruff": "available", "ty": "bundled"}
    assert {server: states[server] for server in expected} == expected


def test_an_older_and_a_retired_installation_are_told(
    installers: Installers, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["install", "pyright"])
    (server,) = installed(os.environ)
    receipt = server.path / "receipt.json"
    receipt.write_text(receipt.read_text("utf-8").replace("1.1.414", "1.1.1"), "utf-8")
    retired = installers.data / "servers" / "gone"
    (retired / "1").mkdir(parents=True)
    (retired / "1" / "receipt.json").write_text(receipt.read_text("utf-8").replace('"pyright"', '"gone"'), "utf-8")
    (retired / "current").write_text("1", "utf-8")
    capsys.readouterr()
    main(["install", "--list"])
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line}
    assert "outdated" in rows["pyright"]
    assert rows["pyright"].endswith("`groundwire install pyright` gets 1.1.414")
    assert "retired" in rows["gone"]


def test_removing_takes_it_away_and_a_second_time_is_a_failure(
    installers: Installers, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["install", "pyright"])
    assert main(["install", "--remove", "pyright"]) == 0
    assert "removed" in capsys.readouterr().out
    assert installers.left() == []
    assert main(["install", "--remove", "pyright"]) == 1
    assert "pyright was not installed by groundwire" in capsys.readouterr().err


def test_removing_never_leaves_the_directory(installers: Installers, capsys: pytest.CaptureFixture[str]) -> None:
    main(["install", "pyright"])
    before = installers.left()
    assert main(["install", "--remove", "../servers/pyright", str(installers.base), ".."]) == 1
    assert capsys.readouterr().err.count("leads out of") == 3
    assert installers.left() == before


@pytest.mark.parametrize(("answer", "status"), [("\n", 0), ("y\n", 0), ("n\n", 1), ("", 1)])
def test_a_person_is_asked_before_anything_is_fetched(
    installers: Installers, monkeypatch: pytest.MonkeyPatch, answer: str, status: int
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(["install", "python"]) == status
    question, _, rest = screen.getvalue().partition("Go on? [Y/n] ")
    assert "  pyright 1.1.414 from npm, for python\n" in question
    assert ("Nothing was done." in rest) == (status == 1)
    assert len(installers.calls()) == (1 if status == 0 else 0)


@pytest.mark.parametrize("arguments", [["install", "pyright", "--yes"], ["install", "ty"]])
def test_nobody_is_asked_when_that_was_answered_or_nothing_is_to_be_done(
    installers: Installers, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(arguments) == 0
    assert "Go on?" not in screen.getvalue()


def start_hanging(installers: Installers) -> subprocess.Popen[str]:
    installers.mode("hang")
    environment = {**installers.environment, "PYTHONPATH": SOURCES}
    command = [sys.executable, "-m", "groundwire", "install", "pyright"]
    process = subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert eventually_blocking(lambda: bool(installers.hanging()), 20)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing_and_nobody(installers: Installers, number: signal.Signals) -> None:
    process = start_hanging(installers)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert not any(lives(pid) for pid in installers.hanging())
    assert installers.left() == []


def test_an_end_without_warning_leaves_nobody_and_nothing_that_counts(installers: Installers) -> None:
    process = start_hanging(installers)
    process.kill()
    process.communicate(timeout=20)
    assert eventually_blocking(lambda: not any(lives(pid) for pid in installers.hanging()), 10)
    assert installed(os.environ) == []
    installers.mode("")
    assert main(["install", "pyright"]) == 0
    assert len(installers.left()) == 2
