"""What the doctor found, as text and as JSON."""

import json

import msgspec

from groundwire.operations.serving.checkup import Checkup
from groundwire.operations.serving.doctor import CheckupReport
from groundwire.render.doctor import render_checkups, render_checkups_json
from groundwire.render.layout import Page

WORKS = Checkup(
    server="ty",
    role="primary",
    state="found",
    languages=("python",),
    root=".",
    program="/opt/ty",
    version="0.1",
    start_s=0.31,
    answered="findings",
)
MISSING = Checkup(
    server="gopls",
    role="primary",
    state="missing",
    languages=("go",),
    why="gopls is not installed",
    remedy="groundwire install gopls",
)
BROKEN = Checkup(
    server="clangd",
    role="primary",
    state="broken",
    languages=("c", "cpp"),
    root="lib",
    why="the server exited with code 127",
    remedy="apt install clangd",
    stderr_tail="first\nlibx.so: \x1b[31mnot found\n",
)
UNTRUSTED = Checkup(
    server="tsc",
    role="primary",
    state="untrusted",
    languages=("typescript",),
    why="tsc: node_modules/.bin/tsc is supplied by the project, which is not trusted",
    remedy="groundwire trust",
)


def report(*servers: Checkup, workspace: str = "/w") -> CheckupReport:
    return CheckupReport(workspace=workspace, files=7, servers=servers)


def test_each_server_has_a_line_and_those_that_do_not_work_the_command_that_helps() -> None:
    assert render_checkups(report(MISSING, BROKEN, WORKS), Page(width=80)) == (
        "/w: 4 languages with a server, in 7 files\n"
        "\n"
        "✓  found    ty 0.1  python  .    0.3 s, gives findings\n"
        "✗  broken   clangd  c, cpp  lib\n"
        "    the server exited with code 127\n"
        "    | first\n"
        "    | libx.so: �[31mnot found\n"
        "    fix: apt install clangd\n"
        "✗  missing  gopls   go           groundwire install gopls\n"
        "\n"
        "2 servers of 3 need attention."
    )


def test_that_all_works_is_said() -> None:
    assert render_checkups(report(WORKS), Page()).endswith("✓ Everything that this workspace needs works.")


def test_several_installations_are_one_command() -> None:
    other = msgspec.structs.replace(
        MISSING, server="ruff", why="ruff is not installed", remedy="groundwire install ruff"
    )
    text = render_checkups(report(MISSING, other, BROKEN), Page())
    assert text.endswith("To get what is missing: groundwire install gopls ruff")


def test_what_was_not_run_for_want_of_trust_is_said() -> None:
    lines = render_checkups(report(UNTRUSTED), Page()).split("\n")
    assert lines[3:5] == [
        "    node_modules/.bin/tsc is supplied by the project, which is not trusted",
        "    fix: groundwire trust",
    ]


def test_a_workspace_without_a_known_language_is_said() -> None:
    assert "No file here is in a language that a server is known for." in render_checkups(report(), Page())


def test_of_all_servers_those_that_are_not_there_are_no_fault() -> None:
    text = render_checkups(report(WORKS, MISSING, BROKEN, workspace=""), Page())
    assert "-  missing  gopls" in text
    assert text.endswith("1 server found, 1 broken, 1 not there.")


def test_a_command_that_is_too_long_for_the_line_goes_below() -> None:
    long = msgspec.structs.replace(MISSING, remedy="cargo install --git https://example.org/" + "x" * 60)
    assert max(map(len, render_checkups(report(WORKS, long), Page(width=110)).split("\n"))) <= 110


def test_json_holds_everything_and_the_verdict() -> None:
    shown = json.loads(json.dumps(render_checkups_json(report(WORKS, MISSING))))
    assert (shown["ok"], shown["workspace"], shown["files"]) == (False, "/w", 7)
    assert shown["servers"][0] == {
        "server": "ty",
        "role": "primary",
        "state": "found",
        "languages": ["python"],
        "root": ".",
        "program": "/opt/ty",
        "version": "0.1",
        "start_s": 0.31,
        "answered": "findings",
        "why": "",
        "remedy": "",
        "stderr_tail": "",
    }
    assert render_checkups_json(report(WORKS))["ok"] is True
