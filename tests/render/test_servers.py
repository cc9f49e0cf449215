"""What is known of servers and done to them, as text that never says more than is so."""

from typing import Any

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Result
from groundwire.operations.results.servers import (
    DetectedServers,
    InstalledServer,
    LanguageCount,
    LevelChange,
    MissingServer,
    RestartedServer,
    RestartedServers,
    ServerOffer,
    ServerOffers,
    ServerState,
    ServerStates,
    ToldChanges,
    ToldServer,
    WithheldServer,
    WithheldSetting,
)
from groundwire.operations.table import OPERATIONS
from groundwire.render.answers import render_answer


def text(operation: str, value: Result, status: Status = Status.CONFIRMED, reason: str = "") -> str:
    answer: Answer[Any] = Answer(value=value, status=status, reason=reason)
    return render_answer(OPERATIONS[operation], answer)


def test_what_a_server_does_not_serve_is_named() -> None:
    offer = ServerOffer(
        server="ty",
        version="0.1",
        root=".",
        role="primary",
        languages=("python",),
        supported_tools=("a", "b"),
        unsupported_tools=("c",),
        capabilities={},
    )
    assert text("get_server_capabilities", ServerOffers(servers=(offer,))) == (
        "1 server (confirmed)\n  ty 0.1 at . (python, primary): serves 2 of 3 operations\n    does not serve: c"
    )


def test_no_running_server_is_not_a_server_without_capabilities() -> None:
    shown = text("get_server_capabilities", ServerOffers(servers=()), Status.UNKNOWN, "no language server runs yet")
    assert shown == "Servers: not known: no language server runs yet"


def test_languages_come_with_what_is_there_and_what_is_not() -> None:
    found = DetectedServers(
        workspace_dir="/w",
        workspace_languages=(LanguageCount(language="python", files=2), LanguageCount(language="go", files=1)),
        installed_servers=(InstalledServer(language="python", server="ty", path="/p/ty", role="primary", version="1"),),
        not_installed=(MissingServer(language="go", server="gopls", install="get gopls", role="primary"),),
        not_used=(WithheldServer(language="go", server="x", state="untrusted", why="the project's", remedy="trust"),),
    )
    assert text("detect_lsp_servers", found) == (
        "2 languages (confirmed)\n  python  2 files\n  go      1 file\n"
        "Installed:\n  python  ty 1  primary  /p/ty\n"
        "Not installed:\n  go  gopls  primary  get gopls\n"
        "Not used:\n  go  x  untrusted  the project's: trust"
    )


def test_states_are_those_of_the_status_command_with_what_is_withheld() -> None:
    state = ServerState(
        server="ty", root=".", state="active", pid=7, since_s=3, indexing="ready", languages=("python",)
    )
    withheld = WithheldSetting(key="servers.ty.args", place="groundwire.toml:2", effect="ty is used without it")
    states = ServerStates(
        workspace="/w", files=3, running=1, servers=(state,), withheld=(withheld,), trust_command="groundwire trust"
    )
    assert text("lsp_status", states) == (
        "1 server for 3 files, 1 running (confirmed)\nactive  ty  python  .  ready, for 3 s\n\n"
        "1 value of the project is without effect until it is trusted: groundwire trust"
    )


def test_no_known_language_is_said_only_where_everything_was_looked_at() -> None:
    states = ServerStates(workspace="/w", files=0, running=0, servers=())
    assert text("lsp_status", states).startswith("No file here is in a language that a server is known for")
    assert text("lsp_status", states, Status.PARTIAL, "cut short") == "Servers; not proven: cut short"


def test_a_changed_level_is_told_with_the_old_one() -> None:
    assert "level debug; it was error" in text("set_log_level", LevelChange(old_level="error", level="debug"))


def test_a_server_that_did_not_come_back_is_not_called_restarted_without_doubt() -> None:
    server = RestartedServer(server="ty", root=".", was="active", state="starting", reason="it is still starting")
    assert text("restart_lsp_server", RestartedServers(servers=(server,)), Status.PARTIAL, "ty at .: slow") == (
        "1 server restarted; not proven: ty at .: slow\n  ty at .: was active, is starting: it is still starting"
    )


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (ToldServer(server="ty", root=".", files=2, state="told"), "ty at .: 2 files"),
        (ToldServer(server="ty", root=".", files=0, state="told"), "ty at .: nothing: it takes care of other files"),
        (ToldServer(server="ty", root=".", files=1, state="starting"), "ty at .: 1 file, once it has started"),
        (ToldServer(server="ty", root=".", files=1, state="outdated"), "ty at .: 1 file; it is started anew by the"),
    ],
)
def test_each_server_is_told_in_its_own_way(told: ToldServer, line: str) -> None:
    shown = text("did_change_watched_files", ToldChanges(changes=2, told=(told,)))
    assert shown.startswith(f"2 changes told of (confirmed)\n  {line}")
