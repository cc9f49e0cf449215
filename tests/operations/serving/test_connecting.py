"""A server that somebody else runs takes the place of our own, is asked like any other, and is never ended by us."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import (
    GroundwireError,
    InvalidArgument,
    NoServerForExtension,
    PermissionDenied,
    RequestTimeout,
    ServerUnavailable,
    SessionDead,
)
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.serving.starting import start_lsp
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from groundwire.registry.catalog import Catalog
from groundwire.registry.spec import ServerSpec
from groundwire.render.workspace import started_page
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ask
from tests.pool.test_connect import Elsewhere

pytestmark = pytest.mark.anyio


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    held = Elsewhere(ToyLog(tmp_path / "log"))
    yield held
    held.end()
    assert held.process.stdout is not None
    held.process.stdout.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "project/a.toy").write_text("wrong\n")
    return tmp_path / "project"


def called(name: str) -> ServerSpec:
    """The well-behaved server under another name."""
    return msgspec.structs.replace(toy_spec("base"), id=name)


def catalog() -> Catalog:
    """Our own goes first; the other one is the same, and is called as the one that runs elsewhere calls itself."""
    return toy_catalog(called("ours"), called("toy"), called("linter-of-theirs"))


async def messages(pool: Pool) -> list[str]:
    answer = await check_files(pool, [Path("a.toy")])
    assert answer.status is Status.CONFIRMED, answer.reason
    return [finding.message for finding in answer.value[0].diagnostics]


async def test_it_goes_before_the_servers_of_its_language_and_is_left_running(elsewhere: Elsewhere, root: Path) -> None:
    async with Pool(root, catalog=catalog()) as pool:
        assert await messages(pool) == ["wrong"]
        answer = await ask(pool, start_lsp, connect=elsewhere.address, server_id="toy")
        assert (answer.status, answer.servers) == (Status.CONFIRMED, ("toy",))
        (started,) = answer.value.servers
        assert (started.state, started.address) == ("ready", elsewhere.address)
        assert f"connected at {elsewhere.address}, for ." in started_page(answer).sections[0].blocks[0][0]
        assert await messages(pool) == ["wrong"]
        assert elsewhere.log.count("textDocument/diagnostic") == 1
    assert elsewhere.process.poll() is None
    assert (elsewhere.log.count("shutdown"), elsewhere.log.count("exit")) == (0, 0)


async def test_it_goes_before_the_address_that_the_configuration_has(elsewhere: Elsewhere, root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        configured = f"127.0.0.1:{nobody.getsockname()[1]}"
    async with Pool(root, catalog=catalog(), settings=PoolSettings(connect={"toy": configured})) as pool:
        await ask(pool, start_lsp, connect=elsewhere.address, server_id="toy")
        assert await messages(pool) == ["wrong"]
        assert elsewhere.log.count("initialize") == 1


async def test_where_nobody_listens_everything_is_as_before(root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
    async with Pool(root, catalog=catalog()) as pool:
        with pytest.raises(ServerUnavailable, match=f"no connection to {address}"):
            await ask(pool, start_lsp, connect=address, server_id="ours")
        assert dict(pool.folders.connections) == {}
        assert await messages(pool) == ["wrong"]
        assert [(each.server, each.state, each.restarts) for each in pool.status()] == [("ours", "active", 0)]


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize(
    "greeting",
    [b"220 secret-banner ESMTP\r\n", b"HTTP/1.1 400 secret-banner\r\nContent-Length: 13\r\n\r\nsecret-banner"],
)
async def test_what_does_not_speak_as_a_language_server_is_given_up_in_time_and_not_quoted(
    root: Path, greeting: bytes, stays: bool
) -> None:
    def greet(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(greeting)
            while stays and connection.recv(4096):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=greet, args=[listening], daemon=True)
        thread.start()
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        async with Pool(root, catalog=catalog()) as pool:
            with pytest.raises(GroundwireError) as raised:
                await ask(pool, start_lsp, connect=address, server_id="ours", ready_timeout_seconds=0.5)
            assert isinstance(raised.value, RequestTimeout if stays else SessionDead | RequestTimeout)
            assert "secret-banner" not in raised.value.message + raised.value.hint
            assert dict(pool.folders.connections) == {}
        thread.join(10)
    assert not thread.is_alive()


async def test_one_that_is_another_than_it_was_taken_for_is_not_used(elsewhere: Elsewhere, root: Path) -> None:
    async with Pool(root, catalog=catalog()) as pool:
        for given in ({"language_id": "toy"}, {"server_id": "ours"}):
            with pytest.raises(InvalidArgument, match="was taken for ours") as raised:
                await ask(pool, start_lsp, connect=elsewhere.address, **given)
            assert "server_id='toy'" in raised.value.hint
            assert dict(pool.folders.connections) == {}
        assert await messages(pool) == ["wrong"]
    assert elsewhere.process.poll() is None


async def test_by_its_language_alone_it_is_used_when_it_says_that_it_is_the_first_of_it(
    elsewhere: Elsewhere, root: Path
) -> None:
    async with Pool(root, catalog=toy_catalog(called("toy"))) as pool:
        answer = await ask(pool, start_lsp, connect=elsewhere.address, language_id="toy")
        assert answer.value.servers[0].address == elsewhere.address


async def test_a_failed_connection_leaves_the_one_before_in_use(elsewhere: Elsewhere, root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
    async with Pool(root, catalog=catalog()) as pool:
        await ask(pool, start_lsp, connect=elsewhere.address, server_id="toy")
        with pytest.raises(ServerUnavailable):
            await ask(pool, start_lsp, connect=address, server_id="toy")
        assert await messages(pool) == ["wrong"]
        assert elsewhere.log.count("initialize") == 2


async def test_no_file_of_its_language_has_to_be_there_yet(elsewhere: Elsewhere, root: Path) -> None:
    (root / "a.toy").unlink()
    async with Pool(root, catalog=catalog()) as pool:
        answer = await ask(pool, start_lsp, connect=elsewhere.address, server_id="toy")
        assert answer.value.servers[0].state == "ready"


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"connect": "10.0.0.1:7000", "server_id": "toy"}, PermissionDenied),
        ({"connect": "metadata.internal:80", "language_id": "toy"}, PermissionDenied),
        ({"connect": "7000", "server_id": "toy"}, InvalidArgument),
        ({"connect": "127.0.0.1:7000"}, InvalidArgument),
        ({"connect": "127.0.0.1:7000", "server_id": "nobody"}, InvalidArgument),
        ({"connect": "127.0.0.1:7000", "language_id": "empty"}, NoServerForExtension),
    ],
)
async def test_what_must_not_be_dialled_is_refused_before_anything_is(
    root: Path, given: dict[str, object], error: type[Exception]
) -> None:
    known = catalog()
    languages = {**known.languages, "empty": msgspec.structs.replace(known.languages["toy"], extensions=(), servers=())}
    async with Pool(root, catalog=Catalog(languages, known.servers)) as pool:
        with pytest.raises(error):
            await ask(pool, start_lsp, **given)
        assert (pool.instances(), dict(pool.folders.connections)) == ((), {})
