"""An explanation as text and as JSON."""

import json

import msgspec

from groundwire.operations.results.explanation import (
    ConfigSource,
    Explanation,
    HandedOver,
    Rival,
    ServerExplained,
    WithheldValue,
)
from groundwire.render.explain import render_explanation, render_explanation_json
from groundwire.render.layout import Page

PYRIGHT = ServerExplained(
    server="pyright",
    role="primary",
    why="the project has pyrightconfig.json",
    program="/opt/bin/pyright-langserver",
    program_why="on the path",
    command=("pyright-langserver", "--stdio"),
    version="1.1.400",
    root="svc",
    root_why="the nearest pyrightconfig.json",
    root_tier=1,
    root_tiers=3,
    runs_project_code=False,
    project_files_run=(".venv/bin/python",),
    handed_over=(HandedOver("python", ".venv/bin/python", "the project's .venv"),),
    finds_only="",
    lacking=(),
    companion=(),
    companion_why="",
    refused=(),
)
FULL = Explanation(
    file="svc/a.py",
    workspace="/w",
    language="python",
    language_why="by its ending .py",
    state="served",
    reason="",
    servers=(PYRIGHT,),
    passed_over=(
        Rival(
            server="basedpyright",
            role="primary",
            kind="missing",
            why="basedpyright is not installed",
            remedy="groundwire install basedpyright",
        ),
        Rival(server="ty", role="primary", kind="later", why="after pyright in the order"),
        Rival(server="zuban", role="primary", kind="later", why="after pyright in the order"),
    ),
    configuration=(ConfigSource("project", "groundwire.toml"),),
    withheld=(WithheldValue("ruff", "servers.ruff.args", ["-x"], "groundwire.toml:2", "ruff is used without it"),),
    remedy="",
    trust_command="groundwire trust",
    warnings=(),
)


def test_the_whole_page() -> None:
    assert render_explanation(FULL, Page(width=80)) == (
        "svc/a.py is python, by its ending .py\n"
        "  workspace   /w\n"
        "\n"
        "pyright 1.1.400  primary\n"
        "  why         the project has pyrightconfig.json\n"
        "  root        svc (the nearest pyrightconfig.json; tier 1 of 3)\n"
        "  program     /opt/bin/pyright-langserver (on the path)\n"
        "  command     pyright-langserver --stdio\n"
        "  python      .venv/bin/python (the project's .venv)\n"
        "\n"
        "passed over\n"
        "  basedpyright  missing     not installed: groundwire install basedpyright\n"
        "  ty, zuban: not needed, after pyright in the order\n"
        "\n"
        "configuration\n"
        "  project  groundwire.toml\n"
        "\n"
        "withheld, for the project is not trusted\n"
        '  servers.ruff.args = ["-x"] (groundwire.toml:2)\n'
        "      ruff is used without it\n"
        "  To trust the project, once you have looked at it: groundwire trust"
    )


def test_a_server_that_executes_code_of_the_project_is_flagged() -> None:
    flagged = msgspec.structs.replace(PYRIGHT, runs_project_code=True)
    text = render_explanation(msgspec.structs.replace(FULL, servers=(flagged,)), Page())
    assert "pyright 1.1.400  primary  runs-project-code\n" in text
    assert "  caution     it executes code of the project" in text


def test_why_there_is_no_server_comes_first_with_the_command_that_helps() -> None:
    unserved = msgspec.structs.replace(
        FULL,
        state="not_served",
        servers=(),
        reason="gopls is not installed",
        remedy="groundwire install gopls",
        withheld=(),
        trust_command="",
    )
    lines = render_explanation(unserved, Page()).split("\n")
    assert lines[2:4] == ["  problem     gopls is not installed", "  try         groundwire install gopls"]
    assert "withheld" not in lines


def test_no_line_is_wider_than_the_page() -> None:
    long = msgspec.structs.replace(PYRIGHT, why="because " * 40, refused=("/w/x " * 30,))
    text = render_explanation(msgspec.structs.replace(FULL, servers=(long,)), Page(width=80))
    assert max(map(len, text.split("\n"))) <= 80


def test_json_holds_everything_by_the_same_names() -> None:
    shown = json.loads(json.dumps(render_explanation_json(FULL)))
    assert shown["ok"] is True
    assert shown["servers"][0]["root_why"] == "the nearest pyrightconfig.json"
    assert shown["withheld"] == [
        {
            "server": "ruff",
            "key": "servers.ruff.args",
            "value": ["-x"],
            "place": "groundwire.toml:2",
            "effect": "ruff is used without it",
        }
    ]
    assert msgspec.convert({key: value for key, value in shown.items() if key != "ok"}, Explanation) == FULL
