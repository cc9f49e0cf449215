"""Runs a language server on its standard streams and puts it behind a port, as somebody else would run it.

Run as ``python -m tests.real.bridge COMMAND…``; the first line on its output is ``{"port": …, "pid": …}``. One client
after the other is let in; the server lives on between them. Above: ``test_connect``.
"""

import asyncio
import json
import sys


async def copy(reading: asyncio.StreamReader, writing: asyncio.StreamWriter) -> None:
    """Until the input ends or the other side is gone."""
    while data := await reading.read(65_536):
        writing.write(data)
        await writing.drain()


async def serve(command: list[str]) -> None:
    """Until the server ends."""
    server = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    to_server, from_server = server.stdin, server.stdout
    client: asyncio.Task[None] | None = None

    async def let_in(reading: asyncio.StreamReader, writing: asyncio.StreamWriter) -> None:
        nonlocal client
        client = asyncio.ensure_future(copy(from_server, writing))
        try:
            await copy(reading, to_server)
        except ConnectionError:
            pass
        finally:
            client.cancel()
            writing.close()

    listening = await asyncio.start_server(let_in, "127.0.0.1", 0)
    print(json.dumps({"port": listening.sockets[0].getsockname()[1], "pid": server.pid}), flush=True)
    try:
        await server.wait()
    finally:
        listening.close()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1:]))
