"""A process that uses our transport as groundwire does, for the tests that end it in every way there is.

Prints the pids of all it started as JSON once they run, then does what the second argument says: ``wait`` for a signal,
``return`` from the event loop without stopping anything, or ``raise``.
"""

import asyncio
import json
import os
import sys

from groundwire.transport.guardian import guardian
from groundwire.transport.process import ProcessSpec
from groundwire.transport.stdio import open_stdio


async def main(command: list[str], then: str) -> None:
    """Start the server, tell, and end as asked."""
    transport = await open_stdio(ProcessSpec(tuple(command), os.getcwd(), os.environ))  # noqa: PTH109
    output: asyncio.Queue[bytes] = asyncio.Queue()
    transport.start(output.put_nowait, lambda reason: print(reason, file=sys.stderr))
    said = b""
    while not said.endswith(b"ready\n") and not said.strip().isdigit():
        said += await output.get()
    numbers = [int(word) for word in said.split() if word.isdigit()]
    print(json.dumps([transport.process.pid, guardian.pid, *numbers]), flush=True)
    if then == "raise":
        raise RuntimeError("something went wrong")
    if then == "wait":
        await asyncio.Event().wait()


asyncio.run(main(sys.argv[2:], sys.argv[1]))
