"""What large answers cost, without a server: 20 000 locations, read and with their lines, and a message of 50 MB.

The event loop stands still while a piece of input is worked on, so the longest piece is what counts.
Above: ``queries``. Below: ``groundwire``.
"""

import json
import tempfile
import time
from pathlib import Path

from groundwire.client.options import SessionOptions
from groundwire.client.session import Session
from groundwire.errors import ServerUnavailable
from groundwire.operations.arguments import Page
from groundwire.operations.navigation.places import locations_of
from groundwire.protocol.correlator import Correlator
from groundwire.protocol.framing import FrameDecoder
from groundwire.protocol.lsp import Location, Position, Range, normalise_locations
from groundwire.transport.base import Transport

LOCATIONS = 20_000
FILES = 500
LINES = 1000
LARGE_MESSAGE = 50 * 1024 * 1024
PIECE = 64 * 1024
TRIES = 5


def decode_locations() -> float:
    """Milliseconds to decode and normalise an answer of 20 000 locations in 500 files; the best of several tries."""
    answer = [
        {
            "uri": f"file:///home/somebody/project/src/package_{number % FILES}/module.py",
            "range": {
                "start": {"line": number % 977, "character": number % 79},
                "end": {"line": number % 977, "character": number % 79 + 5},
            },
        }
        for number in range(LOCATIONS)
    ]
    raw = json.dumps(answer, separators=(",", ":")).encode()
    taken: list[float] = []
    for _ in range(TRIES):
        began = time.perf_counter()
        found = normalise_locations(raw)
        taken.append(time.perf_counter() - began)
        if len(found) != LOCATIONS:
            raise AssertionError(f"{len(found)} locations of {LOCATIONS}")
    return min(taken) * 1000


async def read_places() -> float:
    """Milliseconds to make 10 000 places, with their lines, of 20 000 locations in 500 files of 1000 lines."""
    text = "".join(f"    value_{number} = compute({number})  # a line of source\n" for number in range(LINES))
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory:
        files = [Path(directory, f"module_{number}.py") for number in range(FILES)]
        for file in files:
            file.write_text(text, encoding="utf-8")
        locations = [
            Location(files[number % FILES].as_uri(), Range(Position(number // FILES, 4), Position(number // FILES, 9)))
            for number in range(LOCATIONS)
        ]
        session = Session(SessionOptions(server="none", root=Path(directory)), _no_server)
        began = time.perf_counter()
        found = locations_of(session, Path(directory), locations, Page(limit=10_000))
        taken = time.perf_counter() - began
    if found.total != LOCATIONS or len(found.locations) != 10_000:
        raise AssertionError(f"{found.total} places of {LOCATIONS}")
    return taken * 1000


async def _no_server() -> Transport:
    raise ServerUnavailable("this session is never started")


def longest_block(limit: int) -> tuple[float, float]:
    """Feed an answer of 50 MB in pieces: milliseconds of the longest piece, and of all together."""
    correlator = Correlator(FrameDecoder(max_body=limit))
    request, _ = correlator.request("textDocument/references")
    text = b'"' + b"x" * LARGE_MESSAGE + b'"'
    body = b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (request, text)
    data = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    longest = total = 0.0
    events = 0
    for start in range(0, len(data), PIECE):
        piece = data[start : start + PIECE]
        began = time.perf_counter()
        events += len(correlator.feed(piece))
        taken = time.perf_counter() - began
        longest, total = max(longest, taken), total + taken
    if events != 1:
        raise AssertionError(f"{events} events for one message")
    return longest * 1000, total * 1000
