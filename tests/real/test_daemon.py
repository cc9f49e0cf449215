"""Two agents in two terminals on one project share one set of language servers."""

from pathlib import Path

import psutil
import pytest

from tests.daemon.conftest import home
from tests.daemon.homes import Home, within
from tests.real.installed import environment_of

__all__ = ["home"]

pytestmark = pytest.mark.timeout(240)

PYTHON = {"ty.toml": "", "a.py": "def hello() -> int:\n    return 1\n\n\nhello()\n"}
GO = {
    "go.mod": "module example.com/hello\n\ngo 1.21\n",
    "main.go": "package main\n\nfunc hello() int { return 1 }\n\nfunc main() { println(hello()) }\n",
}


@pytest.mark.parametrize(
    ("server", "files", "used_in"),
    [
        pytest.param("ty", PYTHON, "a.py", marks=pytest.mark.real("ty")),
        pytest.param("gopls", GO, "main.go", marks=pytest.mark.real("gopls")),
    ],
)
def test_two_agents_share_one_language_server(home: Home, server: str, files: dict[str, str], used_in: str) -> None:
    home.environment["PATH"] = environment_of(server)["PATH"]
    home.config_file.unlink()
    project = home.fill(home.directory / "real", files).resolve()
    agents = [home.agent(root=project) for _ in range(2)]
    for agent in agents:
        agent.initialize()
    calls = [(agent, agent.call("find_references", symbol="hello")) for agent in agents]
    for agent, call in calls:
        assert used_in in str(agent.answer(call, 100))
    (daemon,) = home.daemons()
    servers = [each for each in daemon.children() if Path(each.name()).stem == server]
    assert len(servers) == 1, [each.cmdline() for each in daemon.children()]
    assert [agent.leave() for agent in agents] == [0, 0]
    assert servers[0].is_running()
    assert home.stop(project)
    assert within(lambda: not servers[0].is_running() or servers[0].status() == psutil.STATUS_ZOMBIE, 5)
