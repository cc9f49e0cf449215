"""kill -9 of an agent's process, a hook, the daemon or a language server while an edit is under way.

After each: nothing is left behind, the file is as it was or as it should be, and the next call is right.
``DAEMON_KILLS=200`` for the full number, ``CHAOS_SEED`` for the same ones again.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from typing import Any

import psutil
import pytest

from groundwire.edits.staging import TEMPORARY_PREFIX
from tests.daemon.agents import Agent, text_of
from tests.daemon.conftest import home
from tests.daemon.homes import Home, within
from tests.operations.toy_project import ZOO

__all__ = ["home"]

KILLS = int(os.environ.get("DAEMON_KILLS", "15"))
VICTIMS = ("shim", "hook", "daemon", "server")
ORPHANS_S = 5.0
ANSWER_S = 60.0
FILE = "many.toy"
OTHER_USES = "".join(ZOO.values()).count("use shout")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60 + 15 * KILLS)]


def text_number(number: int) -> str:
    """The file after so many edits: how often it uses the function tells the answers apart."""
    return "def many()\n" + f"    use shout({number})\n" * (1 + number % 3)


class Torment:
    """One agent after the other edits one file, and somebody is killed meanwhile."""

    def __init__(self, home: Home, chance: random.Random) -> None:
        self._home = home
        self._chance = chance
        self._file = home.root / FILE
        self._number = 0
        self.done: dict[str, int] = {}
        self.applied = 0
        self._file.write_text(text_number(0))
        self._agent = self._new_agent()
        self.check_that_the_next_call_is_right()
        self._latest_s = min(self._time_of_an_edit() for _ in range(3))
        """After the edit was asked for: later than that there is nothing left to disturb."""

    def once(self, victim: str) -> None:
        """One edit, and one kill at any moment of it."""
        before, after = text_number(self._number), text_number(self._number + 1)
        hook = self._hook() if victim == "hook" else None
        process = hook.pid if hook is not None else self._process_of(victim)
        call = self._agent.call("apply_edit", file_path=FILE, old_text=before, new_text=after)
        time.sleep(self._chance.random() * self._latest_s)  # the moment is what is tried here
        os.kill(process, signal.SIGKILL)
        self.done[victim] = self.done.get(victim, 0) + 1
        if hook is not None:
            hook.communicate()
        is_applied = False if victim == "shim" else self._is_applied(call)
        if victim == "shim":
            self._agent.kill()
            self._home.agents.remove(self._agent)
            assert within(lambda: (self._home.status() or {"clients": []})["clients"] == [], 10)
            self._agent = self._new_agent()
        self._note_outcome(before, after, is_applied=is_applied)
        self.check_that_nothing_is_left_behind()
        self.check_that_the_next_call_is_right()

    def check_that_nothing_is_left_behind(self) -> None:
        orphans: list[list[str]] = []

        def are_none() -> bool:
            orphans[:] = self._orphans()
            return not orphans

        assert within(are_none, ORPHANS_S), orphans

    def check_that_the_next_call_is_right(self) -> None:
        """Whatever was killed, one call heals it; a server that was killed again and again is forgiven."""
        expected = OTHER_USES + self._file.read_text().count("use shout")
        told = self._agent.answer(self._agent.call("find_references", symbol="shout"), ANSWER_S)
        found = re.match(r"(\d+) references in \d+ files \(confirmed", text_of(told))
        assert found is not None, told
        assert int(found[1]) == expected, told
        restarted = self._agent.answer(self._agent.call("restart_lsp_server"), ANSWER_S)
        assert not restarted["result"].get("isError"), restarted

    def _note_outcome(self, before: str, after: str, *, is_applied: bool) -> None:
        content = self._file.read_text()
        assert content in (before, after), content
        if is_applied:
            assert content == after, "it was said to be applied"
        self.applied += content == after
        self._number += content == after

    def _is_applied(self, call: int) -> bool:
        """What the agent was told; a failure has a kind."""
        result: Any = self._agent.answer(call, ANSWER_S)["result"]
        if result.get("isError"):
            assert result["structuredContent"]["kind"] != "Internal", result
            return False
        assert result["content"][0]["text"].startswith(f"Edited {FILE}"), result
        return True

    def _process_of(self, victim: str) -> int:
        """Found before the edit begins: looking takes longer than an edit."""
        if victim == "shim":
            return self._agent.process.pid
        (found,) = self._home.daemons() if victim == "daemon" else self._home.language_servers()
        return found.pid

    def _time_of_an_edit(self) -> float:
        began = time.monotonic()
        texts = {"old_text": text_number(self._number), "new_text": text_number(self._number + 1)}
        assert self._is_applied(self._agent.call("apply_edit", file_path=FILE, **texts))
        self._number += 1
        return time.monotonic() - began

    def _hook(self) -> "subprocess.Popen[bytes]":
        started = subprocess.Popen(
            [sys.executable, "-m", "groundwire", "hook", "--agent", "claude-code"],
            cwd=self._home.root,
            env=self._home.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        told = {"session_id": "s", "cwd": str(self._home.root), "hook_event_name": "PostToolUse", "tool_name": "Edit"}
        told["tool_input"] = {"file_path": str(self._file)}  # pyright: ignore[reportArgumentType]  JSON
        assert started.stdin is not None
        started.stdin.write(json.dumps(told).encode())
        started.stdin.flush()
        return started

    def _new_agent(self) -> Agent:
        agent = self._home.agent("--profile=full")
        agent.initialize()
        return agent

    def _orphans(self) -> list[list[str]]:
        """What belongs neither to the one daemon nor to the agent."""
        daemons = self._home.daemons()
        heads = [*daemons[:1], psutil.Process(self._agent.process.pid)]
        ours = {*heads, *(child for head in heads for child in _children(head))}
        return [_command(each) for each in self._home.processes() if each not in ours]


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def test_whoever_is_killed_nothing_is_left_behind_no_edit_is_lost_and_the_next_call_is_right(home: Home) -> None:
    seed = int(os.environ.get("CHAOS_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"CHAOS_SEED={seed}")
    chance = random.Random(seed)
    torment = Torment(home, chance)
    victims = [VICTIMS[number % len(VICTIMS)] for number in range(KILLS)]
    chance.shuffle(victims)
    for victim in victims:
        torment.once(victim)
    assert torment.applied
    strays = [path.name for path in home.root.iterdir() if path.name not in (*ZOO, FILE)]
    # What was written under another name by a daemon that was killed just then is nobody's file.
    assert all(name.startswith(TEMPORARY_PREFIX) for name in strays), strays
    assert len(strays) <= torment.done.get("daemon", 0)
    print(torment.done, f"{torment.applied} of {KILLS} edits were applied, {len(strays)} temporary files are left")
