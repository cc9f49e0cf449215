"""The status of a workspace as text and as JSON."""

import json

from groundwire.operations.results.workspace_status import ServerLine, WorkspaceStatus
from groundwire.pool.status import ServerStatus
from groundwire.render.layout import Page
from groundwire.render.status import render_status, render_status_json

ACTIVE = ServerLine(
    status=ServerStatus(
        server="ty", root=".", state="active", version="0.1", pid=7, memory_mb=81.6, since_s=130, indexing="ready"
    ),
    languages=("python",),
)
MISSING = ServerLine(
    status=ServerStatus(server="gopls", root="", state="unavailable", reason="gopls is not installed"),
    languages=("go", "go.mod"),
    remedy="groundwire install gopls",
)
OFF = ServerLine(
    status=ServerStatus(server="ruff", root="", state="disabled", reason="servers.ruff.enabled is false (x.toml:2)"),
    languages=("python",),
    role="linter",
)


def status(*servers: ServerLine, note: str = "") -> WorkspaceStatus:
    return WorkspaceStatus(workspace="/w", files=3, servers=servers, note=note)


def test_each_server_has_a_line_with_why_below_where_that_says_more() -> None:
    assert render_status(status(ACTIVE, MISSING, OFF), Page()) == (
        "/w: 3 servers for 3 files\n"
        "\n"
        "active       ty 0.1  python      .  ready, for 2 min, 82 MB\n"
        "unavailable  gopls   go, go.mod     groundwire install gopls\n"
        "disabled     ruff    python\n"
        "    servers.ruff.enabled is false (x.toml:2)"
    )


def test_what_was_not_looked_at_is_said() -> None:
    text = render_status(status(ACTIVE, note="only the first 5 names were looked at"), Page())
    assert text.endswith("\n\nNot everything was looked at: only the first 5 names were looked at.")


def test_a_workspace_without_a_known_language_is_said() -> None:
    assert render_status(status(), Page()) == "/w: no file here is in a language that a server is known for"


def test_json_has_what_is_known_of_a_server_in_one_object() -> None:
    shown = json.loads(json.dumps(render_status_json(status(ACTIVE, MISSING))))
    first, second = shown["servers"]
    assert (first["server"], first["state"], first["pid"], first["languages"]) == ("ty", "active", 7, ["python"])
    assert (second["remedy"], second["role"], "status" in second) == ("groundwire install gopls", "primary", False)
    assert (shown["ok"], shown["workspace"], shown["files"]) == (True, "/w", 3)
