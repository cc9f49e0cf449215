"""Clients that are slow, silent, many or do not read: each is bounded, and nobody else notices."""

import contextlib
import socket
import time
from collections.abc import Generator

import pytest

from tests.daemon.homes import Home, within
from tests.surfaces.http.front import Front, serving, shared_front

MOST = 20
LIMITS = {"header_s": 1.0, "body_s": 1.0, "write_s": 1.0, "idle_s": 1.0, "header_bytes": 16384}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Generator[Front]:
    """With limits that a test can wait for."""
    limits = {**LIMITS, "connections": MOST, "keep_alive_s": 0.3}
    with shared_front(tmp_path_factory.mktemp("strict"), limits=limits) as front:
        yield front


def head(front: Front, line: str = "GET /health", *more: str) -> bytes:
    lines = [f"{line} HTTP/1.1", f"Host: 127.0.0.1:{front.port}", f"Authorization: Bearer {front.token}", *more]
    return "\r\n".join(lines).encode() + b"\r\n"


def read_all(connection: socket.socket) -> bytes:
    """Until it is closed, by whatever way."""
    pieces = b""
    try:
        while piece := connection.recv(65536):
            pieces += piece
    except ConnectionResetError:
        pass
    return pieces


def read_until(connection: socket.socket, end: bytes) -> bytes:
    """An answer that ends so; the connection stays."""
    pieces = b""
    while not pieces.endswith(end):
        piece = connection.recv(65536)
        assert piece, pieces
        pieces += piece
    return pieces


def seconds_until_closed(connection: socket.socket) -> float:
    began = time.monotonic()
    read_all(connection)
    return time.monotonic() - began


def test_who_says_nothing_is_cut(strict: Front) -> None:
    with strict.connect() as connection:
        assert seconds_until_closed(connection) < 5


def test_who_sends_a_header_byte_by_byte_is_cut_all_the_same(strict: Front) -> None:
    began = time.monotonic()
    with strict.connect(0.05) as connection:
        answered = b""
        while not answered and time.monotonic() - began < 10:
            try:
                connection.sendall(b"x")
                answered = connection.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                break
    assert time.monotonic() - began < 5
    assert not answered or answered.startswith((b"HTTP/1.1 408", b"HTTP/1.1 400"))


def test_a_header_that_does_not_end_is_answered_and_cut(strict: Front) -> None:
    with strict.connect() as connection:
        connection.sendall(head(strict))
        answered = read_all(connection)
    assert answered.startswith(b"HTTP/1.1 408")
    assert b"nosniff" in answered


@pytest.mark.parametrize("piece", [b"X: " + b"y" * 100_000, b"X: y\r\n" * 20_000, b"X" * 100_000])
def test_a_header_without_bounds_is_refused(strict: Front, piece: bytes) -> None:
    with strict.connect() as connection:
        try:
            connection.sendall(head(strict) + piece)
            answered = connection.recv(65536)
        except ConnectionError:
            answered = b""
        assert not answered or answered.startswith(b"HTTP/1.1 431")
        assert seconds_until_closed(connection) < 5
    assert strict.is_up()


def test_an_address_without_bounds_is_refused(strict: Front) -> None:
    with strict.connect() as connection:
        connection.sendall(head(strict, f"GET /health?{'x' * 20_000}") + b"\r\n")
        assert read_all(connection).startswith(b"HTTP/1.1 431")


def test_a_connection_that_was_answered_and_is_silent_is_closed(strict: Front) -> None:
    with strict.connect() as connection:
        connection.sendall(head(strict) + b"\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        assert 0.5 < seconds_until_closed(connection) < 5


def test_the_next_header_on_a_connection_has_its_time_as_well(strict: Front) -> None:
    with strict.connect() as connection:
        connection.sendall(head(strict) + b"\r\n")
        assert read_until(connection, b"}").startswith(b"HTTP/1.1 200")
        connection.sendall(b"\r\n")
        assert seconds_until_closed(connection) < 5


def test_a_body_that_does_not_come_is_not_waited_for(strict: Front) -> None:
    with strict.connect() as connection:
        connection.sendall(head(strict, "PUT /conversations/a/cwd", "Content-Length: 100") + b"\r\n{")
        assert connection.recv(65536).startswith(b"HTTP/1.1 408")
        assert seconds_until_closed(connection) < 5


def test_a_body_that_trickles_is_not_waited_for(strict: Front) -> None:
    began = time.monotonic()
    with strict.connect(0.1) as connection:
        connection.sendall(head(strict, "PUT /conversations/a/cwd", "Transfer-Encoding: chunked") + b"\r\n")
        answered = b""
        while not answered and time.monotonic() - began < 10:
            connection.sendall(b"1\r\nx\r\n")
            try:
                answered = connection.recv(65536)
            except TimeoutError:
                continue
    assert answered.startswith(b"HTTP/1.1 408")
    assert time.monotonic() - began < 5


def test_a_body_that_goes_on_after_its_refusal_is_cut(strict: Front) -> None:
    began = time.monotonic()
    with strict.connect() as connection:
        connection.sendall(head(strict, "POST /mcp", "Content-Length: 99999999999") + b"\r\n")
        answered = connection.recv(65536)
        try:
            while time.monotonic() - began < 20:
                connection.sendall(b"x" * 65536)
        except OSError:
            pass
    assert answered.startswith(b"HTTP/1.1 413")
    assert time.monotonic() - began < 10
    assert strict.is_up()


def test_after_a_refusal_whose_body_came_all_the_same_the_connection_goes_on(strict: Front) -> None:
    body = b"x" * 300_000
    request = head(strict, "POST /mcp", f"Content-Length: {len(body)}").replace(b"Bearer ", b"Bearer not-")
    with strict.connect() as connection:
        connection.sendall(request + b"\r\n" + body)
        assert read_until(connection, b"}}").startswith(b"HTTP/1.1 401")
        connection.sendall(head(strict) + b"\r\n")
        assert read_until(connection, b"}").startswith(b"HTTP/1.1 200")


def test_who_does_not_read_is_cut_and_costs_a_bounded_amount(strict: Front) -> None:
    before = strict.process.memory_info().rss
    with strict.connect(5) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asking = (head(strict, "GET /") + b"\r\n") * 50
        began = time.monotonic()
        try:
            while time.monotonic() - began < 20:
                connection.sendall(asking)
        except OSError:
            pass
        assert time.monotonic() - began < 15
    assert strict.process.memory_info().rss - before < 30_000_000
    assert strict.is_up()


def test_requests_sent_ahead_are_answered_in_their_order(strict: Front) -> None:
    lines = ["GET /health", "GET /nowhere", "GET /ready"] * 3
    with strict.connect() as connection:
        connection.sendall(b"".join(head(strict, line) + b"\r\n" for line in lines))
        received = b""
        while received.count(b"HTTP/1.1 ") < len(lines):
            received += connection.recv(65536)
    assert [piece[:3] for piece in received.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200"] * 3


def test_who_sends_requests_without_end_is_cut(strict: Front) -> None:
    before = strict.process.memory_info().rss
    with strict.connect() as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall((head(strict) + b"\r\n") * 20_000)
        assert seconds_until_closed(connection) < 10
    assert strict.process.memory_info().rss - before < 20_000_000
    assert strict.is_up()


def test_a_stream_ends_with_its_connection_though_another_request_was_sent_ahead(strict: Front) -> None:
    def listening() -> int:
        return strict.get("/status").json()["front"]["subscribers"]

    before = listening()
    with strict.connect() as connection:
        connection.sendall(head(strict, "GET /events") + b"\r\n" + head(strict) + b"\r\n")
        assert within(lambda: listening() > before)
    assert within(lambda: listening() == before)


def test_where_there_is_no_room_who_never_asked_gives_way(strict: Front) -> None:
    silent = [strict.connect() for _ in range(MOST)]
    try:
        for _ in range(5):
            assert strict.is_up()
    finally:
        for each in silent:
            each.close()


def test_where_everybody_is_being_served_who_comes_is_told_so(home: Home) -> None:
    with serving(Front(home, limits={"connections": 4, "body_s": 30.0})) as front, contextlib.ExitStack() as busy:
        for _ in range(4):
            connection = busy.enter_context(front.connect())
            asking = head(front, "PUT /conversations/a/cwd", "Content-Length: 100", "Expect: 100-continue")
            connection.sendall(asking + b"\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 100")
        with front.connect() as late:
            assert read_all(late).startswith(b"HTTP/1.1 503")
        busy.close()
        assert within(lambda: front.get("/health").status_code == 200, 10)


def test_a_client_that_takes_its_time_between_requests_is_not_cut_early(strict: Front) -> None:
    with strict.client() as client:
        for _ in range(3):
            assert client.get("/health").status_code == 200
            time.sleep(0.3)  # well below the limit; it is the client's pause that is tested


def test_nothing_is_cut_between_a_request_and_its_answer(strict: Front) -> None:
    began = time.monotonic()
    with strict.client() as client, client.stream("GET", "/events") as events:
        assert events.status_code == 200
        for _ in events.iter_raw():  # all limits are a second
            if time.monotonic() - began > 3:
                break
    assert time.monotonic() - began > 3
