"""What stands before every route: names, origins, tokens, bodies, and what every answer says."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from starlette.types import Message, Receive, Scope, Send

from groundwire.surfaces.http.app import is_for_mcp, is_public
from groundwire.surfaces.http.guard import IS_AUTHENTICATED, IS_ENDLESS, Guard
from groundwire.surfaces.http.settings import ServeSettings

pytestmark = pytest.mark.anyio

TOKEN = "0123456789abcdef"
SETTINGS = ServeSettings(roots=(Path("/"),), port=8080, token=TOKEN, environment={})
GOOD = {"authorization": f"Bearer {TOKEN}", "host": "127.0.0.1:8080"}


class Answered(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def kind(self) -> str:
        return json.loads(self.body)["error"]["kind"]


class Behind:
    """What the guard guards: says what it got, or does as it was told."""

    def __init__(self, fails: BaseException | None = None, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self.scope: Scope = {}
        self.body = b""
        self._fails = fails
        self._headers = list(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        if scope["type"] != "http":
            return
        message = await receive() if scope["method"] in {"POST", "PUT"} else {"body": b""}
        self.body = message["body"]
        if self._fails is not None:
            raise self._fails
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})
        await send({"type": "http.response.body", "body": b"fine"})


def scope_of(method: str, path: str, headers: Iterable[tuple[str, str]], query: str = "") -> Scope:
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 1),
    }


async def ask(
    guard: Guard,
    method: str = "GET",
    path: str = "/status",
    headers: Mapping[str, str] = GOOD,
    query: str = "",
    pieces: Iterable[bytes] = (b"",),
    more: Iterable[tuple[str, str]] = (),
) -> Answered:
    """One request, its body in these pieces; after ``...`` more would come, and never does."""
    left = list(pieces)
    sent: list[Message] = []

    async def receive() -> Message:
        if not left:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or b"..." in pieces}

    async def send(message: Message) -> None:
        sent.append(message)

    await guard(scope_of(method, path, [*headers.items(), *more], query), receive, send)
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answered(sent[0]["status"], told, b"".join(message.get("body", b"") for message in sent[1:]))


def guard_of(behind: Behind, **changes: object) -> Guard:
    return Guard(behind, replace(SETTINGS, **changes), is_public)  # pyright: ignore[reportArgumentType]  fields of it


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer \xff"],
)
async def test_without_the_right_token_nothing_is_told(header: str) -> None:
    behind = Behind()
    answered = await ask(guard_of(behind), headers={**GOOD, "authorization": header})
    assert (answered.status, answered.kind) == (401, "Unauthorized")
    assert answered.headers["www-authenticate"] == "Bearer"
    assert not behind.scope
    assert TOKEN.encode() not in answered.body


@pytest.mark.parametrize("query", [f"token={TOKEN}", f"access_token={TOKEN}", f"a=b&Access%5FToken={TOKEN}", "token"])
@pytest.mark.parametrize("has_header", [True, False])
async def test_a_token_in_the_address_is_refused_whatever_else_is_there(query: str, has_header: bool) -> None:
    headers = GOOD if has_header else {"host": "127.0.0.1:8080"}
    assert (await ask(guard_of(Behind()), headers=headers, query=query)).status == 401


async def test_after_many_failures_the_next_is_told_when_to_come_back() -> None:
    guard = guard_of(Behind(), failures=2)
    wrong = {**GOOD, "authorization": "Bearer wrong"}
    answered = [await ask(guard, headers=wrong) for _ in range(3)]
    assert [each.status for each in answered] == [401, 401, 429]
    assert 1 <= int(answered[-1].headers["retry-after"]) <= 60
    assert (await ask(guard)).status == 200


async def test_those_behind_it_learn_whether_the_token_was_given() -> None:
    behind = Behind()
    await ask(guard_of(behind))
    assert behind.scope[IS_AUTHENTICATED] is True
    open_guard = guard_of(behind, is_open=True)
    await ask(open_guard, headers={"host": "127.0.0.1:8080"})
    assert behind.scope[IS_AUTHENTICATED] is False
    await ask(open_guard)
    assert behind.scope[IS_AUTHENTICATED] is True


async def test_an_open_front_without_a_token_takes_none_for_it() -> None:
    guard = guard_of(Behind(), is_open=True, token="")
    for header in ("Bearer ", "Bearer", "Bearer x"):
        assert (await ask(guard, headers={**GOOD, "authorization": header})).status == 401


@pytest.mark.parametrize("path", ["/health", "/ready", "/"])
async def test_probes_and_the_page_need_no_token_but_the_right_name(path: str) -> None:
    guard = guard_of(Behind())
    assert (await ask(guard, path=path, headers={"host": "localhost:8080"})).status == 200
    assert (await ask(guard, path=path, headers={"host": "evil.example"})).status == 421
    assert (await ask(guard, "POST", path=path, headers={"host": "localhost:8080"})).status == 401


async def test_events_at_the_address_of_the_page_need_the_token() -> None:
    headers = {"host": "localhost:8080", "accept": "text/html, Text/Event-Stream"}
    assert (await ask(guard_of(Behind()), path="/", headers=headers)).status == 401


@pytest.mark.parametrize(
    "path", ["//health", "/health/", "/page/../status", "/Health", "/page/", "/page/x.js", "/%68ealth"]
)
async def test_what_only_looks_open_is_not(path: str) -> None:
    assert (await ask(guard_of(Behind()), path=path, headers={"host": "localhost:8080"})).status == 401


@pytest.mark.parametrize("name", ["host", "origin", "authorization", "content-length"])
async def test_what_may_be_said_once_is_refused_when_it_is_said_twice(name: str) -> None:
    assert (await ask(guard_of(Behind()), more=[(name, "1"), (name, "1")])).status == 400
    assert (await ask(guard_of(Behind()), more=[("x", "1"), ("x", "2")])).status == 200


async def test_every_answer_says_what_browsers_must_not_do_with_it() -> None:
    for answered in (await ask(guard_of(Behind())), await ask(guard_of(Behind()), headers={"host": "evil.example"})):
        assert answered.headers["x-content-type-options"] == "nosniff"
        assert answered.headers["cache-control"] == "no-store"
        assert answered.headers["referrer-policy"] == "no-referrer"
        assert answered.headers["x-frame-options"] == "DENY"
        assert answered.headers["content-security-policy"].startswith("default-src 'none'")
        assert "set-cookie" not in answered.headers


async def test_what_a_route_says_itself_is_not_said_twice() -> None:
    behind = Behind(headers=[(b"Content-Security-Policy", b"own")])
    answered = await ask(guard_of(behind))
    assert answered.headers["Content-Security-Policy"] == "own"
    assert "content-security-policy" not in answered.headers


async def test_a_body_is_handed_on_whole() -> None:
    behind = Behind()
    headers = {**GOOD, "content-length": "6"}
    assert (await ask(guard_of(behind), "POST", "/mcp", headers, pieces=[b"ab", b"cd", b"ef"])).status == 200
    assert behind.body == b"abcdef"


@pytest.mark.parametrize("length", ["101", "-1", "+5", "1e3", "9" * 5000, "", "0x10"])
async def test_a_body_that_says_it_is_too_large_is_not_even_read(length: str) -> None:
    headers = {**GOOD, "content-length": length}
    assert (await ask(guard_of(Behind(), body_bytes=100), "POST", "/mcp", headers, pieces=[])).status == 413


async def test_a_body_that_does_not_say_its_size_is_refused_when_it_becomes_too_large() -> None:
    headers = {**GOOD, "transfer-encoding": "chunked"}
    pieces = [b"x" * 60, b"x" * 60, b"..."]
    answered = await ask(guard_of(Behind(), body_bytes=100), "POST", "/mcp", headers, pieces=pieces)
    assert (answered.status, answered.kind) == (413, "MessageTooLarge")


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    headers = {**GOOD, "content-length": "10", "expect": "100-continue"}
    answered = await ask(guard_of(Behind(), body_s=0.05), "POST", "/mcp", headers, pieces=[])
    assert (answered.status, answered.headers["connection"]) == (408, "close")


async def test_all_bodies_together_have_a_limit_that_is_free_again_afterwards() -> None:
    guard = guard_of(Behind(), bodies_bytes=100)
    small = {**GOOD, "content-length": "50"}
    held = asyncio.ensure_future(
        ask(guard, "POST", "/mcp", {**GOOD, "content-length": "90"}, pieces=[b"x" * 60, b"..."])
    )
    await asyncio.sleep(0)  # it has as much as there is, and waits for more
    answered = await ask(guard, "POST", "/mcp", small, pieces=[b"x" * 50])
    assert (answered.status, answered.headers["retry-after"]) == (503, "1")
    held.cancel()
    await asyncio.wait([held], timeout=5)
    for _ in range(5):
        assert (await ask(guard, "POST", "/mcp", small, pieces=[b"x" * 50])).status == 200


async def test_a_failure_behind_it_is_told_without_its_details() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    guard = guard_of(Behind(fails=ZeroDivisionError("secret")))
    with pytest.raises(ZeroDivisionError):
        await guard(scope_of("GET", "/status", GOOD.items()), receive, send)
    assert sent[0]["status"] == 500
    assert b"secret" not in sent[1]["body"]
    assert json.loads(sent[1]["body"])["error"]["kind"] == "Internal"


class Streams:
    """Events without end; marked as such, or seen from what they are."""

    def __init__(self, content_type: bytes, *, is_marked: bool = False) -> None:
        self._content_type = content_type
        self._is_marked = is_marked
        self.began = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._is_marked:
            scope[IS_ENDLESS] = True
        headers = [(b"content-type", self._content_type)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        self.began.set()
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("method", "is_marked", "ends"), [("GET", False, True), ("POST", True, True), ("POST", False, False)]
)
async def test_when_the_front_ends_streams_without_end_do_so_at_once(method: str, is_marked: bool, ends: bool) -> None:
    streams = Streams(b"text/event-stream; charset=utf-8", is_marked=is_marked)
    guard = Guard(streams, SETTINGS, is_public)
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return await asyncio.Future()

    running = asyncio.ensure_future(guard(scope_of(method, "/events", GOOD.items()), receive, send))
    await asyncio.wait_for(streams.began.wait(), 5)
    guard.begin_to_end()
    done, _ = await asyncio.wait([running], timeout=5 if ends else 0.05)
    assert bool(done) is ends
    if ends:
        assert sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
    running.cancel()
    await asyncio.wait([running], timeout=5)


async def test_a_request_that_is_cut_because_the_front_ends_is_told_so() -> None:
    guard = guard_of(Behind(fails=asyncio.CancelledError()))
    guard.begin_to_end()
    assert (await ask(guard)).status == 503


@pytest.mark.parametrize(
    ("method", "path", "accept", "is_mcp"),
    [
        ("POST", "/mcp", "", True),
        ("GET", "/mcp", "", True),
        ("OPTIONS", "/mcp", "", True),
        ("POST", "/", "", True),
        ("DELETE", "/", "", True),
        ("GET", "/", "text/event-stream", True),
        ("GET", "/", "text/html", False),
        ("HEAD", "/", "text/event-stream", False),
        ("PUT", "/", "", False),
        ("POST", "/mcp/", "", False),
    ],
)
def test_at_its_root_mcp_and_the_page_are_told_apart(method: str, path: str, accept: str, is_mcp: bool) -> None:
    assert is_for_mcp(scope_of(method, path, [("accept", accept)])) is is_mcp
