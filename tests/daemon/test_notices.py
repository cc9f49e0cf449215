"""Two agents of one daemon: each is told what it wants to know, in the way of its own connection."""

import json
from typing import Any

import psutil

from tests.daemon.agents import Agent
from tests.daemon.homes import Home, within


def _notices(agent: Agent) -> list[dict[str, Any]]:
    """All log messages so far; an answered question brings along what was said before it."""
    agent.ask("ping")
    return [each["params"]["data"] for each in agent.told if each.get("method") == "notifications/message"]


def _updates(agent: Agent) -> list[str]:
    agent.ask("ping")
    return [each["params"]["uri"] for each in agent.told if each.get("method") == "notifications/resources/updated"]


def _connected(home: Home) -> Agent:
    agent = home.agent()
    assert agent.initialize()["capabilities"]["logging"] == {}
    return agent


def test_each_agent_is_told_what_it_asked_for_and_no_other(home: Home):
    logs, watches, neither = _connected(home), _connected(home), _connected(home)
    assert logs.ask("logging/setLevel", level="info")["result"] == {}
    assert watches.ask("resources/subscribe", uri="lsp-diagnostics:///lonely.toy")["result"] == {}
    neither.use("get_diagnostics", file_path="lonely.toy")
    assert within(lambda: "workspace_ready" in [each["type"] for each in _notices(logs)])
    for number in range(20):
        (home.root / "lonely.toy").write_text("def nobody()\n" + "    wrong\n" * (number + 1))
    assert within(lambda: "diagnostic_regression" in [each["type"] for each in _notices(logs)])
    assert within(lambda: _updates(watches))
    assert within(lambda: "stale_references" in [each["type"] for each in _notices(logs)])
    (rise,) = [each for each in _notices(logs) if each["type"] == "diagnostic_regression"]
    assert (rise["file"], rise["errors"], rise["delta"]) == ("lonely.toy", 20, 20)
    assert _updates(watches) == ["lsp-diagnostics:///lonely.toy"]
    assert _notices(watches) == _notices(neither) == []
    assert _updates(logs) == _updates(neither) == []


def test_an_agent_that_has_gone_leaves_the_others_what_they_want(home: Home):
    stays, goes = _connected(home), _connected(home)
    for agent in (stays, goes):
        agent.ask("logging/setLevel", level="error")
        agent.ask("resources/subscribe", uri="groundwire://status")
    goes.kill()
    stays.use("get_diagnostics", file_path="lonely.toy")
    (server,) = home.language_servers()
    psutil.Process(server.pid).kill()
    assert within(lambda: _notices(stays))
    (crash,) = _notices(stays)
    assert (crash["type"], crash["status"], crash["server"]) == ("process_health", "crashed", "well_read")
    assert json.dumps(crash["root"]) == json.dumps(str(home.root))
    assert within(lambda: _updates(stays))


def test_an_agent_that_never_reads_holds_nobody_up(home: Home):
    reads, deaf = _connected(home), home.agent(reads=False)
    deaf.send(id=1, method="initialize", params={"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}})
    deaf.send(method="notifications/initialized")
    deaf.request("logging/setLevel", level="debug")
    reads.ask("logging/setLevel", level="info")
    reads.use("get_diagnostics", file_path="lonely.toy")
    assert within(lambda: "workspace_ready" in [each["type"] for each in _notices(reads)])
