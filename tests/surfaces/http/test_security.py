"""A front against who means no good, over bare sockets: everything is refused or bounded, and it goes on serving."""

import contextlib
import json
import os
import socket
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.daemon.homes import Home, within
from tests.surfaces.http.front import TOKEN, Front, serving, shared_front

MEGABYTE = 1024 * 1024
GUARDED = [
    ("GET", "/status"),
    ("GET", "/events"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    ("GET", "/symbols?q=x"),
    ("POST", "/servers/restart"),
    ("POST", "/servers/stop"),
    ("GET", "/conversations/a/cwd"),
    ("PUT", "/conversations/a/cwd"),
    ("GET", "/conversations/a/lsp"),
    ("DELETE", "/conversations/a"),
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
    ("POST", "/"),
    ("GET", "/nowhere"),
]


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Generator[Front]:
    """One for all of them: it must survive them all. Failures are not counted to a limit here."""
    with shared_front(tmp_path_factory.mktemp("attacked"), limits={"failures": 100_000}) as front:
        yield front
        assert front.is_up()
        assert "Traceback" not in front.said()


class Raw:
    """An answer as it came."""

    def __init__(self, received: bytes) -> None:
        head, _, self.body = received.partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(status.split(" ")[1])
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}

    @property
    def kind(self) -> str:
        return json.loads(self.body)["error"]["kind"]


def raw(front: Front, line: str, *headers: str, host: str = "", token: str = TOKEN, body: bytes = b"") -> Raw:
    """One request on a connection of its own. No token: no header for it."""
    lines = [f"{line} HTTP/1.1", f"Host: {host or f'127.0.0.1:{front.port}'}", "Connection: close", *headers]
    lines += [f"Authorization: Bearer {token}"] if token else []
    lines += [f"Content-Length: {len(body)}"] if body else []
    with front.connect() as connection:
        connection.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        return Raw(read_all(connection))


def read_all(connection: socket.socket) -> bytes:
    pieces = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            pieces += piece
    return pieces


def put_cwd(front: Front, cwd: object, conversation: str = "a") -> Raw:
    return raw(front, f"PUT /conversations/{conversation}/cwd", body=json.dumps({"cwd": cwd}).encode())


@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_without_the_token_nothing_is_told(attacked: Front, method: str, path: str) -> None:
    for token in ("", "wrong", TOKEN[:-1], TOKEN + "x", TOKEN.upper()):
        answered = raw(attacked, f"{method} {path}", "Accept: text/event-stream, application/json", token=token)
        assert (answered.status, answered.kind) == (401, "Unauthorized")
        assert answered.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("name", ["token", "access_token", "TOKEN"])
@pytest.mark.parametrize("token", ["", TOKEN])
def test_a_token_in_the_address_is_refused(attacked: Front, name: str, token: str) -> None:
    assert raw(attacked, f"GET /status?{name}={TOKEN}", token=token).status == 401


def test_what_is_open_holds_no_data(attacked: Front) -> None:
    assert raw(attacked, "GET /health", token="").body == b'{"status":"ok"}'
    assert raw(attacked, "GET /ready", token="").status == 200
    page = raw(attacked, "GET /", "Accept: text/html", token="")
    assert page.status == 200
    assert os.fsencode(attacked.home.root) not in page.body
    assert TOKEN.encode() not in page.body


@pytest.mark.parametrize(
    "path", ["/health/../status", "//status", "/%2e%2e/status", "/page/../status", "/page/%2e%2e/app.py"]
)
@pytest.mark.parametrize("token", ["", TOKEN])
def test_no_way_round_leads_to_data_or_files(attacked: Front, path: str, token: str) -> None:
    assert raw(attacked, f"GET {path}", token=token).status in {401, 404}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "127.0.0.1:{port}.evil"]
)
@pytest.mark.parametrize("path", ["/status", "/health", "/", "/mcp"])
def test_a_name_that_leads_here_by_others_dns_is_not_ours(attacked: Front, host: str, path: str) -> None:
    answered = raw(attacked, f"GET {path}", host=host.replace("{port}", str(attacked.port)))
    assert (answered.status, answered.kind) == (421, "WrongHost")


def test_two_hosts_or_none_are_refused(attacked: Front) -> None:
    assert raw(attacked, "GET /status", "Host: evil.example").status == 400
    with attacked.connect() as connection:
        connection.sendall(b"GET /status HTTP/1.0\r\n\r\n")
        assert Raw(read_all(connection)).status == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", "http://127.0.0.1"])
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/mcp"), ("GET", "/status"), ("OPTIONS", "/mcp"), ("GET", "/health")]
)
def test_pages_of_others_are_kept_out_even_with_the_token(attacked: Front, origin: str, method: str, path: str) -> None:
    answered = raw(attacked, f"{method} {path}", f"Origin: {origin}")
    assert answered.status == 403
    assert "access-control-allow-origin" not in answered.headers


def test_its_own_page_is_let_in(attacked: Front) -> None:
    assert raw(attacked, "GET /status", f"Origin: {attacked.url}", "Sec-Fetch-Site: same-origin").status == 200
    assert raw(attacked, "GET /status", "Sec-Fetch-Site: cross-site").status == 403


@pytest.mark.parametrize(
    "header", ["Content-Length: 4194305", "Content-Length: 99999999999999999999", "Content-Length: -1"]
)
def test_a_body_that_says_it_is_too_large_is_refused_before_it_comes(attacked: Front, header: str) -> None:
    assert raw(attacked, "POST /mcp", header).status in {400, 413}


def test_a_body_in_chunks_is_refused_once_it_is_too_large(attacked: Front) -> None:
    before = attacked.process.memory_info().rss
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{attacked.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    with attacked.connect() as connection:
        connection.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"100000\r\n" + b"x" * MEGABYTE + b"\r\n"
        with contextlib.suppress(OSError):
            for _ in range(100):
                connection.sendall(chunk)
        received = connection.recv(65536)
    assert Raw(received).status == 413
    assert attacked.process.memory_info().rss - before < 50 * MEGABYTE


def test_a_request_with_two_ends_is_refused(attacked: Front) -> None:
    smuggled = b"0\r\n\r\nGET /status HTTP/1.1\r\n\r\n"
    answered = raw(
        attacked, "POST /mcp", "Transfer-Encoding: chunked", f"Content-Length: {len(smuggled)}", body=smuggled
    )
    assert answered.status == 400
    assert answered.headers["connection"] == "close"


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01",
        b"\0" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused(attacked: Front, sent: bytes) -> None:
    with attacked.connect() as connection:
        connection.sendall(sent)
        assert 400 <= Raw(read_all(connection)).status < 500


def test_a_change_of_protocol_is_not_made(attacked: Front) -> None:
    upgrade = ("Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13")
    assert raw(attacked, "GET /status", "Connection: Upgrade", *upgrade).status in {200, 400}


@pytest.fixture
def secret(attacked: Front) -> Iterator[Path]:
    """A directory beside the root, and a link to it from within."""
    outside = attacked.home.directory / "secret"
    outside.mkdir(exist_ok=True)
    link = attacked.home.root / "link"
    link.symlink_to(outside)
    yield outside
    link.unlink()


def test_no_cwd_leads_out_of_the_roots(attacked: Front, secret: Path) -> None:
    root = attacked.home.root
    for cwd in (
        f"{root}/..",
        f"{root}/../secret",
        str(secret),
        f"{root}/link",
        f"{root}/link/..",
        "/",
        "/etc",
        "/proc/1/cwd",
    ):
        answered = put_cwd(attacked, cwd)
        assert (answered.status, answered.kind) == (403, "OutsideWorkspace"), cwd
    assert put_cwd(attacked, "/etc").body.replace(b"/etc", b"") == put_cwd(attacked, "/no").body.replace(b"/no", b"")
    assert json.loads(raw(attacked, "GET /conversations/a/cwd").body)["is_default"] is True


def test_a_cwd_that_is_no_path_is_refused(attacked: Front) -> None:
    root = attacked.home.root
    bad = [
        "",
        ".",
        "relative",
        f"{root}\0",
        f"{root}/\0",
        f"/{root}",
        "//etc",
        f"{root}\n",
        "x" * 5000,
        f"{root}/{'x/' * 3000}",
    ]
    for cwd in [*bad, f"{root}/missing", f"{root}/\ud800", 1, None, ["x"], {"cwd": "x"}]:
        answered = put_cwd(attacked, cwd)
        assert answered.status in {400, 422}, (cwd, answered.body)
        assert answered.kind


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'"x"', b"\xff", b'{"cwd": "/", "more": 1}', b"[" * 100_000, b'{"cwd": "\\ud800"}']
)
def test_a_body_that_is_something_else_is_refused(attacked: Front, body: bytes) -> None:
    assert raw(attacked, "PUT /conversations/a/cwd", body=body).status in {400, 422}
    assert raw(attacked, "POST /servers/stop", body=body).status in {400, 415, 422}


@pytest.mark.parametrize("name", ["%00", "%0a", "a%20b", "%ff", "x" * 201, "%2e%2e%2fx"])
def test_an_id_that_is_none_is_refused(attacked: Front, name: str) -> None:
    for line in (f"GET /conversations/{name}/cwd", f"GET /conversations/{name}/lsp", f"DELETE /conversations/{name}"):
        assert raw(attacked, line).status in {404, 422}


def test_a_conversation_is_set_shown_and_removed(attacked: Front) -> None:
    below = attacked.home.root / "below"
    below.mkdir(exist_ok=True)
    shown = json.loads(put_cwd(attacked, str(below), "mine").body)
    assert (shown["conversation"], shown["cwd"], shown["is_default"]) == ("mine", str(below), False)
    assert json.loads(raw(attacked, "GET /conversations/mine/cwd").body) == shown
    lsp = json.loads(raw(attacked, "GET /conversations/mine/lsp").body)
    assert (lsp["connected"], lsp["cwd"], lsp["servers"]) == (False, str(below), [])
    assert raw(attacked, "DELETE /conversations/mine").status == 204
    gone = raw(attacked, "DELETE /conversations/mine")
    assert (gone.status, gone.kind) == (404, "NotFound")
    assert raw(attacked, "POST /conversations/mine/cwd").headers["allow"].count("PUT") == 1


def test_a_cwd_that_is_gone_is_said_to_be(attacked: Front) -> None:
    gone = attacked.home.root / "gone"
    gone.mkdir()
    put_cwd(attacked, str(gone), "lost")
    gone.rmdir()
    answered = raw(attacked, "GET /conversations/lost/cwd")
    assert (answered.status, answered.kind) == (409, "FileNotFound")


def test_guessing_is_slowed_down_and_who_knows_the_token_is_not(front: Front) -> None:
    statuses = [raw(front, "GET /status", token="wrong-wrong-wrong").status for _ in range(25)]
    assert statuses == [401] * 20 + [429] * 5
    assert int(raw(front, "GET /status", token="").headers["retry-after"]) > 0
    assert raw(front, "GET /status").status == 200


def test_a_thousand_half_open_connections_keep_nobody_from_being_served(home: Home) -> None:
    with serving(Front(home)) as front, contextlib.ExitStack() as open_ones:
        assert front.is_up()
        before = front.process.memory_info().rss
        half = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{front.port}\r\nAuthor".encode()
        with front.client() as good:
            for number in range(1000):
                connection = open_ones.enter_context(front.connect())
                connection.sendall(half[: number % len(half)])
                if number % 50 == 0:
                    assert good.get("/status").status_code == 200
            for _ in range(20):
                assert good.get("/status").status_code == 200
            assert front.process.memory_info().rss - before < 60 * MEGABYTE
            open_ones.close()
            assert within(lambda: front.process.num_fds() < 100, 15)
            assert good.get("/status").status_code == 200
        assert "Traceback" not in front.said()


def test_more_connections_than_there_is_room_for_give_way_to_who_asks(home: Home) -> None:
    with serving(Front(home, limits={"connections": 50})) as front, contextlib.ExitStack() as open_ones:
        for _ in range(300):
            open_ones.enter_context(front.connect())
        assert all(front.is_up() for _ in range(5))
        assert front.process.num_fds() < 150
