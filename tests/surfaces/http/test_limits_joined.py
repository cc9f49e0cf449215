"""A header waits for its body, and for nothing else."""

import asyncio

import pytest

from groundwire.surfaces.http.limits_joined import JoinedWrites

pytestmark = pytest.mark.anyio

HEADER = b"HTTP/1.1 200 OK\r\n\r\n"


class Transport(asyncio.Transport):
    """Remembers what was written to it, write by write."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True


def joined() -> tuple[JoinedWrites, Transport]:
    transport = Transport()
    return JoinedWrites(transport, asyncio.get_running_loop()), transport


async def test_header_and_body_are_one_write() -> None:
    answers, transport = joined()
    answers.write(HEADER)
    answers.write(b"body")
    answers.write(b"more")
    await asyncio.sleep(0)
    assert transport.written == [HEADER + b"body", b"more"]


async def test_a_header_whose_body_is_not_there_yet_goes_out_alone() -> None:
    answers, transport = joined()
    answers.write(HEADER)
    assert transport.written == []
    await asyncio.sleep(0)
    assert transport.written == [HEADER]
    answers.write(b"late")
    assert transport.written == [HEADER, b"late"]


async def test_closing_writes_what_is_held() -> None:
    answers, transport = joined()
    answers.write(HEADER)
    answers.close()
    assert transport.written == [HEADER]
    assert answers.is_closing()
    await asyncio.sleep(0)
    assert transport.written == [HEADER]
