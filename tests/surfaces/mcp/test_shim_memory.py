"""What the shim remembers, whatever happens in whatever order: no request is lost, none is answered twice, none is put
twice to the same daemon.
"""

import json
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from groundwire.errors import DaemonUnavailable
from groundwire.surfaces.mcp.shim_memory import Memory, read_greetings

URIS = ("file:///a", "file:///b")
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
CALL = {"name": "find_symbol", "arguments": {"query": "it"}}


def line_of(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


class Daemon:
    """What one daemon has heard."""

    def __init__(self) -> None:
        self.methods: list[str] = []
        self.seen: set[object] = set()
        self.pending: dict[object, str] = {}
        self.subscribed: set[str] = set()

    def hear(self, line: bytes) -> None:
        message = json.loads(line)
        self.methods.append(message["method"])
        if "id" in message:
            assert message["id"] not in self.seen, "asked twice"
            self.seen.add(message["id"])
            self.pending[message["id"]] = message["method"]
        if message["method"] == "notifications/cancelled":
            self.pending.pop(message["params"]["requestId"], None)
        uri = message.get("params", {}).get("uri")
        if message["method"] == "resources/subscribe":
            self.subscribed.add(uri)
        elif message["method"] == "resources/unsubscribe":
            self.subscribed.discard(uri)


class Conversation(RuleBasedStateMachine):
    """A client, the memory, and daemons that come and die."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory("core", read_greetings())
        self.daemon: Daemon | None = None
        self.last = 0
        self.has_greeted = False
        self.asked: set[int] = set()
        self.answered: set[object] = set()
        self.cancelled: set[int] = set()
        self.seen_before: set[object] = set()
        """By daemons that have died, or lost on the way to one."""
        self.subscribed: set[str] = set()
        self.doubtful: set[str] = set()
        """The client was told that something went wrong with these."""

    @precondition(lambda self: not self.has_greeted)
    @rule()
    def greet(self) -> None:
        self.has_greeted = True
        self._ask("initialize", HELLO)
        self._say(line_of(method="notifications/initialized"))

    @precondition(lambda self: self.has_greeted)
    @rule(method=st.sampled_from(["tools/call", "ping", "tools/list"]), is_lost=st.booleans())
    def ask(self, method: str, *, is_lost: bool) -> None:
        self._ask(method, CALL if method == "tools/call" else {}, is_lost=is_lost)

    @precondition(lambda self: self.has_greeted)
    @rule(uri=st.sampled_from(URIS), on=st.booleans())
    def subscribe(self, uri: str, *, on: bool) -> None:
        self._ask("resources/subscribe" if on else "resources/unsubscribe", {"uri": uri})
        self.subscribed = self.subscribed | {uri} if on else self.subscribed - {uri}

    @precondition(lambda self: bool(self._open()))
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        request = data.draw(st.sampled_from(sorted(self._open())))
        self.cancelled.add(request)
        self._say(line_of(method="notifications/cancelled", params={"requestId": request}))

    @precondition(lambda self: self.daemon is None)
    @rule()
    def connect(self) -> None:
        repeated = self.memory.begin_again()
        still_open = self.asked - self.answered - self.cancelled
        assert set(repeated) == {each for each in self.seen_before if each in still_open}
        for line in self.memory.fatal():
            self._receive(line)
        self.daemon = Daemon()
        for line in self.memory.to_be_told():
            self.daemon.hear(line)
        if self.has_greeted:
            assert self.daemon.methods[:2] == ["initialize", "notifications/initialized"]
        assert self.daemon.methods.count("initialize") == self.has_greeted
        assert self.daemon.subscribed - self.doubtful == self.subscribed - self.doubtful

    @precondition(lambda self: self.daemon is not None and self.daemon.pending)
    @rule(data=st.data(), fails=st.booleans(), is_spaced=st.booleans())
    def answer(self, data: st.DataObject, *, fails: bool, is_spaced: bool) -> None:
        assert self.daemon is not None
        request = data.draw(st.sampled_from(sorted(self.daemon.pending, key=str)))
        del self.daemon.pending[request]
        outcome: dict[str, Any] = {"error": {"code": 1, "message": "no"}} if fails else {"result": {}}
        separators = (" , ", " : ") if is_spaced else (",", ":")
        line = json.dumps({"jsonrpc": "2.0", "id": request, **outcome}, separators=separators).encode()
        if self.memory.answered(line):
            self._receive(line)

    @precondition(lambda self: self.daemon is not None)
    @rule()
    def tell(self) -> None:
        assert self.memory.answered(line_of(method="notifications/message", params={"id": 1, "result": 2}))

    @precondition(lambda self: self.daemon is not None)
    @rule()
    def die(self) -> None:
        assert self.daemon is not None
        self.seen_before |= self.daemon.seen
        self.daemon = None
        self.memory.begin_again()

    @precondition(lambda self: self.daemon is None)
    @rule()
    def give_up(self) -> None:
        self.doubtful |= set(URIS)
        for line in self.memory.given_up(DaemonUnavailable("there is none")):
            self._receive(line)

    @invariant()
    def it_waits_as_long_as_the_client_does(self) -> None:
        assert self.memory.is_waiting == bool(self.asked - self.answered - self.cancelled)

    def teardown(self) -> None:
        if self.daemon is None:
            self.connect()
        assert self.daemon is not None
        for request in list(self.daemon.pending):
            line = line_of(id=request, result={})
            if self.memory.answered(line):
                self._receive(line)
        assert self.asked - self.cancelled <= self.answered
        assert not self.memory.is_waiting

    def _open(self) -> set[int]:
        """Calls, which can be cancelled: what was asked about subscriptions is not."""
        pending = self.daemon.pending if self.daemon is not None else {}
        return {each for each in self.asked - self.answered - self.cancelled if pending.get(each) == "tools/call"}

    def _ask(self, method: str, params: Any, *, is_lost: bool = False) -> None:
        self.last += 1
        self.asked.add(self.last)
        self._say(line_of(id=self.last, method=method, params=params), is_lost=is_lost)

    def _say(self, line: bytes, *, is_lost: bool = False) -> None:
        answer = self.memory.heard(line)
        if answer:
            self._receive(answer)
        if self.daemon is not None and not is_lost:
            self.daemon.hear(line)
        elif self.daemon is not None:
            self.seen_before.add(json.loads(line)["id"])
            self.die()

    def _receive(self, line: bytes) -> None:
        request = json.loads(line)["id"]
        assert request in self.asked, f"{request!r} is not the client's"
        assert request not in self.answered, f"{request} is answered twice"
        self.answered.add(request)


TestConversation = Conversation.TestCase


def connected() -> Memory:
    memory = Memory("core", read_greetings())
    memory.begin_again()
    memory.to_be_told()
    return memory


def test_a_call_that_three_daemons_did_not_survive_is_not_tried_again() -> None:
    memory = connected()
    memory.heard(line_of(id=1, method="tools/call", params=CALL))
    memory.heard(line_of(id=2, method="ping"))
    for _ in range(2):
        memory.begin_again()
        assert memory.fatal() == []
        assert len(memory.to_be_told()) == 2
    memory.begin_again()
    (answer,) = map(json.loads, memory.fatal())
    assert (answer["id"], answer["result"]["structuredContent"]["kind"]) == (1, "SessionDead")
    assert [json.loads(line)["method"] for line in memory.to_be_told()] == ["ping"]


def test_a_call_that_nobody_answers_for_is_told_why_and_what_to_do() -> None:
    memory = Memory("core", read_greetings())
    memory.heard(line_of(id="a", method="tools/call", params=CALL))
    memory.heard(line_of(id="b", method="tools/list"))
    call, listing = map(json.loads, memory.given_up(DaemonUnavailable("there is none", hint="Wait.")))
    assert call["result"]["isError"]
    assert call["result"]["content"][0]["text"] == "there is none. Wait."
    assert listing["error"]["data"]["hint"] == "Wait."
    assert not memory.is_waiting


def test_what_is_said_while_nobody_listens_is_said_later_in_its_order() -> None:
    memory = Memory("core", read_greetings())
    lines = [line_of(method="notifications/progress", params={"n": number}) for number in range(3)]
    for line in (*lines, b"nonsense"):
        assert memory.heard(line) == b""
    assert memory.to_be_told() == [*lines, b"nonsense"]
    memory.begin_again()
    assert memory.to_be_told() == []


def test_a_level_is_set_anew_at_another_daemon_and_the_client_does_not_hear_of_it() -> None:
    memory = connected()
    memory.heard(line_of(id=1, method="logging/setLevel", params={"level": "debug"}))
    assert memory.answered(line_of(id=1, result={}))
    memory.begin_again()
    (again,) = map(json.loads, memory.to_be_told())
    assert (again["method"], again["params"]) == ("logging/setLevel", {"level": "debug"})
    assert not memory.answered(line_of(id=again["id"], result={}))


@pytest.mark.parametrize("wanted", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01", None])
def test_initialize_is_answered_with_the_version_that_is_wanted_if_it_is_known(wanted: str | None) -> None:
    known: Any = read_greetings()
    answer = json.loads(
        Memory("core", known).heard(line_of(id=7, method="initialize", params={"protocolVersion": wanted}))
    )
    expected = wanted if wanted in known["versions"] else known["versions"][-1]
    assert (answer["id"], answer["result"]["protocolVersion"]) == (7, expected)


@pytest.mark.parametrize(
    "line", [b"", b"[]", b"nonsense", b"\xff", b'{"id": 1.5}', b'{"id": true, "method": "x"}', b"[" * 99_999]
)
def test_what_is_no_message_is_left_to_the_daemon(line: bytes) -> None:
    memory = connected()
    assert memory.heard(line) == b""
    assert memory.answered(line)
    assert not memory.is_waiting
