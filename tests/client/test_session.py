"""The life of one server: it starts, or nothing is left of it; it ends once, however often it is asked to."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from groundwire.client.connection import Limits
from groundwire.client.session import Session
from groundwire.errors import GroundwireError, RequestTimeout, ServerError, ServerUnavailable, SessionDead, Wire
from groundwire.transport.base import Transport
from groundwire.transport.memory import memory_pair
from tests.fakes.server import FakeServer, running_session, session_and_server, toy_options

pytestmark = pytest.mark.anyio


async def never(_: object) -> None:
    await asyncio.get_running_loop().create_future()


def refuse(_: object) -> object:
    raise ServerError(-32603, "my cache is broken")


async def failure_of(work: Awaitable[object]) -> GroundwireError:
    with pytest.raises(GroundwireError) as caught:
        await work
    return caught.value


async def test_a_session_is_ready_after_the_handshake_and_dead_after_the_stop(tmp_path: Path):
    session, server = session_and_server(toy_options(tmp_path))
    assert session.life == "starting"
    await session.start()
    assert session.life == "ready"
    assert session.state.server_name == "fake"
    assert session.state.server_version == "1"
    await session.stop()
    assert session.life == "dead"
    assert server.methods == ["initialize", "initialized", "shutdown", "exit"]
    await server.connection.close()


async def test_the_handshake_tells_who_we_are_and_where_the_project_is(tmp_path: Path):
    project = tmp_path / "my project"
    options = toy_options(project, initialization_options={"cache": False}, experimental={"status": True})
    async with running_session(options) as (_, server):
        params = server.all("initialize")[0]
    assert params["processId"] == os.getpid()
    assert params["rootUri"] == project.as_uri()
    assert params["rootPath"] == str(project)
    assert params["workspaceFolders"] == [{"uri": project.as_uri(), "name": "my project"}]
    assert params["initializationOptions"] == {"cache": False}
    assert params["capabilities"]["general"]["positionEncodings"] == ["utf-8", "utf-16", "utf-32"]
    assert params["capabilities"]["experimental"] == {"status": True}
    assert params["capabilities"]["workspace"]["configuration"] is True
    assert params["capabilities"]["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] is True
    assert params["capabilities"]["textDocument"]["diagnostic"]["dynamicRegistration"] is True
    assert params["capabilities"]["textDocument"]["publishDiagnostics"]["versionSupport"] is True


async def test_nothing_that_is_not_set_is_sent(tmp_path: Path):
    async with running_session(toy_options(tmp_path)) as (_, server):
        params = server.all("initialize")[0]
        assert "initializationOptions" not in params
        assert "experimental" not in params["capabilities"]
        assert server.methods == ["initialize", "initialized"]


async def test_settings_are_told_once_the_server_is_initialized(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settings={"toy": {"strict": True}})) as (_, server):
        told = await server.until_heard("workspace/didChangeConfiguration")
        assert told == {"settings": {"toy": {"strict": True}}}
        assert server.methods == ["initialize", "initialized", "workspace/didChangeConfiguration"]


async def test_the_encoding_the_server_chose_is_used(tmp_path: Path):
    async with running_session(toy_options(tmp_path), capabilities={"positionEncoding": "utf-8"}) as (session, _):
        assert session.state.capabilities.position_encoding == "utf-8"
    async with running_session(toy_options(tmp_path)) as (session, _):
        assert session.state.capabilities.position_encoding == "utf-16"


async def test_shutdown_and_exit_carry_no_params(tmp_path: Path):
    ours, theirs = memory_pair()
    sent: list[bytes] = []
    server = FakeServer(theirs, {}, {})
    send = ours.send

    def record(data: bytes) -> int:
        sent.append(data)
        return send(data)

    ours.send = record
    session = Session(toy_options(tmp_path), _returning(ours))
    await session.start()
    await session.stop()
    goodbye = b"".join(sent[-2:])
    assert b'"method":"shutdown"' in goodbye
    assert b'"method":"exit"' in goodbye
    assert b"params" not in goodbye
    await server.connection.close()


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (refuse, ServerError, "my cache is broken"),
        (never, RequestTimeout, "initialize was not answered"),
        (None, Wire, "initialize"),
        ({"capabilities": 7}, Wire, "initialize"),
    ],
)
async def test_a_handshake_that_fails_is_typed_and_leaves_nothing_running(
    tmp_path: Path, answer: object, error: type[GroundwireError], words: str
):
    tasks = asyncio.all_tasks()
    session, server = session_and_server(toy_options(tmp_path, start_timeout=5.0), {"initialize": answer})
    failure = await failure_of(session.start())
    assert isinstance(failure, error)
    assert words in failure.message
    assert session.life == "dead"
    assert server.closed_because == "closed by the peer"
    await server.connection.close()
    assert asyncio.all_tasks() == tasks


async def test_a_server_that_dies_in_the_handshake_is_told_with_its_reason(tmp_path: Path):
    session, server = session_and_server(toy_options(tmp_path))
    server.handlers["initialize"] = lambda _: server.crash("no such library")
    failure = await failure_of(session.start())
    assert isinstance(failure, SessionDead)
    assert "no such library" in failure.message
    assert session.life == "dead"


async def test_a_server_that_cannot_be_started_is_typed_and_dead(tmp_path: Path):
    async def connect() -> Transport:
        raise ServerUnavailable("no such program")

    session = Session(toy_options(tmp_path), connect)
    assert isinstance(await failure_of(session.start()), ServerUnavailable)
    assert session.life == "dead"
    assert isinstance(await failure_of(session.request("x")), SessionDead)


async def test_stopping_twice_at_once_says_goodbye_once(tmp_path: Path):
    async with running_session(toy_options(tmp_path)) as (session, server):
        await asyncio.gather(session.stop(), session.stop())
        await session.stop()
        assert server.methods.count("shutdown") == 1
        assert session.life == "dead"


async def test_whoever_stops_waiting_for_a_stop_does_not_stop_it(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {"shutdown": never}) as (session, server):
        stopping = asyncio.ensure_future(session.stop())
        await server.until_heard("shutdown")
        stopping.cancel()
        await asyncio.wait([stopping])
        assert session.life == "stopping"
        await session.stop()
        assert session.life == "dead"


async def test_a_server_that_does_not_answer_shutdown_is_not_waited_for_longer_than_agreed(tmp_path: Path):
    async with running_session(toy_options(tmp_path, shutdown_timeout=2.0), {"shutdown": never}) as (session, server):
        loop = asyncio.get_running_loop()
        began = loop.time()
        await session.stop()
        assert loop.time() - began == pytest.approx(2)
        assert session.life == "dead"
        assert "exit" not in server.methods


async def test_a_stop_during_the_handshake_ends_the_start(tmp_path: Path):
    session, server = session_and_server(toy_options(tmp_path), {"initialize": never})
    starting = asyncio.ensure_future(session.start())
    await server.until_heard("initialize")
    await session.stop()
    assert isinstance(await failure_of(starting), SessionDead)
    assert session.life == "dead"
    assert server.closed_because
    assert "shutdown" not in server.methods


async def test_a_stop_while_it_still_connects_closes_what_is_connected_later(tmp_path: Path):
    ours, theirs = memory_pair()
    server = FakeServer(theirs, {}, {})
    gate = asyncio.Event()

    async def connect() -> Transport:
        await gate.wait()
        return ours

    session = Session(toy_options(tmp_path), connect)
    starting = asyncio.ensure_future(session.start())
    await asyncio.sleep(0)
    await session.stop()
    gate.set()
    assert isinstance(await failure_of(starting), SessionDead)
    assert session.life == "dead"
    assert server.closed_because == "closed by the peer"
    assert server.methods == []


async def test_a_start_that_is_cancelled_leaves_nothing_running(tmp_path: Path):
    session, server = session_and_server(toy_options(tmp_path), {"initialize": never})
    starting = asyncio.ensure_future(session.start())
    await server.until_heard("initialize")
    starting.cancel()
    await asyncio.wait([starting])
    assert starting.cancelled()
    assert session.life == "dead"
    assert server.closed_because


async def test_a_server_that_dies_while_it_is_asked_fails_the_request_and_all_later_ones(tmp_path: Path):
    async with running_session(toy_options(tmp_path), {"question": never}) as (session, server):
        asking = asyncio.ensure_future(session.request("question"))
        await server.until_heard("question")
        server.crash("out of memory")
        for failed in (asking, session.request("question")):
            failure = await failure_of(failed)
            assert isinstance(failure, SessionDead)
            assert "out of memory" in failure.message
        assert session.life == "dead"
        with pytest.raises(SessionDead, match="out of memory"):
            session.raise_if_dead()


async def test_a_request_without_a_timeout_ends_in_the_usual_time(tmp_path: Path):
    async with running_session(toy_options(tmp_path, request_timeout=4.0), {"question": never}) as (session, _):
        loop = asyncio.get_running_loop()
        began = loop.time()
        assert isinstance(await failure_of(session.request("question")), RequestTimeout)
        assert loop.time() - began == pytest.approx(4)


async def test_a_server_that_stops_reading_is_given_up_and_its_transport_closed(tmp_path: Path):
    options = toy_options(tmp_path, limits=Limits(max_unsent=100_000))
    async with running_session(options) as (session, server):
        server.stall()
        session.notify("change", {"text": "x" * 200_000})
        await server.until(lambda: server.closed_because)
        assert session.life == "dead"
        assert "stopped reading" in session.close_reason


async def test_a_session_that_was_never_started_can_be_stopped(tmp_path: Path):
    session, server = session_and_server(toy_options(tmp_path))
    await session.stop()
    assert session.life == "dead"
    assert isinstance(await failure_of(session.start()), SessionDead)
    assert server.methods == []


def _returning(transport: Transport) -> Callable[[], Awaitable[Transport]]:
    async def connect() -> Transport:
        return transport

    return connect
