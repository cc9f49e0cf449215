"""What large answers cost, without a server: 20 000 locations, and a message of 50 MB.

The event loop stands still while a piece of input is worked on, so the longest piece is what counts.
Above: ``queries``. Below: ``groundwire.protocol``.
"""

import json
import time

from groundwire.protocol.correlator import Correlator
from groundwire.protocol.framing import FrameDecoder
from groundwire.protocol.lsp import normalise_locations

LOCATIONS = 20_000
LARGE_MESSAGE = 50 * 1024 * 1024
PIECE = 64 * 1024
TRIES = 5


def decode_locations() -> float:
    """Milliseconds to decode and normalise an answer of 20 000 locations in 500 files; the best of several tries."""
    answer = [
        {
            "uri": f"file:///home/somebody/project/src/package_{number % 500}/module.py",
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
