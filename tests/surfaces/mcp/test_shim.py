"""``groundwire mcp`` between an agent and a daemon that may end at any moment."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from groundwire.daemon.greeting import Welcome, dump, read_greeting
from groundwire.daemon.house import furnish
from tests.daemon.agents import HELLO, Agent, text_of
from tests.daemon.conftest import home
from tests.daemon.homes import Home, within
from tests.surfaces.mcp.conversations import ERAS

__all__ = ["home"]

MANY = 1000
STRANGE = b"nonsense " * 40
ROOT = Path(__file__).parents[3]


def greeted(home: Home, *words: str) -> Agent:
    agent = home.agent(*words)
    agent.initialize()
    return agent


def refer(agent: Agent) -> str:
    return agent.use("find_references", symbol="shout")


def reference_to(agent: Agent, file: str = "a.toy") -> int:
    return agent.call("find_references", file_path=file, line=1, column=1, include_declaration=True)


def heard(home: Home, method: str, times: int = 1) -> bool:
    return within(lambda: home.log.count(method) >= times)


def test_one_daemon_is_enough_for_clients_of_every_kind(home: Home) -> None:
    an_agent_that_says_all_at_once_and_closes_its_side_gets_every_answer(home)
    for era in ERAS:
        anyio.run(a_client_of_either_era_is_served_through_it, home, era)
    an_agent_that_closes_its_side_and_reads_nothing_does_not_keep_it(home)
    assert len(home.daemons()) == 1
    a_client_that_does_not_read_disturbs_nobody_and_does_not_keep_the_daemon(home)


async def a_client_of_either_era_is_served_through_it(home: Home, era: str) -> None:
    words = ["-m", "groundwire", "mcp", "--root", str(home.root)]
    server = StdioServerParameters(command=sys.executable, args=words, env=home.environment, cwd=home.directory)
    async with Client(server, mode=era) as client:
        assert "find_references" in [tool.name for tool in (await client.list_tools()).tools]
        answer = await client.call_tool("find_references", {"symbol": "shout"})
        assert "voices.toy" in str(answer.content)
        assert not answer.is_error


def an_agent_that_says_all_at_once_and_closes_its_side_gets_every_answer(home: Home) -> None:
    agent = home.agent()
    first = agent.request("initialize", **HELLO)
    agent.send(method="notifications/initialized")
    second, third = agent.call("find_references", symbol="shout"), agent.request("tools/list")
    agent.close_input()
    answers = {each["id"]: each for each in agent.rest() if "id" in each}
    assert answers.keys() == {first, second, third}
    assert "voices.toy" in text_of(answers[second])
    assert agent.process.wait(10) == 0


def test_agents_outlive_daemons_and_share_one_language_server_and_a_skill_and_its_phase_end_with_the_agent(
    home: Home,
) -> None:
    agents = [greeted(home), greeted(home, "--profile=full"), greeted(home, "--profile=full")]
    _, agent, other = agents
    before = (home.root / "lonely.toy").read_text()
    edit = {"file_path": "lonely.toy", "old_text": "nobody", "new_text": "somebody"}
    assert all("voices.toy" in refer(each) for each in agents)
    assert len(home.language_servers()) == 1
    agent.use("activate_skill", skill_name="lsp-safe-edit", mode="block")
    (first,) = home.daemons()
    first.kill()
    assert "setup" in agent.use("get_skill_phase")  # what only reads is asked again of the next daemon
    assert all("voices.toy" in refer(each) for each in agents)
    (second,) = home.daemons()
    assert "PhaseViolation" in agent.use("apply_edit", **edit)
    assert "No skill is active" in other.use("get_skill_phase")
    agent.use("preview_edit", **edit)
    assert home.stop()
    assert "speculative_preview" in agent.use("get_skill_phase")
    assert all("voices.toy" in refer(each) for each in agents)
    (third,) = home.daemons()
    assert len({first.pid, second.pid, third.pid}) == 3
    assert len(home.language_servers()) == 1
    assert not [told for each in agents for told in each.told if "error" in told]
    assert (home.root / "lonely.toy").read_text() == before
    agent.use("apply_edit", **edit)  # the step before it was made, with another daemon
    assert "somebody" in (home.root / "lonely.toy").read_text()
    kept = list(Path(home.house.directory).rglob("phases/*.json"))
    assert len(kept) == 1
    assert [each.leave() for each in agents] == [0, 0, 0]
    assert within(lambda: not kept[0].exists())


def test_a_daemon_that_is_killed_while_it_reads_is_asked_again_and_one_that_wrote_is_not(home: Home) -> None:
    home.configure(server="mute_in_its_first_life")
    home.fill(home.root, {"a.toy": "fish\nfish\n"})
    agent, writer = greeted(home), greeted(home)
    reading = reference_to(agent)
    assert heard(home, "textDocument/references")
    writing = writer.call("apply_edit", file_path="a.toy", old_text="fish\nfish", new_text="bird\nbird")
    assert heard(home, "textDocument/diagnostic")
    (daemon,) = home.daemons()
    daemon.kill()
    assert "2 references" in text_of(agent.answer(reading))
    told = writer.answer(writing)["result"]
    assert told["isError"]
    assert told["structuredContent"]["kind"] == "SessionDead"
    assert "Look at the files" in told["structuredContent"]["hint"]
    assert (home.root / "a.toy").read_text() == "fish\nfish\n"
    again = writer.use("apply_edit", file_path="a.toy", old_text="fish\nfish", new_text="bird\nbird")
    assert (home.root / "a.toy").read_text() == "bird\nbird\n", again


def test_an_answer_that_was_cut_off_in_the_middle_never_reaches_the_agent(home: Home) -> None:
    furnish(home.house)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as daemon:
        daemon.bind(home.house.socket)
        daemon.listen()
        daemon.settimeout(20)
        agent = home.agent()
        request = agent.request("tools/list")
        whole = json.dumps({"jsonrpc": "2.0", "id": request, "result": {"tools": []}}).encode()
        for said in (whole[:-5], whole + b"\n"):
            reached, _ = daemon.accept()
            with reached, reached.makefile("rb") as heard_by_it:
                assert read_greeting(heard_by_it.readline()).conversation == "mcp"
                reached.sendall(dump(Welcome(is_welcome=True)))
                assert json.loads(heard_by_it.readline())["id"] == request
                reached.sendall(said)
                if said == whole + b"\n":
                    assert agent.hear()["result"] == {"tools": []}
    agent.kill()


def test_an_agent_that_is_killed_takes_its_questions_with_it_and_disturbs_nobody(home: Home) -> None:
    home.configure(server="never_answers")
    home.fill(home.root, {"a.toy": "fish\nwrong\n"})
    victim, other = greeted(home), greeted(home)
    reference_to(victim)
    assert heard(home, "textDocument/references")
    waiting = reference_to(other)
    assert heard(home, "textDocument/references", 2)
    victim.kill()
    assert heard(home, "$/cancelRequest")
    assert "a.toy" in other.use("get_diagnostics", file_path="a.toy")
    assert home.log.count("$/cancelRequest") == 1
    other.send(method="notifications/cancelled", params={"requestId": waiting})
    assert heard(home, "$/cancelRequest", 2)
    assert len(home.daemons()) == 1


def a_client_that_does_not_read_disturbs_nobody_and_does_not_keep_the_daemon(home: Home) -> None:
    link = home.meet("mcp", options={"profile": "full"})
    with link.socket as deaf:
        deaf.settimeout(5)
        hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
        lines: list[Any] = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}]
        lines += [{"jsonrpc": "2.0", "id": number, "method": "tools/list"} for number in range(1, 200)]
        deaf.sendall(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        agent = greeted(home)
        assert "voices.toy" in refer(agent)
        began = time.monotonic()
        assert home.stop()
        assert time.monotonic() - began < 10


def test_a_thousand_requests_before_anything_is_read_are_all_answered(home: Home) -> None:
    agent = home.agent(reads=False)
    first = agent.request("initialize", **HELLO)
    agent.send(method="notifications/initialized")
    requests = [agent.request("ping" if number % 10 else "tools/list") for number in range(MANY)]
    agent.read()
    answers = [agent.hear(50) for _ in range(MANY + 1)]
    assert {answer["id"] for answer in answers} == {first, *requests}
    assert all("result" in answer for answer in answers)
    assert agent.leave() == 0


def test_much_that_is_said_before_there_is_a_daemon_and_answered_at_once_blocks_nobody(home: Home) -> None:
    agent = home.agent(reads=False)
    for _ in range(3 * MANY):
        agent.send_line(STRANGE)
    agent.read()
    assert all(agent.hear(50)["error"]["code"] == -32700 for _ in range(3 * MANY))
    assert agent.leave() == 0


def an_agent_that_closes_its_side_and_reads_nothing_does_not_keep_it(home: Home) -> None:
    agent = home.agent(reads=False)
    agent.request("initialize", **HELLO)
    agent.send(method="notifications/initialized")
    for _ in range(50):
        agent.request("tools/list")
    assert agent.leave(40) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_at_once(home: Home, number: signal.Signals) -> None:
    agent = home.agent()
    agent.initialize()
    agent.process.send_signal(number)
    assert agent.process.wait(5) == -number


def test_what_it_says_first_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "scripts/generate-greetings"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_but_little_of_the_standard_library_is_loaded() -> None:
    heavy = ("asyncio", "pathlib", "subprocess", "mcp", "msgspec", "pydantic", "psutil", "argparse", "hashlib")
    code = f"import sys, groundwire.surfaces.mcp.shim_command; print(set({heavy!r}) & set(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True, timeout=50, check=True
    )
    assert done.stdout == "set()\n"
